import { keepUntil, toClinic } from '@clinic/domain';
import { type Db, sql } from '../../database/db.ts';
import { spentEmails } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { eraseCodes, spentCodes, spentProofs } from '../../security/one-time-codes.store.ts';
import { eraseSessions, spentSessions } from '../../security/sessions.store.ts';
import {
  LAST_APPOINTMENT,
  eraseAppointments,
  eraseAppointmentsOfRecord,
} from '../appointments/index.ts';
import { LAST_FILE, eraseFiles } from '../documents/index.ts';
import { LAST_SUGGESTION, eraseSuggestions } from '../feedback/index.ts';
import { LAST_PROFILE, eraseProfile } from '../immigration/index.ts';
import { LAST_MESSAGE, eraseMessages } from '../messages/index.ts';
import {
  ACCOUNTS,
  erasePatient,
  spentAccountLinks,
  spentDevices,
  spentSignUps,
} from '../patients/index.ts';
import { LAST_PAYMENT, erasePayments, spentGatewayEvents } from '../payments/index.ts';
import { eraseEmrRecord, eraseRecord } from '../records/index.ts';
import { spentChallenges, spentStaffSessions } from '../staff/index.ts';

/** When the last entry about a patient was made. */
interface LastEntry {
  readonly patientId: string;
  readonly recordId: string;
  readonly birthDate: string;
  readonly lastEntryAt: number;
}

/** The next patients after a patient's id, in the order of their ids. */
const nextLastEntries = (db: Db, after: string | null) =>
  sql<LastEntry>(db, 'retention-last-entries')`
    select p.id as "patientId", p.record_id as "recordId", p.birth_date::text as "birthDate",
           greatest(p.last_entry_at, ${LAST_APPOINTMENT}, ${LAST_MESSAGE}, ${LAST_FILE},
                    ${LAST_PAYMENT}, ${LAST_SUGGESTION}, ${LAST_PROFILE}) as "lastEntryAt"
      from ${ACCOUNTS} p
     where p.role = 'patient' and (${after}::uuid is null or p.id > ${after}::uuid)
     order by p.id limit 500`;

/** The statements that erase everything about a patient. What stays names the patient by a random id. */
const ERASED = [
  eraseMessages,
  eraseFiles,
  eraseSuggestions,
  eraseProfile,
  eraseCodes,
  eraseSessions,
  erasePayments,
  eraseAppointments,
  erasePatient,
];

/**
 * Finds the patients whose records may be erased: 16 years after the last entry or after age 19, whichever
 * is later. Erases only with `apply`. Agreements and the trail stay: they hold a random id and no name.
 */
export async function retention(
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
  { now, actor, apply }: Who & { readonly apply: boolean },
) {
  const today = toClinic(now).date;
  const due: { patientId: string; lastEntry: string; keptUntil: string }[] = [];
  let patients = 0;
  for (let after: string | null = null; ;) {
    const batch = await nextLastEntries(database.db, after);
    patients += batch.length;
    for (const { patientId, recordId, birthDate, lastEntryAt } of batch) {
      const lastEntry = toClinic(lastEntryAt).date;
      const keptUntil = keepUntil(birthDate, lastEntry);
      if (keptUntil >= today) continue;
      due.push({ patientId, lastEntry, keptUntil });
      if (apply) await erase(patientId, recordId, { lastEntry, keptUntil });
    }
    after = batch.at(-1)?.patientId ?? null;
    if (after === null) return { patients, due };
  }

  async function erase(patientId: string, recordId: string, details: Record<string, string>) {
    await database.inTransaction(async (tx) => {
      for (const erased of ERASED) await sql(tx)`${erased(patientId)}`;
      // A patient who signed up again after closing an account has the same record.
      const others = await sql(tx)`select from ${ACCOUNTS} p where p.record_id = ${recordId}`;
      if (others.length === 0)
        for (const erased of [eraseAppointmentsOfRecord, eraseRecord, eraseEmrRecord])
          await sql(tx)`${erased(recordId)}`;
      const subject = `patient:${patientId}`;
      await appendAudit(tx, { actor, action: 'records erased', subject, details, at: now });
    });
  }
}

const SPENT = {
  proofs: spentProofs,
  signUps: spentSignUps,
  codes: spentCodes,
  sessions: spentSessions,
  staffSessions: spentStaffSessions,
  staffChallenges: spentChallenges,
  devices: spentDevices,
  accountLinks: spentAccountLinks,
  emails: spentEmails,
  gatewayEvents: spentGatewayEvents,
};

/**
 * Deletes rows that are of no more use: spent proofs, codes, sign-ups that nobody confirmed, windows of rate
 * limits, emails that were sent, sessions that ended, browsers that nobody signs in with any more. What was
 * written for an appointment that was never booked goes with its hold. Returns how many rows of each kind
 * were deleted.
 */
export async function sweepSpent(
  { database, rateLimit }: Pick<Platform, 'database' | 'rateLimit'>,
  now: number,
): Promise<Readonly<Record<string, number>>> {
  await rateLimit.sweep(now);
  return database.inTransaction(async (tx) => {
    const gone: Record<string, number> = {};
    for (const [what, spent] of Object.entries(SPENT))
      gone[what] = (await sql(tx)`${spent(now)} returning 1`).length;
    return gone;
  });
}
