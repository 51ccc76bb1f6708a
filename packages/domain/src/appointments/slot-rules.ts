import { STEP_SECONDS, dayRuler } from '../booking/availability.ts';
import { whyDoctorHidden } from '../booking/choice.ts';
import type { DoctorHiddenReason } from '../booking/choice.ts';
import { endOf, keptBack, servedMinutes, stretchesOf } from '../booking/starts.ts';
import { toClinic } from '../clinic-time.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { standsHeld, sameStart } from './appointment.ts';
import type { OwnAppointment, SlotRequest } from './appointment.ts';
import type { ByStaff, ReservationFacts, ReservationRefusal, SlotFacts } from './reservation.ts';

/**
 * When an appointment on the slot ends: a hold that stands there for the type keeps its end, any
 * other is as long as its day says now. Null where its whole length is not offered..
 */
export function endFor(
  { type, template, codes, pace, now }: ReservationFacts<OwnAppointment>,
  slot: SlotRequest,
  held: OwnAppointment | null,
): EpochSeconds | null {
  if (held !== null && sameStart(held, slot) && held.type === slot.type && standsHeld(held, now))
    return held.end;
  if (type === null || template === null) return null;
  const { date } = toClinic(slot.start);
  const ruler = dayRuler(date);
  const stretches = stretchesOf(template, servedMinutes({ type, codes, pace }), null, ruler);
  // Whether others have taken it is seen when it is taken.
  return endOf(stretches, keptBack(template, codes, date, now), ruler, slot.start);
}

/** As long as staff say, else as the rules do, which may say nothing of a time that they do not offer. */
export function staffEnd(
  { type, pace }: Pick<SlotFacts, 'type' | 'pace'>,
  { start }: SlotRequest,
  { minutes }: ByStaff,
  offeredEnd: EpochSeconds | null,
): EpochSeconds | null {
  if (minutes === null && offeredEnd !== null) return offeredEnd;
  const usual = pace?.minutes ?? type?.minutes;
  return usual === undefined ? null : start + (minutes ?? usual) * 60;
}

/** What staff cannot book either: what has no fee, nobody's time, a time that is over, two days. */
export function whyNever(
  { type, provider, now }: ReservationFacts<OwnAppointment>,
  { start }: SlotRequest,
  end: EpochSeconds | null,
): ReservationRefusal | null {
  if (type === null || type.form === 'refill') return 'typeNotOffered';
  if (provider === null || !provider.status.active) return 'doctorNotAvailable';
  if (start + STEP_SECONDS <= now) return 'slotTooSoon';
  const isOneDay = end !== null && toClinic(start).date === toClinic(end - 1).date;
  return isOneDay ? null : 'slotNotOffered';
}

/**
 * Why the patient may not have a slot of that provider and type: everything, in the order in which
 * they are told. Who holds it was told until when it is kept, so a provider who is hidden or disabled
 * meanwhile keeps it too..
 */
export function whyNotOffered(
  { patient, type, provider, primaryDoctor }: ReservationFacts<OwnAppointment>,
  isHeld: boolean,
): ReservationRefusal[] {
  const whys: ReservationRefusal[] = patient.bookingBlocked ? ['bookingBlocked'] : [];
  if (type === null || type.form === 'refill' || patient.disabledTypes.includes(type.code))
    whys.push('typeNotOffered');
  if (provider === null) whys.push('doctorNotAvailable');
  if (type === null || provider === null) return whys;
  const hidden = whyDoctorHidden({
    type,
    doctor: provider,
    status: isHeld ? { ...provider.status, hidden: false, disabled: false } : provider.status,
    patient: {
      hasFamilyDoctor: patient.familyDoctor,
      hasActivePrimaryDoctor: primaryDoctor === 'unasked' ? 'unknown' : primaryDoctor,
      blockedProviders: patient.blockedProviders,
    },
  });
  return hidden ? [...whys, refusalOf[hidden]] : whys;
}

const refusalOf: Record<DoctorHiddenReason, ReservationRefusal> = {
  familyOnly: 'doctorFamilyOnly',
  noPcpConflict: 'doctorNoPcp',
  primaryDoctorUnknown: 'primaryDoctorUnknown',
  inactive: 'doctorNotAvailable',
  hidden: 'doctorNotAvailable',
  disabled: 'doctorNotAvailable',
  blocked: 'doctorNotAvailable',
  notGiven: 'slotNotOffered',
};
