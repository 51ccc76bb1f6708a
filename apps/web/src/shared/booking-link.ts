import type { AppointmentTypeCode } from '@clinic/domain';

/**
 * What other pages and the booking say to each other. It stands in the browser's history, never in
 * the address, which access logs keep.
 */
interface BookingLink {
  readonly step: 'schedule';
  /** What was chosen and answered before counts no more. */
  readonly anew: true;
  readonly type?: AppointmentTypeCode;
  /** The id of the appointment that is to move. */
  readonly moved?: string;
}

/** The clinic's title. */
export const bookAnew: BookingLink = { step: 'schedule', anew: true };

/** A login link that names a type. */
export const bookType = (type: AppointmentTypeCode): BookingLink => ({ ...bookAnew, type });

/** My Appointments, for an appointment that the patient wants to move. */
export const moveAppointment = (moved: string, type: AppointmentTypeCode): BookingLink => ({
  ...bookAnew,
  type,
  moved,
});

/** Whether home shows the state confirm, on which the footer is hidden. */
export function isAtConfirm(pathname: string, state: unknown): boolean {
  const isRecord = typeof state === 'object' && state !== null;
  return pathname === '/' && isRecord && 'step' in state && state.step === 'confirm';
}
