import { formatDate, formatMoment, formatMonth, formatWeekday } from '@clinic/texts';
import { doctorName, doctorOfAppointment, toClinic, type Appointment } from '@clinic/domain';
import type { ApiAppointment, ApiDoctor } from '@clinic/contract';
import { locale, t } from '../../messages/t.ts';
import { appointmentFromApi } from '../../api/appointments.ts';
import { lengthWords } from '../../shared/appointment-length.ts';

/** An appointment of the list, in the clinic's words, with what the API said beside it. */
export interface ListedAppointment extends Appointment {
  readonly api: ApiAppointment;
}

/** What Back and a reload restore: by id, in the history of the browser, not in the address. */
export interface Screen {
  readonly cancelling?: string;
  /** A page of this app is beneath it. */
  readonly opened?: true;
}

export const OPENED: Screen = { opened: true };

/** Views to read stand in the address: what was paid, and one receipt of it. */
export const RECEIPTS = '/appointments?view=receipts';
export const receiptAddress = (id: string) => `/appointments?receipt=${encodeURIComponent(id)}`;

export function listedFromApi(api: ApiAppointment): ListedAppointment {
  return { api, ...appointmentFromApi(api) };
}

/** 'Dr. {first initial}. {last name}', or N/A. */
export function doctorWords(appointment: ApiAppointment, doctors: readonly ApiDoctor[]): string {
  const id = appointment.providerId ?? appointment.doctor;
  const doctor = doctorOfAppointment({ doctor: id, displayInfo: appointment.displayInfo }, doctors);
  return doctor === null ? t('appointments.noDoctor') : doctorName(doctor);
}

/** 'ddd MMM DD YYYY HH:mm'; cancelled cards say 'day at time'. */
export function whenWords({ startTime, status }: ApiAppointment): string {
  if (status !== 'cancelled') return formatMoment(locale(), startTime);
  const { date, time } = toClinic(startTime);
  return t('appointments.dayAtTime', { day: formatDate(locale(), date), time });
}

/** '15 minutes, until 13:15 · By phone' */
export const lastingWords = ({ startTime, endTime, mode }: ApiAppointment): string =>
  lengthWords({ start: startTime, end: endTime, mode });

/** What stands in the date block: weekday, day, month; the year where it is another one. */
export function dateBlock({ startTime }: ApiAppointment, thisYear: string) {
  const { date } = toClinic(startTime);
  const year = date.slice(0, 4);
  return {
    weekday: formatWeekday(locale(), date),
    month: formatMonth(locale(), date),
    day: date.slice(8),
    year: year === thisYear ? null : year,
  };
}
