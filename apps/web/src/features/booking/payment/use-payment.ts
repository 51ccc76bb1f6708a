import { useQueryClient } from '@tanstack/react-query';
import { needsFeeWarning } from '@clinic/domain';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../messages/t.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { useUser } from '../../../shared/session/session.ts';
import { dropUnsettled, keepUnsettled } from '../../../shared/unsettled-request.ts';
import type { DocumentKind } from '../../../shared/files/upload-document-dialog.tsx';
import type { Draft, OpenJourney } from '../journey.ts';
import type { CardForm, CardOutcome } from './card-entry.tsx';
import { missingUploads, saveAgreement, SequenceProblem } from '../confirm/confirm-calls.ts';
import { settleEarlier, StillUnknown } from '../hold/earlier-request.ts';
import { payForAppointment, type PayOutcome } from './pay-appointment.ts';
import type { Unsettled } from '../confirm/use-confirm-sequence.ts';
import { apiAnswers } from '../confirm/appointment-answers.ts';

interface PaymentView {
  readonly busy: boolean;
  /** The fee has become one that must be accepted first. */
  readonly warning: boolean;
  /** Documents without which nothing is charged; the first is asked for. */
  readonly missing: readonly DocumentKind[];
  readonly problem: { readonly message: string; readonly needsClinic: boolean } | null;
  /** Whether the fee was paid is not known: we ask, or nobody asks any more. */
  readonly unsettled: Unsettled | null;
}

const IDLE: PaymentView = {
  busy: false,
  warning: false,
  missing: [],
  problem: null,
  unsettled: null,
};

const MAY_HAVE_BOOKED: readonly PayOutcome['kind'][] = ['paid', 'toBank', 'unknown'];

const NO_FORM = (): CardOutcome => ({ kind: 'failed', message: t('pay.formNotReady') });

interface PaymentInput extends OpenJourney {
  readonly draft: Extract<Draft, { step: 'payment' }>;
}

/** Pay Online, one press at a time. */
export function usePayment({ draft, journey, send }: PaymentInput) {
  const queryClient = useQueryClient();
  const card = useRef<CardForm>(null);
  const running = useRef(false);
  const { id: patientId } = useUser();
  const { requestKey } = draft;
  /** The card of the charge whose outcome is not known: it is asked for with the same one. */
  const charged = useRef<string | null>(null);
  /** The documents are with the clinic: another upload would not help. */
  const uploadedHere = useRef(false);
  const [view, setView] = useState<PaymentView>(IDLE);

  // Back from the bank to a page that the browser had kept as it was.
  useEffect(() => {
    const shownAgain = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      running.current = false;
      setView(IDLE);
    };
    window.addEventListener('pageshow', shownAgain);
    return () => window.removeEventListener('pageshow', shownAgain);
  }, []);

  const stop = (message: string, needsClinic = false) =>
    setView({ ...IDLE, problem: { message, needsClinic } });

  /** The documents are uploaded here, and then it is paid with the same card. */
  const askForDocuments = async (message: string) => {
    const missing = uploadedHere.current ? [] : await missingUploads();
    if (missing.length === 0) stop(message, true);
    else setView({ ...IDLE, missing });
  };

  /** What follows; false when the browser leaves for the bank, and nothing more happens here. */
  const follow = async (outcome: PayOutcome): Promise<boolean> => {
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
        return true;
      case 'toBank':
        if (!isWebAddress(outcome.url)) stop(t('pay.unknownError'));
        else {
          window.location.assign(outcome.url);
          return false;
        }
        return true;
      case 'unknown':
        void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
        setView({ ...IDLE, unsettled: { unknown: outcome.message } });
        return true;
      case 'slotLost':
        send({ type: 'slotLost', message: outcome.message, requestKey });
        return true;
      case 'priced':
        send({ type: 'priced', chargeCents: outcome.chargeCents });
        stop(outcome.message);
        return true;
      case 'documentsMissing':
        await askForDocuments(outcome.message);
        return true;
      case 'refused':
        stop(outcome.message);
        return true;
    }
  };

  const pay = async (feeAccepted: boolean) => {
    if (running.current) return;
    if (!feeAccepted && needsFeeWarning(draft.chargeCents)) {
      setView({ ...IDLE, warning: true });
      return;
    }
    setView({ ...IDLE, busy: true });
    await run(async () => {
      const made = (await card.current?.createPaymentMethod()) ?? NO_FORM();
      if (made.kind === 'failed') stop(made.message);
      else if (made.kind === 'incomplete') setView(IDLE);
      else return charge(made.id);
      return true;
    });
  };

  const run = async (work: () => Promise<boolean>) => {
    if (running.current) return;
    running.current = true;
    let over = true;
    try {
      over = await work();
    } catch (error) {
      if (!(error instanceof StillUnknown)) throw error;
      setView({ ...IDLE, unsettled: { unknown: error.message } });
    } finally {
      if (over) running.current = false;
    }
  };

  const charge = async (paymentMethod: string): Promise<boolean> => {
    charged.current = paymentMethod;
    const earlier = await settleEarlier(patientId, requestKey);
    if (earlier !== null) {
      send({ type: 'booked', booked: earlier });
      return true;
    }
    keepUnsettled(patientId, requestKey);
    const answers = apiAnswers(journey.answers, draft.search.type);
    const outcome = await payForAppointment(draft, answers, paymentMethod, () =>
      setView({ ...IDLE, unsettled: { unknown: null } }),
    );
    // What was booked is heard of when its page is shown, and the bank may yet let it be booked.
    if (!MAY_HAVE_BOOKED.includes(outcome.kind)) dropUnsettled(patientId, requestKey);
    return follow(outcome);
  };

  /** The same charge once more, as `shown` meanwhile. */
  const chargeAgain = (shown: PaymentView) =>
    run(async () => {
      const card = charged.current;
      if (card === null) throw new Error('Nothing was charged that could be asked for');
      setView(shown);
      return charge(card);
    });
  const uploaded = (document: DocumentKind) => {
    const missing = view.missing.filter((kind) => kind !== document);
    uploadedHere.current = missing.length === 0;
    if (missing.length > 0) setView({ ...IDLE, missing });
    else void chargeAgain({ ...IDLE, busy: true });
  };

  /** The fee that changed on the way is agreed to like any other. */
  const acceptFee = async () => {
    if (running.current) return;
    running.current = true;
    setView({ ...IDLE, warning: true, busy: true });
    try {
      await saveAgreement('feeWarning');
    } catch (error) {
      if (!(error instanceof SequenceProblem)) throw error;
      stop(error.message);
      return;
    } finally {
      running.current = false;
    }
    send({ type: 'acceptFee' });
    await pay(true);
  };

  return {
    view,
    card,
    pay: () => void pay(journey.feeAccepted),
    acceptFee: () => void acceptFee(),
    uploaded,
    checkAgain: () => void chargeAgain({ ...IDLE, unsettled: { unknown: null } }),
    close: () => setView(IDLE),
  };
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
