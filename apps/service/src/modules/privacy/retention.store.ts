import { keepUntil, toClinic } from '@clinic/domain';
import { type SQL, and, eq, inArray, lt, lte, notExists, or, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { type Db, type Tx, sql as named } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import {
  appointment,
  appointmentStep,
  gatewayEvent,
  knownDevice,
  medicalProfile,
  message,
  messageEntry,
  messageFile,
  messageVersion,
  oneTimeCode,
  outbox,
  patient,
  patientRecord,
  payment,
  pendingSignUp,
  problemReport,
  session,
  spentProof,
  storedFile,
} from '../../schema.ts';
import type { Who } from '../../security/audit.store.ts';
import { ABSOLUTE_LIMIT } from '../../security/sessions.store.ts';
import { DEVICE_KNOWN_FOR } from '../patients/index.ts';

export interface Due {
  readonly patientId: string;
  readonly lastEntry: string;
  readonly keptUntil: string;
}

/**
 * Whose records may go: 16 years after the last entry, or after age 19. Without `apply`
 * nothing is touched. Agreements and the trail stay: they hold a random id and no name.
 */
export async function retention(
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
  { now, actor, apply }: Who & { readonly apply: boolean },
): Promise<{ patients: number; due: readonly Due[] }> {
  const today = toClinic(now).date;
  const due: Due[] = [];
  let patients = 0;
  for (let after: string | null = null; ;) {
    const batch = await nextLastEntries(database.db, after);
    patients += batch.length;
    for (const entry of batch) {
      const found = dueOf(entry);
      if (found.keptUntil >= today) continue;
      due.push(found);
      if (apply) await erase(entry, found);
    }
    after = batch.at(-1)?.patientId ?? null;
    if (after === null) return { patients, due };
  }

  async function erase({ patientId, recordId }: LastEntry, { lastEntry, keptUntil }: Due) {
    await database.inTransaction(async (tx) => {
      await erasePatient(tx, patientId, recordId);
      await appendAudit(tx, {
        actor,
        action: 'records erased',
        subject: `patient:${patientId}`,
        details: { lastEntry, keptUntil },
        at: now,
      });
    });
  }
}

function dueOf({ patientId, birthDate, lastEntryAt }: LastEntry): Due {
  const lastEntry = toClinic(lastEntryAt).date;
  return { patientId, lastEntry, keptUntil: keepUntil(birthDate, lastEntry) };
}

/** When something was last entered about a patient. */
interface LastEntry {
  readonly patientId: string;
  readonly recordId: string;
  readonly birthDate: string;
  readonly lastEntryAt: number;
}

/** The next patients after one, in the order of their ids. */
const nextLastEntries = (db: Db, after: string | null): Promise<LastEntry[]> =>
  named<LastEntry>(db, 'retention-last-entries')`
    select p.id as "patientId", p.record_id as "recordId", p.birth_date::text as "birthDate",
           greatest(
             p.created_at_s,
             coalesce((select max(greatest(c.changed_at_s, c.end_s)) from appointment c where c.patient_id = p.id), 0),
             coalesce((select max(m.changed_at_s) from message m where m.patient_id = p.id), 0),
             coalesce((select max(f.created_at_s) from stored_file f where f.patient_id = p.id), 0),
             coalesce((select max(y.changed_at_s) from payment y where y.patient_id = p.id), 0),
             coalesce((select max(a.at_s) from agreement a where a.patient_id = p.id), 0),
             coalesce((select max(r.at_s) from problem_report r where r.patient_id = p.id), 0),
             coalesce((select max(i.changed_at_s) from medical_profile i where i.patient_id = p.id), 0)
           ) as "lastEntryAt"
      from patient p
     where p.role = 'patient' and (${after}::uuid is null or p.id > ${after}::uuid)
     order by p.id limit 500`;

/** Takes everything about a patient out. What stays names them by a random id alone. */
async function erasePatient(tx: Tx, patientId: string, recordId: string): Promise<void> {
  const own = { messages: eq(message.patientId, patientId) };
  const entries = tx
    .select({ id: messageEntry.id })
    .from(messageEntry)
    .innerJoin(message, eq(message.id, messageEntry.messageId))
    .where(own.messages);
  await tx.delete(messageVersion).where(inArray(messageVersion.entryId, entries));
  await tx.delete(messageFile).where(inArray(messageFile.entryId, entries));
  const messages = tx.select({ id: message.id }).from(message).where(own.messages);
  await tx.delete(messageEntry).where(inArray(messageEntry.messageId, messages));
  await tx.delete(message).where(own.messages);
  await tx.delete(storedFile).where(eq(storedFile.patientId, patientId));
  await tx.delete(problemReport).where(eq(problemReport.patientId, patientId));
  await tx.delete(medicalProfile).where(eq(medicalProfile.patientId, patientId));
  await tx.delete(oneTimeCode).where(eq(oneTimeCode.patientId, patientId));
  await tx.delete(session).where(eq(session.patientId, patientId));
  await tx.delete(knownDevice).where(eq(knownDevice.patientId, patientId));
  await tx.delete(payment).where(eq(payment.patientId, patientId));
  const appointments = tx
    .select({ id: appointment.id })
    .from(appointment)
    .where(eq(appointment.patientId, patientId));
  await tx.delete(appointmentStep).where(inArray(appointmentStep.appointmentId, appointments));
  await tx.delete(appointment).where(eq(appointment.patientId, patientId));
  await tx.delete(patient).where(eq(patient.id, patientId));
  // Who signed up again after the account was closed has the same record.
  const others = tx.select({ id: patient.id }).from(patient).where(eq(patient.recordId, recordId));
  await tx.delete(patientRecord).where(and(eq(patientRecord.id, recordId), notExists(others)));
}

const DAY = 24 * 60 * 60;

/**
 * What is of no use to anybody any more goes: spent proofs, codes, sign-ups that nobody confirmed,
 * windows of rate limits, emails that were sent, sessions that ended, browsers that nobody signs in
 * with any more. What was written for an appointment that was never booked goes with its hold.
 * Says how many of each went.
 */
export async function sweepSpent(
  { database, rateLimit }: Pick<Platform, 'database' | 'rateLimit'>,
  now: number,
) {
  await rateLimit.sweep(now);
  return database.inTransaction(async (tx) => {
    const gone = async (table: PgTable, isSpent: SQL | undefined) =>
      (
        await tx
          .delete(table)
          .where(isSpent)
          .returning({ one: sql`1` })
      ).length;
    const monthAgo = now - 30 * DAY;
    return {
      proofs: await gone(spentProof, lt(spentProof.expiresAt, now)),
      signUps: await gone(pendingSignUp, lte(pendingSignUp.expiresAt, now)),
      codes: await gone(oneTimeCode, lt(oneTimeCode.expiresAt, now - DAY)),
      sessions: await gone(
        session,
        or(lt(session.createdAt, monthAgo - ABSOLUTE_LIMIT), lt(session.revokedAt, monthAgo)),
      ),
      devices: await gone(knownDevice, lt(knownDevice.signedInAt, now - DEVICE_KNOWN_FOR)),
      emails: await gone(outbox, lt(outbox.doneAt, monthAgo)),
      gatewayEvents: await gone(gatewayEvent, lt(gatewayEvent.receivedAt, now - 90 * DAY)),
    };
  });
}
