import type { ClinicDate, EpochSeconds } from '../clinic-time.ts';

/**
 * What became of an appointment in time that the clinic closed. `cancelSent`: the EMR is told later.
 * `released`: it was only a hold. `gone`: the patient or the EMR had ended it first. `stays`: staff have
 * changed it in the EMR, so it stands.
 */
export const CLOSING_OUTCOMES = ['cancelled', 'cancelSent', 'released', 'gone', 'stays'] as const;
export type ClosingOutcome = (typeof CLOSING_OUTCOMES)[number];

/** What came of calling a patient whom no email reaches. */
export const CALL_OUTCOMES = ['reached', 'messageLeft', 'noAnswer'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** A call, with `takenBack` where it was noted by mistake. */
interface Call {
  readonly outcome: CallOutcome;
  readonly takenBack: object | null;
}

/** once somebody has told them, they are not called again, whatever was noted after it. */
export const isReached = (calls: readonly Call[]): boolean =>
  calls.some(({ outcome, takenBack }) => outcome === 'reached' && takenBack === null);

/** the call that is shown, of the calls with the newest first. */
export const lastCall = <Of extends Call>(calls: readonly Of[]): Of | null =>
  calls.find(({ takenBack }) => takenBack === null) ?? null;

/** What the clinic has set for one day of a provider apart from closures, one code for each step. */
export interface SaidOfDay {
  readonly providerId: string;
  readonly clinicDate: ClinicDate;
  readonly codes: string;
}

/** A free time that is offered to a patient in place of one that the clinic gave up. */
export interface OfferedTime {
  readonly doctor: string;
  readonly start: EpochSeconds;
}

/** How many free times are named to each patient. */
const OFFERED_EACH = 3;

/** The free times for one patient, the earliest first. */
interface FreeFor {
  readonly id: string;
  readonly free: readonly OfferedTime[];
}

/**
 * Shares out free times among several patients. While there are enough, no time is offered to two of them.
 * Patients who come first in the list get the earliest.
 */
export function shareTimes(asked: readonly FreeFor[]): ReadonlyMap<string, readonly OfferedTime[]> {
  const named = new Set<string>();
  return new Map(
    asked.map(({ id, free }) => {
      const unnamed = free.filter((time) => !named.has(`${time.doctor} ${time.start}`));
      const own = (unnamed.length === 0 ? free : unnamed).slice(0, OFFERED_EACH);
      for (const { doctor, start } of own) named.add(`${doctor} ${start}`);
      return [id, own.map(({ doctor, start }) => ({ doctor, start }))];
    }),
  );
}
