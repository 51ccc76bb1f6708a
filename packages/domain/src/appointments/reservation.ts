import type { AppointmentType } from '../booking/appointment-type.ts';
import { whyUntimely } from '../booking/availability.ts';
import type { DayTemplate } from '../booking/availability.ts';
import type { Doctor, DoctorStatus } from '../booking/choice.ts';
import {
  linkHold,
  linkHoldForPayment,
  newHold,
  renewedForPayment,
  renewedHold,
  whyOverLimit,
} from '../booking/hold.ts';
import type { Hold } from '../booking/hold.ts';
import type { Pace, SlotCodeRules } from '../booking/starts.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { ELIGIBILITY_RULES, needsDocuments } from '../fees/fees.ts';
import type { Eligibility } from '../fees/fees.ts';
import { mayOverride } from './overrides.ts';
import { endFor, staffEnd, whyNever, whyNotOffered } from './slot-rules.ts';
import {
  isLinked,
  sameStart,
  standsBooked,
  standsHeld,
  whyCannotReschedule,
} from './appointment.ts';
import type { OwnAppointment, SlotRequest } from './appointment.ts';

/**
 * What a slot is reserved for: to hold it, to book it without a fee, to hold it while its fee is
 * paid, or to move an appointment to it; or for staff to book it or to move one there.
 */
export type ReservationPurpose = 'hold' | 'book' | 'pay' | 'reschedule' | 'staff';

/** what staff say of an appointment that they book or move. */
export interface ByStaff {
  /** How long it lasts; null leaves that to the clinic's rules. */
  readonly minutes: number | null;
  /** They said why it is booked against the rules. */
  readonly overrides: boolean;
  /** The patient pays by a link: until then it is held. */
  readonly byLink: boolean;
  /** The hold for a link that is made due at the clinic: that one is booked, or nothing. */
  readonly link?: string | null;
}

export interface ReservationRequest {
  readonly purpose: ReservationPurpose;
  readonly slot: SlotRequest;
  /** Names the request for ever; a hold has no key, because a patient has one hold at most. */
  readonly requestKey: string | null;
  /** The hold that the key names, if it names one. */
  readonly heldAs: string | null;
  /** The appointment to move: of a hold and of a reschedule. */
  readonly rescheduleOf: string | null;
  /** The patient enters payment: a hold on the same slot is then renewed for longer. */
  readonly forPayment: boolean;
  /** Of the purpose `staff`. */
  readonly byStaff?: ByStaff;
}

/** What the clinic offers one patient of one slot. Read under the lock on the patient. */
export interface SlotFacts {
  readonly patient: {
    readonly eligibility: Eligibility;
    readonly familyDoctor: boolean;
    readonly bookingBlocked: boolean;
    readonly blockedProviders: readonly string[];
    readonly disabledTypes: readonly string[];
    /** Health card and picture identification, both. */
    readonly documentsUploaded: boolean;
    /** The immigration exam form was kept at least once. */
    readonly medicalProfileKept: boolean;
  };
  /** With the fee for this patient; null when the clinic has no such type or no fee for it. */
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
  /** What the provider says of the type; null leaves it to the clinic. */
  readonly pace: Pace | null;
}

export interface ReservationFacts<Own extends OwnAppointment> extends SlotFacts {
  /** Whether the patient's primary doctor is active here; 'unasked' until a rule depends on it. */
  readonly primaryDoctor: boolean | 'unknown' | 'unasked';
  /** The patient's hold, what stands booked, what the request made before, and what it names. */
  readonly own: readonly Own[];
  /** Seconds until the patient may do this again; null while a limit of rate is not reached. */
  readonly retryAfter: number | null;
  readonly now: EpochSeconds;
}

export type ReservationRefusal =
  | 'bookingBlocked'
  | 'typeNotOffered'
  | 'slotTaken'
  | 'slotNotOffered'
  | 'slotTooSoon'
  | 'slotTooLate'
  | 'doctorNotAvailable'
  | 'doctorFamilyOnly'
  | 'doctorNoPcp'
  | 'primaryDoctorUnknown'
  | 'holdGone'
  | 'paymentRequired'
  | 'paymentUnderWay'
  | 'nothingToPay'
  | 'linkStands'
  | 'linkTooSoon'
  | 'documentsMissing'
  | 'medicalProfileMissing'
  | 'oneEachDay'
  | 'twoUpcoming'
  | 'notFound'
  | 'notReschedulable'
  | 'rescheduleUnclear'
  | 'requestReused'
  | 'clinicConfirming'
  | 'tooManyRequests';

/** What follows from the facts. Only 'keep' and 'take' reserve something. */
export type ReservationDecision<Own extends OwnAppointment> =
  | {
      readonly kind: 'refused';
      readonly code: ReservationRefusal;
      /** Seconds, of `tooManyRequests`. */
      readonly retryAfter?: number;
    }
  /** The same request again: it has made this one, or is still being carried out for it. */
  | { readonly kind: 'repeat'; readonly appointment: Own }
  /** Ask the EMR for the patient's primary doctor, and decide again with the answer. */
  | { readonly kind: 'askPrimaryDoctor' }
  /** The hold is being paid for and stays as it is. */
  | { readonly kind: 'keep'; readonly hold: Own }
  /** The slot may be held once the payment for the patient's other hold is given up. */
  | { readonly kind: 'giveUpPayment'; readonly hold: Own }
  | Take<Own>;

export interface Take<Own extends OwnAppointment> {
  readonly kind: 'take';
  /** The slot's end, whatever the request says of it. */
  readonly end: EpochSeconds;
  /** The patient's hold on this slot, lapsed or not; null to take the slot itself. */
  readonly hold: Own | null;
  /** The patient's hold on another slot, which is given up. */
  readonly replaces: Own | null;
  /** The appointment that ends as rescheduled once the new one is booked. */
  readonly moves: Own | null;
  /** For as long as it is only held. */
  readonly terms: Hold;
  /** What the appointment carries as paid, in cents: the fee now asked for, or that of the one moved. */
  readonly paidCents: number;
  /** the rules against which staff take it. */
  readonly overridden: readonly ReservationRefusal[];
}

/**
 * Decides one reservation of a slot. Facts are read under the lock on the patient, so that two
 * requests of one patient are decided one after the other; whether a rival has the slot is seen when
 * it is taken. The order of the questions is the order in which a patient is told.
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

  const held = own.find(({ state }) => state === 'held') ?? null;
  const offeredEnd = endFor(facts, slot, held);
  const end = byStaff ? staffEnd(facts, slot, byStaff, offeredEnd) : offeredEnd;
  // What staff held for a link that was not paid is over, whether or not a sweeper came by.
  const isLink = held !== null && isLinked(held);
  const isOver = isLink && !standsHeld(held, now);
  const isOnSlot = held !== null && !isOver && sameStart(held, slot) && held.end === end;
  const hold = isOnSlot ? held : null;
  if (byStaff?.link && (held?.id !== byStaff.link || isOver)) return refused('holdGone');
  const isHold = purpose === 'hold';
  const isSame = hold?.type === slot.type;
  if (isHold && hold?.paying && isSame) return { kind: 'keep', hold };
  if (isLink && !isOver && !isSame) return refused('linkStands');
  if (isLink && hold !== null && byStaff?.byLink) return { kind: 'keep', hold };
  if (facts.retryAfter !== null && !(isHold && hold !== null))
    return { kind: 'refused', code: 'tooManyRequests', retryAfter: facts.retryAfter };
  if (hold === null && wasGivenUp(own, request)) return refused('holdGone');

  const standing = hold !== null && standsHeld(hold, now) ? hold : null;
  // what staff decided for a link stands for the patient who pays by it, within what they may.
  const isDecided = standing !== null && isLinked(standing);
  const never = byStaff || isDecided ? whyNever(facts, slot, end) : null;
  const busy = whyBusy(held, hold, request) ?? never;
  if (busy) return refused(busy);
  const moves = movesOf(facts, request, standing);
  const isTooLate = byStaff && isOwn(moves) && whyCannotReschedule(moves, now) !== null;
  const rules = [
    ...whyNotOffered(facts, standing?.type === slot.type),
    end === null || end !== offeredEnd ? 'slotNotOffered' : null,
    // Of a hold that stands, the notice was decided when it was placed.
    whyUntimely(slot.start, standing?.holdPlacedAt ?? now),
    isTooLate ? 'notReschedulable' : isOwn(moves) ? null : moves,
    ...(moves === null ? whyNotNew(facts, request, hold) : []),
  ] as const;
  const broken = rules.filter((rule) => rule !== null);
  const mayPass = byStaff?.overrides === true || isDecided;
  const why = broken.find((rule) => !(mayPass && mayOverride(rule)));
  if (why) return refused(why);
  const terms = termsOf(request, hold, standing, now);
  if (terms === null) return refused('linkTooSoon');
  if (end === null || typeof moves === 'string') return refused('slotNotOffered');
  if (isHold && held?.paying) return { kind: 'giveUpPayment', hold: held };
  return {
    kind: 'take',
    end,
    hold,
    replaces: hold === null ? held : null,
    moves,
    terms,
    paidCents: purpose === 'pay' ? (facts.type?.chargeCents ?? 0) : (moves?.paidCents ?? 0),
    overridden: broken,
  };
}

const isOwn = <Own extends OwnAppointment>(moves: Own | ReservationRefusal | null): moves is Own =>
  typeof moves === 'object' && moves !== null;

const refused = (code: ReservationRefusal) => ({ kind: 'refused' as const, code });

/**
 * What the request has made already: under its key, or of the hold that the key names. A payment is
 * also repeated by a request for a slot that the patient has paid for, and goes on while its hold
 * stands on the slot. A link that was paid has lost the key of staff to the payment's: what stands
 * there is it.
 */
function madeBefore<Own extends OwnAppointment>(
  own: readonly Own[],
  { purpose, slot, requestKey, heldAs, byStaff }: ReservationRequest,
): Own | null {
  const made =
    own.find((each) => requestKey !== null && each.requestKey === requestKey) ??
    own.find(({ id, state }) => id === heldAs && state !== 'held' && state !== 'released');
  const isThere = (each: Own) =>
    standsBooked(each) && each.type === slot.type && sameStart(each, slot);
  if (byStaff?.byLink) return made ?? own.find(isThere) ?? null;
  if (purpose !== 'pay') return made ?? null;
  const paid =
    made ?? own.find((each) => standsBooked(each) && each.paidCents > 0 && sameStart(each, slot));
  return paid && !(paid.state === 'held' && sameStart(paid, slot)) ? paid : null;
}

/**
 * Whether the patient has let go of the hold that the key names: a request that comes late then books
 * nothing, or it would be a second appointment beside the one that was chosen instead. A hold that
 * merely lapsed may still be booked where its time is free.
 */
function wasGivenUp(own: readonly OwnAppointment[], { heldAs }: ReservationRequest): boolean {
  return own.some(
    ({ id, state, holdExpiresAt }) =>
      id === heldAs && state === 'released' && holdExpiresAt === null,
  );
}

/** Why nothing may be done beside what is under way for the patient's hold, or null. */
function whyBusy(
  held: OwnAppointment | null,
  hold: OwnAppointment | null,
  { purpose, slot }: ReservationRequest,
): ReservationRefusal | null {
  if (held?.confirming) return 'clinicConfirming';
  if (!held?.paying || purpose === 'hold') return null;
  return purpose === 'pay' && hold?.type === slot.type ? null : 'paymentUnderWay';
}

/** Whether the primary doctor decides what this patient is offered. */
function dependsOnPrimaryDoctor({ type, provider }: SlotFacts): boolean {
  return type?.enforceMrp === true && provider?.status.familyOnly === true;
}

/**
 * The appointment that the request moves, null when it moves none, or why it may not: the one named,
 * else the one of the hold, else the only one of the type that can be moved. It must be the patient's
 * own, stand, not be on its way to be cancelled, be of the same type and more than 24 hours ahead – unless the standing hold was made
 * for it: then the 24 hours were decided there.
 */
function movesOf<Own extends OwnAppointment>(
  { own, now }: ReservationFacts<Own>,
  { purpose, slot, rescheduleOf }: ReservationRequest,
  standing: Own | null,
): Own | null | ReservationRefusal {
  if (purpose === 'book' || purpose === 'pay') return null;
  if (purpose !== 'reschedule' && rescheduleOf === null) return null;
  const canMove = (each: Own, at: EpochSeconds) =>
    standsBooked(each) &&
    each.cancelAskedAt === null &&
    each.type === slot.type &&
    whyCannotReschedule(each, at) === null;
  const id = rescheduleOf ?? standing?.rescheduledFrom ?? null;
  if (id === null) {
    const [only, another] = own.filter((each) => canMove(each, now));
    return only && !another ? only : 'rescheduleUnclear';
  }
  const named = own.find((each) => each.id === id && each.state !== 'held');
  if (!named) return 'notFound';
  // How late it is, staff may override.
  if (purpose === 'staff')
    return named.state === 'booked' && named.cancelAskedAt === null && named.type === slot.type
      ? named
      : 'notFound';
  const decidedAt = standing?.rescheduledFrom === id ? (standing.holdPlacedAt ?? now) : now;
  return canMove(named, decidedAt) ? named : 'notReschedulable';
}

/**
 * Why the patient may not have one more appointment: a fee that is not paid, documents that are
 * missing, or a limit of how many. Of documents a hold does not ask yet. The patient's own hold is not
 * counted: the new one confirms or replaces it. Staff take the fee at the clinic.
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
    lacks(purpose === 'pay' && fee === 0 && !hold?.paying, 'nothingToPay'),
    lacks(byStaff?.byLink === true && fee === 0, 'nothingToPay'),
    lacks(lacksDocuments, 'documentsMissing'),
    lacks(
      isAsked && !patient.medicalProfileKept && type.form === 'immigration',
      'medicalProfileMissing',
    ),
    whyOverLimit(slot.start, own.filter(standsBooked), oncePerDay, now),
  ];
}

/**
 * From when until when the slot is held: 10 minutes, 15 from entering payment on, 30 in total at
 * most. A hold that lapsed begins anew; one that is being paid for outlasts its end. One for a link has
 * its own end; null where that comes too soon to pay.
 */
function termsOf(
  { purpose, slot, forPayment, byStaff }: ReservationRequest,
  hold: OwnAppointment | null,
  standing: OwnAppointment | null,
  now: EpochSeconds,
): Hold | null {
  if (byStaff?.byLink) return linkHold(slot.start, now);
  const was = (one: OwnAppointment): Hold => ({
    heldAt: one.holdPlacedAt ?? now,
    until: one.holdExpiresAt ?? now,
  });
  if (standing !== null && isLinked(standing) && (purpose === 'pay' || forPayment))
    return (
      linkHoldForPayment(was(standing), slot.start, now) ?? (standing.paying ? was(standing) : null)
    );
  if (purpose === 'pay') {
    const before = standing === null ? newHold(now) : was(standing);
    return renewedForPayment(before, now) ?? before;
  }
  if (purpose !== 'hold' || hold === null) return newHold(now);
  return (forPayment ? renewedForPayment : renewedHold)(was(hold), now) ?? newHold(now);
}
