import type { ApiAnswers } from '@clinic/contract';
import { holdOfKey } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { answersContext, refused } from './appointment.ts';
import type { BookingRefusal, StoredAppointment } from './appointment.ts';
import { holdOf } from './listed.store.ts';
import { auditLapsed, transact } from './changes.ts';
import type { BookingPorts, HoldPorts } from './reserve.ts';

const MOST_AT_ONCE = 100;

type ReleasePorts = Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit'>;
type Released = { readonly kind: 'released' };
type StillPaying = { readonly kind: 'paying'; readonly appointmentId: string };

/** The patient's hold, or the one that a key names, whoever placed one since. */
interface WhichHold {
  readonly patientId: PatientId;
  readonly key: string | null;
}

/**
 * Gives the patient's hold back, and the payment under way for it up first; repeating it is
 * harmless. With a key only the hold that it names, lapsed or not: one that another tab has
 * placed since stays, and a request of the named one that comes late books nothing.
 */
export async function releaseHold(
  ports: HoldPorts,
  which: WhichHold,
  now: EpochSeconds,
): Promise<Released | BookingRefusal> {
  const tryRelease = () =>
    transact<Released | StillPaying>(ports, (tx) => release(ports, tx, which, now));
  let outcome = await tryRelease();
  if (outcome.kind === 'paying') {
    await ports.heldPayments.giveUp(which.patientId, outcome.appointmentId);
    outcome = await tryRelease();
  }
  return outcome.kind === 'paying' ? refused('paymentUnderWay') : outcome;
}

/**
 * The same inside of another transaction, such as the one that signs out. A hold that the clinic is
 * confirming or that is being paid for stays: only its answer or its payment lets it go.
 */
export async function releaseHoldIn(
  ports: ReleasePorts,
  tx: Tx,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<Released | BookingRefusal> {
  const released = await release(ports, tx, { patientId, key: null }, now);
  return released.kind === 'paying' ? refused('paymentUnderWay') : released;
}

async function release(
  { appointments, parts, appendAudit }: ReleasePorts,
  tx: Tx,
  { patientId, key }: WhichHold,
  now: EpochSeconds,
): Promise<Released | StillPaying | BookingRefusal> {
  const named = key === null ? null : holdOfKey(key);
  const [, own] = await Promise.all([
    appointments.lockPatient(tx, parts, patientId),
    appointments.standing(tx, patientId, { requestKey: null, ids: [named] }, now),
  ]);
  const hold = own.find(({ id, state }) =>
    key === null ? state === 'held' : id === named && (state === 'held' || state === 'released'),
  );
  if (hold?.confirming) return refused('clinicConfirming');
  if (hold?.paying) return { kind: 'paying', appointmentId: hold.id };
  if (hold && (await appointments.release(tx, hold.id, now))) {
    const [actor, subject] = [`patient:${patientId}`, `appointment:${hold.id}`];
    await appendAudit(tx, { actor, action: 'hold released', subject, at: now });
  }
  return { kind: 'released' };
}

export interface HeldNow {
  readonly appointment: StoredAppointment;
  readonly draft: ApiAnswers | null;
}

/** The patient's standing hold with its draft, or null. */
export async function readHold(
  { database, keyring }: Pick<BookingPorts, 'database' | 'keyring'>,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<HeldNow | null> {
  const held = await holdOf(database.db, patientId, now);
  if (held === null) return null;
  const { draftSealed, ...appointment } = held;
  if (draftSealed === null) return { appointment, draft: null };
  const opened = keyring.open(answersContext(appointment.id), draftSealed);
  return { appointment, draft: JSON.parse(opened) as ApiAnswers };
}

/** Keeps the answers given so far, sealed, beside the hold. */
export async function saveDraft(
  ports: BookingPorts,
  patientId: PatientId,
  draft: ApiAnswers,
  now: EpochSeconds,
): Promise<{ readonly kind: 'saved' } | BookingRefusal> {
  const held = await holdOf(ports.database.db, patientId, now);
  if (held === null) return refused('holdGone');
  const { id } = held;
  const sealed = ports.keyring.seal(answersContext(id), JSON.stringify(draft));
  const rule = ports.config.rates.drafts;
  return transact(ports, async (tx) => {
    const wait = await ports.appointments.saveDraft(tx, { id, patientId, sealed }, rule, now);
    if (wait === null) return refused('holdGone');
    return wait > 0 ? refused('tooManyRequests', { retryAfter: wait }) : { kind: 'saved' as const };
  });
}

/**
 * Frees holds that have lapsed; any number of processes may do so at once. A slot does not
 * wait for it: whoever takes it frees the lapsed hold there and then.
 */
export async function expireHolds(ports: BookingPorts, now: EpochSeconds): Promise<number> {
  let freed = 0;
  for (;;) {
    const outcome = await transact(ports, async (tx) => {
      const lapsed = await ports.appointments.sweepLapsed(tx, now, MOST_AT_ONCE);
      await auditLapsed(ports, tx, lapsed, now);
      return { kind: 'swept' as const, count: lapsed.length };
    });
    if (outcome.kind === 'refused' || outcome.count === 0) return freed;
    freed += outcome.count;
  }
}
