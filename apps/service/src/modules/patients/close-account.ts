import type { Platform } from '../../platform.ts';
import { type Who, ofPatient } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { findPatient, lockAccount, updatePatient } from '../accounts/index.ts';
import {
  type HeldPayments,
  appointments,
  releaseHold,
  releaseHoldIn,
  standingOf,
} from '../appointments/index.ts';
import { emrBook } from '../emr/index.ts';

/**
 * Closes an account, without erasing it, and returns how many appointments still stand. A payment under
 * way is given up; an appointment that it had paid for by then is among them.
 */
export async function closeAccount(
  platform: Platform & { readonly heldPayments: HeldPayments },
  patientId: PatientId,
  { actor, now }: Who,
): Promise<number> {
  const { database, parts, appendAudit, outbox, sessions } = platform;
  const whose = { patientId, includePaymentLink: true, withoutEmail: true } as const;
  await database.inTransaction(async (tx) => {
    await lockAccount(tx, patientId);
    const before = await findPatient(tx, patientId);
    // A repeated call keeps the time of the first closing.
    if (before?.closedAt !== null) return;
    await updatePatient(tx, patientId, { closedAt: now, blocked: true });
    await releaseHoldIn({ appointments, parts, appendAudit, outbox }, tx, whose, now);
    await sessions.endAll(tx, patientId, now);
    await appendAudit(tx, { ...ofPatient(patientId, 'account closed', now), actor });
  });
  await releaseHold({ ...platform, appointments, emrBook }, { ...whose, key: null }, now, {
    actor,
  });
  return (await standingOf(database.db, patientId, now)).booked;
}
