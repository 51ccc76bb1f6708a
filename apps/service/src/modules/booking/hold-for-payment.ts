import { newHold, renewedForPayment, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../platform/db.ts';
import { whyAnswersRefused } from './answers.ts';
import { sameSlot, standsBooked, standsHeld } from './claim.ts';
import type { Claim } from './claim.ts';
import type { HoldTerms } from './claims.ts';
import { whyOverOwnLimit } from './limits.ts';
import { askedProvider, whyPapersMissing, whyNotOffered } from './offer.ts';
import type { Offer } from './offer.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import { questionOf, withPrimaryDoctor } from './primary-doctor.ts';
import type { AskPrimaryDoctor, PrimaryDoctor } from './primary-doctor.ts';
import { refused } from './refusals.ts';
import { holdGivenUp, holdNamedBy, madeBy } from './request-key.ts';
import type { BookingRefusal } from './refusals.ts';
import { takeSlot } from './take-slot.ts';
import { detailsOf, ignoredOf } from './visit.ts';
import type { Visit, VisitRequest } from './visit.ts';

/** A slot that is held for a payment, and its price. */
export interface PayableHold {
  readonly claimId: string;
  readonly chargeCents: number;
  readonly expiresAt: EpochSeconds;
  /** A payment for it is under way already. */
  readonly paying: boolean;
}

/** What the payment module does in the same transaction; a refusal undoes the hold. */
export type BeginPayment<T> = (tx: Tx, hold: PayableHold) => Promise<T | PaymentNotBegun>;

/** The payment was not begun, and nothing of the hold stands. */
export interface PaymentNotBegun {
  readonly kind: 'notBegun';
}

type Outcome<T> = T | Visit | BookingRefusal | PaymentNotBegun;

/**
 * Holds a slot while its fee is paid: the patient's hold, or a new one for a client that
 * never holds. Everything that could refuse the visit is decided here, before any money moves. The
 * same request after the visit was booked answers the visit.
 */
export async function holdForPayment<T extends { readonly kind: string }>(
  ports: BookingPorts,
  request: VisitRequest,
  begin: BeginPayment<T>,
  now: EpochSeconds,
): Promise<Outcome<T>> {
  const errors = whyAnswersRefused(request.slot.type, request.answers, toClinic(now).date);
  if (errors.length > 0) return refused('invalidInput', errors);
  return withPrimaryDoctor<Outcome<T>>(ports.records, (known) =>
    transact<T | Visit | PaymentNotBegun | AskPrimaryDoctor>(ports, async (tx, rollBack) => {
      const result = await attempt(ports, tx, request, known, begin, now);
      const undone =
        result.kind === 'notBegun' ||
        (result.kind === 'refused' && isTaken(result as BookingRefusal));
      return undone ? rollBack(result) : result;
    }),
  );
}

const isTaken = ({ code }: BookingRefusal) => code === 'slotTaken';

async function attempt<T extends { readonly kind: string }>(
  ports: BookingPorts,
  tx: Tx,
  request: VisitRequest,
  known: PrimaryDoctor,
  begin: BeginPayment<T>,
  now: EpochSeconds,
): Promise<Outcome<T> | AskPrimaryDoctor> {
  const { patientId, slot, requestKey } = request;
  const [offer, own] = await Promise.all([
    ports.claims.lockPatient(tx, patientId, slot, toClinic(now).date),
    ports.claims.standing(tx, patientId, now, requestKey, [holdNamedBy(requestKey)]),
  ]);
  if (offer === null) return refused('notFound');
  const repeated =
    madeBy(own, requestKey) ??
    own.find((claim) => standsBooked(claim) && claim.paidCents > 0 && sameSlot(claim, slot));
  if (repeated && (repeated.state !== 'held' || !sameSlot(repeated, slot)))
    return repeat(repeated, offer, request);
  const question = questionOf(offer, known);
  if (question) return question;

  const before = own.find((claim) => claim.state === 'held') ?? null;
  const mine = before !== null && sameSlot(before, slot) ? before : null;
  const hold = mine !== null && standsHeld(mine, now) ? mine : null;
  if (mine === null && holdGivenUp(own, requestKey)) return refused('holdGone');
  const why = whyNotPayable(offer, own, before, mine, request, known, hold, now);
  if (why) {
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'payment refused',
      subject: askedProvider(offer),
      details: { code: why.code, start: slot.start, type: slot.type },
      at: now,
    });
    return why;
  }
  const chargeCents = offer.type?.chargeCents ?? 0;
  const held = await keep(ports, tx, request, offer, { before, mine, hold }, now);
  if (held === null) return refused('slotTaken');
  return begin(tx, { ...held, chargeCents, paying: mine?.paying === true });
}

/** The same request again after it was booked: the same visit. Another under its key is refused. */
function repeat(claim: Claim, offer: Offer, { slot }: VisitRequest): Visit | BookingRefusal {
  if (!sameSlot(claim, slot) || claim.type !== slot.type) return refused('requestReused');
  if (offer.doctor === null || offer.type === null) return refused('notFound');
  return { kind: 'booked', claim, description: offer.type.description, doctor: offer.doctor };
}

function whyNotPayable(
  offer: Offer,
  own: readonly Claim[],
  before: Claim | null,
  mine: Claim | null,
  { slot }: VisitRequest,
  known: PrimaryDoctor,
  hold: Claim | null,
  now: EpochSeconds,
): BookingRefusal | null {
  if (before?.confirming) return refused('clinicConfirming');
  if (before?.paying && (mine === null || mine.type !== slot.type))
    return refused('paymentUnderWay');
  const decidedAt = hold?.holdPlacedAt ?? now;
  const notOffered = whyNotOffered(offer, slot, known === 'unasked' ? 'unknown' : known, decidedAt);
  if (notOffered) return refused(notOffered);
  if (!mine?.paying && (offer.type?.chargeCents ?? 0) === 0) return refused('nothingToPay');
  const why = whyPapersMissing(offer) ?? whyOverOwnLimit(offer, own, slot, now);
  return why === null ? null : refused(why);
}

interface OwnHolds {
  readonly before: Claim | null;
  readonly mine: Claim | null;
  /** `mine`, while it stands. */
  readonly hold: Claim | null;
}

/** Takes or renews the hold for the payment; null when somebody else has the slot. */
async function keep(
  ports: BookingPorts,
  tx: Tx,
  request: VisitRequest,
  offer: Offer,
  { before, mine, hold }: OwnHolds,
  now: EpochSeconds,
): Promise<{ readonly claimId: string; readonly expiresAt: EpochSeconds } | null> {
  const { claims } = ports;
  const { slot, patientId } = request;
  const terms = termsOf(hold, now);
  const { expiresAt } = terms;
  if (mine?.paying) {
    const answers = detailsOf(ports, offer, request, mine.id, null);
    await claims.prolongPaying(tx, mine.id, expiresAt, now, answers);
    return { claimId: mine.id, expiresAt };
  }
  let id = mine?.id ?? null;
  if (id === null) {
    const claim = {
      ...slot,
      id: ports.ids.uuid(),
      patientId,
      chartId: offer.patient.chartId,
      clinicDate: toClinic(slot.start).date,
    };
    if (before) await claims.lockCells(tx, [before, slot]);
    const taken = await takeSlot(ports, tx, slot, now, () =>
      before ? claims.moveHold(tx, before.id, claim, terms) : claims.takeHold(tx, claim, terms),
    );
    if (!taken) return null;
    id = claim.id;
  }
  const details = {
    ...detailsOf(ports, offer, request, id, null),
    paidCents: offer.type?.chargeCents ?? 0,
  };
  if (!(await claims.awaitPayment(tx, id, slot, terms, details, now))) return null;
  const ignored = ignoredOf(request, null);
  await ports.appendAudit(tx, {
    actor: `patient:${patientId}`,
    action: 'slot held for payment',
    subject: `claim:${id}`,
    details: {
      provider: slot.providerId,
      start: slot.start,
      type: slot.type,
      ...(ignored.length === 0 ? {} : { ignored }),
    },
    at: now,
  });
  return { claimId: id, expiresAt };
}

/** 15 minutes from now, 30 in total at most; a hold that lapsed begins anew. */
function termsOf(hold: Claim | null, now: EpochSeconds): HoldTerms {
  const standing =
    hold === null
      ? newHold(now)
      : { heldAt: hold.holdPlacedAt ?? now, until: hold.holdExpiresAt ?? now };
  const { heldAt, until } = renewedForPayment(standing, now) ?? standing;
  return { placedAt: heldAt, expiresAt: until, rescheduledFrom: null };
}
