import { newHold, renewedForPayment, renewedHold, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { sameSlot, standsHeld } from './appointment.ts';
import type { StoredAppointment, SlotRequest } from './appointment.ts';
import type { HoldTerms } from './appointments.ts';
import { whyOverOwnLimit, whyTooOften } from './limits.ts';
import { askedProvider, whyNotOffered } from './offer.ts';
import type { Offer } from './offer.ts';
import { transact } from './ports.ts';
import type { BookingPorts, CountedPorts, HoldPorts } from './ports.ts';
import { questionOf, withPrimaryDoctor } from './primary-doctor.ts';
import type { AskPrimaryDoctor, PrimaryDoctor } from './primary-doctor.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import { rescheduleTarget } from './reschedule-target.ts';
import { takeSlot } from './take-slot.ts';

export interface HoldRequest {
  readonly patientId: PatientId;
  readonly slot: SlotRequest;
  /** The appointment that this hold is to move: such a hold skips limits, fee and documents. */
  readonly rescheduleOf: string | null;
  /** The patient enters payment: the hold on the same slot then lasts longer. */
  readonly forPayment?: boolean;
}

export interface Held {
  readonly kind: 'held';
  readonly id: string;
  readonly slot: SlotRequest;
  readonly expiresAt: EpochSeconds;
  readonly rescheduleOf: string | null;
}

/** The slot could be held, but the hold that it would replace is being paid for. */
interface PayingForAnother {
  readonly kind: 'payingForAnother';
  readonly appointmentId: string;
}

/**
 * Holds a slot, renews the hold on it, or holds another slot instead. What the patient may
 * have is decided here, the 30 minutes included. A payment under way for another slot is given
 * up once it is clear that this one may be had.
 */
export async function placeHold(
  ports: HoldPorts & CountedPorts,
  request: HoldRequest,
  now: EpochSeconds,
): Promise<Held | BookingRefusal> {
  const held = await tryHold(ports, request, now);
  if (held.kind !== 'payingForAnother') return held;
  await ports.heldPayments.giveUp(request.patientId, held.appointmentId);
  const again = await tryHold(ports, request, now);
  return again.kind === 'payingForAnother' ? refused('paymentUnderWay') : again;
}

function tryHold(
  ports: CountedPorts,
  request: HoldRequest,
  now: EpochSeconds,
): Promise<Held | PayingForAnother | BookingRefusal> {
  return withPrimaryDoctor<Held | PayingForAnother | BookingRefusal>(ports.emr, (known) =>
    transact<Held | PayingForAnother | AskPrimaryDoctor>(ports, (tx) =>
      attempt(ports, tx, request, known, now),
    ),
  );
}

async function attempt(
  ports: CountedPorts,
  tx: Tx,
  request: HoldRequest,
  known: PrimaryDoctor,
  now: EpochSeconds,
): Promise<Held | PayingForAnother | BookingRefusal | AskPrimaryDoctor> {
  const { patientId, slot, rescheduleOf } = request;
  const [offer, own] = await Promise.all([
    ports.appointments.lockPatient(tx, patientId, slot, toClinic(now).date),
    ports.appointments.standing(tx, patientId, now, null, [rescheduleOf]),
  ]);
  if (offer === null) return refused('notFound');
  const question = questionOf(offer, known);
  if (question) return question;

  const before = own.find((appointment) => appointment.state === 'held') ?? null;
  if (before?.paying && sameSlot(before, slot) && before.type === slot.type)
    // Back from the payment step and in again: the hold stands as it is.
    return {
      kind: 'held',
      id: before.id,
      slot,
      expiresAt: before.holdExpiresAt ?? now,
      rescheduleOf: null,
    };
  const isRenewed = before !== null && sameSlot(before, slot);
  const tooMany = isRenewed ? null : await whyTooOften(ports, tx, patientId, 'holds', now);
  if (tooMany) return tooMany;
  const why = whyNoHold(offer, own, before, request, known, now);
  if (why) {
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'hold refused',
      subject: askedProvider(offer),
      details: { code: why.code, start: slot.start, type: slot.type },
      at: now,
    });
    return why;
  }
  if (before?.paying) return { kind: 'payingForAnother', appointmentId: before.id };
  const terms = termsOf(before, request, now);
  const id = await hold(ports, tx, offer, request, before, terms, now);
  if (id === null) return refused('slotTaken');
  await ports.appendAudit(tx, {
    actor: `patient:${patientId}`,
    action: before?.id === id ? 'hold renewed' : 'slot held',
    subject: `appointment:${id}`,
    details: { provider: slot.providerId, start: slot.start, type: slot.type },
    at: now,
  });
  return { kind: 'held', id, slot, expiresAt: terms.expiresAt, rescheduleOf };
}

function whyNoHold(
  offer: Offer,
  own: readonly StoredAppointment[],
  before: StoredAppointment | null,
  { slot, rescheduleOf }: HoldRequest,
  known: PrimaryDoctor,
  now: EpochSeconds,
): BookingRefusal | null {
  if (before?.confirming) return refused('clinicConfirming');
  const standing =
    before !== null && standsHeld(before, now) && sameSlot(before, slot) ? before : null;
  const decidedAt = standing?.holdPlacedAt ?? now;
  const notOffered = whyNotOffered(offer, slot, known === 'unasked' ? 'unknown' : known, decidedAt);
  if (notOffered) return refused(notOffered);
  if (rescheduleOf !== null) {
    const target = rescheduleTarget(own, slot, rescheduleOf, standing, now);
    return 'kind' in target ? target : null;
  }
  const overLimit = whyOverOwnLimit(offer, own, slot, now);
  return overLimit === null ? null : refused(overLimit);
}

function termsOf(
  before: StoredAppointment | null,
  { slot, rescheduleOf: rescheduledFrom, forPayment = false }: HoldRequest,
  now: EpochSeconds,
): HoldTerms {
  const renew = forPayment ? renewedForPayment : renewedHold;
  const renewed =
    before !== null && sameSlot(before, slot)
      ? renew({ heldAt: before.holdPlacedAt ?? now, until: before.holdExpiresAt ?? now }, now)
      : null;
  const { heldAt, until } = renewed ?? newHold(now);
  return { placedAt: heldAt, expiresAt: until, rescheduledFrom };
}

/** The id of the hold that now stands, or null when the slot is taken: then the old one stays. */
async function hold(
  ports: BookingPorts,
  tx: Tx,
  offer: Offer,
  { patientId, slot }: HoldRequest,
  before: StoredAppointment | null,
  terms: HoldTerms,
  now: EpochSeconds,
): Promise<string | null> {
  const { appointments } = ports;
  if (before && sameSlot(before, slot)) {
    if (await appointments.renewHold(tx, before.id, slot, terms, now)) return before.id;
  }
  const clinicDate = toClinic(slot.start).date;
  const appointment = {
    ...slot,
    id: ports.ids.uuid(),
    patientId,
    recordId: offer.patient.recordId,
    clinicDate,
  };
  if (before) await appointments.lockSteps(tx, [before, slot]);
  const taken = await takeSlot(ports, tx, slot, now, () =>
    before
      ? appointments.moveHold(tx, before.id, appointment, terms)
      : appointments.takeHold(tx, appointment, terms),
  );
  return taken ? appointment.id : null;
}
