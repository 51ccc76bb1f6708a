import { useQueryClient } from '@tanstack/react-query';
import type { ApiAppointment } from '@clinic/contract';
import { needsFeeWarning } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { CreditCard, ShieldCheck } from 'lucide-react';
import { Suspense, lazy, useRef, useState } from 'react';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { locale, t } from '../../../messages/t.ts';
import type { DocumentKind } from '../../../shared/files/upload-document-dialog.tsx';
import { useUser } from '../../../shared/session/session.ts';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import { dropUnsettled, keepUnsettled } from '../../../shared/unsettled-request.ts';
import { useAction } from '../../../shared/use-action.ts';
import type { BookingData } from '../booking-data.ts';
import { Checking } from '../confirm/checking.tsx';
import { SequenceProblem, missingUploads, saveAgreement } from '../confirm/confirm-sequence.ts';
import type { Unsettled } from '../confirm/sequence-state.ts';
import { apiAnswers } from '../confirm/answers.ts';
import { needsClinic, settleEarlier, StillUnknown } from '../hold/hold-calls.ts';
import { followRefusal } from '../hold/hold-time.ts';
import { HoldNotice, type HoldState } from '../hold/hold-state.tsx';
import { InTheWay } from '../hold/in-the-way.tsx';
import type { Draft, OpenJourney } from '../journey.ts';
import step from '../step.module.css';
import { useBackCloses } from '../use-journey.ts';
import { CardEntry } from './card-form.tsx';
import type { CardForm, CardOutcome } from './card.ts';
import { payForAppointment, type PayOutcome } from './pay.ts';
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
          data-acts-on={`${draft.chargeCents} ${draft.slot.start} ${draft.slot.doctor}`}
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
              {problem.inTheWay && <InTheWay appointments={problem.inTheWay} />}
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

interface PaymentProblem {
  readonly message: string;
  /** Only the clinic can help. */
  readonly needsClinic: boolean;
  /** The patient's own appointments that cause the problem, if any. */
  readonly inTheWay: readonly ApiAppointment[] | null;
}

interface PaymentView {
  /** True while the patient is asked to accept the new fee. */
  readonly warning: boolean;
  /** Documents to upload before the charge; the dialog asks for the first. */
  readonly missing: readonly DocumentKind[];
  readonly problem: PaymentProblem | null;
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

  const stop = (
    message: string,
    { needsClinic = false, inTheWay = null }: Partial<PaymentProblem> = {},
  ) => setView({ ...IDLE, problem: { message, needsClinic, inTheWay } });

  const { run, pending } = useAction({
    work: (work: () => Promise<void>) => work(),
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
    if (missing.length === 0) stop(message, { needsClinic: true });
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
      case 'priced':
        send({ type: 'priced', chargeCents: outcome.chargeCents });
        stop(outcome.message);
        return;
      case 'documentsMissing':
        await askForDocuments(outcome.message);
        return;
      case 'refused':
        await followRefusal(
          queryClient,
          outcome,
          { slot: draft.slot, requestKey, rescheduleOf: null },
          send,
          (message, inTheWay) =>
            stop(message, { inTheWay, needsClinic: needsClinic(outcome.code) }),
        );
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
