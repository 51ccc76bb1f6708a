import { ELIGIBILITY_RULES, whyOverLimit } from '@clinic/domain';
import type { CountedAppointment, EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import type { StoredAppointment, SlotRequest } from './appointment.ts';
import type { Counted } from './appointments.ts';
import type { Offer } from './offer.ts';
import type { CountedPorts } from './ports.ts';
import { refusalOfLimit } from './refusals.ts';
import type { BookingRefusal, BookingRefusalCode } from './refusals.ts';

function counted(appointment: StoredAppointment): readonly CountedAppointment[] {
  const { start, state } = appointment;
  return state === 'booked' || state === 'registered' ? [{ start, state }] : [];
}

/**
 * Which limit the appointment would break, or null. The patient's own hold is left out: the new
 * appointment confirms or replaces it. `own` were read after the patient's row was locked.
 */
export function whyOverOwnLimit(
  offer: Offer,
  own: readonly StoredAppointment[],
  slot: SlotRequest,
  now: EpochSeconds,
): BookingRefusalCode | null {
  const { oncePerDay } = ELIGIBILITY_RULES[offer.patient.eligibility];
  const limit = whyOverLimit(slot.start, own.flatMap(counted), oncePerDay, now);
  return limit === null ? null : refusalOfLimit(limit);
}

/**
 * S-5: whether the patient did this as often as the rule allows, or null. Counted from their appointments,
 * after their row was locked, so that what is asked at once counts too.
 */
export async function whyTooOften(
  { appointments, config }: Pick<CountedPorts, 'appointments' | 'config'>,
  tx: Tx,
  patientId: PatientId,
  what: Counted,
  now: EpochSeconds,
): Promise<BookingRefusal | null> {
  const rule = config.rates[what];
  const since = await appointments.reachedSince(
    tx,
    patientId,
    what,
    rule.count,
    now - rule.seconds,
  );
  return since === null ? null : tooOften(since + rule.seconds - now);
}

/** `retryAfter` in seconds. */
export function tooOften(retryAfter: number): BookingRefusal {
  return { kind: 'refused', code: 'tooManyRequests', retryAfter };
}
