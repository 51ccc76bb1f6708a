import { formatMoney } from '@clinic/texts';
import { centsOf, shortName, appointmentMode } from '@clinic/domain';
import type { AppointmentType, Doctor, DoctorRefusal } from '@clinic/domain';
import { text } from '@clinic/contract/texts';
import { locale, t } from '../../messages/t.ts';

export function instructionOf({ instruction }: AppointmentType): string | null {
  return instruction === null ? null : t(`booking.${instruction}`);
}

/** 'CAD 150.00' or 'No fee'. */
export function feeWords(cents: number): string {
  return cents > 0 ? formatMoney(locale(), cents) : t('booking.noFee');
}

const MODES = {
  inPerson: 'booking.inPerson',
  phone: 'booking.byPhone',
  video: 'booking.byVideo',
  either: 'booking.eitherWay',
} as const;

export function modeWords(type: AppointmentType): string {
  return t(type.form === 'refill' ? 'booking.online' : MODES[appointmentMode(type, null)]);
}

/** Whether a patient chooses among lengths; where all are alike, a choice says none. */
export function lengthsDiffer(types: readonly AppointmentType[]): boolean {
  const minutes = types.filter(({ form }) => form !== 'refill').map((type) => type.minutes);
  return new Set(minutes).size > 1;
}

/** 'Booking {type} [with {initial}. {last name}]: {instruction}', or 'Reschedule …'. */
export function slotsTitle(type: AppointmentType, doctor: Doctor | null, moving: boolean): string {
  const instruction = instructionOf(type);
  const who = doctor
    ? t('booking.withDoctor', { what: type.description, name: shortName(doctor) })
    : type.description;
  const what =
    instruction === null ? who : t('booking.withInstruction', { what: who, instruction });
  return t(moving ? 'booking.slotsTitleReschedule' : 'booking.slotsTitle', { what });
}

/** 'Provider {initial}. {last name}', as a column's head says it. */
export function providerHead(doctor: Doctor): string {
  return t('booking.provider', { name: shortName(doctor) });
}

/** Why a doctor cannot be chosen, in the specification's words. */
export function refusalWords(refusal: DoctorRefusal): string {
  switch (refusal.code) {
    case 'disabled':
      return refusal.comment === '' ? t('booking.notAvailable') : refusal.comment;
    case 'blocked':
      return t('booking.notAvailable');
    case 'noPcpConflict':
      return text(locale(), 'doctorNoPcp');
    case 'familyOnly':
      return text(locale(), 'doctorFamilyOnly');
  }
}

/** Decimal dollars of the API, as 'CAD 150.00'. */
export function dollarWords(dollars: number): string {
  return formatMoney(locale(), centsOf(dollars) ?? 0);
}
