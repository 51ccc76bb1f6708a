import { isEligibility, patientQuery } from '@clinic/domain';
import type { Platform } from '../../platform.ts';
import { type Who, ofPatient } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import {
  type HeldPayments,
  appointments,
  releaseHold,
  releaseHoldIn,
  standingOf,
} from '../appointments/index.ts';
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

/** The platform with the port that gives up a payment under way. */
type WithPayments = Platform & { readonly heldPayments: HeldPayments };

/** Lists patients by name; the trail records the listing. */
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

/** The most patients that one search shows. */
const MOST_FOUND = 20;

/** Finds the patients who match what was typed, with or without an account; the trail records whom. */
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
 * Refuses sign-in and ends every session, or refuses booking alone. A held slot is given back, and a
 * payment under way for it is given up. Neither the patient nor the audit trail is told the reason.
 */
export async function blockPatient(
  platform: WithPayments,
  patientId: string,
  { reason, bookingOnly }: { readonly reason: string; readonly bookingOnly: boolean },
  { actor, now }: Who,
): Promise<void> {
  const { database, parts, appendAudit, outbox, sessions } = platform;
  const whose = { patientId: patientId as PatientId, evenLinked: true } as const;
  await database.inTransaction(async (tx) => {
    const block = bookingOnly ? { blocked: false, bookingBlocked: true } : { blocked: true };
    await updatePatient(tx, patientId, { blockedReason: reason, ...block });
    await releaseHoldIn({ appointments, parts, appendAudit, outbox }, tx, whose, now);
    if (!bookingOnly) await sessions.endAll(tx, patientId, now);
    const action = bookingOnly ? 'booking blocked' : 'account blocked';
    await appendAudit(tx, { ...ofPatient(patientId, action, now), actor });
  });
  await releaseHold({ ...platform, appointments }, { ...whose, key: null }, now, { actor });
}

/** Lifts every block, except that a closed account stays blocked. */
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

/**
 * Closes an account, without erasing it, and returns how many appointments still stand. A payment under
 * way is given up; an appointment that it had paid for by then is among them.
 */
export async function closeAccount(
  platform: WithPayments,
  patientId: string,
  { actor, now }: Who,
): Promise<number> {
  const { database, parts, appendAudit, outbox, sessions } = platform;
  const whose = {
    patientId: patientId as PatientId,
    evenLinked: true,
    withoutEmail: true,
  } as const;
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
  await releaseHold({ ...platform, appointments }, { ...whose, key: null }, now, { actor });
  return (await standingOf(database.db, patientId, now)).booked;
}

export interface PatientChange {
  readonly eligibility?: string;
  /** The id of the provider who is responsible; null for none. */
  readonly mrp?: string | null;
  /** Types that this patient is not offered. */
  readonly withoutTypes?: readonly string[];
}

/** Changes a patient. Null when done, else a sentence that says why not. */
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
 * Records which EMR record is a patient's, where only staff can tell. Null when done, else a sentence
 * that says why not.
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
