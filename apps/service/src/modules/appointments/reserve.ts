import { decideReservation, toClinic } from '@clinic/domain';
import type { EpochSeconds, ReservationPurpose, SlotRequest, Take } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { whyAnswersRefused } from './answers.ts';
import { booked, detailsOf, ignoredOf, shownWith } from './appointment.ts';
import type {
  BookingRequest,
  StoredAppointment,
  Offer,
  BookedAppointment,
  AppointmentDetails,
} from './appointment.ts';
import type { EmrBookings } from '../records/emr.ts';
import { askEmr } from './emr.ts';
import type { AskEmr } from './emr.ts';
import { holdNamedBy, inReservation, refused } from './ports.ts';
import type {
  AskPrimaryDoctor,
  PrimaryDoctor,
  BookingPorts,
  BookingRefusal,
  CountedPorts,
  HeldPayments,
} from './ports.ts';
import { auditLapsed, recordBooked } from './settle.ts';

export interface HoldRequest {
  readonly purpose: 'hold';
  readonly patientId: PatientId;
  readonly slot: SlotRequest;
  /**
   * The appointment that this hold is to move: such a hold skips limits, fee and documents.
   */
  readonly rescheduleOf: string | null;
  /** The patient enters payment: the hold on the same slot then lasts longer. */
  readonly forPayment: boolean;
}

export type BookRequest =
  | (BookingRequest & { readonly purpose: 'book' })
  | (BookingRequest & { readonly purpose: 'reschedule'; readonly rescheduleOf: string | null });

/**
 * For `reserveIn`: a slot is held for a payment only in the transaction that begins the payment.
 */
type PayRequest = BookingRequest & { readonly purpose: 'pay' };

type ReserveRequest = HoldRequest | BookRequest | PayRequest;

/** A slot that is held: for the patient to go on with, or while its fee is paid. */
export interface Held {
  readonly kind: 'held';
  readonly appointmentId: string;
  /** The fee of the slot for this patient. */
  readonly chargeCents: number;
}

/** The slot could be held, but the hold that it would replace is being paid for. */
interface PayingForAnother {
  readonly kind: 'payingForAnother';
  readonly appointmentId: string;
}

/** What a reservation comes to inside of its transaction. */
type Reserved =
  Held | BookedAppointment | PayingForAnother | AskEmr | AskPrimaryDoctor | BookingRefusal;

/**
 * Reserves a slot: holds it, books it, or moves an appointment to it. The same
 * request again answers the same. A payment under way for another slot is given up once it is clear
 * that this one may be held. Where another system keeps the book, it is asked once the slot is
 * held.
 */
export async function reserve(
  ports: CountedPorts & { readonly heldPayments: HeldPayments },
  request: HoldRequest,
  now: EpochSeconds,
): Promise<Held | BookingRefusal>;
export async function reserve(
  ports: CountedPorts,
  request: BookRequest,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal>;
export async function reserve(
  ports: CountedPorts & { readonly heldPayments?: HeldPayments },
  request: HoldRequest | BookRequest,
  now: EpochSeconds,
): Promise<Held | BookedAppointment | BookingRefusal> {
  const attempt = () =>
    inReservation<Exclude<Reserved, AskPrimaryDoctor>>(ports, (tx, known) =>
      reserveIn(ports, tx, { ...request, known }, now),
    );
  let outcome = await attempt();
  if (outcome.kind === 'payingForAnother') {
    await ports.heldPayments?.giveUp(request.patientId, outcome.appointmentId);
    outcome = await attempt();
  }
  if (outcome.kind === 'payingForAnother') return refused('paymentUnderWay');
  return outcome.kind === 'askEmr' ? askEmr(ports, outcome, now) : outcome;
}

const REFUSED: Record<ReservationPurpose, string> = {
  hold: 'hold refused',
  book: 'booking refused',
  reschedule: 'booking refused',
  pay: 'payment refused',
};
/** A request that is late, repeated or one too many says nothing about the offer. */
const NOT_AUDITED: readonly string[] = ['holdGone', 'requestReused', 'tooManyRequests'];

type Attempt<Request> = Request & { readonly known: PrimaryDoctor };

/**
 * Locks the patient, reads the facts, decides and carries it out, all in the caller's transaction:
 * for a payment that is the transaction of the payment's own row.
 */
export async function reserveIn(
  ports: CountedPorts,
  tx: Tx,
  request: Attempt<PayRequest>,
  now: EpochSeconds,
): Promise<Held | BookedAppointment | AskPrimaryDoctor | BookingRefusal>;
export async function reserveIn(
  ports: CountedPorts,
  tx: Tx,
  request: Attempt<ReserveRequest>,
  now: EpochSeconds,
): Promise<Reserved>;
export async function reserveIn(
  ports: CountedPorts,
  tx: Tx,
  request: Attempt<ReserveRequest>,
  now: EpochSeconds,
): Promise<Reserved> {
  const { patientId, slot, purpose, known: primaryDoctor } = request;
  const today = toClinic(now).date;
  const errors = purpose === 'hold' ? [] : whyAnswersRefused(slot.type, request.answers, today);
  if (errors.length > 0) return refused('invalidInput', { errors });
  const requestKey = purpose === 'hold' ? null : request.requestKey;
  const heldAs = holdNamedBy(requestKey);
  const moves = 'rescheduleOf' in request ? request.rescheduleOf : null;
  const forPayment = purpose === 'hold' && request.forPayment;
  const [offer, own, retryAfter] = await Promise.all([
    ports.appointments.lockPatient(tx, patientId, slot, today),
    ports.appointments.standing(tx, patientId, { requestKey, ids: [moves, heldAs] }, now),
    retryAfterOf(ports, tx, request, now),
  ]);
  if (offer === null) return refused('notFound');
  const decision = decideReservation(
    { ...offer, primaryDoctor, own, retryAfter, now },
    { purpose, slot, requestKey, heldAs, moves, forPayment },
  );
  switch (decision.kind) {
    case 'askPrimaryDoctor':
      return { kind: 'askPrimaryDoctor', recordId: offer.recordId };
    case 'refused':
      if (!NOT_AUDITED.includes(decision.code))
        await ports.appendAudit(tx, {
          actor: `patient:${patientId}`,
          action: REFUSED[purpose],
          // Whom it is about, never just what was sent.
          subject: `provider:${offer.provider?.id ?? 'unknown'}`,
          details: { code: decision.code, start: slot.start, type: slot.type },
          at: now,
        });
      return decision;
    case 'repeat': {
      const { appointment: made } = decision;
      if (made.state === 'held')
        return refused(made.paying ? 'paymentUnderWay' : 'clinicConfirming');
      return shownWith(made, offer) ?? refused('notFound');
    }
    case 'keep':
      return heldOn(decision.hold.id, offer);
    case 'giveUpPayment':
      return { kind: 'payingForAnother', appointmentId: decision.hold.id };
    case 'take':
      return take({ ports, tx, offer, now, ...decision }, request);
  }
}

/** How often cards are tried is counted where they are charged. */
async function retryAfterOf(
  { appointments, config }: CountedPorts,
  tx: Tx,
  { purpose, patientId }: ReserveRequest,
  now: EpochSeconds,
): Promise<number | null> {
  if (purpose === 'pay') return null;
  const what = purpose === 'hold' ? 'holds' : 'bookings';
  return appointments.retryAfter(tx, patientId, { what, rule: config.rates[what] }, now);
}

const heldOn = (appointmentId: string, { type }: Offer): Held => ({
  kind: 'held',
  appointmentId,
  chargeCents: type?.chargeCents ?? 0,
});

/** A decision to take the slot, and the transaction in which that happens. */
interface Taking extends Take<StoredAppointment> {
  readonly ports: BookingPorts;
  readonly tx: Tx;
  readonly offer: Offer;
  readonly now: EpochSeconds;
}

async function take(taking: Taking, request: ReserveRequest): Promise<Reserved> {
  const { ports } = taking;
  if (request.purpose === 'hold') return hold(taking, request);
  const { eligibility } = taking.offer.patient;
  const detailsFor = detailsOf(ports, request, { ...taking, eligibility });
  if (request.purpose === 'pay') return holdForPayment(taking, request, detailsFor);
  const { bookings } = ports.emr;
  return bookings === null
    ? book(taking, request, detailsFor)
    : holdForEmr(taking, request, detailsFor, bookings);
}

async function hold(taking: Taking, request: HoldRequest): Promise<Held | BookingRefusal> {
  const { ports, tx, offer, hold: before, terms, now } = taking;
  const { slot, rescheduleOf: rescheduledFrom } = request;
  const held = before && { id: before.id, type: slot.type };
  const renewed =
    held && (await ports.appointments.renewHold(tx, held, { ...terms, rescheduledFrom }, now));
  const id = held && renewed ? held.id : await takeHold(taking, request);
  if (id === null) return refused('slotTaken');
  await auditSlot(taking, request, { id, action: renewed ? 'hold renewed' : 'slot held' });
  return heldOn(id, offer);
}

type DetailsFor = (appointmentId: string) => AppointmentDetails;

/** Everything that could refuse it is decided by now, before any money moves. */
async function holdForPayment(
  taking: Taking,
  request: BookingRequest,
  detailsFor: DetailsFor,
): Promise<Held | BookingRefusal> {
  const { ports, tx, offer, hold: before, terms, now } = taking;
  if (before?.paying) {
    const prolonged = { until: terms.until, answers: detailsFor(before.id) };
    await ports.appointments.prolongPaying(tx, before.id, prolonged, now);
    return heldOn(before.id, offer);
  }
  const id = before?.id ?? (await takeHold(taking, request));
  if (id === null) return refused('slotTaken');
  const { type } = request.slot;
  const waits = { details: detailsFor(id), terms };
  if (!(await ports.appointments.awaitPayment(tx, { id, type }, waits, now)))
    return refused('slotTaken');
  const ignored = ignoredOf(request, null);
  await auditSlot(taking, request, { id, action: 'slot held for payment', ignored });
  return heldOn(id, offer);
}

/** Another system keeps the book: the slot is held, with all that the appointment will carry. */
async function holdForEmr(
  taking: Taking,
  request: BookingRequest,
  detailsFor: DetailsFor,
  bookings: EmrBookings,
): Promise<AskEmr | BookingRefusal> {
  const { ports, tx, hold: before, moves, now } = taking;
  const id = before?.id ?? (await takeHold(taking, request));
  if (id === null) return refused('slotTaken');
  const details = detailsFor(id);
  const { type } = request.slot;
  if (!(await ports.appointments.awaitEmr(tx, { id, type }, details, now)))
    return refused('holdGone');
  return {
    kind: 'askEmr',
    bookings,
    request,
    moves,
    outcome: booked({ ...taking, ...request, id, details }),
  };
}

/** Our own table is the book: the slot is booked at once. */
async function book(
  taking: Taking,
  request: BookingRequest,
  detailsFor: DetailsFor,
): Promise<BookedAppointment | BookingRefusal> {
  const { ports, tx, hold: before, replaces, moves, now } = taking;
  const { appointments, ids } = ports;
  const { patientId, slot } = request;
  let id = before?.id ?? ids.uuid();
  let details = detailsFor(id);
  if (before === null || !(await appointments.confirm(tx, { id, type: slot.type }, details, now))) {
    await lockOthers(taking, slot);
    // A hold that was swept meanwhile keeps its row.
    if (before !== null) details = detailsFor((id = ids.uuid()));
    const row = newAppointment(taking, request, id);
    const carried = { details, replaced: replaces?.id ?? null };
    if (!(await takeSlot(taking, slot, () => appointments.takeBooked(tx, row, carried, now))))
      return refused('slotTaken');
  }
  const outcome = booked({ ...taking, ...request, id, details });
  const told = { patientId, appointment: outcome.appointment, ignored: ignoredOf(request, moves) };
  return (await recordBooked(ports, tx, told, now)) ? outcome : refused('slotTaken');
}

const newAppointment = ({ offer }: Taking, request: HoldRequest | BookingRequest, id: string) => ({
  ...request.slot,
  id,
  patientId: request.patientId,
  recordId: offer.recordId,
});

/**
 * Holds the slot in place of the patient's other hold: its id, or null when a rival has the slot.
 */
async function takeHold(
  taking: Taking,
  request: HoldRequest | BookingRequest,
): Promise<string | null> {
  const { ports, tx, terms, moves, hold: before, replaces } = taking;
  await lockOthers(taking, request.slot);
  const row = newAppointment(taking, request, ports.ids.uuid());
  const held = { ...terms, rescheduledFrom: moves?.id ?? null };
  // A hold on the slot that was swept meanwhile is replaced too.
  const replaced = (replaces ?? before)?.id ?? null;
  const takes = () => ports.appointments.takeHold(tx, row, held, replaced);
  return (await takeSlot(taking, request.slot, takes)) ? row.id : null;
}

/**
 * The steps of the slot, of a hold given up and of an appointment that moves are locked in order.
 */
async function lockOthers(
  { ports, tx, replaces, moves }: Taking,
  slot: SlotRequest,
): Promise<void> {
  const others = [replaces, moves].filter((appointment) => appointment !== null);
  if (others.length > 0) await ports.appointments.lockSteps(tx, [...others, slot]);
}

/**
 * Takes a slot. When it is taken already, holds on it that have lapsed by the clock are given up
 * first, whether or not a sweeper came by.
 */
async function takeSlot(
  { ports, tx, now }: Taking,
  slot: SlotRequest,
  takes: () => Promise<boolean>,
): Promise<boolean> {
  if (await takes()) return true;
  const lapsed = await ports.appointments.releaseLapsed(tx, slot, now);
  await auditLapsed(ports, tx, lapsed, now);
  return lapsed.length > 0 && takes();
}

function auditSlot(
  { ports, tx, now }: Taking,
  { patientId, slot }: HoldRequest | BookingRequest,
  { id, action, ignored = [] }: { id: string; action: string; ignored?: readonly string[] },
): Promise<void> {
  const { providerId: provider, start, type } = slot;
  const details = { provider, start, type, ...(ignored.length === 0 ? {} : { ignored }) };
  const actor = `patient:${patientId}`;
  return ports.appendAudit(tx, { actor, action, subject: `appointment:${id}`, details, at: now });
}
