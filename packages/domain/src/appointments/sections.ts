import { isClinicDate, startOfDay, toClinic } from '../clinic-time.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { isEditable } from './appointment.ts';
import type { Appointment } from './appointment.ts';

/** The sections of My Appointments, in their order. */
export const SECTIONS = ['upcoming', 'previous', 'cancelled'] as const;
export type Section = (typeof SECTIONS)[number];

type Placed = Pick<Appointment, 'status' | 'start'>;

/**
 * Where an appointment stands: cancelled, else upcoming while editable, else previous..
 */
export function section(appointment: Placed, now: EpochSeconds): Section {
  if (appointment.status === 'cancelled') return 'cancelled';
  return isEditable(appointment, now) ? 'upcoming' : 'previous';
}

/**
 * All sections: upcoming with the next appointment first, the others with the latest first. See
 *
 */
export function arrange<T extends Placed>(
  appointments: readonly T[],
  now: EpochSeconds,
): Record<Section, T[]> {
  const placed: Record<Section, T[]> = { upcoming: [], previous: [], cancelled: [] };
  for (const appointment of appointments) placed[section(appointment, now)].push(appointment);
  placed.upcoming.sort((a, b) => a.start - b.start);
  placed.previous.sort((a, b) => b.start - a.start);
  placed.cancelled.sort((a, b) => b.start - a.start);
  return placed;
}

const YEARS_SHOWN = 2;

/** The instant from which appointments are listed without being asked for all: 24 months ago (§2). */
export function shownSince(now: EpochSeconds): EpochSeconds {
  const { date } = toClinic(now);
  const then = `${Number(date.slice(0, 4)) - YEARS_SHOWN}${date.slice(4)}`;
  // 29 February has no counterpart in most years.
  return startOfDay(isClinicDate(then) ? then : `${then.slice(0, 4)}-02-28`);
}
