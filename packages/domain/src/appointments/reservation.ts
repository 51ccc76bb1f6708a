import { whyUntimely } from '../booking/booking-window.ts';
import {
  countedFor,
  extendedForPayment,
  extendedPaymentLinkHold,
  extendedHold,
  newHold,
  newPaymentLinkHold,
  whyOverLimit,
} from '../booking/hold.ts';
import type { HoldPeriod } from '../booking/hold.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { ELIGIBILITY_RULES, needsDocuments } from '../fees/fee-policies.ts';
import { mayOverride } from './overrides.ts';
import type { ReservationRefusal } from './overrides.ts';
import { endFor, staffEnd, whyNever, whyNotOffered } from './why-not-offered.ts';
import type { ByStaff, ReservationFacts } from './why-not-offered.ts';
import {
  hasPaymentLink,
  isBooked,
  isConfirming,
  isHold,
  isPaying,
  wasBooked,
} from './appointment-state.ts';
import { isActiveHold, sameStart } from './appointment.ts';
import type { OwnAppointment, SlotRequest } from './appointment.ts';
import { whyCannotReschedule } from './cancellation-policy.ts';

/**
 * What a slot is reserved for: to hold it, to book it without a fee, to hold it while its fee is paid, to
 * move an appointment to it, or for staff to book it or move an appointment to it.
 */
export type ReservationPurpose = 'hold' | 'book' | 'pay' | 'reschedule' | 'staff';

export interface ReservationRequest {
  readonly purpose: ReservationPurpose;
  readonly slot: SlotRequest;
  /** Identifies the request for ever. Null for a hold: a patient has at most one. */
  readonly requestKey: string | null;
  /** The id of the hold that the request key names, if any. */
  readonly keyHoldId: string | null;
  /** The appointment to move, for the purposes hold and reschedule. */
  readonly rescheduleOf: string | null;
  /** True when the patient enters payment: a hold on the same slot is then extended for longer. */
  readonly forPayment: boolean;
  /** Only for the purpose `staff`. */
  readonly byStaff?: ByStaff;
}

/** What follows from the facts. Only 'alreadyHeld' and 'grant' reserve something. */
export type ReservationDecision<Own extends OwnAppointment> =
  | {
      readonly kind: 'refused';
      readonly code: ReservationRefusal;
      /** Seconds, of `tooManyRequests`. */
      readonly retryAfter?: number;
      /** The patient's own appointments that fill the limit. */
      readonly conflicts?: readonly Own[];
    }
  /** The same request came before: it made this appointment, or is still at work on it. */
  | { readonly kind: 'repeat'; readonly appointment: Own }
  /** Ask the EMR for the patient's primary doctor, and decide again with the answer. */
  | { readonly kind: 'askPrimaryDoctor' }
  /** The hold stays as it is: it is being paid for, or staff hold it with a payment link already. */
  | { readonly kind: 'alreadyHeld'; readonly hold: Own }
  /** The slot may be held once the payment for the patient's other hold is cancelled. */
  | { readonly kind: 'cancelPayment'; readonly hold: Own }
  | ReservationGrant<Own>;

export interface ReservationGrant<Own extends OwnAppointment> {
  readonly kind: 'grant';
  /** The slot's end by the rules, or as staff set it; the end in the request does not count. */
  readonly end: EpochSeconds;
  /** The patient's hold on this slot, expired or not; null when they have none on it. */
  readonly hold: Own | null;
  /** The patient's hold on another slot, which is released. */
  readonly replacedHold: Own | null;
  /** The appointment to move: it ends as rescheduled once the new one is booked. */
  readonly oldAppointment: Own | null;
  /** How long the slot is held, if it is only held. */
  readonly period: HoldPeriod;
  /** What is paid for the appointment, in cents: the fee now due, or what was paid for the old one. */
  readonly paidCents: number;
  /** The rules that staff override, with a reason. */
  readonly overridden: readonly ReservationRefusal[];
}

/**
 * Decides one reservation of a slot. Facts are read under the lock on the patient, so requests of one patient
 * are decided one after the other. Whether somebody else has the slot shows only when it is written. The checks
 * run in the order in which patients are told of problems.
 */
export function decideReservation<Own extends OwnAppointment>(
  facts: ReservationFacts<Own>,
  request: ReservationRequest,
): ReservationDecision<Own> {
  const { ownAppointments, now } = facts;
  const { purpose, slot, byStaff } = request;
  const earlier = earlierResult(ownAppointments, request);
  if (earlier) {
    // Staff have undone what it booked.
    if (earlier.state === 'givenUp') return refusal('holdGone');
    const isRepeat = sameStart(earlier, slot) && earlier.type === slot.type;
    return isRepeat ? { kind: 'repeat', appointment: earlier } : refusal('requestReused');
  }
  const needsPrimaryDoctor = facts.type?.enforceMrp && facts.provider?.status.familyOnly;
  if (facts.primaryDoctor === 'unasked' && needsPrimaryDoctor) return { kind: 'askPrimaryDoctor' };

  const anyHold = ownAppointments.find(isHold) ?? null;
  const offeredEnd = endFor(facts, slot, anyHold);
  const end = byStaff ? staffEnd(facts, slot, byStaff, offeredEnd) : offeredEnd;
  // A hold with a payment link that expired unpaid counts as over even before the sweep has released it.
  const isForLink = anyHold !== null && hasPaymentLink(anyHold);
  const isLinkOver = isForLink && !isActiveHold(anyHold, now);
  const isOnSlot =
    anyHold !== null && !isLinkOver && sameStart(anyHold, slot) && anyHold.end === end;
  const hold = isOnSlot ? anyHold : null;
  if (byStaff?.paymentLinkHoldId && (anyHold?.id !== byStaff.paymentLinkHoldId || isLinkOver))
    return refusal('holdGone');
  const isOnlyHold = purpose === 'hold';
  const isSameType = hold?.type === slot.type;
  if (isOnlyHold && hold && isPaying(hold) && isSameType) return { kind: 'alreadyHeld', hold };
  if (isForLink && !isLinkOver && !isSameType) return refusal('linkStands');
  if (isForLink && hold !== null && byStaff?.withPaymentLink) return { kind: 'alreadyHeld', hold };
  if (facts.retryAfter !== null && !(isOnlyHold && hold !== null))
    return { kind: 'refused', code: 'tooManyRequests', retryAfter: facts.retryAfter };
  // When the hold that the key names was given up, a late request books nothing: the appointment would stand
  // beside the one chosen instead. A hold that merely expired may still be booked while its time is free.
  const keyHolds = ownAppointments.filter(({ id }) => id === request.keyHoldId);
  if (hold === null && keyHolds.some(({ state }) => state === 'givenUp'))
    return refusal('holdGone');

  const activeHold = hold !== null && isActiveHold(hold, now) ? hold : null;
  // staff have decided about a hold with a payment link; the rules that they may override are not
  // asked again of the patient who pays by it.
  const isDecided = activeHold !== null && hasPaymentLink(activeHold);
  const never = byStaff || isDecided ? whyNever(facts, slot, end, byStaff) : null;
  const busy = whyBusy(anyHold, hold, request) ?? never;
  if (busy) return refusal(busy);
  const oldAppointment = findOldAppointment(facts, request, activeHold);
  const isTooLate =
    byStaff && isAppointment(oldAppointment) && whyCannotReschedule(oldAppointment, now) !== null;
  const rules = [
    ...whyNotOffered(facts, activeHold?.type === slot.type),
    end === null || end !== offeredEnd ? 'slotNotOffered' : null,
    // For an active hold, the notice was decided when it was placed.
    whyUntimely(slot.start, activeHold?.holdPlacedAt ?? now),
    isTooLate ? 'notReschedulable' : isAppointment(oldAppointment) ? null : oldAppointment,
    ...(oldAppointment === null ? whyNotNew(facts, request, hold) : []),
  ] as const;
  const broken = rules.filter((rule) => rule !== null);
  const overrides = byStaff?.overrides === true || isDecided;
  const code = broken.find((rule) => !(overrides && mayOverride(rule)));
  if (code === 'oneEachDay' || code === 'twoUpcoming') {
    const conflicts = countedFor(code, slot.start, ownAppointments.filter(isBooked), now);
    return { ...refusal(code), conflicts };
  }
  if (code) return refusal(code);
  const period = holdPeriodFor(request, hold, activeHold, now);
  if (period === null) return refusal('linkTooSoon');
  if (end === null || typeof oldAppointment === 'string') return refusal('slotNotOffered');
  if (isOnlyHold && anyHold && isPaying(anyHold)) return { kind: 'cancelPayment', hold: anyHold };
  return {
    kind: 'grant',
    end,
    hold,
    replacedHold: hold === null ? anyHold : null,
    oldAppointment,
    period,
    paidCents: purpose === 'pay' ? (facts.type?.chargeCents ?? 0) : (oldAppointment?.paidNow ?? 0),
    overridden: broken,
  };
}

const isAppointment = <Own extends OwnAppointment>(
  found: Own | ReservationRefusal | null,
): found is Own => typeof found === 'object' && found !== null;

const refusal = (code: ReservationRefusal) => ({ kind: 'refused' as const, code });

/**
 * What an earlier attempt of the same request made: found by its key, or as the hold that the key names. A
 * payment is also found by the slot that the patient has paid for. When a payment link is paid, the appointment
 * gets the key of the payment in place of that of staff: staff's request finds it by its slot.
 */
function earlierResult<Own extends OwnAppointment>(
  ownAppointments: readonly Own[],
  { purpose, slot, requestKey, keyHoldId, byStaff }: ReservationRequest,
): Own | null {
  const byKey =
    ownAppointments.find((each) => requestKey !== null && each.requestKey === requestKey) ??
    ownAppointments.find((each) => each.id === keyHoldId && wasBooked(each));
  const bookedHere = ownAppointments.filter((each) => isBooked(each) && sameStart(each, slot));
  if (byStaff?.withPaymentLink)
    return byKey ?? bookedHere.find(({ type }) => type === slot.type) ?? null;
  if (purpose !== 'pay') return byKey ?? null;
  const paid = byKey ?? bookedHere.find(({ paidNow }) => paidNow > 0);
  return paid && !(isHold(paid) && sameStart(paid, slot)) ? paid : null;
}

/** Why the request must wait for what is under way for the patient's hold, or null. */
function whyBusy(
  anyHold: OwnAppointment | null,
  hold: OwnAppointment | null,
  { purpose, slot }: ReservationRequest,
): ReservationRefusal | null {
  if (anyHold === null) return null;
  if (isConfirming(anyHold)) return 'clinicConfirming';
  if (!isPaying(anyHold) || purpose === 'hold') return null;
  return purpose === 'pay' && hold?.type === slot.type ? null : 'paymentUnderWay';
}

/**
 * The appointment that the request moves, null when it moves none, or why it may not: the one that it names, else
 * the one for which the patient placed their hold, else the only one of the type that may be moved. It must be
 * booked, not about to be cancelled, of the same type and more than 24 hours ahead. When the active hold was placed
 * for this move, the 24 hours count from when it was placed.
 */
function findOldAppointment<Own extends OwnAppointment>(
  { ownAppointments, now }: ReservationFacts<Own>,
  { purpose, slot, rescheduleOf }: ReservationRequest,
  activeHold: Own | null,
): Own | null | ReservationRefusal {
  if (purpose === 'book' || purpose === 'pay') return null;
  if (purpose !== 'reschedule' && rescheduleOf === null) return null;
  const canMove = (each: Own, at: EpochSeconds) =>
    isBooked(each) &&
    each.cancelAskedAt === null &&
    each.type === slot.type &&
    whyCannotReschedule(each, at) === null;
  const id = rescheduleOf ?? activeHold?.rescheduledFrom ?? null;
  if (id === null) {
    const [only, another] = ownAppointments.filter((each) => canMove(each, now));
    return only && !another ? only : 'rescheduleUnclear';
  }
  const named = ownAppointments.find((each) => each.id === id && !isHold(each));
  if (!named) return 'notFound';
  // Staff may override the 24 hours, so they are not checked here.
  if (purpose === 'staff')
    return named.state === 'booked' && named.cancelAskedAt === null && named.type === slot.type
      ? named
      : 'notFound';
  const decidedAt = activeHold?.rescheduledFrom === id ? (activeHold.holdPlacedAt ?? now) : now;
  return canMove(named, decidedAt) ? named : 'notReschedulable';
}

/**
 * Why the patient may not have one more appointment: an unpaid fee, missing documents, or a limit on their
 * number. A hold does not ask for documents yet. The patient's own hold is not counted: the new appointment
 * confirms or replaces it. Staff take the fee at the clinic.
 */
function whyNotNew(
  { patient, type, ownAppointments, now }: ReservationFacts<OwnAppointment>,
  { purpose, slot, byStaff }: ReservationRequest,
  hold: OwnAppointment | null,
): (ReservationRefusal | null)[] {
  const fee = type?.chargeCents ?? 0;
  const refuseIf = (is: boolean, code: ReservationRefusal) => (is ? code : null);
  const isComplete = purpose !== 'hold' && type !== null;
  const lacksDocuments =
    isComplete && !patient.documentsUploaded && needsDocuments(type, patient.eligibility);
  const lacksProfile = isComplete && !patient.medicalProfileKept && type.form === 'immigration';
  const { oncePerDay } = ELIGIBILITY_RULES[patient.eligibility];
  return [
    refuseIf(purpose === 'book' && fee > 0, 'paymentRequired'),
    refuseIf(purpose === 'pay' && fee === 0 && !(hold && isPaying(hold)), 'nothingToPay'),
    refuseIf(byStaff?.withPaymentLink === true && fee === 0, 'nothingToPay'),
    refuseIf(lacksDocuments, 'documentsMissing'),
    refuseIf(lacksProfile, 'medicalProfileMissing'),
    whyOverLimit(slot.start, ownAppointments.filter(isBooked), oncePerDay, now),
  ];
}

/**
 * From when until when the slot is held: 10 minutes, 15 from entering payment, 30 in total at most. An expired
 * hold begins anew; a hold being paid for outlasts its end. A hold with a payment link has its own end; null when
 * too little time is left to pay.
 */
function holdPeriodFor(
  { purpose, slot, forPayment, byStaff }: ReservationRequest,
  hold: OwnAppointment | null,
  activeHold: OwnAppointment | null,
  now: EpochSeconds,
): HoldPeriod | null {
  if (byStaff?.withPaymentLink) return newPaymentLinkHold(slot.start, now);
  const periodOf = (one: OwnAppointment): HoldPeriod => ({
    placedAt: one.holdPlacedAt ?? now,
    expiresAt: one.holdExpiresAt ?? now,
  });
  const current = activeHold && periodOf(activeHold);
  if (activeHold && current && hasPaymentLink(activeHold) && (purpose === 'pay' || forPayment)) {
    const extended = extendedPaymentLinkHold(current, slot.start, now);
    return extended ?? (isPaying(activeHold) ? current : null);
  }
  if (purpose === 'pay') {
    const period = current ?? newHold(now);
    return extendedForPayment(period, now) ?? period;
  }
  if (purpose !== 'hold' || hold === null) return newHold(now);
  return (forPayment ? extendedForPayment : extendedHold)(periodOf(hold), now) ?? newHold(now);
}
