import {
  decideReservation,
  hasPaymentLink,
  isBooked,
  isConfirming,
  isHold,
  isPaying,
  overlaps,
  toClinic,
} from '@clinic/domain';
import type { EpochSeconds, ReservationGrant, SlotRequest } from '@clinic/domain';

import type { RollBack, Tx } from '../../database/db.ts';
import { isDoctorActive } from '../records/index.ts';
import { openedAnswers, whyAnswersRefused } from './answers.ts';
import {
  type BookedAppointment,
  type BookingContext,
  type BookingRefusal,
  type BookingRequest,
  type HoldRequest,
  type HoldResult,
  type ReserveRequest,
  type StaffRequest,
  type StoredAppointment,
  accountOf,
  bookedAppointment,
  bookingKind,
  holdIdOfStoredKey,
  holdResult,
  ignoredFields,
  isAccount,
  newDetails,
  refusal,
} from './appointment.ts';
import {
  RULES_OVERRIDDEN,
  audit,
  auditLapsed,
  auditSlot,
  enqueueEmail,
  enqueuePaymentLinkEnded,
  recordBooked,
  transact,
} from './changes.ts';
import { undoableBooking } from './by-staff/undo.ts';
import { listedAppointment, sealedAnswers } from './listed.store.ts';
import type { AskEmr, BookingPorts, HeldPayments, HoldPorts } from './ports.ts';
import type { BookingWrite } from './store.ts';

type Result = HoldResult | BookedAppointment | BookingRefusal;

/** A call to another system, which must not be made inside the transaction. */
type ExternalCall =
  /** The decision depends on the primary doctor, whom only the records know. */
  | { readonly kind: 'askPrimaryDoctor'; readonly recordId: string }
  /** The slot could be held, but the hold that it would replace is being paid for. */
  | { readonly kind: 'cancelPayment'; readonly appointmentId: string }
  | AskEmr;
const EXTERNAL_CALLS: readonly string[] = ['askPrimaryDoctor', 'cancelPayment', 'askEmr'];
const isExternalCall = (outcome: { readonly kind: string }): outcome is ExternalCall =>
  EXTERNAL_CALLS.includes(outcome.kind);

/** Writes the payment in the transaction that holds the slot. */
type StartPayment<T> = (tx: Tx, held: HoldResult, rollBack: RollBack<T>) => Promise<T>;

const DEFAULTS = {
  rescheduleOf: null,
  forPayment: false,
  answers: { reason: '' },
  claimed: { ticklers: [], paymentToken: null },
} as const;

/** Holds a slot for a patient, or extends their hold on it; cancels a payment under way for another slot. */
export async function hold(
  ports: HoldPorts,
  { patientId: owner, ...sent }: HoldRequest,
  now: EpochSeconds,
): Promise<HoldResult | BookingRefusal> {
  const request = { ...DEFAULTS, ...sent, purpose: 'hold', owner, requestKey: null } as const;
  const result = await reserve(ports, request, now);
  if (result.kind === 'held' || result.kind === 'refused') return result;
  throw new Error(`A hold was ${result.kind}`);
}

/** Books a slot without a fee. */
export const book = async (
  ports: BookingPorts,
  { patientId: owner, ...sent }: BookingRequest,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> =>
  assertNotHeld(await reserve(ports, { ...DEFAULTS, ...sent, purpose: 'book', owner }, now));

/**
 * Moves the appointment `rescheduleOf` to a slot. Null means the one for which the patient placed their hold,
 * else their only appointment of the type that may still be moved.
 */
export const move = async (
  ports: BookingPorts,
  { patientId: owner, ...sent }: BookingRequest & Pick<ReserveRequest, 'rescheduleOf'>,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> =>
  assertNotHeld(await reserve(ports, { ...DEFAULTS, ...sent, purpose: 'reschedule', owner }, now));

/**
 * Holds a slot for its payment, which `startPayment` writes in the same transaction (docs/adr/0018). A
 * request that has booked before is answered with its appointment.
 */
export const holdForPayment = async <Started extends { readonly kind: string }>(
  ports: BookingPorts,
  { patientId: owner, ...sent }: BookingRequest,
  startPayment: StartPayment<Started>,
  now: EpochSeconds,
): Promise<Started | BookedAppointment | BookingRefusal> =>
  assertNotHeld(
    await reserve(ports, { ...DEFAULTS, ...sent, purpose: 'pay', owner }, now, startPayment),
  );

/**
 * Books or moves for staff, who may override some rules with a reason. When staff book a hold with a
 * payment link, its fee now due at the clinic, a payment that waits for its patient is cancelled first.
 */
export async function bookForPatient(
  ports: HoldPorts,
  sent: StaffRequest,
  now: EpochSeconds,
): Promise<Result> {
  const { owner, paymentLinkHoldId, staffId } = sent;
  const byStaff = { ...sent, overrides: sent.overrideReason !== null };
  const request = { ...DEFAULTS, ...sent, purpose: 'staff', byStaff } as const;
  const result = await reserve(ports, request, now);
  if (result.kind !== 'refused' || result.code !== 'paymentUnderWay') return result;
  if (!paymentLinkHoldId || !isAccount(owner)) return result;
  const options = { actor: `staff:${staffId}`, onlyWaiting: true };
  await ports.heldPayments.cancel(owner, paymentLinkHoldId, options);
  return reserve(ports, request, now);
}

function assertNotHeld<T extends { readonly kind: string }>(result: T | HoldResult): T {
  const isHeld = (each: T | HoldResult): each is HoldResult => each.kind === 'held';
  if (isHeld(result)) throw new Error(`Only held: ${result.appointmentId}`);
  return result;
}

/** A request, with what external calls have found out or done for it. */
interface ReserveAttempt extends ReserveRequest {
  readonly primaryDoctor?: boolean | 'unknown';
  readonly cancelledPayment?: boolean;
}

/** Refused for how the request was sent (late, repeated, too often), not for what the clinic offers. */
const NOT_AUDITED: readonly string[] = ['holdGone', 'requestReused', 'tooManyRequests'];

/**
 * Reserves a slot in one transaction: locks the patient, reads the facts, decides, and writes the decision.
 * Repeating a request gives the same answer. Where another system must be called first, it is called after
 * the transaction, and a new one decides again. When somebody else has the slot, all is rolled back, so the
 * patient's other hold stays as it was. With an EMR, a booking holds the slot and then asks the EMR.
 */
async function reserve<Started extends { readonly kind: string } = never>(
  ports: BookingPorts & { readonly heldPayments?: HeldPayments },
  request: ReserveAttempt,
  now: EpochSeconds,
  startPayment?: StartPayment<Started>,
): Promise<Result | Started> {
  const { appointments, parts, config } = ports;
  const { owner, slot, purpose, requestKey, rescheduleOf, byStaff } = request;
  const outcome = await transact<Result | ExternalCall | Started>(ports, async (tx, rollBack) => {
    const today = toClinic(now).date;
    const keyHoldId = holdIdOfStoredKey(requestKey);
    const counted = purpose === 'hold' ? 'holds' : 'bookings';
    const [context, ownAppointments, retryAfter] = await Promise.all([
      appointments.lockBookingContext(tx, parts, owner, slot, today),
      appointments.listOwn(tx, parts, owner, { requestKey, ids: [rescheduleOf, keyHoldId] }, now),
      // Tries of cards are counted where cards are charged; staff are not limited.
      purpose === 'pay' || !isAccount(owner) || byStaff
        ? null
        : appointments.retryAfter(tx, owner, { counted, rule: config.rates[counted] }, now),
    ]);
    if (context === null) return refusal('notFound');
    if (purpose !== 'hold' && !byStaff && context.type !== null) {
      const errors = whyAnswersRefused(context.type.form, request.answers, today);
      if (errors.length > 0) return refusal('invalidInput', { errors });
    }
    const scope = { ports, tx, context, request, now };
    const { primaryDoctor = 'unasked' } = request;
    const decision = decideReservation(
      { ...context, primaryDoctor, ownAppointments, retryAfter, now },
      { ...request, keyHoldId },
    );
    switch (decision.kind) {
      case 'askPrimaryDoctor':
        return { kind: 'askPrimaryDoctor', recordId: context.recordId };
      case 'cancelPayment':
        return { kind: 'cancelPayment', appointmentId: decision.hold.id };
      case 'refused':
        if (!NOT_AUDITED.includes(decision.code)) await auditRefusal(scope, decision.code);
        return decision;
      case 'repeat':
        return resultOfRepeat(scope, decision.appointment);
      case 'alreadyHeld':
        return holdResult(decision.hold.id, context);
      case 'grant': {
        const isBooking = purpose !== 'hold' && ports.emr !== null;
        const paused = isBooking ? await ports.emrBook.whyBookingPaused(tx, now) : null;
        if (paused !== null) return refusal(paused);
        const granted = { ...decision, ...scope, slot: { ...slot, end: decision.end } };
        const result = await (purpose === 'hold' ? placeHold(granted) : placeBooking(granted));
        if (result.kind === 'refused') {
          const booked = ownAppointments.filter(isBooked);
          const conflicts = booked.filter((each) => overlaps(granted.slot, each));
          return rollBack({ ...result, conflicts });
        }
        return startPayment && result.kind === 'held' ? startPayment(tx, result, rollBack) : result;
      }
    }
  });
  if (!isExternalCall(outcome)) return outcome;
  switch (outcome.kind) {
    case 'askPrimaryDoctor': {
      const primaryDoctor = await isDoctorActive(ports, outcome.recordId);
      return reserve(ports, { ...request, primaryDoctor }, now, startPayment);
    }
    case 'cancelPayment':
      if (request.cancelledPayment || !isAccount(owner)) return refusal('paymentUnderWay');
      await ports.heldPayments?.cancel(owner, outcome.appointmentId);
      return reserve(ports, { ...request, cancelledPayment: true }, now, startPayment);
    case 'askEmr':
      return ports.emrBook.confirm(ports, outcome, now);
  }
}

interface ReserveScope {
  readonly ports: BookingPorts;
  readonly tx: Tx;
  readonly context: BookingContext;
  readonly request: ReserveRequest;
  readonly now: EpochSeconds;
}

function auditRefusal({ ports, tx, context, request, now: at }: ReserveScope, code: string) {
  const { purpose, slot, owner, byStaff } = request;
  const noun = purpose === 'hold' ? 'hold' : purpose === 'pay' ? 'payment' : 'booking';
  return ports.appendAudit(tx, {
    actor: byStaff ? `staff:${byStaff.staffId}` : `patient:${accountOf(owner)}`,
    action: `${noun} refused`,
    // A client may send any text as the provider's id: only that of a provider we know is written.
    subject: `provider:${context.provider?.id ?? 'unknown'}`,
    details: { code, start: slot.start, type: slot.type },
    at,
  });
}

/** The answer to a request that has reserved before. */
async function resultOfRepeat(
  { ports, tx, context, request: { purpose, owner } }: ReserveScope,
  earlier: StoredAppointment,
): Promise<Result> {
  if (purpose === 'staff' && hasPaymentLink(earlier)) return holdResult(earlier.id, context);
  if (isHold(earlier))
    return refusal(isConfirming(earlier) ? 'clinicConfirming' : 'paymentUnderWay');
  // A booked appointment is shown whatever the clinic offers now.
  const shown = await listedAppointment(tx, ports.parts, owner, earlier.id);
  return shown === null ? refusal('notFound') : { kind: bookingKind(earlier), ...shown };
}

/** A decision to grant the slot, and the transaction that writes it. */
interface GrantScope extends ReserveScope, ReservationGrant<StoredAppointment> {
  /** Ends when the clinic decides, whatever the request says. */
  readonly slot: SlotRequest;
}

/** Places a hold, or extends the patient's hold on the slot. */
async function placeHold(granted: GrantScope): Promise<HoldResult | BookingRefusal> {
  const { ports, tx, context, request, slot, hold: existing, period, now } = granted;
  const { rescheduleOf: rescheduledFrom } = request;
  const fields = { ...period, type: slot.type, rescheduledFrom };
  const isExtended =
    existing !== null &&
    (await ports.appointments.extendHold(tx, { ...fields, id: existing.id }, now));
  const id = isExtended ? existing.id : ports.ids.uuid();
  if (!isExtended && !(await insertInSlot(granted, id))) return refusal('slotTaken');
  const action = isExtended ? 'hold renewed' : 'slot held';
  await auditSlot(ports, tx, { ...auditFields(granted), id, action }, now);
  const result = holdResult(id, context);
  if (isExtended || rescheduledFrom !== null) return result;
  const holdExpiresAt = period.expiresAt;
  const appointment = { ...slot, id, holdExpiresAt, state: 'holding', rescheduledFrom } as const;
  return { ...result, shown: { appointment, draft: null } };
}

/**
 * Books the slot with all details of its appointment, or holds it with them while the EMR is asked or the
 * fee is paid. Everything that could refuse the appointment is decided before any money moves.
 */
async function placeBooking(
  granted: GrantScope,
): Promise<HoldResult | BookedAppointment | AskEmr | BookingRefusal> {
  const { ports, tx, context, request, slot, hold: existing, period, now } = granted;
  const { purpose, byStaff } = request;
  const { emr } = ports;
  const answers = await answersFor(granted);
  const detailsFor = newDetails(ports, { ...request, answers }, granted);
  if (existing && isPaying(existing)) {
    const extension = { id: existing.id, expiresAt: period.expiresAt };
    await ports.appointments.extendPayingHold(tx, extension, now, detailsFor(existing.id));
    return holdResult(existing.id, context);
  }
  const toBook = emr === null ? 'book' : 'askEmr';
  const event: BookingWrite['event'] =
    purpose === 'pay' ? 'pay' : byStaff?.withPaymentLink ? 'link' : toBook;
  const withDetails = (id: string) => ({ id, details: detailsFor(id) });
  let row = withDetails(existing?.id ?? ports.ids.uuid());
  const conversion = { ...row, type: slot.type, period, event };
  if (existing === null || !(await ports.appointments.convertHold(tx, conversion, now))) {
    // The sweep has released the hold meanwhile: its row stays released, the appointment gets a new one.
    if (existing !== null) row = withDetails(ports.ids.uuid());
    const booking = { event, details: row.details };
    if (!(await insertInSlot(granted, row.id, booking))) return refusal('slotTaken');
  }
  const { id, details } = row;
  const entry = { ...auditFields(granted), id };
  if (byStaff && granted.overridden.length > 0) {
    const actor = `staff:${byStaff.staffId}`;
    const why = { rules: granted.overridden, reason: byStaff.overrideReason };
    await audit(ports, tx, id, { actor, action: RULES_OVERRIDDEN, details: why, at: now });
  }
  if (event === 'pay') {
    await auditSlot(ports, tx, { ...entry, action: 'slot held for payment' }, now);
    return holdResult(id, context);
  }
  if (event === 'link') {
    const { bookedBy, sequence } = details;
    const result = holdResult(id, context);
    const link = { feeCents: result.chargeCents, until: period.expiresAt };
    const action = 'time held for a payment link';
    await auditSlot(ports, tx, { ...entry, action, bookedBy }, now);
    await enqueueEmail(ports, tx, { event: 'payLink', appointmentId: id, sequence, link }, now);
    return result;
  }
  const { oldAppointment } = granted;
  const result = bookedAppointment(granted, { id, details }, now);
  if (emr !== null) return { kind: 'askEmr', emr, ...entry, answers, oldAppointment, result };
  const act = undoableBooking(granted);
  const written = { ...entry, appointment: result.appointment, act };
  return (await recordBooked(ports, tx, written, now)) ? result : refusal('slotTaken');
}

/**
 * Staff send no answers: those of the appointment that moves stay, or those that the patient has given for
 * the hold that staff book.
 */
async function answersFor({ ports, tx, request, hold: held, oldAppointment }: GrantScope) {
  const from = request.byStaff ? (oldAppointment ?? held) : null;
  const sealed = from && (await sealedAnswers(tx, from.id));
  return from && sealed ? openedAnswers(ports.keyring, from.id, sealed) : request.answers;
}

/** What the audit trail says of the slot, with the fields that were sent and do not count. */
const auditFields = ({ request, slot, ...granted }: GrantScope) => ({
  patientId: accountOf(request.owner),
  slot,
  ignored: ignoredFields(request, granted),
});

/**
 * Releases the patient's other hold and inserts the new one, or the appointment; false when somebody else
 * has the time, and the caller rolls back. Other patients' expired holds are released here, swept or not.
 */
async function insertInSlot(granted: GrantScope, id: string, booking: BookingWrite | null = null) {
  const { ports, tx, request, slot, period, oldAppointment, replacedHold, now } = granted;
  const { appointments } = ports;
  // Locks the time of the slot, of the replaced hold and of the appointment that moves, in one order.
  const others = [replacedHold, oldAppointment].filter((appointment) => appointment !== null);
  if (others.length > 0) await appointments.lockTimeSteps(tx, [...others, slot]);
  // An expired hold on the slot is given up too: a late request under its key then books nothing.
  const holdToRelease = replacedHold ?? granted.hold;
  if (holdToRelease !== null) await appointments.release(tx, holdToRelease.id, now);
  if (replacedHold !== null && hasPaymentLink(replacedHold))
    await enqueuePaymentLinkEnded(ports, tx, replacedHold, now);
  const row = {
    ...slot,
    ...period,
    id,
    patientId: accountOf(request.owner),
    recordId: granted.context.recordId,
    rescheduledFrom: oldAppointment?.id ?? null,
  };
  if (await appointments.insertIfFree(tx, row, booking)) return true;
  const lapsed = await appointments.releaseLapsed(tx, slot, now);
  await auditLapsed(ports, tx, lapsed, now);
  return lapsed.length > 0 && appointments.insertIfFree(tx, row, booking);
}
