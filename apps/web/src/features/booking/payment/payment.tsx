import { useQueryClient } from '@tanstack/react-query';
import type { ApiAnswers, ApiAppointment } from '@clinic/contract';
import { centsOf, dollarsOf, needsFeeWarning } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { CreditCard, ShieldCheck } from 'lucide-react';
import { Suspense, lazy, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { callUntilKnown } from '../../../api/until-known.ts';
import { locale, t } from '../../../messages/t.ts';
import type { DocumentKind } from '../../../shared/files/upload-document-dialog.tsx';
import { useUser } from '../../../shared/session/session.ts';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import { dropUnsettled, keepUnsettled } from '../../../shared/unsettled-request.ts';
import { useAction } from '../../../shared/use-action.ts';
import { HoldNotice, type HoldState } from '../appointment-summary.tsx';
import type { BookingData } from '../booking-data.ts';
import { Checking } from '../confirm/checking.tsx';
import { SequenceProblem, missingUploads, saveAgreement } from '../confirm/confirm-sequence.ts';
import type { Unsettled } from '../confirm/use-confirm-sequence.ts';
import { apiAnswers } from '../confirm/answers.ts';
import { isSlotLost, settleEarlier, StillUnknown, whyLost } from '../hold/hold-calls.ts';
import type { Draft, OpenJourney } from '../journey.ts';
import step from '../step.module.css';
import { useBackCloses } from '../use-journey.ts';
import { CardEntry, type CardForm, type CardOutcome } from './card-form.tsx';
import './payment-words.ts';
import styles from './payment.module.css';

// Needed only when the price changed on the way here.
const FeeWarningDialog = lazy(async () => {
  const { FeeWarningDialog } = await import('../confirm/confirm-dialogs.tsx');
  return { default: FeeWarningDialog };
});

// Needed only when the earlier upload check failed.
const UploadDocumentDialog = lazy(async () => {
  const { UploadDocumentDialog } = await import('../../../shared/files/upload-document-dialog.tsx');
  return { default: UploadDocumentDialog };
});

interface PaymentProps extends OpenJourney {
  data: BookingData;
  draft: Extract<Draft, { step: 'payment' }>;
  hold: HoldState;
}

/** Step 4: takes the card, charges the fee and books the appointment. */
export function Payment({ data: { config }, draft, hold, journey, send }: PaymentProps) {
  const { view, busy, card, pay, acceptFee, uploaded, checkAgain, close } = usePayment({
    draft,
    journey,
    send,
  });
  const { problem, unsettled } = view;
  const [document] = view.missing;
  useBackCloses(view.warning || document !== undefined, busy ? null : close);
  return (
    <>
      {unsettled && <Checking unknown={unsettled.unknown} onAgain={checkAgain} />}
      {/* Hidden rather than removed, to keep what was typed into the card form. */}
      <div hidden={unsettled !== null}>
        <form
          noValidate
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            pay();
          }}
        >
          <Card>
            <dl className={styles.total}>
              <dt>{t('pay.total')}</dt>
              <dd className={styles.amount}>{formatMoney(locale(), draft.chargeCents)}</dd>
            </dl>
            <div className={step.privacy}>
              <ShieldCheck size={22} aria-hidden="true" />
              <p>{t('pay.explained')}</p>
            </div>
          </Card>
          <section aria-labelledby="pay-by-card" className={styles.card}>
            <h2 id="pay-by-card" className={styles.heading}>
              {t('pay.byCard')}
            </h2>
            {config === null && <Spinner label={t('pay.formLoading')} />}
            {config?.payments && <CardEntry payments={config.payments} ref={card} busy={busy} />}
            {config?.payments === null && (
              <Notice kind="caution">
                <p>{t('pay.unavailable')}</p>
                <ClinicContact config={config} />
              </Notice>
            )}
          </section>
          {/* Beside the button, as the top of the page is out of sight on a phone. */}
          {!busy && <HoldNotice draft={draft} state={hold} journey={journey} send={send} />}
          {problem !== null && (
            <Notice kind="danger" title={t('pay.notPaid')} role="alert">
              <p>{problem.message}</p>
              {problem.needsClinic && <ClinicContact config={config} />}
            </Notice>
          )}
          <div className={step.actions}>
            <Button
              type="submit"
              busy={busy}
              busyLabel={t('pay.paying')}
              icon={<CreditCard size={20} aria-hidden="true" />}
            >
              {t('pay.payOnline')}
            </Button>
            <Button variant="secondary" disabled={busy} onClick={() => send({ type: 'back' })}>
              {t('booking.back')}
            </Button>
          </div>
          {document !== undefined && (
            <Suspense fallback={null}>
              <UploadDocumentDialog
                kind={document}
                onUploaded={() => uploaded(document)}
                onCancel={close}
              />
            </Suspense>
          )}
          {view.warning && (
            <Suspense fallback={null}>
              <FeeWarningDialog
                cents={draft.chargeCents}
                config={config}
                busy={busy}
                onAccept={acceptFee}
                onCancel={close}
              />
            </Suspense>
          )}
        </form>
      </div>
    </>
  );
}

interface PaymentView {
  /** True while the patient is asked to accept the new fee. */
  readonly warning: boolean;
  /** Documents to upload before the charge; the dialog asks for the first. */
  readonly missing: readonly DocumentKind[];
  readonly problem: { readonly message: string; readonly needsClinic: boolean } | null;
  /** Set while it is not known whether the fee was paid; null otherwise. */
  readonly unsettled: Unsettled | null;
}

const IDLE: PaymentView = { warning: false, missing: [], problem: null, unsettled: null };

const MAY_HAVE_BOOKED: readonly PayOutcome['kind'][] = ['paid', 'toBank', 'unknown'];

/** Asks the card form for a payment method, which charges nothing. An exception counts as failed. */
async function methodOf(form: CardForm | null): Promise<CardOutcome> {
  if (form === null) return { kind: 'failed', message: t('pay.formNotReady') };
  try {
    return await form.createPaymentMethod();
  } catch (error) {
    reportError(error);
    return { kind: 'failed', message: t('pay.unknownError') };
  }
}

/** State and actions of Pay Online, one press at a time. */
function usePayment({ draft, journey, send }: Omit<PaymentProps, 'data' | 'hold'>) {
  const queryClient = useQueryClient();
  const card = useRef<CardForm>(null);
  const { id: patientId } = useUser();
  const { requestKey } = draft;
  /** Payment method of the last charge; the charge is repeated with the same one. */
  const charged = useRef<string | null>(null);
  /** The patient has uploaded all documents here: another upload would not help. */
  const uploadedHere = useRef(false);
  const [view, setView] = useState<PaymentView>(IDLE);

  const stop = (message: string, needsClinic = false) =>
    setView({ ...IDLE, problem: { message, needsClinic } });

  const { run, pending } = useAction((work: () => Promise<void>) => work(), {
    onFailed: (error) => {
      if (error instanceof StillUnknown)
        setView({ ...IDLE, unsettled: { unknown: error.message } });
      else if (error instanceof SequenceProblem) stop(error.message);
      else {
        stop(t('pay.unknownError'));
        reportError(error);
      }
    },
  });

  /** Asks for the missing documents; after the upload the same card is charged again. */
  const askForDocuments = async (message: string) => {
    const missing = uploadedHere.current ? [] : await missingUploads();
    if (missing.length === 0) stop(message, true);
    else setView({ ...IDLE, missing });
  };

  const follow = async (outcome: PayOutcome) => {
    switch (outcome.kind) {
      case 'paid':
        void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
        send({
          type: 'booked',
          booked: {
            bookingNumber: outcome.appointment?.bookingId ?? draft.requestKey,
            appointment: outcome.appointment,
            type: draft.search.type,
            slot: draft.slot,
            outcome: 'paid',
            receipt: { cents: draft.chargeCents, reference: outcome.reference },
            oldAppointmentStands: false,
          },
        });
        return;
      case 'toBank':
        if (!isWebAddress(outcome.url)) stop(t('pay.unknownError'));
        else {
          await goToBank(outcome.url);
          setView(IDLE);
        }
        return;
      case 'unknown':
        void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
        setView({ ...IDLE, unsettled: { unknown: outcome.message } });
        return;
      case 'slotLost': {
        const message = await whyLost(queryClient, outcome.error, draft.slot);
        send({ type: 'slotLost', message, requestKey });
        return;
      }
      case 'priced':
        send({ type: 'priced', chargeCents: outcome.chargeCents });
        stop(outcome.message);
        return;
      case 'documentsMissing':
        await askForDocuments(outcome.message);
        return;
      case 'refused':
        stop(outcome.message);
    }
  };

  const charge = async (paymentMethod: string) => {
    charged.current = paymentMethod;
    const earlier = await settleEarlier(patientId, requestKey);
    if (earlier !== null) {
      send({ type: 'booked', booked: earlier });
      return;
    }
    keepUnsettled(patientId, requestKey);
    const answers = apiAnswers(journey.answers, draft.form);
    const outcome = await payForAppointment(draft, answers, paymentMethod, () =>
      setView({ ...IDLE, unsettled: { unknown: null } }),
    );
    // A booking stays unsettled until its page is shown; one at the bank may yet be booked.
    if (!MAY_HAVE_BOOKED.includes(outcome.kind)) dropUnsettled(patientId, requestKey);
    await follow(outcome);
  };

  const chargeCard = async () => {
    setView(IDLE);
    const made = await methodOf(card.current);
    if (made.kind === 'failed') stop(made.message);
    else if (made.kind === 'method') await charge(made.id);
  };

  /** Repeats the same charge, showing `shown` meanwhile. */
  const chargeAgain = (shown: PaymentView) =>
    run(async () => {
      const method = charged.current;
      if (method === null) throw new Error('Nothing was charged that could be asked for');
      setView(shown);
      await charge(method);
    });

  return {
    view,
    busy: pending,
    card,
    pay: () =>
      run(async () => {
        if (journey.feeAccepted || !needsFeeWarning(draft.chargeCents)) await chargeCard();
        else setView({ ...IDLE, warning: true });
      }),
    /** Accepts the changed fee as on confirm, then charges the card. */
    acceptFee: () =>
      run(async () => {
        await saveAgreement(queryClient, 'feeWarning');
        send({ type: 'acceptFee' });
        await chargeCard();
      }),
    uploaded: (document: DocumentKind) => {
      const missing = view.missing.filter((kind) => kind !== document);
      uploadedHere.current = missing.length === 0;
      if (missing.length > 0) setView({ ...IDLE, missing });
      else chargeAgain(IDLE);
    },
    checkAgain: () => chargeAgain({ ...IDLE, unsettled: { unknown: null } }),
    close: () => setView(IDLE),
  };
}

/** Resolves when the patient comes back to this page from the browser's back/forward cache. */
function goToBank(url: string): Promise<void> {
  return new Promise((back) => {
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      window.removeEventListener('pageshow', shown);
      back();
    };
    window.addEventListener('pageshow', shown);
    window.location.assign(url);
  });
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Outcome of paying. */
type PayOutcome =
  | {
      readonly kind: 'paid';
      readonly appointment: ApiAppointment | null;
      readonly reference: string | null;
    }
  /** The bank asks the patient first (3-D Secure): the browser goes to this address. */
  | { readonly kind: 'toBank'; readonly url: string }
  | { readonly kind: 'slotLost'; readonly error: ApiError }
  | { readonly kind: 'priced'; readonly chargeCents: number; readonly message: string }
  | { readonly kind: 'documentsMissing' | 'refused'; readonly message: string }
  /** The fee may or may not have been paid. */
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Charges the fee for the slot in hand. The service books as soon as the money is guaranteed. The
 * request key makes a repetition after a lost answer the same payment.
 */
async function payForAppointment(
  { slot, search, requestKey, chargeCents }: Extract<Draft, { step: 'payment' }>,
  answers: ApiAnswers,
  paymentMethod: string,
  onChecking: () => void,
): Promise<PayOutcome> {
  const body = {
    ...slot,
    payment_method_id: paymentMethod,
    selectedType: search.type,
    providerId: slot.doctor,
    amount: dollarsOf(chargeCents),
    ...answers,
  };
  let checked = false;
  const headers = { 'idempotency-key': requestKey };
  const known = await callUntilKnown('charge', { headers, body }, () => {
    checked = true;
    onChecking();
  });
  if (known.kind === 'unknown')
    return { kind: 'unknown', message: known.message ?? t('booking.outcomeUnknown') };
  if (known.kind === 'done') {
    const { success, requires_action: bankFirst, next_action: next, extras } = known.answer;
    if (success && bankFirst && next) return { kind: 'toBank', url: next.redirect_to_url.url };
    if (success && !bankFirst) {
      const { appointment = null, reference = null } = extras;
      return { kind: 'paid', appointment, reference };
    }
    return { kind: 'refused', message: extras.message || t('pay.failed') };
  }
  const error = new ApiError(known.refused);
  if (isSlotLost(error.code)) return { kind: 'slotLost', error };
  const newPrice = centsOf(known.refused.refusal?.extras.chargeAmount ?? Number.NaN);
  const message = wordsOf(error, checked);
  if (error.code === 'amountDiffers' && newPrice !== null)
    return { kind: 'priced', chargeCents: newPrice, message };
  return { kind: error.code === 'documentsMissing' ? 'documentsMissing' : 'refused', message };
}

/**
 * The words of the service or the card provider. Without any, our own, which differ once the
 * outcome had to be asked for.
 */
function wordsOf(error: ApiError, checked: boolean): string {
  const [field] = error.fieldErrors;
  if (field) return field.message;
  if (error.serverMessage !== null) return error.serverMessage;
  return t(checked ? 'pay.unknownError' : 'pay.failed');
}
