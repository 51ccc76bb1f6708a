import {
  centsOf,
  doctorName,
  ELIGIBILITY_RULES,
  formatFee,
  HIGH_FEE_CENTS,
  instructionKeyFor,
  isCancellableByPolicy,
  shortName,
  visitMode,
} from '@clinic/domain';
import type {
  AppointmentType,
  AppointmentTypeCode,
  Doctor,
  DoctorRefusal,
  Eligibility,
} from '@clinic/domain';
import { texts } from '@clinic/contract/texts';
import { t } from '../../messages/t.ts';

export function instructionOf(type: AppointmentTypeCode): string | null {
  const key = instructionKeyFor(type);
  return key === null ? null : t(`booking.${key}`);
}

/** 'CAD 150.00' or 'No fee'. */
export function feeWords(cents: number): string {
  return cents > 0 ? formatFee(cents) : t('booking.noFee');
}

/** How a visit with this fee can be given up: freely, without the fee, or not at all. */
export function cancelling(
  type: AppointmentTypeCode,
  cents: number,
  eligibility: Eligibility,
): '' | 'Fee' | 'Paid' {
  const policy = { eligibilities: ELIGIBILITY_RULES };
  if (cents >= HIGH_FEE_CENTS || !isCancellableByPolicy(policy, type, eligibility)) return 'Paid';
  return cents > 0 ? 'Fee' : '';
}

export function modeWords(type: AppointmentTypeCode): string {
  if (type === 'F') return t('booking.online');
  return t(visitMode(type) === 'phone' ? 'booking.byPhone' : 'booking.inPerson');
}

/** 'Booking {type} [with {initial}. {last name}]: {instruction}', or 'Reschedule …' (§2, R-25). */
export function slotsTitle(type: AppointmentType, doctor: Doctor | null, moving: boolean): string {
  const instruction = instructionOf(type.code);
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

/** Why a doctor cannot be chosen, in the specification's words (§5, R-22). */
export function refusalWords(refusal: DoctorRefusal): string {
  switch (refusal.code) {
    case 'disabled':
      return refusal.comment === '' ? t('booking.notAvailable') : refusal.comment;
    case 'blocked':
      return t('booking.notAvailable');
    case 'noPcpConflict':
      return texts.en.doctorNoPcp;
    case 'familyOnly':
      return texts.en.doctorFamilyOnly;
  }
}

export function wishWords(doctor: Doctor | 'earliest' | null): string | null {
  if (doctor === null) return null;
  return doctor === 'earliest' ? t('booking.earliest') : doctorName(doctor);
}

/** Decimal dollars of the wire, as 'CAD 150.00'. */
export function dollarWords(dollars: number): string {
  return formatFee(centsOf(dollars) ?? 0);
}
