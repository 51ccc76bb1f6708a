import { useQueryClient } from '@tanstack/react-query';
import { toClinic, type AppointmentType, type ConfirmFacts, patientPages } from '@clinic/domain';
import type { AgreementKind } from '@clinic/contract';
import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf, UserFacingError } from '@clinic/app/api-error';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { clinicNow } from '@clinic/app/clock';
import { announce } from '../../../shared/shell/alerts.tsx';
import { createStore, useStore } from '@clinic/app/store';
import { useAction } from '../../../shared/use-action.ts';
import type { FormErrors } from '@clinic/app/form';
import { dropUnsettled, keepUnsettled } from '../../../shared/unsettled-request.ts';
import { answerProblems, type AnswerField, type AnswerProblems, apiAnswers } from './answers.ts';
import {
  askConfig,
  bookAppointment,
  brokenLimit,
  confirmAsks,
  endOldAppointment,
  factsAtNext,
  goOn,
  limitWords,
  missingUploads,
  openRecord,
  preferPharmacy,
  saveAgreement,
  type Pause,
} from './confirm-sequence.ts';
import { NEW_SEQUENCE, nextSequence, type SequenceEvent } from './sequence-state.ts';
import { holdQuery, noticeOf, type StepProps } from '../booking-data.ts';
import { sameSlot } from '../journey.ts';
import { needsClinic, settleEarlier, StillUnknown } from '../hold/hold-calls.ts';
import {
  followRefusal,
  problemOf,
  renewHold,
  TimeLost,
  whyNotHeld,
  type Refusal,
} from '../hold/hold-time.ts';

interface SequenceInput extends StepProps<'confirm'> {
  readonly type: AppointmentType;
  readonly form: FormErrors<AnswerField>;
}

const feeOf = ({ stateChargeCents, chargeCents }: ConfirmFacts) => stateChargeCents ?? chargeCents;

/** Runs the steps between Next and the booking, one press at a time. */
export function useConfirmSequence({ data, draft, type, form, journey, send }: SequenceInput) {
  const queryClient = useQueryClient();
  // A store, since the calls also read the state that no screen has shown yet.
  const [sequence] = useState(() => createStore(NEW_SEQUENCE));
  const tell = (event: SequenceEvent) => sequence.set(nextSequence(sequence.get(), event));
  const { user } = data;
  const asks = confirmAsks(queryClient, user, type.code, draft.slot);
  const answers = apiAnswers(journey.answers, type.form);
  const problemsNow = () => answerProblems(type.form, journey.answers, toClinic(clinicNow()).date);

  const showProblems = (problems: AnswerProblems) => {
    tell({ type: 'idle' });
    form.show(problems);
  };

  /** The earlier check did not report these documents as missing: ask the patient for them now. */
  const askForDocuments = async (facts: ConfirmFacts, message: string) => {
    const missing = sequence.get().uploadedHere ? [] : await missingUploads();
    if (missing.length === 0) {
      tell({ type: 'refused', problem: { message, needsClinic: true } });
      return;
    }
    const uploads = {
      healthCard: !missing.includes('healthCard'),
      pictureId: !missing.includes('pictureId'),
    };
    await stopAt(await goOn({ ...facts, documentsNeeded: true, uploads }, asks));
  };

  const book = async (facts: ConfirmFacts) => {
    const { requestKey } = draft;
    const earlier = await settleEarlier(user.id, requestKey);
    if (earlier !== null) {
      send({ type: 'booked', booked: earlier });
      return;
    }
    keepUnsettled(user.id, requestKey);
    const outcome = await bookAppointment(draft, answers, journey.rescheduleOf, () =>
      tell({ type: 'unsettled', unknown: null }),
    );
    // A booking stays marked as unsettled until the patient sees its page.
    if (outcome.kind !== 'booked' && outcome.kind !== 'unknown') dropUnsettled(user.id, requestKey);
    switch (outcome.kind) {
      case 'booked': {
        const { rescheduleOf } = journey;
        const oldAppointmentStands =
          rescheduleOf !== null &&
          !(await endOldAppointment(queryClient, rescheduleOf.appointmentId));
        void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
        send({
          type: 'booked',
          booked: {
            bookingNumber: outcome.appointment.bookingId ?? outcome.appointment.id,
            appointment: outcome.appointment,
            type: type.code,
            slot: draft.slot,
            outcome: outcome.moved || rescheduleOf ? 'rescheduled' : 'booked',
            oldAppointmentStands,
          },
        });
        return;
      }
      case 'unknown':
        void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
        tell({ type: 'unsettled', unknown: outcome.message });
        return;
      case 'answersRefused':
        showProblems(outcome.problems);
        return;
      case 'documentsMissing':
        await askForDocuments(facts, outcome.message);
        return;
      case 'changedByClinic':
        // The clinic changed the appointment that was to be moved: show the list with its present state.
        void queryClient.invalidateQueries({ queryKey: appointmentsQuery().queryKey.slice(0, 1) });
        announce('error', outcome.message);
        navigate(patientPages.appointments);
        return;
      case 'refused':
        await tellRefusal(outcome);
    }
  };

  const tellRefusal = async (refusal: Refusal) => {
    const { slot, requestKey } = draft;
    const asked = { slot, requestKey, rescheduleOf: journey.rescheduleOf };
    const problem = await followRefusal(queryClient, refusal, asked, send);
    if (problem) tell({ type: 'refused', problem });
  };

  /**
   * Goes on to payment, with the hold extended for it. If the service cannot answer now, the patient
   * goes on: the charge itself holds the slot.
   */
  const enterPayment = async (chargeCents: number) => {
    try {
      const became = await renewHold(queryClient, { draft, rescheduleOf: null, forPayment: true });
      if ('booked' in became) send({ type: 'booked', booked: became.booked });
      else send({ type: 'pay', chargeCents });
    } catch (error) {
      if (error instanceof TimeLost) send({ type: 'slotLost', message: whyNotHeld(error) });
      else if (!(error instanceof ApiError)) throw error;
      else if (error.unreachable || error.status >= 500) send({ type: 'pay', chargeCents });
      else {
        const problem = { message: whyNotHeld(error), needsClinic: needsClinic(error.code) };
        tell({ type: 'refused', problem });
      }
    }
  };

  const stopAt = async (pause: Pause) => {
    tell({ type: 'pause', ...pause });
    const { facts, stop } = pause;
    switch (stop) {
      case 'showProblems':
        showProblems(problemsNow());
        return;
      case 'refuseOverLimit':
        await tellRefusal(brokenNow());
        return;
      case 'book':
        await book(facts);
        return;
      case 'pay':
        await enterPayment(feeOf(facts));
        return;
      default:
    }
  };

  const brokenNow = () => {
    const list = queryClient.getQueryData(appointmentsQuery().queryKey)?.appointments ?? [];
    const code = brokenLimit(list, user, draft.slot);
    return { code, message: code === null ? t('booking.secondValidation') : limitWords(code) };
  };

  const { run, press } = useAction({
    work: (work: () => Promise<void>) => {
      form.show([]);
      return work();
    },
    onFailed: (error) => {
      if (error instanceof StillUnknown) tell({ type: 'unsettled', unknown: messageOf(error) });
      else tell({ type: 'refused', problem: problemOf(error) });
      if (!(error instanceof UserFacingError)) reportError(error);
    },
  });
  const runFrom = (from: () => Promise<ConfirmFacts>) =>
    run(async () => {
      tell({ type: 'work' });
      await stopAt(await goOn(await from(), asks));
    });
  const checkAgain = () =>
    run(async () => {
      const { facts } = sequence.get();
      if (facts === null) throw new Error('Nothing was asked for that could be asked again');
      tell({ type: 'unsettled', unknown: null });
      await book(facts);
    });

  /** Goes on with the patient's answer, after `noted` has recorded it with the clinic. */
  const answer = (changed: Partial<ConfirmFacts>, noted?: () => Promise<unknown>) => {
    const { facts } = sequence.get();
    if (!facts) return;
    runFrom(async () => {
      await noted?.();
      return { ...facts, ...changed };
    });
  };
  const agree = (kind: AgreementKind, changed: Partial<ConfirmFacts>) =>
    answer(changed, () => saveAgreement(queryClient, kind));

  const view = useStore(sequence);
  return {
    view,
    /** The fee to accept, in cents. */
    feeCents: view.facts === null ? 0 : feeOf(view.facts),
    /** Changes with every press. */
    press,
    next: () =>
      runFrom(async () => {
        const { flags } = await askConfig(queryClient);
        const hold = queryClient.getQueryData(holdQuery.queryKey);
        return factsAtNext({
          isDecided: hold?.byClinic === true && sameSlot(hold, draft.slot),
          type,
          eligibility: user.eligibility,
          answersValid: problemsNow().length === 0,
          isReschedule: journey.rescheduleOf !== null,
          feeAccepted: journey.feeAccepted,
          pharmacyPrompt: flags.preferredPharmacy,
          pharmacyAnswered: sequence.get().pharmacyAnswered,
          noticeNeeded: noticeOf(user, type.code) !== null,
        });
      }),
    acceptFee: () =>
      answer({ feeAccepted: true }, async () => {
        await saveAgreement(queryClient, 'feeWarning');
        send({ type: 'acceptFee' });
      }),
    uploaded: (document: 'healthCard' | 'pictureId') => {
      tell({ type: 'uploaded', document });
      answer({});
    },
    confirmIcbc: () => agree('icbc', { icbcConfirmed: true }),
    choosePharmacy: (pharmacy: string) =>
      answer({ pharmacyAnswered: true }, async () => {
        await preferPharmacy(queryClient, user, pharmacy);
        tell({ type: 'pharmacyAnswered' });
      }),
    /** Closed without a choice: the pharmacy is optional, so the next press of Next goes on. */
    closePharmacy: () => {
      tell({ type: 'pharmacyAnswered' });
      tell({ type: 'idle' });
    },
    sayFamilyDoctor: (hasFamilyDoctor: boolean) =>
      answer({ demographics: 'created' }, async () =>
        openRecord(queryClient, user, hasFamilyDoctor),
      ),
    understand: () => answer({ noticeUnderstood: true }),
    agree: () => agree('general', { detailsAgreed: true }),
    formDone: () => answer({ immigrationFormDone: true }),
    checkAgain,
    close: () => tell({ type: 'idle' }),
  };
}

export type ConfirmSequence = ReturnType<typeof useConfirmSequence>;
