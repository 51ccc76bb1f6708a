import { holdOfKey } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { transact } from './ports.ts';
import type { BookingPorts, HoldPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';

export interface Released {
  readonly kind: 'released';
}

interface StillPaying {
  readonly kind: 'paying';
  readonly appointmentId: string;
}

/**
 * Gives the patient's hold back, and the payment under way for it up first; repeating it is harmless
 * . With a key only the hold that it names, lapsed or not: one that another tab has placed since
 * stays, and a request of the named one that comes late books nothing.
 */
export async function releaseHold(
  ports: HoldPorts,
  patientId: PatientId,
  now: EpochSeconds,
  key: string | null = null,
): Promise<Released | BookingRefusal> {
  const tryRelease = () =>
    transact<Released | StillPaying>(ports, (tx) => release(ports, tx, patientId, now, key));
  const released = await tryRelease();
  if (released.kind !== 'paying') return released;
  await ports.heldPayments.giveUp(patientId, released.appointmentId);
  const again = await tryRelease();
  return again.kind === 'paying' ? refused('paymentUnderWay') : again;
}

/**
 * The same inside of another transaction, such as the one that signs out. A hold that the clinic is
 * confirming or that is being paid for stays: only its answer or its payment lets it go.
 */
export async function releaseHoldIn(
  ports: Pick<BookingPorts, 'appointments' | 'appendAudit'>,
  tx: Tx,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<Released | BookingRefusal> {
  const released = await release(ports, tx, patientId, now, null);
  return released.kind === 'paying' ? refused('paymentUnderWay') : released;
}

async function release(
  ports: Pick<BookingPorts, 'appointments' | 'appendAudit'>,
  tx: Tx,
  patientId: PatientId,
  now: EpochSeconds,
  key: string | null,
): Promise<Released | StillPaying | BookingRefusal> {
  const named = key === null ? null : holdOfKey(key);
  const [, own] = await Promise.all([
    ports.appointments.lockPatientOnly(tx, patientId),
    ports.appointments.standing(tx, patientId, now, null, [named]),
  ]);
  const hold = own.find(({ id, state }) =>
    key === null ? state === 'held' : id === named && (state === 'held' || state === 'released'),
  );
  if (hold?.confirming) return refused('clinicConfirming');
  if (hold?.paying) return { kind: 'paying', appointmentId: hold.id };
  if (hold && (await ports.appointments.release(tx, hold.id, now)))
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'hold released',
      subject: `appointment:${hold.id}`,
      at: now,
    });
  return { kind: 'released' };
}
