import { UserFacingError } from '@clinic/app/api-error';
import { later } from '@clinic/app/later';
import { createStore, useStore } from '@clinic/app/store';
import { useQueryClient } from '@tanstack/react-query';
import { needsFeeWarning } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { CreditCard, ShieldCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { locale, t } from '../../../messages/t.ts';
import { useUser } from '../../../shared/session/session.ts';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import { dropUnsettled, keepUnsettled } from '../../../shared/unsettled-request.ts';
import { useAction } from '../../../shared/use-action.ts';
import type { StepProps } from '../booking-data.ts';
import { Checking } from '../confirm/checking.tsx';
import { missingUploads, saveAgreement } from '../confirm/confirm-sequence.ts';
import { apiAnswers } from '../confirm/answers.ts';
import { settleEarlier, StillUnknown } from '../hold/hold-calls.ts';
import { followRefusal, problemOf } from '../hold/hold-time.ts';
import { HoldNotice, type HoldState } from '../hold/hold-state.tsx';
import { ProblemWords } from '../hold/problem-words.tsx';
import step from '../step.module.css';
import { useBackCloses } from '../use-journey.ts';
import { CardEntry } from './card-form.tsx';
import type { CardForm, CardOutcome } from './card.ts';
import { payForAppointment, type PayOutcome } from './pay.ts';
import { NEW_PAYMENT, nextPayment, type PaymentCall, type PaymentEvent } from './payment-state.ts';
import './payment-words.ts';
import styles from './payment.module.css';

// Needed only when the price changed on the way here.
const FeeWarningDialog = later(
  async () => (await import('../confirm/confirm-dialogs.tsx')).FeeWarningDialog,
);

// Needed only when the earlier upload check failed.
const UploadDocumentDialog = later(
  async () =>
    (await import('../../../shared/files/upload-document-dialog.tsx')).UploadDocumentDialog,
);

interface PaymentProps extends StepProps<'payment'> {
  hold: HoldState;
}

/** Step 4: takes the card, charges the fee and books the appointment. */
export function Payment({ data: { config }, draft, hold, journey, send }: PaymentProps) {
  const { shown, busy, card, press, close } = usePayment({ draft, journey, send });
  const problem = shown.kind === 'form' ? shown.problem : null;
  const [document] = shown.kind === 'documents' ? shown.missing : [];
  const isUnsettled = shown.kind === 'unsettled';
  useBackCloses(shown.kind === 'feeWarning' || document !== undefined, busy ? null : close);
  return (
    <>
      {isUnsettled && (
        <Checking unknown={shown.unknown} onAgain={() => press({ type: 'checkAgain' })} />
      )}
      {/* Hidden rather than removed, to keep what was typed into the card form. */}
      <div hidden={isUnsettled}>
        <form
          noValidate
          className={styles.form}
          data-acts-on={`${draft.chargeCents} ${draft.slot.start} ${draft.slot.doctor}`}
          onSubmit={(event) => {
            event.preventDefault();
            const feeAccepted = journey.feeAccepted || !needsFeeWarning(draft.chargeCents);
            press({ type: 'pay', feeAccepted });
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
                <ClinicContact />
              </Notice>
            )}
          </section>
          {/* Beside the button, as the top of the page is out of sight on a phone. */}
          {!busy && <HoldNotice draft={draft} state={hold} journey={journey} send={send} />}
          {problem !== null && (
            <Notice kind="danger" title={t('pay.notPaid')} role="alert">
              <ProblemWords problem={problem} />
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
            <UploadDocumentDialog
              kind={document}
              onUploaded={() => press({ type: 'uploaded', document })}
              onCancel={close}
            />
          )}
          {shown.kind === 'feeWarning' && (
            <FeeWarningDialog
              cents={draft.chargeCents}
              busy={busy}
              onAccept={() => press({ type: 'acceptFee' })}
              onCancel={close}
            />
          )}
        </form>
      </div>
    </>
  );
}

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

/** Runs Pay Online, one press at a time. */
function usePayment({ draft, journey, send }: Omit<PaymentProps, 'data' | 'hold'>) {
  const queryClient = useQueryClient();
  const card = useRef<CardForm>(null);
  const { id: patientId } = useUser();
  const { requestKey, slot } = draft;
  // A store, since a press also reads the state that no screen has shown yet.
  const [payment] = useState(() => createStore(NEW_PAYMENT));
  const tell = (event: PaymentEvent): PaymentCall | undefined => {
    const { state, call } = nextPayment(payment.get(), event);
    payment.set(state);
    return call;
  };

  const charge = async (method: string): Promise<PaymentEvent | null> => {
    const earlier = await settleEarlier(patientId, requestKey);
    if (earlier !== null) {
      send({ type: 'booked', booked: earlier });
      return null;
    }
    keepUnsettled(patientId, requestKey);
    const answers = apiAnswers(journey.answers, draft.form);
    const outcome = await payForAppointment(draft, answers, method, () =>
      tell({ type: 'unsettled', unknown: null }),
    );
    // A booking stays unsettled until its page is shown; one at the bank may yet be booked.
    if (!MAY_HAVE_BOOKED.includes(outcome.kind)) dropUnsettled(patientId, requestKey);
    if (outcome.kind === 'paid' || outcome.kind === 'unknown')
      void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
    if (outcome.kind === 'priced') send({ type: 'priced', chargeCents: outcome.chargeCents });
    if (outcome.kind === 'paid')
      send({
        type: 'booked',
        booked: {
          bookingNumber: outcome.appointment?.bookingId ?? requestKey,
          appointment: outcome.appointment,
          type: draft.search.type,
          slot,
          outcome: 'paid',
          receipt: { cents: draft.chargeCents, reference: outcome.reference },
          oldAppointmentStands: false,
        },
      });
    return { type: 'charged', outcome };
  };

  /** Makes a call. Returns the event that its answer is; null where the page is left. */
  const make = async (call: PaymentCall): Promise<PaymentEvent | null> => {
    switch (call.type) {
      case 'saveFeeAgreement':
        await saveAgreement(queryClient, 'feeWarning');
        send({ type: 'acceptFee' });
        return { type: 'pay', feeAccepted: true };
      case 'takeCard':
        return { type: 'card', card: await methodOf(card.current) };
      case 'charge':
        return charge(call.method);
      case 'goToBank':
        if (!isWebAddress(call.url))
          return { type: 'stopped', problem: { message: t('pay.unknownError') } };
        await goToBank(call.url);
        return { type: 'stopped', problem: null };
      case 'findMissing':
        return { type: 'missing', missing: await missingUploads(), message: call.message };
      case 'followRefusal': {
        const asked = { slot, requestKey, rescheduleOf: null };
        const problem = await followRefusal(queryClient, call.refusal, asked, send);
        return problem && { type: 'stopped', problem };
      }
    }
  };

  const { run, pending } = useAction({
    work: async (pressed: PaymentEvent) => {
      let event: PaymentEvent | null = pressed;
      while (event !== null) {
        const call = tell(event);
        event = call === undefined ? null : await make(call);
      }
    },
    onFailed: (error) => {
      const problem = problemOf(error, t('pay.unknownError'));
      if (error instanceof StillUnknown) tell({ type: 'unsettled', unknown: problem.message });
      else tell({ type: 'stopped', problem });
      if (!(error instanceof UserFacingError)) reportError(error);
    },
  });

  return {
    shown: useStore(payment).shown,
    busy: pending,
    card,
    press: run,
    close: () => tell({ type: 'stopped', problem: null }),
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
