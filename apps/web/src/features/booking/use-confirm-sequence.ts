import { useQueryClient } from '@tanstack/react-query';
import type { AppointmentType, ConfirmFacts } from '@clinic/domain';
import { useRef, useState } from 'react';
import { t } from '../../messages/t.ts';
import { appointmentsQuery } from '../../shared/api/appointments.ts';
import type { BookingData } from './booking-data.ts';
import type { Draft } from './booking-draft.ts';
import { reasonOf } from './booking-machine.ts';
import { bookVisit } from './book-visit.ts';
import { brokenLimit, confirmAsks, limitWords, SequenceProblem } from './confirm-calls.ts';
import { factsAtNext, goOn, type Pause } from './confirm-sequence.ts';
import { endOldVisit } from './end-old-visit.ts';
import { holdForPayment } from './hold-for-payment.ts';
import type { OpenJourney } from './journey.ts';
import { opensLater } from './opens-later.ts';
import { reasonProblem } from './reason-field.tsx';

/** What the screen shows of the sequence after Next. */
export interface SequenceView {
  readonly busy: boolean;
  /** The dialog that waits for the patient. */
  readonly asking: 'details' | 'fee' | 'opensLater' | null;
  /** The fee to accept, in cents, while that is asked. */
  readonly feeCents: number;
  /** What is wrong with the reason. */
  readonly reasonError: string | null;
  /** What stopped the booking; everything entered is kept. */
  readonly problem: string | null;
  /** Only the clinic can help with the problem. */
  readonly needsClinic: boolean;
}

const IDLE: SequenceView = {
  busy: false,
  asking: null,
  feeCents: 0,
  reasonError: null,
  problem: null,
  needsClinic: false,
};

interface SequenceInput extends OpenJourney {
  readonly data: BookingData;
  readonly draft: Extract<Draft, { step: 'confirm' }>;
  readonly type: AppointmentType;
}

/** Runs R-39 from Next on, one press at a time. */
export function useConfirmSequence({ data, draft, type, journey, send }: SequenceInput) {
  const queryClient = useQueryClient();
  const [view, setView] = useState<SequenceView>(IDLE);
  const running = useRef(false);
  const paused = useRef<ConfirmFacts | null>(null);
  const reason = reasonOf(journey);
  const asks = confirmAsks(queryClient, data.user, type.code, draft.slot);

  const book = async () => {
    const outcome = await bookVisit(draft, reason, journey.rescheduleOf);
    switch (outcome.kind) {
      case 'booked': {
        const { rescheduleOf } = journey;
        const oldVisitStands =
          rescheduleOf !== null && !(await endOldVisit(queryClient, rescheduleOf.appointmentId));
        void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
        send({
          type: 'booked',
          visit: {
            bookingNumber: outcome.appointment.bookingId ?? outcome.appointment.id,
            type: type.code,
            slot: draft.slot,
            outcome: outcome.moved || rescheduleOf ? 'rescheduled' : 'booked',
            oldVisitStands,
          },
        });
        return;
      }
      case 'slotLost':
        send({ type: 'slotLost', message: outcome.message });
        return;
      case 'reasonRefused':
        setView({ ...IDLE, reasonError: outcome.message });
        return;
      case 'refused':
        setView({ ...IDLE, problem: outcome.message, needsClinic: outcome.needsClinic });
    }
  };

  /** On to payment, with more time for it. */
  const enterPayment = async (chargeCents: number) => {
    const entered = await holdForPayment(queryClient, draft.slot, type.code);
    switch (entered.kind) {
      case 'entered':
        setView(IDLE);
        send({ type: 'pay', chargeCents });
        return;
      case 'slotLost':
        send({ type: 'slotLost', message: entered.message });
        return;
      case 'refused':
        setView({ ...IDLE, problem: entered.message });
    }
  };

  const stopAt = async ({ facts, stop }: Pause) => {
    if (stop !== 'showProblems' && journey.rescheduleOf === null && opensLater(type)) {
      setView({ ...IDLE, asking: 'opensLater' });
      return;
    }
    switch (stop) {
      case 'showProblems':
        setView({ ...IDLE, reasonError: reasonProblem(type.code, reason) });
        return;
      case 'warnOfFee':
        paused.current = facts;
        setView({ ...IDLE, asking: 'fee', feeCents: facts.stateChargeCents ?? facts.chargeCents });
        return;
      case 'agreeToDetails':
        paused.current = facts;
        setView({ ...IDLE, asking: 'details' });
        return;
      case 'refuseOverLimit':
        setView({ ...IDLE, problem: overLimitWords() });
        return;
      case 'book':
        await book();
        return;
      case 'pay':
        await enterPayment(facts.stateChargeCents ?? facts.chargeCents);
        return;
      default:
        setView({ ...IDLE, asking: 'opensLater' });
    }
  };

  const overLimitWords = () => {
    const list = queryClient.getQueryData(appointmentsQuery().queryKey)?.appointments ?? [];
    const limit = brokenLimit(list, data.user, draft.slot);
    return limit === null ? t('booking.secondValidation') : limitWords(limit);
  };

  /** One run at a time: a second press while it lasts does nothing. */
  const run = async (facts: ConfirmFacts) => {
    if (running.current) return;
    running.current = true;
    setView((now) => ({ ...now, busy: true, reasonError: null, problem: null }));
    try {
      await stopAt(await goOn(facts, asks));
    } catch (error) {
      if (!(error instanceof SequenceProblem)) throw error;
      setView({ ...IDLE, problem: error.message });
    } finally {
      running.current = false;
    }
  };

  return {
    view,
    next: () => {
      const known = {
        isReschedule: journey.rescheduleOf !== null,
        feeAccepted: journey.feeAccepted,
      };
      void run(factsAtNext(type, data.user.eligibility, reason, known));
    },
    acceptFee: () => {
      send({ type: 'acceptFee' });
      if (paused.current) void run({ ...paused.current, feeAccepted: true });
    },
    agree: () => {
      if (paused.current) void run({ ...paused.current, detailsAgreed: true });
    },
    close: () => setView(IDLE),
  };
}
