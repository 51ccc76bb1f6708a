import { type ClinicDate, keepUntil, toClinic } from '@clinic/domain';
import { type Db, type Part, part, sql } from '../../database/db.ts';
import { spentPatientChanges } from '../../database/changes.store.ts';
import { spentEmails } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import { RECORDS_OPENED, type Who } from '../../security/audit.store.ts';
import { eraseCodes, spentCodes, spentProofs } from '../../security/one-time-codes.store.ts';
import { type PatientId, eraseSessions, spentSessions } from '../../security/sessions.store.ts';
import {
  LAST_APPOINTMENT,
  appointments,
  eraseAppointments,
  eraseAppointmentsOfRecord,
  spentStaffActs,
} from '../appointments/index.ts';
import { eraseClosingEntries, eraseClosingEntriesOfRecord } from '../closings/index.ts';
import { LAST_FILE, eraseFiles } from '../documents/index.ts';
import { LAST_SUGGESTION, eraseSuggestions } from '../feedback/index.ts';
import { LAST_PROFILE, eraseProfile } from '../immigration/index.ts';
import { LAST_MESSAGE, eraseMessages } from '../messages/index.ts';
import {
  LAST_ON_CARD,
  eraseCard,
  eraseFoldedName,
  erasePairs,
  spentFoldedNames,
  spentPairs,
} from '../patients/index.ts';
import {
  KEPT_PEOPLE,
  eraseLinksOfRecord,
  erasePatient,
  spentAccountLinks,
  spentEmailChanges,
  spentSignUps,
} from '../accounts/index.ts';
import { LAST_PAYMENT, erasePayments, spentGatewayEvents } from '../payments/index.ts';
import { RECORDS, eraseEmrRecord, eraseRecord, lockRecord } from '../records/index.ts';
import { spentDevices } from '../../security/known-devices.store.ts';
import { spentActs, spentChallenges, spentStaffSessions } from '../staff/index.ts';

/** Somebody whose records are kept. */
interface Kept {
  /** The id of the account, or the number of the record of somebody without one. */
  readonly person: string;
  readonly patientId: PatientId | null;
  readonly recordId: string;
  readonly birthDate: string;
  readonly lastEntryAt: number;
}

/** When the record of `p`, or one that was merged into it, was last opened. */
const LAST_OPENED = part`(
  select max(opened.at_s) from ${RECORDS} r join ${RECORDS_OPENED} opened on opened.subject = 'record:' || r.id
   where r.id = p.record_id or r.merged_into = p.record_id)`;

/** Some of those whose records are kept; a row counts from when it was written where nothing else has a date. */
const kept = (db: Db, which: Part) =>
  sql<Kept>(db)`
    select p.person, p.id as "patientId", p.record_id as "recordId", p.birth_date::text as "birthDate",
           coalesce(greatest(p.last_entry_at, ${LAST_APPOINTMENT}, ${LAST_MESSAGE}, ${LAST_FILE},
                             ${LAST_PAYMENT}, ${LAST_SUGGESTION}, ${LAST_PROFILE}, ${LAST_OPENED},
                             ${LAST_ON_CARD}),
                    p.written_at)::bigint as "lastEntryAt"
      from ${KEPT_PEOPLE} p
     where p.role = 'patient' and ${which} order by p.person limit ${AT_ONCE}`;

const AT_ONCE = 5_000;

/** The statements that erase everything about an account. What stays names the patient by a random id. */
const ERASED = [
  eraseMessages,
  eraseFiles,
  eraseSuggestions,
  eraseProfile,
  eraseCodes,
  eraseSessions,
  erasePayments,
  eraseClosingEntries,
  eraseAppointments,
  eraseFoldedName,
  erasePatient,
];

/** The statements that erase everything about a record that has no account. */
const ERASED_OF_RECORD = [
  eraseClosingEntriesOfRecord,
  eraseAppointmentsOfRecord,
  eraseLinksOfRecord,
  eraseFoldedName,
  erasePairs,
  eraseCard,
  eraseRecord,
  eraseEmrRecord,
];

/** The last entry of somebody whose time is over, and its end; null while the records are to be kept. */
function overFor({ birthDate, lastEntryAt }: Kept, today: ClinicDate) {
  const lastEntry = toClinic(lastEntryAt).date;
  const keptUntil = keepUntil(birthDate, lastEntry);
  return keptUntil < today ? { lastEntry, keptUntil } : null;
}

/**
 * Finds the people whose records may be erased, with an account or without: 16 years after the last entry
 * or after age 19, whichever is later. Erases only with `apply`. Agreements and the trail stay: they hold a
 * random id and no name.
 */
export async function retention(
  { database, appendAudit, parts }: Pick<Platform, 'database' | 'appendAudit' | 'parts'>,
  { now, actor, apply }: Who & { readonly apply: boolean },
) {
  const today = toClinic(now).date;
  const due: { person: string; lastEntry: string; keptUntil: string }[] = [];
  let patients = 0;
  for (let after = ''; ;) {
    const batch = await kept(database.db, part`p.person > ${after}`);
    patients += batch.length;
    for (const each of batch) {
      const over = overFor(each, today);
      if (over !== null && (!apply || (await erase(each))))
        due.push({ person: each.person, ...over });
    }
    const last = batch.at(-1);
    if (last === undefined) return { patients, due };
    after = last.person;
  }

  /** False when something was entered meanwhile: the other transaction waits for the locks, or has committed. */
  function erase({ patientId, recordId }: Kept): Promise<boolean> {
    const [one, subject] =
      patientId === null
        ? [part`p.id is null and p.record_id = ${recordId}`, `record:${recordId}`]
        : [part`p.id = ${patientId}`, `patient:${patientId}`];
    return database.inTransaction(async (tx) => {
      await lockRecord(tx, recordId);
      if (patientId !== null) await appointments.lockPatient(tx, parts, patientId);
      const [still] = await kept(tx, one);
      const details = still ? overFor(still, today) : null;
      if (details === null) return false;
      if (patientId !== null) for (const erased of ERASED) await sql(tx)`${erased(patientId)}`;
      // A patient who signed up again after closing an account has the same record.
      const [other] = await sql(tx)`
        select from ${KEPT_PEOPLE} p where p.record_id = ${recordId} and p.id is not null`;
      if (other === undefined)
        for (const erased of ERASED_OF_RECORD) await sql(tx)`${erased(recordId)}`;
      await appendAudit(tx, { actor, action: 'records erased', subject, details, at: now });
      return true;
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
  waitingActs: spentActs,
  staffActs: spentStaffActs,
  devices: spentDevices,
  accountLinks: spentAccountLinks,
  emailChanges: spentEmailChanges,
  emails: spentEmails,
  gatewayEvents: spentGatewayEvents,
  foldedNames: spentFoldedNames,
  likelyPairs: spentPairs,
  patientChanges: spentPatientChanges,
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
