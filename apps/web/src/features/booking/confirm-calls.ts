import type { QueryClient } from '@tanstack/react-query';
import { centsOf, ELIGIBILITY_RULES, whyOverLimit } from '@clinic/domain';
import type { CountedVisit, LimitRefusal } from '@clinic/domain';
import type { WireAppointment, WireUser } from '@clinic/contract';
import { texts } from '@clinic/contract/texts';
import { t } from '../../messages/t.ts';
import { messageOf } from '../../shared/api/api-error.ts';
import { appointmentsQuery } from '../../shared/api/appointments.ts';
import { clinicNow } from '../../shared/api/clock.ts';
import { request } from '../../shared/api/service.ts';
import type { PickedSlot } from './booking-draft.ts';
import type { ConfirmAsks } from './confirm-sequence.ts';
import { appStateQuery } from './slot-queries.ts';

/** A step of the sequence that could not be taken, with the words of §8. */
export class SequenceProblem extends Error {
  override readonly name = 'SequenceProblem';
}

async function orSay<T>(call: Promise<T>, fallback: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new SequenceProblem(messageOf(error, fallback), { cause: error });
  }
}

/** The calls of §4 Next on confirm, each with its text of §8 when it fails. */
export function confirmAsks(
  queryClient: QueryClient,
  user: WireUser,
  type: WireAppointment['code'],
  slot: PickedSlot,
): ConfirmAsks {
  return {
    demographics: async () => {
      const { careCard, birthday } = user;
      const headers = {
        id: user.demographicNo,
        hin: careCard.number,
        province: careCard.province,
        ...birthday,
      };
      const failed = t('booking.demographicFailed');
      const { extras } = await orSay(request('findDemographics', { headers }), failed);
      return extras.code === 'noEntryFound' ? 'noEntry' : 'found';
    },
    limits: async () => {
      const list = queryClient.fetchQuery({ ...appointmentsQuery(), staleTime: 0 });
      const { appointments } = await orSay(list, t('booking.secondValidation'));
      return brokenLimit(appointments, user, slot) ? 'broken' : 'kept';
    },
    stateChargeCents: async () => {
      const state = queryClient.fetchQuery(appStateQuery(type, user));
      const { chargeAmount } = await orSay(state, t('booking.stateFailed'));
      return centsOf(chargeAmount) ?? 0;
    },
  };
}

/**
 * Which limit the new visit would break; the service decides it again under a lock. A visit
 * that stands at this very slot is the one in hand: it was booked and the answer was lost.
 */
export function brokenLimit(
  appointments: readonly WireAppointment[],
  { eligibility }: Pick<WireUser, 'eligibility'>,
  { doctor, start }: PickedSlot,
): LimitRefusal | null {
  const others = appointments.filter((one) => one.doctor !== doctor || one.startTime !== start);
  const visits = others.flatMap(({ startTime, status }): CountedVisit[] =>
    status === 'booked' || status === 'registered' ? [{ start: startTime, state: status }] : [],
  );
  return whyOverLimit(start, visits, ELIGIBILITY_RULES[eligibility].oncePerDay, clinicNow());
}

export function limitWords(limit: LimitRefusal): string {
  return limit === 'onePerDay' ? texts.en.oneEachDay : texts.en.twoUpcoming;
}
