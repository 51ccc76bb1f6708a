import type { ClinicDate, EpochSeconds } from '../clinic-time.ts';

/**
 * What became of an appointment in time that the clinic closed: `cancelSent` where the EMR hears of it
 * later, `released` of a hold, `gone` where its patient or the EMR ended it first, `stays` where staff
 * have changed it in the EMR, and it stands.
 */
export const CLOSING_OUTCOMES = ['cancelled', 'cancelSent', 'released', 'gone', 'stays'] as const;
export type ClosingOutcome = (typeof CLOSING_OUTCOMES)[number];

/** What the clinic has said of a provider's single day apart from closing it, a code for each step. */
export interface SaidOfDay {
  readonly providerId: string;
  readonly clinicDate: ClinicDate;
  readonly codes: string;
}

/** A free time that a patient is told of in place of one that the clinic gave up. */
export interface OfferedTime {
  readonly doctor: string;
  readonly start: EpochSeconds;
}

/** So many are named to each patient. */
const OFFERED_EACH = 3;

/** What is free for somebody, the earliest first. */
interface FreeFor {
  readonly id: string;
  readonly free: readonly OfferedTime[];
}

/**
 * The free times that each of several patients is told of. As long as there are enough, no time is
 * named to two of them; whoever comes first in the list has the earliest.
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
