import { isEligibility, patientQuery } from '@clinic/domain';
import type { Platform } from '../../platform.ts';
import { type Who, ofPatient } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { appointments, releaseHoldIn, standingOf } from '../appointments/index.ts';
import { isDoctor, openedRecords, setPrimaryProvider } from '../records/index.ts';
import { knownTypes } from '../schedule/index.ts';
import { type PatientFound, patientsFitting } from './find-patients.store.ts';
import {
  type FoundPatient,
  type PatientSearch,
  findPatient,
  lockAccount,
  patientsByName,
  updatePatient,
} from './store.ts';

/** The patients of the clinic by name; the trail says that they were listed. */
export function listPatients(
  { database, appendAudit }: Platform,
  search: PatientSearch,
  { actor, now }: Who,
): Promise<FoundPatient[]> {
  return database.inTransaction(async (tx) => {
    await appendAudit(tx, { actor, action: 'patients listed', subject: 'patients:all', at: now });
    return patientsByName(tx, search);
  });
}

/** So many are shown of one search. */
const MOST_FOUND = 20;

/** Who fits what was typed, with an account or without; the trail says that somebody was looked for. */
export async function findPatients(
  { database, keyring, appendAudit }: Platform,
  typed: string,
  { actor, now }: Who,
): Promise<{ readonly patients: readonly PatientFound[]; readonly hasMore: boolean }> {
  const query = patientQuery(typed);
  const found = query && (await patientsFitting(database.db, keyring, query, MOST_FOUND + 1));
  const patients = found?.slice(0, MOST_FOUND) ?? [];
  await database.inTransaction((tx) =>
    appendAudit(tx, {
      actor,
      action: 'patients searched',
      subject: 'patients:all',
      details: { found: patients.map(({ recordId }) => recordId) },
      at: now,
    }),
  );
  return { patients, hasMore: (found?.length ?? 0) > MOST_FOUND };
}

/**
 * Refuses sign-in and ends every session, or refuses booking alone. The reason is the clinic's; the patient is never shown it, and it stands in no trail. A held slot is given back.
 */
export async function blockPatient(
  { database, parts, appendAudit, outbox, sessions }: Platform,
  patientId: string,
  { reason, bookingOnly }: { readonly reason: string; readonly bookingOnly: boolean },
  { actor, now }: Who,
): Promise<void> {
  await database.inTransaction(async (tx) => {
    const block = bookingOnly ? { blocked: false, bookingBlocked: true } : { blocked: true };
    await updatePatient(tx, patientId, { blockedReason: reason, ...block });
    await releaseHoldIn(
      { appointments, parts, appendAudit, outbox },
      tx,
      { patientId: patientId as PatientId, evenLinked: true },
      now,
    );
    if (!bookingOnly) await sessions.endAll(tx, patientId, now);
    const action = bookingOnly ? 'booking blocked' : 'account blocked';
    await appendAudit(tx, { ...ofPatient(patientId, action, now), actor });
  });
}

/** A closed account stays closed. */
export async function unblockPatient(
  { database, appendAudit }: Platform,
  { id, closedAt }: FoundPatient,
  { actor, now }: Who,
): Promise<void> {
  await database.inTransaction(async (tx) => {
    const blocked = closedAt !== null;
    await updatePatient(tx, id, { blocked, bookingBlocked: false, blockedReason: null });
    await appendAudit(tx, { ...ofPatient(id, 'account unblocked', now), actor });
  });
}

/** Closed, never erased before its time; gives how many appointments still stand. */
export async function closeAccount(
  { database, parts, appendAudit, outbox, sessions }: Platform,
  patientId: string,
  { actor, now }: Who,
): Promise<number> {
  return database.inTransaction(async (tx) => {
    await lockAccount(tx, patientId);
    const before = await findPatient(tx, patientId);
    // Closed once: asked again, it was so since then.
    if (before?.closedAt !== null) return (await standingOf(tx, patientId, now)).booked;
    await updatePatient(tx, patientId, { closedAt: now, blocked: true });
    await releaseHoldIn(
      { appointments, parts, appendAudit, outbox },
      tx,
      { patientId: patientId as PatientId, evenLinked: true, untold: true },
      now,
    );
    await sessions.endAll(tx, patientId, now);
    await appendAudit(tx, { ...ofPatient(patientId, 'account closed', now), actor });
    return (await standingOf(tx, patientId, now)).booked;
  });
}

export interface PatientChange {
  readonly eligibility?: string;
  /** The id of the provider who is responsible; null for none. */
  readonly mrp?: string | null;
  /** Types that this patient is not offered. */
  readonly withoutTypes?: readonly string[];
}

/** Why a change cannot be, as a sentence; null once it was made. */
export async function changePatient(
  { database, emr, appendAudit, config }: Platform,
  { id, recordId }: FoundPatient,
  change: PatientChange,
  { actor, now }: Who,
): Promise<string | null> {
  const { eligibility, mrp, withoutTypes } = change;
  if (eligibility !== undefined && !isEligibility(eligibility))
    return `'${eligibility}' is no eligibility; it is one of E, NR, R, NE.`;
  if (mrp !== undefined && emr !== null)
    return 'The EMR keeps who is responsible for a patient: change it there.';
  return database.inTransaction<string | null>(async (tx) => {
    const types = await knownTypes(tx);
    const wrongType = withoutTypes?.find((each) => !types.some(({ code }) => code === each));
    if (wrongType !== undefined) return `'${wrongType}' is no appointment type.`;
    const isNamed = mrp && !Object.values(config.familyDoctorIds).includes(mrp);
    if (isNamed && !(await isDoctor(tx, mrp))) return `No provider has the id '${mrp}'.`;
    if (mrp !== undefined && !(await setPrimaryProvider(tx, recordId, mrp)))
      return 'The patient has no record.';
    await updatePatient(tx, id, {
      ...(eligibility === undefined ? {} : { eligibility }),
      ...(withoutTypes === undefined ? {} : { disabledTypes: [...withoutTypes] }),
    });
    const entry = ofPatient(id, 'patient changed by the clinic', now, { ...change });
    await appendAudit(tx, { ...entry, actor });
    return null;
  });
}

/**
 * Says which record of the EMR is a patient's, where only staff can tell. Why it cannot be, as a
 * sentence; null once it is.
 */
export async function matchRecord(
  { database, appendAudit }: Platform,
  {
    patientId,
    recordId,
    emrId,
  }: { readonly patientId: string; readonly recordId: string; readonly emrId: string },
  { actor, now }: Who,
): Promise<string | null> {
  const opened = openedRecords(database);
  const [whose, own] = [await opened.named(emrId), await opened.find(recordId)];
  if (whose === recordId) return null;
  if (whose !== null) return `Record ${emrId} is another account’s.`;
  if (/^\d+$/.test(recordId)) return `The account goes by record ${recordId} of the EMR.`;
  if (own?.emrId) return `The account has record ${own.emrId} of the EMR.`;
  await opened.ask(recordId, now, now);
  await opened.keep(recordId, emrId);
  await database.inTransaction((tx) =>
    appendAudit(tx, {
      ...ofPatient(patientId, 'record matched', now, { emrId }),
      actor,
      subject: `record:${recordId}`,
    }),
  );
  return null;
}
