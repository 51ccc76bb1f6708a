import type { Doctor } from '../booking/doctor-choice.ts';
import { isClinicDate, startOfDay, toClinic } from '../clinic-time.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { isHold } from './appointment-state.ts';
import type { Appointment } from './appointment.ts';
import { isEditable } from './cancellation-policy.ts';

/** The sections of My Appointments, in their order. */
export type Section = 'upcoming' | 'previous' | 'cancelled';

type Placed = Pick<Appointment, 'state' | 'start'>;

/**
 * The section an appointment belongs to: cancelled, else upcoming while editable or while the clinic is
 * confirming it, else previous..
 */
export function section(appointment: Placed, now: EpochSeconds): Section {
  if (appointment.state === 'cancelled') return 'cancelled';
  if (isHold(appointment)) return 'upcoming';
  return isEditable(appointment, now) ? 'upcoming' : 'previous';
}

/** All sections: upcoming with the next appointment first, the others with the latest.. */
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

/** Appointments that start before this instant, 24 months ago, are listed only on request (§2). */
export function shownSince(now: EpochSeconds): EpochSeconds {
  const { date } = toClinic(now);
  const then = `${Number(date.slice(0, 4)) - YEARS_SHOWN}${date.slice(4)}`;
  // 29 February has no counterpart in most years.
  return startOfDay(isClinicDate(then) ? then : `${then.slice(0, 4)}-02-28`);
}

/**
 * The doctor that a card names: from the appointment's own display information, else the doctor of that id in
 * the list, else null, shown as 'N/A'..
 */
export function doctorOfAppointment(
  appointment: {
    readonly doctor: string | null;
    readonly displayInfo?:
      | { readonly doctorFirstName: string | null; readonly doctorLastName: string | null }
      | null
      | undefined;
  },
  doctors: readonly Doctor[],
): Pick<Doctor, 'firstName' | 'lastName'> | null {
  const { doctorFirstName, doctorLastName } = appointment.displayInfo ?? {};
  if (doctorLastName) return { firstName: doctorFirstName ?? '', lastName: doctorLastName };
  return doctors.find(({ id }) => id === appointment.doctor) ?? null;
}
