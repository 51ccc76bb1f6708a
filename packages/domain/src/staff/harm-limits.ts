import { type EpochSeconds, addDays, daysBetween, startOfDay, toClinic } from '../clinic-time.ts';
import { type StaffRole, mayAny } from './permissions.ts';

/** What one person has done to patients in the last `COUNTED_SECONDS`. */
export interface DoneLately {
  /** Appointments that they cancelled, moved or are about to cancel for the clinic. */
  readonly appointments: number;
  /** Days that they closed and did not open again. */
  readonly days: number;
  /** Appointments that they cancelled or moved at the wish of the patient. */
  readonly wished: number;
}

/** What is asked for. */
export type HarmfulAct =
  | {
      readonly act: 'close';
      readonly providers: number;
      readonly from: EpochSeconds;
      readonly to: EpochSeconds;
      /** Appointments and holds that stand in the time. */
      readonly appointments: number;
    }
  /** To cancel or to move one appointment. */
  | {
      readonly act: 'change';
      readonly wantedBy: 'patient' | 'clinic';
      /** Whether as many as may be are done or under way, in any process. */
      readonly isFull?: boolean;
    }
  | { readonly act: 'export'; readonly people: number }
  | { readonly act: 'invite'; readonly roles: readonly StaffRole[] };

/**
 * - `atOnce`: it does not harm many.
 * - `told`: it is done, after a recent factor, and every manager is mailed.
 * - `waits`: every manager is mailed, and everybody at the desk can stop it before anything comes of it.
 * - `refused`: a manager has to do it.
 */
export type HarmVerdict = 'atOnce' | 'told' | 'waits' | 'refused';

export const COUNTED_SECONDS = 24 * 60 * 60;
/** How long what harms many can be stopped. */
export const STOPPABLE_SECONDS = 5 * 60;
export const MOST_APPOINTMENTS = 40;
export const MOST_DAYS = 14;
export const MOST_WISHED = 120;
export const MOST_EXPORTED = 200;

interface Asking {
  readonly roles: readonly StaffRole[];
  readonly lately: DoneLately;
  readonly now: EpochSeconds;
}

/** Who may do at once what harms many, what waits, and what is refused. */
export function judgeHarm(asked: HarmfulAct, { roles, lately, now }: Asking): HarmVerdict {
  const isManager = mayAny(roles, 'harmMany');
  switch (asked.act) {
    case 'close': {
      if (!harmsMany(asked, lately)) return 'atOnce';
      const untilTomorrow = asked.to <= startOfDay(addDays(toClinic(now).date, 2));
      return isManager || untilTomorrow ? 'waits' : 'refused';
    }
    case 'change': {
      const isMany =
        asked.isFull === true ||
        (asked.wantedBy === 'clinic'
          ? lately.appointments >= MOST_APPOINTMENTS
          : lately.wished >= MOST_WISHED);
      if (!isMany) return 'atOnce';
      return isManager ? 'told' : 'refused';
    }
    case 'export':
      return asked.people > MOST_EXPORTED ? 'waits' : 'atOnce';
    case 'invite':
      return mayAny(asked.roles, 'harmMany') ? 'waits' : 'atOnce';
  }
}

type Closed = Extract<HarmfulAct, { readonly act: 'close' }>;

function harmsMany({ providers, from, to, appointments }: Closed, lately: DoneLately): boolean {
  const days = daysClosed({ from, to });
  if (lately.days + days > MOST_DAYS) return true;
  // A single day of one provider counts for what follows, and is not itself too full.
  const own = providers === 1 && days === 1 ? 0 : appointments;
  return lately.appointments + own > MOST_APPOINTMENTS;
}

/** How many days of the clinic a time touches. */
export function daysClosed({ from, to }: Pick<Closed, 'from' | 'to'>): number {
  return daysBetween(toClinic(from).date, toClinic(to - 1).date) + 1;
}
