import { whyUntimely } from '../booking/booking-window.ts';
import {
  countedFor,
  newPaymentLinkHold,
  extendedPaymentLinkHold,
  newHold,
  extendedForPayment,
  extendedHold,
  whyOverLimit,
} from '../booking/hold.ts';
import type { HoldPeriod } from '../booking/hold.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { ELIGIBILITY_RULES, needsDocuments } from '../fees/fee-policies.ts';
import { mayOverride } from './overrides.ts';
import type { ReservationRefusal } from './overrides.ts';
import { endFor, staffEnd, whyNever, whyNotOffered } from './why-not-offered.ts';
import type { ByStaff, ReservationFacts, SlotFacts } from './why-not-offered.ts';
import {
  isConfirming,
  isHold,
  hasPaymentLink,
  isPaying,
  isBooked,
  wasBooked,
} from './appointment-state.ts';
import { sameStart, isActiveHold } from './appointment.ts';
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
  /** The hold that the request key names, if any. */
  readonly heldAs: string | null;
  /** The appointment to move, for the purposes hold and reschedule. */
  readonly rescheduleOf: string | null;
  /** True when the patient enters payment: a hold on the same slot is then renewed for longer. */
  readonly forPayment: boolean;
  /** Only for the purpose `staff`. */
  readonly byStaff?: ByStaff;
}

/** What follows from the facts. Only 'keep' and 'take' reserve something. */
export type ReservationDecision<Own extends OwnAppointment> =
  | {
      readonly kind: 'refused';
      readonly code: ReservationRefusal;
      /** Seconds, of `tooManyRequests`. */
      readonly retryAfter?: number;
      /** The patient's own appointments that fill the limit. */
      readonly because?: readonly Own[];
    }
  /** The same request came before: it made this appointment, or is still at work on it. */
  | { readonly kind: 'repeat'; readonly appointment: Own }
  /** Ask the EMR for the patient's primary doctor, and decide again with the answer. */
  | { readonly kind: 'askPrimaryDoctor' }
  /** The hold stays as it is: it is being paid for, or staff hold it for a link already. */
  | { readonly kind: 'keep'; readonly hold: Own }
  /** The slot may be held once the payment for the patient's other hold is given up. */
  | { readonly kind: 'giveUpPayment'; readonly hold: Own }
  | Take<Own>;

export interface Take<Own extends OwnAppointment> {
  readonly kind: 'take';
  /** The slot's end by the rules, or as staff set it; the end in the request does not count. */
  readonly end: EpochSeconds;
  /** The patient's hold on this slot, lapsed or not; null to take the slot itself. */
  readonly hold: Own | null;
  /** The patient's hold on another slot, which is given up. */
  readonly replaces: Own | null;
  /** The appointment that ends as rescheduled once the new one is booked. */
  readonly moves: Own | null;
  /** How long it is held, if it is only held. */
  readonly terms: HoldPeriod;
  /** What the appointment carries as paid, in cents: the fee now due, or what the moved one had paid. */
  readonly paidCents: number;
  /** the rules that staff override. */
  readonly overridden: readonly ReservationRefusal[];
}

/**
 * Decides one reservation of a slot. Facts are read under the lock on the patient, so requests of one patient
 * are decided one after the other. Whether somebody else has the slot shows only when it is taken. The checks
 * run in the order in which patients are told of problems.
 */
export function decideReservation<Own extends OwnAppointment>(
  facts: ReservationFacts<Own>,
  request: ReservationRequest,
): ReservationDecision<Own> {
  const { own, now } = facts;
  const { purpose, slot, byStaff } = request;
  const made = madeBefore(own, request);
  if (made) {
    const isRepeat = sameStart(made, slot) && made.type === slot.type;
    return isRepeat ? { kind: 'repeat', appointment: made } : refused('requestReused');
  }
  if (facts.primaryDoctor === 'unasked' && dependsOnPrimaryDoctor(facts))
    return { kind: 'askPrimaryDoctor' };

  const held = own.find(isHold) ?? null;
  const offeredEnd = endFor(facts, slot, held);
  const end = byStaff ? staffEnd(facts, slot, byStaff, offeredEnd) : offeredEnd;
  // A link hold that lapsed unpaid counts as over even before the sweeper has released it.
  const isLink = held !== null && hasPaymentLink(held);
  const isOver = isLink && !isActiveHold(held, now);
  const isOnSlot = held !== null && !isOver && sameStart(held, slot) && held.end === end;
  const hold = isOnSlot ? held : null;
  if (byStaff?.link && (held?.id !== byStaff.link || isOver)) return refused('holdGone');
  const isToHold = purpose === 'hold';
  const isSame = hold?.type === slot.type;
  if (isToHold && hold && isPaying(hold) && isSame) return { kind: 'keep', hold };
  if (isLink && !isOver && !isSame) return refused('linkStands');
  if (isLink && hold !== null && byStaff?.byLink) return { kind: 'keep', hold };
  if (facts.retryAfter !== null && !(isToHold && hold !== null))
    return { kind: 'refused', code: 'tooManyRequests', retryAfter: facts.retryAfter };
  if (hold === null && wasGivenUp(own, request)) return refused('holdGone');

  const standing = hold !== null && isActiveHold(hold, now) ? hold : null;
  // what staff decided for a link also holds for the patient who pays by it, where staff may override.
  const isDecided = standing !== null && hasPaymentLink(standing);
  const never = byStaff || isDecided ? whyNever(facts, slot, end, byStaff) : null;
  const busy = whyBusy(held, hold, request) ?? never;
  if (busy) return refused(busy);
  const moves = movesOf(facts, request, standing);
  const isTooLate = byStaff && isOwn(moves) && whyCannotReschedule(moves, now) !== null;
  const rules = [
    ...whyNotOffered(facts, standing?.type === slot.type),
    end === null || end !== offeredEnd ? 'slotNotOffered' : null,
    // For a hold that stands, the notice was decided when it was placed.
    whyUntimely(slot.start, standing?.holdPlacedAt ?? now),
    isTooLate ? 'notReschedulable' : isOwn(moves) ? null : moves,
    ...(moves === null ? whyNotNew(facts, request, hold) : []),
  ] as const;
  const broken = rules.filter((rule) => rule !== null);
  const mayPass = byStaff?.overrides === true || isDecided;
  const why = broken.find((rule) => !(mayPass && mayOverride(rule)));
  if (why === 'oneEachDay' || why === 'twoUpcoming') {
    const because = countedFor(why, slot.start, own.filter(isBooked), now);
    return { ...refused(why), because };
  }
  if (why) return refused(why);
  const terms = termsOf(request, hold, standing, now);
  if (terms === null) return refused('linkTooSoon');
  if (end === null || typeof moves === 'string') return refused('slotNotOffered');
  if (isToHold && held && isPaying(held)) return { kind: 'giveUpPayment', hold: held };
  return {
    kind: 'take',
    end,
    hold,
    replaces: hold === null ? held : null,
    moves,
    terms,
    paidCents: purpose === 'pay' ? (facts.type?.chargeCents ?? 0) : (moves?.paidNow ?? 0),
    overridden: broken,
  };
}

const isOwn = <Own extends OwnAppointment>(moves: Own | ReservationRefusal | null): moves is Own =>
  typeof moves === 'object' && moves !== null;

const refused = (code: ReservationRefusal) => ({ kind: 'refused' as const, code });

/**
 * What an earlier attempt of the same request made: found by its key, or as the hold that the key names. A
 * payment is also found by the slot that the patient has paid for. A payment link that was paid carries the
 * payment's key instead of the staff's, so it is found by its slot.
 */
function madeBefore<Own extends OwnAppointment>(
  own: readonly Own[],
  { purpose, slot, requestKey, heldAs, byStaff }: ReservationRequest,
): Own | null {
  const made =
    own.find((each) => requestKey !== null && each.requestKey === requestKey) ??
    own.find((each) => each.id === heldAs && wasBooked(each));
  const isThere = (each: Own) => isBooked(each) && each.type === slot.type && sameStart(each, slot);
  if (byStaff?.byLink) return made ?? own.find(isThere) ?? null;
  if (purpose !== 'pay') return made ?? null;
  const paid =
    made ?? own.find((each) => isBooked(each) && each.paidNow > 0 && sameStart(each, slot));
  return paid && !(isHold(paid) && sameStart(paid, slot)) ? paid : null;
}

/**
 * Whether the patient has given up the hold that the key names. A late request then books nothing; it would
 * be a second appointment beside the one chosen instead. A hold that merely lapsed may still be booked while
 * its time is free.
 */
function wasGivenUp(own: readonly OwnAppointment[], { heldAs }: ReservationRequest): boolean {
  return own.some(({ id, state }) => id === heldAs && state === 'givenUp');
}

/** Why the request must wait for what is under way for the patient's hold, or null. */
function whyBusy(
  held: OwnAppointment | null,
  hold: OwnAppointment | null,
  { purpose, slot }: ReservationRequest,
): ReservationRefusal | null {
  if (held === null) return null;
  if (isConfirming(held)) return 'clinicConfirming';
  if (!isPaying(held) || purpose === 'hold') return null;
  return purpose === 'pay' && hold?.type === slot.type ? null : 'paymentUnderWay';
}

/** Whether the primary doctor decides what this patient is offered. */
function dependsOnPrimaryDoctor({ type, provider }: SlotFacts): boolean {
  return type?.enforceMrp === true && provider?.status.familyOnly === true;
}

/**
 * The appointment that the request moves, null when it moves none, or why it may not: the one named, else the
 * one of the hold, else the only movable one of the type. It must be the patient's own, stand, not be about
 * to be cancelled, be of the same type and more than 24 hours ahead. When the standing hold was made for this
 * move, the 24 hours count from when that hold was placed.
 */
function movesOf<Own extends OwnAppointment>(
  { own, now }: ReservationFacts<Own>,
  { purpose, slot, rescheduleOf }: ReservationRequest,
  standing: Own | null,
): Own | null | ReservationRefusal {
  if (purpose === 'book' || purpose === 'pay') return null;
  if (purpose !== 'reschedule' && rescheduleOf === null) return null;
  const canMove = (each: Own, at: EpochSeconds) =>
    isBooked(each) &&
    each.cancelAskedAt === null &&
    each.type === slot.type &&
    whyCannotReschedule(each, at) === null;
  const id = rescheduleOf ?? standing?.rescheduledFrom ?? null;
  if (id === null) {
    const [only, another] = own.filter((each) => canMove(each, now));
    return only && !another ? only : 'rescheduleUnclear';
  }
  const named = own.find((each) => each.id === id && !isHold(each));
  if (!named) return 'notFound';
  // Staff may override the 24 hours, so they are not checked here.
  if (purpose === 'staff')
    return named.state === 'booked' && named.cancelAskedAt === null && named.type === slot.type
      ? named
      : 'notFound';
  const decidedAt = standing?.rescheduledFrom === id ? (standing.holdPlacedAt ?? now) : now;
  return canMove(named, decidedAt) ? named : 'notReschedulable';
}

/**
 * Why the patient may not have one more appointment: an unpaid fee, missing documents, or a limit on their
 * number. A hold does not ask for documents yet. The patient's own hold is not counted: the new appointment
 * confirms or replaces it. Staff take the fee at the clinic.
 */
function whyNotNew(
  { patient, type, own, now }: ReservationFacts<OwnAppointment>,
  { purpose, slot, byStaff }: ReservationRequest,
  hold: OwnAppointment | null,
): (ReservationRefusal | null)[] {
  const fee = type?.chargeCents ?? 0;
  const lacks = (is: boolean, what: ReservationRefusal) => (is ? what : null);
  const isAsked = purpose !== 'hold' && type !== null;
  const lacksDocuments =
    isAsked && !patient.documentsUploaded && needsDocuments(type, patient.eligibility);
  const { oncePerDay } = ELIGIBILITY_RULES[patient.eligibility];
  return [
    lacks(purpose === 'book' && fee > 0, 'paymentRequired'),
    lacks(purpose === 'pay' && fee === 0 && !(hold && isPaying(hold)), 'nothingToPay'),
    lacks(byStaff?.byLink === true && fee === 0, 'nothingToPay'),
    lacks(lacksDocuments, 'documentsMissing'),
    lacks(
      isAsked && !patient.medicalProfileKept && type.form === 'immigration',
      'medicalProfileMissing',
    ),
    whyOverLimit(slot.start, own.filter(isBooked), oncePerDay, now),
  ];
}

/**
 * From when until when the slot is held: 10 minutes, 15 from entering payment, 30 in total at most. A lapsed
 * hold begins anew; a hold being paid for outlasts its end. A link hold has its own end; null when too little
 * time is left to pay.
 */
function termsOf(
  { purpose, slot, forPayment, byStaff }: ReservationRequest,
  hold: OwnAppointment | null,
  standing: OwnAppointment | null,
  now: EpochSeconds,
): HoldPeriod | null {
  if (byStaff?.byLink) return newPaymentLinkHold(slot.start, now);
  const was = (one: OwnAppointment): HoldPeriod => ({
    placedAt: one.holdPlacedAt ?? now,
    expiresAt: one.holdExpiresAt ?? now,
  });
  if (standing !== null && hasPaymentLink(standing) && (purpose === 'pay' || forPayment))
    return (
      extendedPaymentLinkHold(was(standing), slot.start, now) ??
      (isPaying(standing) ? was(standing) : null)
    );
  if (purpose === 'pay') {
    const before = standing === null ? newHold(now) : was(standing);
    return extendedForPayment(before, now) ?? before;
  }
  if (purpose !== 'hold' || hold === null) return newHold(now);
  return (forPayment ? extendedForPayment : extendedHold)(was(hold), now) ?? newHold(now);
}
