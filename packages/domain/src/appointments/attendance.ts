import { type ClinicDate, type EpochSeconds, daysBetween, toClinic } from '../clinic-time.ts';
import { type AppointmentState, isBooked } from './appointment-state.ts';

/** How far a patient has come on the day, in the words of the front desk. */
export const ATTENDANCES = ['expected', 'arrived', 'inRoom', 'completed', 'noShow'] as const;
export type Attendance = (typeof ATTENDANCES)[number];

interface Attended {
  readonly state: AppointmentState;
  readonly start: EpochSeconds;
  readonly inRoomAt: EpochSeconds | null;
  /** When it last changed: of a no-show, when that was noted. */
  readonly changedAt: EpochSeconds;
}

export function attendanceOf({
  state,
  inRoomAt,
}: Omit<Attended, 'start' | 'changedAt'>): Attendance {
  if (state === 'registered') return inRoomAt === null ? 'arrived' : 'inRoom';
  if (state === 'completed') return 'completed';
  return state === 'noShow' ? 'noShow' : 'expected';
}

/**
 * What the front desk may note about an appointment now, the usual step first. A patient arrives on the day
 * itself, and is a no-show only once the appointment has begun. A step noted by mistake can be undone: a
 * no-show until midnight of the day on which it was noted, if its time is free; never that the patient was seen.
 */
export function nextAttendances(appointment: Attended, now: EpochSeconds): readonly Attendance[] {
  const isToday = (at: EpochSeconds) => toClinic(at).date === toClinic(now).date;
  if (appointment.state === 'noShow') {
    if (!isToday(appointment.changedAt)) return [];
    return isToday(appointment.start) ? ['expected', 'arrived'] : ['expected'];
  }
  if (!isBooked(appointment)) return [];
  switch (attendanceOf(appointment)) {
    case 'arrived':
      return ['inRoom', 'expected'];
    case 'inRoom':
      return ['completed', 'arrived'];
    default:
      return [
        ...(isToday(appointment.start) ? (['arrived'] as const) : []),
        ...(appointment.start <= now ? (['noShow'] as const) : []),
      ];
  }
}

/** Who is this much past their time and not here is shown as late. */
const LATE_SECONDS = 5 * 60;
/** From when a wait is marked. */
const LONG_WAITS = [
  { from: 30 * 60, is: 'danger' },
  { from: 15 * 60, is: 'caution' },
] as const;

/** The most minutes by which a clinician says that they are running late. */
export const MOST_LATE = 240;

export interface Delay {
  /** Not here yet, in the waiting room, or in the room. */
  readonly of: 'late' | 'waits' | 'inRoom';
  readonly minutes: number;
  readonly is: 'usual' | 'caution' | 'danger';
}

/** For how long somebody has been late, waited, or been in the room; null where there is nothing to count. */
export function delayOf(
  appointment: {
    readonly attendance: Attendance;
    readonly start: EpochSeconds;
    readonly arrivedAt: EpochSeconds | null;
    readonly inRoomAt: EpochSeconds | null;
  },
  now: EpochSeconds,
): Delay | null {
  const { attendance, start, arrivedAt, inRoomAt } = appointment;
  const since = (at: EpochSeconds) => Math.max(0, now - at);
  const minutes = (seconds: number) => Math.floor(seconds / 60);
  if (attendance === 'expected')
    return since(start) < LATE_SECONDS
      ? null
      : { of: 'late', minutes: minutes(since(start)), is: 'usual' };
  if (attendance === 'inRoom' && inRoomAt !== null)
    return { of: 'inRoom', minutes: minutes(since(inRoomAt)), is: 'usual' };
  if (attendance !== 'arrived' || arrivedAt === null) return null;
  const waits = since(arrivedAt);
  const is = LONG_WAITS.find(({ from }) => waits >= from)?.is ?? 'usual';
  return { of: 'waits', minutes: minutes(waits), is };
}

/** Why staff look at a patient who has no appointment around now. */
export const LOOK_REASONS = ['patientCalled', 'clinicCalls', 'payment', 'record'] as const;
export type LookReason = (typeof LOOK_REASONS)[number];

const DAY_SECONDS = 86_400;

/** Whether staff need a reason to look at a patient: none of the starts is yesterday, today or tomorrow. */
export function needsLookReason(starts: readonly EpochSeconds[], now: EpochSeconds): boolean {
  const near = [now - DAY_SECONDS, now, now + DAY_SECONDS].map((at) => toClinic(at).date);
  return !starts.some((start) => near.includes(toClinic(start).date));
}

/** How many days ahead a day is printed without a reason: paper is for work to come. */
const PRINTED_AHEAD_DAYS = 7;

/** Whether staff need a reason to print a day, which shows contact details and reasons of everybody on it. */
export function needsPrintReason(date: ClinicDate, now: EpochSeconds): boolean {
  const ahead = daysBetween(toClinic(now).date, date);
  return ahead < -1 || ahead > PRINTED_AHEAD_DAYS;
}
