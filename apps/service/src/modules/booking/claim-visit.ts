import { newHold, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../platform/db.ts';
import { askRecords } from './ask-records.ts';
import type { AskRecords } from './ask-records.ts';
import { sameSlot, standsHeld } from './claim.ts';
import type { Claim } from './claim.ts';
import { whyTooOften } from './limits.ts';
import { askedProvider, whyNotOffered } from './offer.ts';
import type { Offer } from './offer.ts';
import { transact } from './ports.ts';
import type { BookingPorts, CountedPorts } from './ports.ts';
import { questionOf, withPrimaryDoctor } from './primary-doctor.ts';
import type { AskPrimaryDoctor, PrimaryDoctor } from './primary-doctor.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import { holdGivenUp, holdNamedBy, madeBy } from './request-key.ts';
import { takeSlot } from './take-slot.ts';
import { recordVisit } from './record-visit.ts';
import { asClaim, detailsOf } from './visit.ts';
import type { Visit, VisitRequest } from './visit.ts';

/** What a booking and a reschedule decide from, read under the lock on the patient. */
export interface VisitFacts {
  readonly offer: Offer;
  /** The patient's hold and standing visits, and the visit named. */
  readonly own: readonly Claim[];
  /** The standing hold on the slot asked for, or null. */
  readonly hold: Claim | null;
  readonly now: EpochSeconds;
}

/** The visit that is moved, null for a new one, or a refusal. */
export type DecideVisit = (facts: VisitFacts) => { readonly moved: Claim | null } | BookingRefusal;

/**
 * Makes a claim a visit: from the patient's hold, or by taking the slot for a client that never
 * holds. The request is looked up before anything is decided, so that a double click or a
 * lost answer gives the same booking.
 */
export async function claimVisit(
  ports: CountedPorts,
  request: VisitRequest,
  named: string | null,
  decide: DecideVisit,
  now: EpochSeconds,
): Promise<Visit | BookingRefusal> {
  const outcome = await withPrimaryDoctor<Visit | AskRecords | BookingRefusal>(
    ports.records,
    (known) =>
      transact<Visit | AskRecords | AskPrimaryDoctor>(ports, async (tx, rollBack) => {
        const result = await attempt(ports, tx, request, named, decide, known, now);
        // Some locks and rows may be behind us, such as another hold given up: none of it stands.
        return result.kind === 'refused' && result.code === 'slotTaken' ? rollBack(result) : result;
      }),
  );
  return outcome.kind === 'askRecords' ? askRecords(ports, request, outcome, now) : outcome;
}

async function attempt(
  ports: CountedPorts,
  tx: Tx,
  request: VisitRequest,
  named: string | null,
  decide: DecideVisit,
  known: PrimaryDoctor,
  now: EpochSeconds,
): Promise<Visit | AskRecords | AskPrimaryDoctor | BookingRefusal> {
  const { patientId, slot, requestKey } = request;
  const [offer, own] = await Promise.all([
    ports.claims.lockPatient(tx, patientId, slot, toClinic(now).date),
    ports.claims.standing(tx, patientId, now, requestKey, [named, holdNamedBy(requestKey)]),
  ]);
  if (offer === null) return refused('notFound');
  const repeated = madeBy(own, requestKey);
  if (repeated) return repeat(repeated, offer, request);
  const question = questionOf(offer, known);
  if (question) return question;

  const tooMany = await whyTooOften(ports, tx, patientId, 'bookings', now);
  if (tooMany) return tooMany;
  const before = own.find((claim) => claim.state === 'held') ?? null;
  const mine = before !== null && sameSlot(before, slot) ? before : null;
  const hold = mine !== null && standsHeld(mine, now) ? mine : null;
  if (mine === null && holdGivenUp(own, requestKey)) return refused('holdGone');
  const decidedAt = hold?.holdPlacedAt ?? now;
  const why = before?.confirming
    ? refused('clinicConfirming')
    : before?.paying
      ? refused('paymentUnderWay')
      : (notOffered(offer, request, known, decidedAt) ?? decide({ offer, own, hold, now }));
  if ('kind' in why) {
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'booking refused',
      subject: askedProvider(offer),
      details: { code: why.code, start: slot.start, type: slot.type },
      at: now,
    });
    return why;
  }
  return ports.records.claimsAreTheBook
    ? book(ports, tx, request, { offer, before, mine, moved: why.moved }, now)
    : reserve(ports, tx, request, { offer, before, mine, moved: why.moved }, now);
}

function notOffered(
  offer: Offer,
  { slot }: VisitRequest,
  known: PrimaryDoctor,
  decidedAt: EpochSeconds,
): BookingRefusal | null {
  const why = whyNotOffered(offer, slot, known === 'unasked' ? 'unknown' : known, decidedAt);
  return why === null ? null : refused(why);
}

/** The same request again: the same booking. Another visit under its key is a refusal. */
function repeat(claim: Claim, offer: Offer, { slot }: VisitRequest): Visit | BookingRefusal {
  if (!sameSlot(claim, slot) || claim.type !== slot.type) return refused('requestReused');
  if (claim.state === 'held') return refused(claim.paying ? 'paymentUnderWay' : 'clinicConfirming');
  if (offer.doctor === null || offer.type === null) return refused('notFound');
  return {
    kind: claim.rescheduledFrom === null ? 'booked' : 'rescheduled',
    claim,
    description: offer.type.description,
    doctor: offer.doctor,
  };
}

interface Grounds {
  readonly offer: Offer;
  /** The patient's hold, wherever it is. */
  readonly before: Claim | null;
  /** The same, when it is on the slot asked for, lapsed or not. */
  readonly mine: Claim | null;
  readonly moved: Claim | null;
}

/** Our claims are the book: one claim, booked at once. */
async function book(
  ports: BookingPorts,
  tx: Tx,
  request: VisitRequest,
  grounds: Grounds,
  now: EpochSeconds,
): Promise<Visit | BookingRefusal> {
  const { claims } = ports;
  const { slot, patientId } = request;
  const { offer, mine, moved } = grounds;
  const held = mine && detailsOf(ports, offer, request, mine.id, moved);
  let claimed = held && { id: mine.id, details: held };
  if (claimed && !(await claims.confirm(tx, claimed.id, slot, claimed.details, now)))
    claimed = null;
  const chartId = offer.patient.chartId;
  const clinicDate = toClinic(slot.start).date;
  if (!claimed) {
    await makeRoom(ports, tx, slot, grounds, now);
    const id = ports.ids.uuid();
    const details = detailsOf(ports, offer, request, id, moved);
    const claim = { ...slot, id, patientId, chartId, clinicDate };
    if (!(await takeSlot(ports, tx, slot, now, () => claims.takeVisit(tx, claim, details, now))))
      return refused('slotTaken');
    claimed = { id, details };
  }
  const claim = asClaim(slot, { id: claimed.id, chartId, clinicDate }, claimed.details, now);
  return recordVisit(ports, tx, request, offer, claim, moved, now);
}

/** Another system keeps the book: hold the slot, with all that the visit will carry, and ask it. */
async function reserve(
  ports: BookingPorts,
  tx: Tx,
  request: VisitRequest,
  grounds: Grounds,
  now: EpochSeconds,
): Promise<AskRecords | BookingRefusal> {
  const { claims } = ports;
  const { slot, patientId } = request;
  const { offer, mine, moved } = grounds;
  const chartId = offer.patient.chartId;
  const clinicDate = toClinic(slot.start).date;
  let id = mine?.id ?? null;
  if (id === null) {
    await makeRoom(ports, tx, slot, grounds, now);
    id = ports.ids.uuid();
    const claim = { ...slot, id, patientId, chartId, clinicDate };
    const { heldAt, until } = newHold(now);
    const terms = { placedAt: heldAt, expiresAt: until, rescheduledFrom: moved?.id ?? null };
    if (!(await takeSlot(ports, tx, slot, now, () => claims.takeHold(tx, claim, terms))))
      return refused('slotTaken');
  }
  const details = detailsOf(ports, offer, request, id, moved);
  if (!(await claims.awaitRecords(tx, id, slot, details, now))) return refused('holdGone');
  const claim = asClaim(slot, { id, chartId, clinicDate }, details, now);
  return { kind: 'askRecords', claim, offer, moved };
}

/** Gives up a hold on another slot; the cells of both, and of a moved visit, are locked in order. */
async function makeRoom(
  { claims }: BookingPorts,
  tx: Tx,
  slot: VisitRequest['slot'],
  { before, mine, moved }: Grounds,
  now: EpochSeconds,
): Promise<void> {
  const elsewhere = before !== null && mine === null ? [before] : [];
  const others = moved === null ? elsewhere : [...elsewhere, moved];
  if (others.length > 0) await claims.lockCells(tx, [...others, slot]);
  for (const hold of elsewhere) await claims.release(tx, hold.id, now);
}
