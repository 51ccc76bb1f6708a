import type { ApiAnswers } from '@clinic/contract';
import {
  decideReservation,
  isConfirming,
  isHold,
  isLinked,
  isPaying,
  standsBooked,
  toClinic,
} from '@clinic/domain';
import type { EpochSeconds, ReservationPurpose, SlotRequest, Span, Take } from '@clinic/domain';

import type { RollBack, Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import {
  answersContext,
  booked,
  codeOf,
  detailsOf,
  holdNamedBy,
  ignoredOf,
  isAccount,
  refused,
  whyAnswersRefused,
} from './appointment.ts';
import type {
  BookRequest,
  BookedAppointment,
  BookingRefusal,
  HoldRequest,
  Offer,
  PayRequest,
  ReserveRequest,
  ShownHold,
  StaffRequest,
  StoredAppointment,
  Whose,
} from './appointment.ts';
import {
  auditLapsed,
  auditOverride,
  auditSlot,
  recordBooked,
  recordLinkOver,
  recordLinkSent,
  transact,
} from './changes.ts';
import { isDoctorActive } from '../records/index.ts';
import type { AskEmr, BookingPorts, HeldPayments, HoldPorts } from './ports.ts';
import { appointmentOf, sealedAnswers } from './listed.store.ts';
import type { Carries, When } from './store.ts';

/** A slot that is held: for the patient to continue booking, or while its fee is paid. */
export interface Held {
  readonly kind: 'held';
  readonly appointmentId: string;
  /** The fee of the slot for this patient. */
  readonly chargeCents: number;
  /** When the hold ends; only of a payment-link hold and of a hold that is kept as it is. */
  readonly until?: EpochSeconds;
  /** A new hold, which has no answers yet; a hold that was renewed or moves one must be read for them. */
  readonly shown?: ShownHold;
}

/** The decision depends on the primary doctor, whom only the records know. */
interface AskPrimaryDoctor {
  readonly kind: 'askPrimaryDoctor';
  readonly recordId: string;
}

/** Whether the primary doctor is active here; 'unasked' until a rule depends on it. */
type PrimaryDoctor = boolean | 'unknown' | 'unasked';

/** The outcome of a reservation inside its transaction. */
type Reserved =
  | Held
  | BookedAppointment
  /** The slot could be held, but the hold that it would replace is being paid for. */
  | { readonly kind: 'payingForAnother'; readonly appointmentId: string }
  | AskEmr
  | AskPrimaryDoctor
  | BookingRefusal;

/**
 * Reserves a slot: holds it, books it, or moves an appointment to it. Repeating a request gives the
 * same answer. A payment under way for another slot is given up once it is clear that this one may be
 * held. With an EMR, a booking asks the EMR once the slot is held.
 */
export async function reserve(
  ports: HoldPorts,
  request: HoldRequest,
  now: EpochSeconds,
): Promise<Held | BookingRefusal>;
export async function reserve(
  ports: BookingPorts,
  request: StaffRequest,
  now: EpochSeconds,
): Promise<BookedAppointment | Held | BookingRefusal>;
export async function reserve(
  ports: BookingPorts,
  request: Exclude<BookRequest, StaffRequest>,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal>;
export async function reserve(
  ports: BookingPorts & { readonly heldPayments?: HeldPayments },
  request: HoldRequest | BookRequest,
  now: EpochSeconds,
): Promise<Held | BookedAppointment | BookingRefusal> {
  const attemptOnce = (isAlone: boolean) =>
    inReservation<Exclude<Reserved, AskPrimaryDoctor>>(ports, (tx, primaryDoctor) =>
      reserveIn(ports, tx, { ...request, primaryDoctor, isAlone }, now),
    );
  const attempt = async () => {
    const found = await attemptOnce(true);
    // A write left to COMMIT cannot tell a rival from a lapsed hold: try again, waiting for each write.
    return isTaken(found) ? attemptOnce(false) : found;
  };
  let outcome = await attempt();
  if (outcome.kind === 'payingForAnother') {
    const whose = whoseIn(request);
    if (isAccount(whose)) await ports.heldPayments?.giveUp(whose, outcome.appointmentId);
    outcome = await attempt();
  }
  if (outcome.kind === 'payingForAnother') return refused('paymentUnderWay');
  if (outcome.kind !== 'askEmr') return outcome;
  return ports.emrBook.confirm(ports, outcome, now);
}

/**
 * Runs a transaction with a reservation in it. When the decision depends on the primary doctor, asks
 * the records – outside of any transaction – and runs it again with the answer, or 'unknown' without
 * one. When the slot is taken, rolls back: no lock stays, and no other hold is given up.
 */
export async function inReservation<T extends { readonly kind: string }>(
  ports: BookingPorts,
  attempt: (
    tx: Tx,
    primaryDoctor: PrimaryDoctor,
    rollBack: RollBack<T | BookingRefusal>,
  ) => Promise<T | AskPrimaryDoctor | BookingRefusal>,
): Promise<T | BookingRefusal> {
  const run = (primaryDoctor: PrimaryDoctor) =>
    transact<T | AskPrimaryDoctor>(ports, async (tx, rollBack) => {
      const result = await attempt(tx, primaryDoctor, rollBack);
      return isTaken(result) ? rollBack(result) : result;
    });
  const outcome = await run('unasked');
  if (!isQuestion(outcome)) return outcome;
  const again = await run(await isDoctorActive(ports, outcome.recordId));
  if (isQuestion(again)) throw new Error('The primary doctor was asked for twice');
  return again;
}

const isTaken = (result: { readonly kind: string }): result is BookingRefusal =>
  'code' in result && result.code === 'slotTaken';
/** Whether an appointment that stands has some of the slot's time. */
const isIn = (slot: Span, own: StoredAppointment): boolean =>
  standsBooked(own) &&
  own.providerId === slot.providerId &&
  own.start < slot.end &&
  slot.start < own.end;
const isQuestion = (result: { readonly kind: string }): result is AskPrimaryDoctor =>
  result.kind === 'askPrimaryDoctor';

const REFUSED: Record<ReservationPurpose, string> = {
  hold: 'hold refused',
  book: 'booking refused',
  reschedule: 'booking refused',
  pay: 'payment refused',
  staff: 'booking refused',
};
/** A request that is late, repeated or one too many says nothing about the offer. */
const NOT_AUDITED: readonly string[] = ['holdGone', 'requestReused', 'tooManyRequests'];

type Attempt<Request> = Request & {
  readonly primaryDoctor: PrimaryDoctor;
  /** Nothing else is in the transaction: a slot that replaces nothing may be written with COMMIT. */
  readonly isAlone?: boolean;
};

/**
 * Locks the patient, reads the facts, decides and carries it out, all in the caller's transaction:
 * for a payment that is the transaction of the payment's own row.
 */
export async function reserveIn(
  ports: BookingPorts,
  tx: Tx,
  request: Attempt<PayRequest>,
  now: EpochSeconds,
): Promise<Held | BookedAppointment | AskPrimaryDoctor | BookingRefusal>;
export async function reserveIn(
  ports: BookingPorts,
  tx: Tx,
  request: Attempt<ReserveRequest>,
  now: EpochSeconds,
): Promise<Reserved>;
export async function reserveIn(
  ports: BookingPorts,
  tx: Tx,
  request: Attempt<ReserveRequest>,
  now: EpochSeconds,
): Promise<Reserved> {
  const { appointments, parts, config } = ports;
  const { slot, purpose, primaryDoctor } = request;
  const whose = whoseIn(request);
  const today = toClinic(now).date;
  const requestKey = purpose === 'hold' ? null : request.requestKey;
  const heldAs = holdNamedBy(requestKey);
  const rescheduleOf = 'rescheduleOf' in request ? request.rescheduleOf : null;
  const forPayment = purpose === 'hold' && request.forPayment;
  const what = purpose === 'hold' ? 'holds' : 'bookings';
  const mayBeLast = request.isAlone === true && (purpose === 'hold' || ports.emr === null);
  const [offer, isLocked, own, retryAfter] = await Promise.all([
    appointments.lockOffer(tx, parts, whose, slot, today),
    mayBeLast &&
      heldAs !== null &&
      isAccount(whose) &&
      appointments.lockHold(tx, heldAs, whose, now),
    appointments.standing(tx, parts, whose, { requestKey, ids: [rescheduleOf, heldAs] }, now),
    // Tries of cards are counted where cards are charged; staff are not limited.
    request.purpose === 'pay' || request.purpose === 'staff'
      ? null
      : appointments.retryAfter(tx, request.patientId, { what, rule: config.rates[what] }, now),
  ]);
  if (offer === null) return refused('notFound');
  const errors =
    purpose === 'hold' || purpose === 'staff' || offer.type === null
      ? []
      : whyAnswersRefused(offer.type.form, request.answers, today);
  if (errors.length > 0) return refused('invalidInput', { errors });
  const decision = decideReservation(
    { ...offer, primaryDoctor, own, retryAfter, now },
    { purpose, slot, requestKey, heldAs, rescheduleOf, forPayment, ...byStaff(request) },
  );
  switch (decision.kind) {
    case 'askPrimaryDoctor':
      return { kind: 'askPrimaryDoctor', recordId: offer.recordId };
    case 'refused':
      if (!NOT_AUDITED.includes(decision.code))
        await ports.appendAudit(tx, {
          actor:
            request.purpose === 'staff'
              ? `staff:${request.staffId}`
              : `patient:${request.patientId}`,
          action: REFUSED[purpose],
          // The known provider, never merely the id that was sent.
          subject: `provider:${offer.provider?.id ?? 'unknown'}`,
          details: { code: decision.code, start: slot.start, type: slot.type },
          at: now,
        });
      return decision;
    case 'repeat': {
      const { appointment: made } = decision;
      if (purpose === 'staff' && isLinked(made))
        return heldOn(made.id, offer, made.holdExpiresAt ?? now);
      if (isHold(made)) return refused(isConfirming(made) ? 'clinicConfirming' : 'paymentUnderWay');
      // A standing appointment is shown whatever the clinic offers now.
      const shown = await appointmentOf(tx, parts, whose, made.id);
      return shown === null ? refused('notFound') : { kind: codeOf(made), ...shown };
    }
    case 'keep':
      return heldOn(decision.hold.id, offer, decision.hold.holdExpiresAt ?? now);
    case 'giveUpPayment':
      return { kind: 'payingForAnother', appointmentId: decision.hold.id };
    case 'take': {
      const isBooking = purpose !== 'hold' && ports.emr !== null;
      const paused = isBooking ? await ports.emrBook.whyPaused(tx, now) : null;
      if (paused !== null) return refused(paused);
      const { hold: before, replaces, moves } = decision;
      const replacesNothing = replaces === null && moves === null;
      const isSure = before === null || (isLocked && before.id === heldAs);
      const when: When = mayBeLast && replacesNothing && isSure ? 'last' : 'now';
      const taking = { ports, tx, offer, now, when, ...decision };
      const whole = { ...slot, end: decision.end };
      const taken = await (request.purpose === 'hold'
        ? hold(taking, { ...request, slot: whole }, slot)
        : book(taking, { ...request, slot: whole }, slot));
      return isTaken(taken)
        ? { ...taken, because: own.filter((each) => isIn(whole, each)) }
        : taken;
    }
  }
}

const heldOn = (appointmentId: string, { type }: Offer, until?: EpochSeconds): Held => ({
  kind: 'held',
  appointmentId,
  chargeCents: type?.chargeCents ?? 0,
  ...(until !== undefined && { until }),
});

/** A decision to take the slot, and the transaction in which that happens. */
interface Taking extends Take<StoredAppointment> {
  readonly ports: BookingPorts;
  readonly tx: Tx;
  readonly offer: Offer;
  readonly now: EpochSeconds;
  readonly when: When;
}

async function hold(
  taking: Taking,
  request: HoldRequest,
  asked: SlotRequest,
): Promise<Held | BookingRefusal> {
  const { ports, tx, offer, hold: before, terms, now } = taking;
  const { patientId, slot, rescheduleOf: rescheduledFrom } = request;
  const renewal = before && { ...terms, id: before.id, type: slot.type, rescheduledFrom };
  const renewed = renewal !== null && (await ports.appointments.renewHold(tx, renewal, now));
  const id = renewed ? renewal.id : ports.ids.uuid();
  if (!renewed && !(await takeSlot(taking, request, { id }))) return refused('slotTaken');
  const action = renewed ? 'hold renewed' : 'slot held';
  const ignored = ignoredEnd(slot, asked);
  await auditSlot(ports, tx, { patientId, slot, id, action, ignored }, now);
  const held = heldOn(id, offer);
  if (renewed || rescheduledFrom !== null) return held;
  const placed = {
    ...slot,
    id,
    holdExpiresAt: terms.until,
    state: 'holding',
    rescheduledFrom,
  } as const;
  return { ...held, shown: { appointment: placed, draft: null } };
}

/**
 * Takes the slot with all details of its appointment: books it, or holds it while the EMR is asked or
 * the fee is paid. Everything that could refuse the appointment is decided before any money moves.
 */
async function book(
  taking: Taking,
  sent: BookRequest | PayRequest,
  asked: SlotRequest,
): Promise<Reserved> {
  const { ports, tx, offer, hold: before, moves, terms, now, when } = taking;
  const { emr } = ports;
  const request = await withWritten(taking, sent);
  const { slot, purpose } = request;
  const patientId = accountIn(request);
  const byLink = request.purpose === 'staff' && request.byLink;
  const detailsFor = detailsOf(ports, request, taking);
  if (before && isPaying(before)) {
    const prolonged = { until: terms.until, answers: detailsFor(before.id) };
    await ports.appointments.prolongPaying(tx, before.id, prolonged, now);
    return heldOn(before.id, offer);
  }
  const booking = emr === null ? 'book' : 'ask';
  const event = purpose === 'pay' ? 'pay' : byLink ? 'link' : booking;
  const carried = (id: string) => ({ id, carries: { event, details: detailsFor(id) } }) as const;
  let taken = carried(before?.id ?? ports.ids.uuid());
  const held = before && { ...taken.carries, id: before.id, type: slot.type, terms };
  if (held === null || !(await ports.appointments.carry(tx, held, now, when))) {
    // The hold was swept meanwhile: its row stays as it is, and the appointment gets a new one.
    if (held !== null) taken = carried(ports.ids.uuid());
    if (!(await takeSlot(taking, request, taken))) return refused('slotTaken');
  }
  const outcome = booked({ slot, offer, id: taken.id, details: taken.carries.details, now });
  const { appointment } = outcome;
  const ignored = [...ignoredOf(request, moves), ...ignoredEnd(slot, asked)];
  if (event === 'pay') {
    const { id } = appointment;
    const action = 'slot held for payment';
    await auditSlot(ports, tx, { patientId, slot, id, action, ignored }, now);
    return heldOn(id, offer);
  }
  if (request.purpose === 'staff' && taking.overridden.length > 0) {
    const { staffId, overrideReason } = request;
    const override = { actor: `staff:${staffId}`, overrideReason, rules: taking.overridden };
    await auditOverride(ports, tx, { ...override, id: appointment.id }, now);
  }
  if (event === 'link') {
    const held = heldOn(appointment.id, offer, terms.until);
    const link = { feeCents: held.chargeCents, until: terms.until };
    await recordLinkSent(ports, tx, { patientId, appointment, ignored, link }, now);
    return held;
  }
  if (emr !== null) {
    const { answers } = request;
    return { kind: 'askEmr', emr, patientId, answers, moves, outcome, ignored };
  }
  const stands = await recordBooked(ports, tx, { patientId, appointment, ignored }, now);
  return stands ? outcome : refused('slotTaken');
}

/**
 * Staff send no answers: adds those of the appointment that moves, or those that the patient has given
 * for the hold that staff book.
 */
async function withWritten(
  { ports, tx, hold: before, moves }: Taking,
  request: BookRequest | PayRequest,
): Promise<BookRequest | PayRequest> {
  const from = request.purpose === 'staff' ? (moves ?? before) : null;
  const sealed = from && (await sealedAnswers(tx, from.id));
  if (!from || !sealed) return request;
  const answers = JSON.parse(ports.keyring.open(answersContext(from.id), sealed)) as ApiAnswers;
  return { ...request, answers };
}

const whoseIn = (request: ReserveRequest): Whose =>
  request.purpose === 'staff' ? request.whose : request.patientId;

/** Null for a record without an account. */
function accountIn(request: ReserveRequest): PatientId | null {
  const whose = whoseIn(request);
  return isAccount(whose) ? whose : null;
}

const byStaff = (request: ReserveRequest) =>
  request.purpose === 'staff' && {
    byStaff: {
      minutes: request.minutes,
      overrides: request.overrideReason !== null,
      byLink: request.byLink,
      link: request.link,
    },
  };

/** the client does not decide how long an appointment lasts. */
const ignoredEnd = (slot: SlotRequest, asked: SlotRequest): string[] =>
  slot.end === asked.end ? [] : ['end'];

/**
 * Takes the slot in place of the patient's other hold; false when a rival has it. Rivals' holds that
 * have lapsed by the clock are freed, whether or not a sweeper came by.
 */
async function takeSlot(
  { ports, tx, offer, terms, moves, hold: before, replaces, now, when }: Taking,
  request: ReserveRequest,
  { id, carries }: { readonly id: string; readonly carries?: Carries },
): Promise<boolean> {
  const { appointments } = ports;
  const { slot } = request;
  // The steps of the slot, of a hold given up and of an appointment that moves are locked in order.
  const others = [replaces, moves].filter((appointment) => appointment !== null);
  if (others.length > 0) await appointments.lockSteps(tx, [...others, slot]);
  // The patient's own overlapping hold is released first: its steps are not a rival's.
  const overlaps = replaces !== null && replaces.start < slot.end && slot.start < replaces.end;
  if (overlaps && replaces.providerId === slot.providerId)
    await appointments.release(tx, replaces.id, now);
  const taken = {
    ...slot,
    ...terms,
    id,
    patientId: accountIn(request),
    recordId: offer.recordId,
    rescheduledFrom: moves?.id ?? null,
    // A hold on the slot that was swept meanwhile is replaced too.
    replaces: (replaces ?? before)?.id ?? null,
  };
  if (replaces !== null && isLinked(replaces)) await recordLinkOver(ports, tx, replaces, now);
  if (await appointments.takeSlot(tx, taken, carries, when)) return true;
  const lapsed = await appointments.releaseLapsed(tx, slot, now);
  await auditLapsed(ports, tx, lapsed, now);
  return lapsed.length > 0 && appointments.takeSlot(tx, taken, carries);
}
