import type { EpochSeconds } from '../clinic-time.ts';
import { slotServes } from './appointment-type.ts';
import type { AppointmentType, SlotCode } from './appointment-type.ts';
import { isInsideWindow } from './booking-window.ts';
import {
  countsAsDisabled,
  familyOnlyConflict,
  gives,
  noPcpConflict,
  whyNotListed,
} from './doctor-choice.ts';
import type { Doctor, DoctorStatus } from './doctor.ts';
import type { PatientFacts } from './patient-facts.ts';

/** A slot of the schedule; its length is what the schedule says. */
export interface Slot {
  readonly code: SlotCode;
  readonly start: EpochSeconds;
  /** Exclusive. */
  readonly end: EpochSeconds;
  /** The provider's id. */
  readonly doctor: string;
  /** Taken by an appointment or by somebody else's hold. */
  readonly booked: boolean;
}

/** A slot starts more than this many seconds ahead. */
export const NOTICE_SECONDS = 30 * 60;
/** Starts lie on this grid. */
export const SLOT_GRID_SECONDS = 5 * 60;

/** Why no slot of a doctor is shown for this patient and type. */
export type DoctorHiddenReason =
  | 'inactive'
  | 'hidden'
  | 'disabled'
  | 'blocked'
  | 'noPcpConflict'
  | 'familyOnly'
  | 'primaryDoctorUnknown'
  | 'notGiven';

export type HiddenReason = DoctorHiddenReason | 'otherType' | 'booked' | 'tooSoon' | 'tooLate';

/** What slot visibility depends on besides the slot and the time. */
export interface VisibilityFacts {
  readonly type: Pick<AppointmentType, 'code' | 'enforceMrp' | 'enforceNoPcp'>;
  readonly doctor: Doctor;
  readonly status: DoctorStatus;
  readonly patient: PatientFacts;
}

/**
 * Why none of a doctor's slots is shown, or null. Unlike step 1, a
 * primary-doctor check that failed hides the slots: 'primaryDoctorUnknown' asks for a message and
 * Retry in the browser and for a refusal on the server..
 */
export function whyDoctorHidden(facts: VisibilityFacts): DoctorHiddenReason | null {
  const { type, doctor, status, patient } = facts;
  const unlisted = whyNotListed(status);
  if (unlisted) return unlisted;
  if (countsAsDisabled(status, type)) return 'disabled';
  if (patient.blockedProviders.includes(doctor.id)) return 'blocked';
  if (noPcpConflict(status, type, patient)) return 'noPcpConflict';
  if (!gives(doctor, type.code)) return 'notGiven';
  switch (familyOnlyConflict(status, type, patient)) {
    case 'conflict':
      return 'familyOnly';
    case 'unknown':
      return 'primaryDoctorUnknown';
    case null:
      return null;
  }
}

/** Whether a start is more than 30 minutes ahead; exactly 30 is not.. */
export function isFarEnoughAhead(start: EpochSeconds, now: EpochSeconds): boolean {
  return start - now > NOTICE_SECONDS;
}

/** Whether a start lies on the 5-minute grid.. */
export function isOnSlotGrid(start: EpochSeconds): boolean {
  return start % SLOT_GRID_SECONDS === 0;
}

/**
 * Why a slot is not shown and cannot be held, or null when it is free to this patient. `now` in
 * epoch seconds..
 */
export function whyHidden(
  slot: Slot,
  facts: VisibilityFacts,
  now: EpochSeconds,
): HiddenReason | null {
  const doctorHidden = whyDoctorHidden(facts);
  if (doctorHidden) return doctorHidden;
  if (!slotServes(slot.code, facts.type.code)) return 'otherType';
  if (slot.booked) return 'booked';
  if (!isFarEnoughAhead(slot.start, now)) return 'tooSoon';
  return isInsideWindow(slot.start, now) ? null : 'tooLate';
}
