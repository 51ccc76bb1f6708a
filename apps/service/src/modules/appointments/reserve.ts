import type { ApiAnswers } from '@clinic/contract';
import {
  decideReservation,
  isConfirming,
  isHold,
  hasPaymentLink,
  isPaying,
  isBooked,
  toClinic,
} from '@clinic/domain';
import type { EpochSeconds, SlotRequest, Span, Take } from '@clinic/domain';

import type { RollBack, Tx } from '../../database/db.ts';
import { isDoctorActive } from '../records/index.ts';
import { openedAnswers, whyAnswersRefused } from './answers.ts';
import {
  type BookedAppointment,
  type BookingRefusal,
  type BookingRequest,
  type Held,
  type HoldRequest,
  type Offer,
  type Reservation,
  type StaffRequest,
  type StoredAppointment,
  accountOf,
  booked,
  codeOf,
  holdNamedBy,
  ignoredFields,
  isAccount,
  newDetails,
  refused,
} from './appointment.ts';
import {
  RULES_OVERRIDDEN,
  audit,
  auditLapsed,
  auditSlot,
  enqueueEmail,
  recordBooked,
  recordLinkOver,
  transact,
} from './changes.ts';
import { listedAppointment, sealedAnswers } from './listed.store.ts';
import type { AskEmr, BookingPorts, HeldPayments, HoldPorts } from './ports.ts';
import type { Carries } from './store.ts';

type Reserved = Held | BookedAppointment | BookingRefusal;

/** What is to be done outside of the transaction, before the reservation is decided again or is done. */
type Unfinished =
  /** The decision depends on the primary doctor, whom only the records know. */
  | { readonly kind: 'askPrimaryDoctor'; readonly recordId: string }
  /** The slot could be held, but the hold that it would replace is being paid for. */
  | { readonly kind: 'giveUpPayment'; readonly appointmentId: string }
  | AskEmr;
const UNFINISHED: readonly string[] = ['askPrimaryDoctor', 'giveUpPayment', 'askEmr'];
const isUnfinished = (outcome: { readonly kind: string }): outcome is Unfinished =>
  UNFINISHED.includes(outcome.kind);

/** Writes what must be written in the transaction that holds the slot. */
type WhenHeld<Begun> = (tx: Tx, held: Held, rollBack: RollBack<Begun>) => Promise<Begun>;

const NOT_SENT = {
  rescheduleOf: null,
  forPayment: false,
  answers: { reason: '' },
  asserted: { ticklers: [], paymentToken: null },
} as const;

/** Holds a slot for a patient, or prolongs their hold on it; gives up a payment for another slot. */
export async function hold(
  ports: HoldPorts,
  { patientId: whose, ...request }: HoldRequest,
  now: EpochSeconds,
): Promise<Held | BookingRefusal> {
  const asked = { ...NOT_SENT, ...request, purpose: 'hold', whose, requestKey: null } as const;
  const outcome = await reserve(ports, asked, now);
  if (outcome.kind === 'held' || outcome.kind === 'refused') return outcome;
  throw new Error(`A hold was ${outcome.kind}`);
}

/** Books a slot without a fee. */
export const book = async (
  ports: BookingPorts,
  { patientId: whose, ...request }: BookingRequest,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> =>
  notHeld(await reserve(ports, { ...NOT_SENT, ...request, purpose: 'book', whose }, now));

/** Moves an appointment to a slot; null moves that of the hold, else the only one that may be meant. */
export const move = async (
  ports: BookingPorts,
  { patientId: whose, ...request }: BookingRequest & Pick<Reservation, 'rescheduleOf'>,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> =>
  notHeld(await reserve(ports, { ...NOT_SENT, ...request, purpose: 'reschedule', whose }, now));

/**
 * Holds a slot for its payment, which `begin` begins in the same transaction (docs/adr/0018). The answer to a
 * request that has booked before is the appointment.
 */
export const holdForPayment = async <Begun extends { readonly kind: string }>(
  ports: BookingPorts,
  { patientId: whose, ...request }: BookingRequest,
  begin: WhenHeld<Begun>,
  now: EpochSeconds,
): Promise<Begun | BookedAppointment | BookingRefusal> =>
  notHeld(await reserve(ports, { ...NOT_SENT, ...request, purpose: 'pay', whose }, now, begin));

/**
 * books or moves for staff. When a payment-link hold is booked with its fee due at the clinic, a payment
 * that waits for its patient is given up first.
 */
export async function bookForPatient(
  ports: HoldPorts,
  request: StaffRequest,
  now: EpochSeconds,
): Promise<Reserved> {
  const { whose, link, staffId } = request;
  const byStaff = { ...request, overrides: request.overrideReason !== null };
  const asked = { ...NOT_SENT, ...request, purpose: 'staff', byStaff } as const;
  const made = await reserve(ports, asked, now);
  if (made.kind !== 'refused' || made.code !== 'paymentUnderWay') return made;
  if (!link || !isAccount(whose)) return made;
  await ports.heldPayments.giveUp(whose, link, { actor: `staff:${staffId}`, onlyWaiting: true });
  return reserve(ports, asked, now);
}

function notHeld<Outcome extends { readonly kind: string }>(outcome: Outcome | Held): Outcome {
  const isHeld = (each: Outcome | Held): each is Held => each.kind === 'held';
  if (isHeld(outcome)) throw new Error(`Only held: ${outcome.appointmentId}`);
  return outcome;
}

/** What is known of a request by now; it is decided again where more was to be known. */
interface Attempt extends Reservation {
  readonly primaryDoctor?: boolean | 'unknown';
  readonly gaveUpPayment?: boolean;
}

/** A request that is late, repeated or one too many says nothing about the offer. */
const NOT_AUDITED: readonly string[] = ['holdGone', 'requestReused', 'tooManyRequests'];

/**
 * Reserves a slot in one transaction: locks the patient, reads the facts, decides, and applies the decision.
 * Repeating a request gives the same answer. Where the records or a payment must be asked first, they are
 * asked outside of the transaction, and it is decided again. A slot that is taken rolls everything back: no
 * lock stays, and no other hold is given up. With an EMR, a booking asks it once the slot is held.
 */
async function reserve<Begun extends { readonly kind: string } = never>(
  ports: BookingPorts & { readonly heldPayments?: HeldPayments },
  request: Attempt,
  now: EpochSeconds,
  begin?: WhenHeld<Begun>,
): Promise<Reserved | Begun> {
  const { appointments, parts, config } = ports;
  const { whose, slot, purpose, requestKey, rescheduleOf, byStaff } = request;
  const outcome = await transact<Reserved | Unfinished | Begun>(ports, async (tx, rollBack) => {
    const today = toClinic(now).date;
    const heldAs = holdNamedBy(requestKey);
    const what = purpose === 'hold' ? 'holds' : 'bookings';
    const [offer, own, retryAfter] = await Promise.all([
      appointments.lockOffer(tx, parts, whose, slot, today),
      appointments.standing(tx, parts, whose, { requestKey, ids: [rescheduleOf, heldAs] }, now),
      // Tries of cards are counted where cards are charged; staff are not limited.
      purpose === 'pay' || !isAccount(whose) || byStaff
        ? null
        : appointments.retryAfter(tx, whose, { what, rule: config.rates[what] }, now),
    ]);
    if (offer === null) return refused('notFound');
    if (purpose !== 'hold' && !byStaff && offer.type !== null) {
      const errors = whyAnswersRefused(offer.type.form, request.answers, today);
      if (errors.length > 0) return refused('invalidInput', { errors });
    }
    const deciding = { ports, tx, offer, request, now };
    const { primaryDoctor = 'unasked' } = request;
    const decision = decideReservation(
      { ...offer, primaryDoctor, own, retryAfter, now },
      { ...request, heldAs },
    );
    switch (decision.kind) {
      case 'askPrimaryDoctor':
        return { kind: 'askPrimaryDoctor', recordId: offer.recordId };
      case 'giveUpPayment':
        return { kind: 'giveUpPayment', appointmentId: decision.hold.id };
      case 'refused':
        if (!NOT_AUDITED.includes(decision.code)) await auditRefused(deciding, decision.code);
        return decision;
      case 'repeat':
        return repeated(deciding, decision.appointment);
      case 'keep':
        return heldOn(decision.hold.id, offer);
      case 'take': {
        const isBooking = purpose !== 'hold' && ports.emr !== null;
        const paused = isBooking ? await ports.emrBook.whyPaused(tx, now) : null;
        if (paused !== null) return refused(paused);
        const whole = { ...slot, end: decision.end };
        const taking = { ...decision, ...deciding, slot: whole };
        const taken = await (purpose === 'hold' ? takeHold(taking) : takeBooking(taking));
        if (taken.kind === 'refused')
          return rollBack({ ...taken, because: own.filter((each) => standsIn(whole, each)) });
        return begin && taken.kind === 'held' ? begin(tx, taken, rollBack) : taken;
      }
    }
  });
  if (!isUnfinished(outcome)) return outcome;
  switch (outcome.kind) {
    case 'askPrimaryDoctor': {
      const primaryDoctor = await isDoctorActive(ports, outcome.recordId);
      return reserve(ports, { ...request, primaryDoctor }, now, begin);
    }
    case 'giveUpPayment':
      if (request.gaveUpPayment || !isAccount(whose)) return refused('paymentUnderWay');
      await ports.heldPayments?.giveUp(whose, outcome.appointmentId);
      return reserve(ports, { ...request, gaveUpPayment: true }, now, begin);
    case 'askEmr':
      return ports.emrBook.confirm(ports, outcome, now);
  }
}

const standsIn = (slot: Span, own: StoredAppointment): boolean =>
  isBooked(own) &&
  own.providerId === slot.providerId &&
  own.start < slot.end &&
  slot.start < own.end;

interface Deciding {
  readonly ports: BookingPorts;
  readonly tx: Tx;
  readonly offer: Offer;
  readonly request: Reservation;
  readonly now: EpochSeconds;
}

function auditRefused({ ports, tx, offer, request, now: at }: Deciding, code: string) {
  const { purpose, slot, whose, byStaff } = request;
  const what = purpose === 'hold' ? 'hold' : purpose === 'pay' ? 'payment' : 'booking';
  return ports.appendAudit(tx, {
    actor: byStaff ? `staff:${byStaff.staffId}` : `patient:${accountOf(whose)}`,
    action: `${what} refused`,
    // The known provider, never merely the id that was sent.
    subject: `provider:${offer.provider?.id ?? 'unknown'}`,
    details: { code, start: slot.start, type: slot.type },
    at,
  });
}

/** The answer to a request that has reserved before. */
async function repeated(
  { ports, tx, offer, request: { purpose, whose } }: Deciding,
  made: StoredAppointment,
): Promise<Reserved> {
  if (purpose === 'staff' && hasPaymentLink(made)) return heldOn(made.id, offer);
  if (isHold(made)) return refused(isConfirming(made) ? 'clinicConfirming' : 'paymentUnderWay');
  // A booked appointment is shown whatever the clinic offers now.
  const shown = await listedAppointment(tx, ports.parts, whose, made.id);
  return shown === null ? refused('notFound') : { kind: codeOf(made), ...shown };
}

const heldOn = (appointmentId: string, { type }: Offer): Held => ({
  kind: 'held',
  appointmentId,
  chargeCents: type?.chargeCents ?? 0,
});

/** A decision to take the slot, and the transaction in which that happens. */
interface Taking extends Deciding, Take<StoredAppointment> {
  /** Ends when the clinic decides. */
  readonly slot: SlotRequest;
}

async function takeHold(taking: Taking): Promise<Held | BookingRefusal> {
  const { ports, tx, offer, request, slot, hold: before, terms, now } = taking;
  const { rescheduleOf: rescheduledFrom } = request;
  const renewal = before && { ...terms, id: before.id, type: slot.type, rescheduledFrom };
  const renewed = renewal !== null && (await ports.appointments.renewHold(tx, renewal, now));
  const id = renewed ? renewal.id : ports.ids.uuid();
  if (!renewed && !(await takeSlot(taking, id))) return refused('slotTaken');
  const action = renewed ? 'hold renewed' : 'slot held';
  await auditSlot(ports, tx, { ...slotOf(taking), id, action }, now);
  const held = heldOn(id, offer);
  if (renewed || rescheduledFrom !== null) return held;
  const holdExpiresAt = terms.expiresAt;
  const appointment = { ...slot, id, holdExpiresAt, state: 'holding', rescheduledFrom } as const;
  return { ...held, shown: { appointment, draft: null } };
}

/**
 * Takes the slot with all details of its appointment: books it, or holds it while the EMR is asked or
 * the fee is paid. Everything that could refuse the appointment is decided before any money moves.
 */
async function takeBooking(
  taking: Taking,
): Promise<Held | BookedAppointment | AskEmr | BookingRefusal> {
  const { ports, tx, offer, request, slot, hold: before, moves, terms, now } = taking;
  const { purpose, byStaff } = request;
  const { emr } = ports;
  const answers = await answersFor(taking);
  const detailsOn = newDetails(ports, { ...request, answers }, taking);
  if (before && isPaying(before)) {
    const { id } = before;
    await ports.appointments.prolongPaying(
      tx,
      { id, expiresAt: terms.expiresAt },
      now,
      detailsOn(id),
    );
    return heldOn(id, offer);
  }
  const booking = emr === null ? 'book' : 'ask';
  const event: Carries['event'] = purpose === 'pay' ? 'pay' : byStaff?.byLink ? 'link' : booking;
  let id = before?.id ?? ports.ids.uuid();
  let details = detailsOn(id);
  const carried = { id, type: slot.type, terms, event, details };
  if (before === null || !(await ports.appointments.carry(tx, carried, now))) {
    // Another process has swept the hold: its row stays as it is, and the appointment gets a new one.
    if (before !== null) details = detailsOn((id = ports.ids.uuid()));
    if (!(await takeSlot(taking, id, { event, details }))) return refused('slotTaken');
  }
  const trail = { ...slotOf(taking), id };
  if (byStaff && taking.overridden.length > 0) {
    const actor = `staff:${byStaff.staffId}`;
    const why = { rules: taking.overridden, reason: byStaff.overrideReason };
    await audit(ports, tx, id, { actor, action: RULES_OVERRIDDEN, details: why, at: now });
  }
  if (event === 'pay') {
    await auditSlot(ports, tx, { ...trail, action: 'slot held for payment' }, now);
    return heldOn(id, offer);
  }
  if (event === 'link') {
    const { bookedBy, sequence } = details;
    const held = heldOn(id, offer);
    const link = { feeCents: held.chargeCents, until: terms.expiresAt };
    const action = 'time held for a payment link';
    await auditSlot(ports, tx, { ...trail, action, bookedBy }, now);
    await enqueueEmail(ports, tx, { event: 'payLink', appointmentId: id, sequence, link }, now);
    return held;
  }
  const outcome = booked(taking, { id, details }, now);
  const made = { ...trail, appointment: outcome.appointment };
  if (emr !== null) return { kind: 'askEmr', emr, ...trail, answers, moves, outcome };
  return (await recordBooked(ports, tx, made, now)) ? outcome : refused('slotTaken');
}

/**
 * Staff send no answers: those of the appointment that moves stay, or those that the patient has given for
 * the hold that staff book.
 */
async function answersFor({
  ports,
  tx,
  request,
  hold: before,
  moves,
}: Taking): Promise<ApiAnswers> {
  const from = request.byStaff ? (moves ?? before) : null;
  const sealed = from && (await sealedAnswers(tx, from.id));
  return from && sealed ? openedAnswers(ports.keyring, from.id, sealed) : request.answers;
}

/** What the audit trail says of the slot, with the fields that were sent and do not count. */
const slotOf = ({ request, slot, moves }: Taking) => ({
  patientId: accountOf(request.whose),
  slot,
  ignored: [...ignoredFields(request, moves), ...(slot.end === request.slot.end ? [] : ['end'])],
});

/**
 * Takes the slot in place of the patient's other hold; false when a rival has it, and all is rolled back.
 * Rivals' holds that have lapsed by the clock are freed, whether or not a sweeper came by.
 */
async function takeSlot(
  { ports, tx, offer, request, slot, terms, moves, hold: before, replaces, now }: Taking,
  id: string,
  carries: Carries | null = null,
): Promise<boolean> {
  const { appointments } = ports;
  // The steps of the slot, of a hold given up and of an appointment that moves are locked in order.
  const others = [replaces, moves].filter((appointment) => appointment !== null);
  if (others.length > 0) await appointments.lockSteps(tx, [...others, slot]);
  // A hold on the slot that another process has swept is given up too: a late request for it books nothing.
  const old = replaces ?? before;
  if (old !== null) await appointments.release(tx, old.id, now);
  if (replaces !== null && hasPaymentLink(replaces)) await recordLinkOver(ports, tx, replaces, now);
  const taken = {
    ...slot,
    ...terms,
    id,
    patientId: accountOf(request.whose),
    recordId: offer.recordId,
    rescheduledFrom: moves?.id ?? null,
  };
  if (await appointments.takeSlot(tx, taken, carries)) return true;
  const lapsed = await appointments.releaseLapsed(tx, slot, now);
  await auditLapsed(ports, tx, lapsed, now);
  return lapsed.length > 0 && appointments.takeSlot(tx, taken, carries);
}
