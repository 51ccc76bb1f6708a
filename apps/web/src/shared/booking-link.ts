import { type AppointmentTypeCode, patientPages } from '@clinic/domain';
import { partOf } from './navigation.ts';

/**
 * State with which other pages link to the booking. It is kept in the browser's history, never in
 * the address, which access logs keep.
 */
interface BookingLink {
  readonly step: 'schedule';
  /** Drops the choices and answers of an earlier journey. */
  readonly anew: true;
  readonly type?: AppointmentTypeCode;
  /** Id of the appointment to move. */
  readonly moved?: string;
}

/** For the clinic's name in the header and other links that begin a new booking. */
export const bookAnew: BookingLink = { step: 'schedule', anew: true };

/** For a login link that names a type. */
export const bookType = (type: AppointmentTypeCode): BookingLink => ({ ...bookAnew, type });

/** For My Appointments, when the patient wants to move an appointment. */
export const moveAppointment = (moved: string, type: AppointmentTypeCode): BookingLink => ({
  ...bookAnew,
  type,
  moved,
});

/** True when home shows the confirm step, on which the footer is hidden. */
export const isAtConfirm = (pathname: string, state: unknown): boolean =>
  pathname === patientPages.booking && partOf(state, 'step') === 'confirm';
