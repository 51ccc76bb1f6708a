import type { AppointmentType } from './appointment-type.ts';
import { gives } from './doctor-choice.ts';
import type { Doctor } from './doctor.ts';
import type { PatientFacts } from './patient-facts.ts';

/** What stands chosen on step 1. */
export interface Choice {
  readonly type: AppointmentType | null;
  /** One doctor, the earliest available one, or nothing yet. */
  readonly doctor: Doctor | 'earliest' | null;
}

export const NOTHING_CHOSEN: Choice = { type: null, doctor: null };

/**
 * Chooses a type. A doctor chosen before is cleared; 'Earliest available' stays, except that O and
 * P leave nothing selected for a patient with a family doctor. The same type again changes nothing.
 *
 */
export function selectType(
  choice: Choice,
  type: AppointmentType,
  patient: Pick<PatientFacts, 'hasFamilyDoctor'>,
): Choice {
  if (choice.type?.code === type.code) return { ...choice, type };
  const resets = (type.code === 'O' || type.code === 'P') && patient.hasFamilyDoctor;
  return { type, doctor: choice.doctor === 'earliest' && !resets ? 'earliest' : null };
}

/** Chooses one doctor. A nurse practitioner clears every type but O and P.. */
export function selectDoctor(choice: Choice, doctor: Doctor): Choice {
  const keepsType = choice.type !== null && gives(doctor, choice.type.code);
  return { type: keepsType ? choice.type : null, doctor };
}

/** Chooses 'Earliest available doctor'. */
export function selectEarliest(choice: Choice): Choice {
  return { ...choice, doctor: 'earliest' };
}

/** Takes the doctor's choice back; types that a nurse practitioner hid return.. */
export function clearDoctor(choice: Choice): Choice {
  return { ...choice, doctor: null };
}

/**
 * The types to offer, in their order: enabled ones, F only when a medication site is configured,
 * and only O and P while a nurse practitioner is chosen..
 */
export function offeredTypes(
  types: readonly AppointmentType[],
  choice: Pick<Choice, 'doctor'>,
  { hasMedicationSite }: { readonly hasMedicationSite: boolean },
): AppointmentType[] {
  const { doctor } = choice;
  return types.filter(
    ({ code, enabled }) =>
      enabled &&
      (code !== 'F' || hasMedicationSite) &&
      (doctor === null || doctor === 'earliest' || gives(doctor, code)),
  );
}

/**
 * Why Next refuses, or null: no type, a patient who may not book, no
 * doctor. F needs no doctor: there Next is a link..
 */
export function whyNextRefused(
  choice: Choice,
  patient: Pick<PatientFacts, 'isBlocked'>,
): 'typeMissing' | 'blocked' | 'doctorMissing' | null {
  if (choice.type === null) return 'typeMissing';
  if (patient.isBlocked) return 'blocked';
  return choice.doctor === null && choice.type.code !== 'F' ? 'doctorMissing' : null;
}
