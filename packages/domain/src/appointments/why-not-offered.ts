import type { AppointmentType } from '../booking/appointment-type.ts';
import { STEP_SECONDS, dayRuler } from '../booking/day-template.ts';
import type { DayTemplate } from '../booking/day-template.ts';
import { whyDoctorHidden } from '../booking/doctor-choice.ts';
import type { Doctor, DoctorHiddenReason, DoctorStatus } from '../booking/doctor-choice.ts';
import { endOf, keptBack, servedMinutes, stretchesOf } from '../booking/free-starts.ts';
import type { Pace, SlotCodeRules } from '../booking/free-starts.ts';
import { toClinic } from '../clinic-time.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import type { Eligibility } from '../fees/fee-policies.ts';
import { accessOf } from '../identity/access.ts';
import type { AccountFacts } from '../identity/access.ts';
import { isActiveHold, sameStart } from './appointment.ts';
import type { OwnAppointment, SlotRequest } from './appointment.ts';
import type { ReservationRefusal } from './overrides.ts';

/** How staff book or move an appointment. */
export interface ByStaff {
  /** How long the appointment lasts; null leaves that to the clinic's rules. */
  readonly minutes: number | null;
  /** True when staff gave a reason for booking against the rules. */
  readonly overrides: boolean;
  /** True when the patient pays by a payment link: the slot is held until then. */
  readonly withPaymentLink: boolean;
  /** The hold with a payment link whose fee becomes due at the clinic: only this hold is booked, or nothing. */
  readonly paymentLinkHoldId?: string | null;
}

/** The facts that decide whether this patient may have a slot. Read under the lock on the patient. */
export interface SlotFacts {
  readonly patient: {
    readonly eligibility: Eligibility;
    readonly familyDoctor: boolean;
    /** Null without an account. */
    readonly account: AccountFacts | null;
    readonly blockedProviders: readonly string[];
    readonly disabledTypes: readonly string[];
    /** True when both health card and picture identification are uploaded. */
    readonly documentsUploaded: boolean;
    /** True when the patient has saved the immigration exam form at least once. */
    readonly medicalProfileKept: boolean;
  };
  /** Includes the fee for this patient; null when the clinic has no such type or no fee for it. */
  readonly type: Pick<
    AppointmentType,
    | 'code'
    | 'minutes'
    | 'form'
    | 'enforceMrp'
    | 'enforceNoPcp'
    | 'requiresDocuments'
    | 'byNursePractitioners'
    | 'chargeCents'
  > | null;
  readonly provider: (Doctor & { readonly status: DoctorStatus }) | null;
  /** The provider's template on the clinic day of the slot; null without one. */
  readonly template: DayTemplate | null;
  /** The slot codes that serve the type. */
  readonly codes: readonly SlotCodeRules[];
  /** What the provider has set for the type; null leaves it to the clinic. */
  readonly pace: Pace | null;
}

export interface ReservationFacts<Own extends OwnAppointment> extends SlotFacts {
  /** Whether the patient's primary doctor is active here; 'unasked' until a rule depends on it. */
  readonly primaryDoctor: boolean | 'unknown' | 'unasked';
  /** The patient's hold, their booked appointments, what this request made before, and those that it names. */
  readonly ownAppointments: readonly Own[];
  /** Seconds until the patient may try again; null while the rate limit is not reached. */
  readonly retryAfter: number | null;
  readonly now: EpochSeconds;
}

/**
 * When an appointment on the slot ends. An active hold on it for the same type keeps its end; any other
 * gets the length that its day gives now. Null when its whole length is not offered..
 */
export function endFor(
  { type, template, codes, pace, now }: ReservationFacts<OwnAppointment>,
  slot: SlotRequest,
  held: OwnAppointment | null,
): EpochSeconds | null {
  if (held !== null && sameStart(held, slot) && held.type === slot.type && isActiveHold(held, now))
    return held.end;
  if (type === null || template === null) return null;
  const { date } = toClinic(slot.start);
  const ruler = dayRuler(date);
  const stretches = stretchesOf(template, servedMinutes({ type, codes, pace }), null, ruler);
  // Whether somebody else has the time shows only when it is written.
  return endOf(stretches, keptBack(template, codes, date, now), ruler, slot.start);
}

/** The end by the length that staff set, else by the rules, else by the usual length. */
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

/**
 * What even staff cannot book: no type or fee, no active provider, a past time, a span over midnight, a
 * link for a patient who cannot sign in to pay.
 */
export function whyNever(
  { patient, type, provider, now }: ReservationFacts<OwnAppointment>,
  { start }: SlotRequest,
  end: EpochSeconds | null,
  byStaff: ByStaff | undefined,
): ReservationRefusal | null {
  if (byStaff?.withPaymentLink && accessOf(patient.account).signIn !== null)
    return 'linkNotOffered';
  if (type === null || type.form === 'refill') return 'typeNotOffered';
  if (provider === null || !provider.status.active) return 'doctorNotAvailable';
  if (start + STEP_SECONDS <= now) return 'slotTooSoon';
  const isOneDay = end !== null && toClinic(start).date === toClinic(end - 1).date;
  return isOneDay ? null : 'slotNotOffered';
}

/**
 * All reasons why the patient may not have a slot of this provider and type, in the order in which they are
 * told. A hold was promised until its end, so its patient keeps it when the provider is meanwhile hidden or
 * disabled..
 */
export function whyNotOffered(
  { patient, type, provider, primaryDoctor }: ReservationFacts<OwnAppointment>,
  isHeld: boolean,
): ReservationRefusal[] {
  const { booking } = accessOf(patient.account);
  const whys: ReservationRefusal[] = booking === null ? [] : [booking];
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
