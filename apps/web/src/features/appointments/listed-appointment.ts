import { formatDate, formatMoment, formatMonth, formatWeekday } from '@clinic/texts';
import { pathTo } from '@clinic/app/path-to';
import {
  doctorName,
  doctorOfAppointment,
  toClinic,
  type Appointment,
  patientPages,
} from '@clinic/domain';
import type { ApiAppointment, ApiDoctor } from '@clinic/contract';
import { locale, t } from '../../messages/t.ts';
import { appointmentFromApi, isMoved } from '../../api/appointments.ts';
import { lengthWords } from '../../shared/appointment-length.ts';

/** An appointment in the domain's form, with the API's entry. */
export interface ListedAppointment extends Appointment {
  readonly api: ApiAppointment;
}

/** State that Back and a reload restore, kept in the browser's history and not in the address. */
export interface Screen {
  readonly cancelling?: string;
  /** True when the entry beneath is a page of this app. */
  readonly opened?: true;
}

export const OPENED: Screen = { opened: true };

/** Read-only views have an address: the list of receipts, and one receipt. */
export const RECEIPTS = pathTo(patientPages.appointments, {}, { view: 'receipts' });
export const receiptAddress = (id: string) =>
  pathTo(patientPages.appointments, {}, { receipt: id });

export function listedFromApi(api: ApiAppointment): ListedAppointment {
  return { api, ...appointmentFromApi(api) };
}

/** What has become of an appointment that no longer stands; null while it can be changed. */
export function endedWords(appointment: ApiAppointment): string | null {
  const { status, movedTo } = appointment;
  if (movedTo)
    return t('appointments.movedTo', { when: formatMoment(locale(), movedTo.startTime) });
  if (isMoved(appointment)) return t('appointments.status.rescheduled');
  if (status === 'booked' || status === 'registered') return null;
  return t(status === 'cancelled' ? 'appointments.nowCancelled' : 'appointments.nowChanged');
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

/** Texts of the date block: weekday, day, month, and the year if it is not this year. */
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
