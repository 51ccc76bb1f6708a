import { accessOf, isEligibility, patientQuery } from '@clinic/domain';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { type Who, ofPatient } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { Refusal, localized, refuse } from '../../server/refusal.ts';
import { type FormHeaders, overStored, overtaken } from '../../server/version.ts';
import {
  type HeldPayments,
  appointments,
  releaseHold,
  releaseHoldIn,
} from '../appointments/index.ts';
import { isDoctor, primaryDoctorOf, setPrimaryProvider } from '../records/index.ts';
import { knownTypes } from '../schedule/index.ts';
import { type Search, searchPatients } from './find-patients.store.ts';
import { type Account, findPatient, lockAccount, updatePatient } from '../accounts/index.ts';
import { emrBook } from '../emr/index.ts';

/** The platform with the port that gives up a payment under way. */
type WithPayments = Platform & { readonly heldPayments: HeldPayments };

/** The most patients that one search shows. */
const MOST_FOUND = 20;

/** Finds the patients who match what was typed, with or without an account. */
export async function findPatients(
  { database, keyring }: Pick<Platform, 'database' | 'keyring'>,
  typed: string,
): Promise<Search> {
  const query = patientQuery(typed);
  if (query === null) return { patients: [], hasMore: false, soundsLike: [] };
  return searchPatients(database.db, keyring, query, MOST_FOUND);
}

/**
 * Refuses sign-in and ends every session, or refuses booking alone. A held slot is given back, and a
 * payment under way for it is given up. Neither the patient nor the audit trail is told the reason.
 */
export async function blockPatient(
  platform: WithPayments,
  patientId: PatientId,
  { reason, bookingOnly }: { readonly reason: string; readonly bookingOnly: boolean },
  { actor, now }: Who,
  form: FormHeaders = {},
): Promise<Refusal | null> {
  const { database, parts, appendAudit, outbox, sessions } = platform;
  const whose = { patientId, includePaymentLink: true } as const;
  const refused = await database.inTransaction(async (tx) => {
    const wanted = [bookingOnly ? 'booking' : 'account', reason];
    const overtakenBy = await blockOvertaken(tx, patientId, form, wanted);
    if (overtakenBy !== null) return overtakenBy;
    const block = bookingOnly ? { blocked: false, bookingBlocked: true } : { blocked: true };
    await updatePatient(tx, patientId, { blockedReason: reason, ...block });
    await releaseHoldIn({ appointments, parts, appendAudit, outbox }, tx, whose, now);
    if (!bookingOnly) await sessions.endAll(tx, patientId, now);
    const action = bookingOnly ? 'booking blocked' : 'account blocked';
    await appendAudit(tx, { ...ofPatient(patientId, action, now), actor });
    return null;
  });
  if (refused !== null) return refused;
  await releaseHold({ ...platform, appointments, emrBook }, { ...whose, key: null }, now, {
    actor,
  });
  return null;
}

/** What the form of a block is made of. */
const blockOf = (patient: Account | null) => [
  accessOf(patient).block,
  patient?.blockedReason ?? null,
];

async function blockOvertaken(tx: Tx, id: string, form: FormHeaders, block: unknown) {
  await lockAccount(tx, id);
  return overtaken(form, { block: blockOf(await findPatient(tx, id)) }, { block });
}

/** What the forms about the offers to a patient are made of. */
export const offersOf = (patient: Account, providerId: string | null) => ({
  eligibility: patient.eligibility,
  withoutTypes: patient.disabledTypes.toSorted(),
  providerId,
  block: blockOf(patient),
});

/** Lifts every block, except that a closed account stays blocked. */
export async function unblockPatient(
  { database, appendAudit }: Platform,
  { id, closedAt }: Account,
  { actor, now }: Who,
  form: FormHeaders = {},
): Promise<Refusal | null> {
  return database.inTransaction(async (tx) => {
    const refused = await blockOvertaken(tx, id, form, ['none', null]);
    if (refused !== null) return refused;
    const blocked = closedAt !== null;
    await updatePatient(tx, id, { blocked, bookingBlocked: false, blockedReason: null });
    await appendAudit(tx, { ...ofPatient(id, 'account unblocked', now), actor });
    return null;
  });
}

const notChanged = (...why: Parameters<typeof localized>) =>
  refuse('patientNotChanged', { values: { why: localized(...why) } });

/** What is left out stays as it is. */
export interface PatientChange {
  readonly eligibility?: string | undefined;
  /** The provider who is responsible; null for none. */
  readonly providerId?: string | null | undefined;
  /** Types that this patient is not offered. */
  readonly withoutTypes?: readonly string[] | undefined;
}

/** Changes a patient. Null when done, else why not. */
export async function changePatient(
  platform: Platform,
  { id, recordId }: Account,
  wanted: PatientChange,
  { actor, now }: Who,
  form: FormHeaders = {},
): Promise<Refusal | null> {
  const { database, emr, appendAudit, config } = platform;
  const { eligibility, providerId, withoutTypes } = wanted;
  if (eligibility !== undefined && !isEligibility(eligibility))
    return notChanged('eligibilityUnknown', { eligibility });
  if (providerId !== undefined && emr !== null) return refuse('changedInEmr');
  return database.inTransaction<Refusal | null>(async (tx) => {
    await lockAccount(tx, id);
    const found = await findPatient(tx, id);
    const sent = { ...wanted, ...(withoutTypes && { withoutTypes: withoutTypes.toSorted() }) };
    const standing =
      providerId === undefined ? null : await primaryDoctorOf(platform, recordId, tx);
    const stored = found ? offersOf(found, standing?.providerId ?? null) : {};
    const over = overStored(form, stored, sent);
    if (over instanceof Refusal) return over;
    const types = await knownTypes(tx);
    const wrongType = over.withoutTypes?.find((each) => !types.some(({ code }) => code === each));
    if (wrongType !== undefined) return notChanged('typeUnknown', { type: wrongType });
    const isNamed = providerId && !Object.values(config.familyDoctorIds).includes(providerId);
    if (isNamed && !(await isDoctor(tx, providerId)))
      return notChanged('providerUnknown', { id: providerId });
    const isProviderSaved = 'providerId' in over && providerId !== undefined;
    if (isProviderSaved && !(await setPrimaryProvider(tx, recordId, providerId)))
      return notChanged('patientWithoutRecord');
    const offered = over.withoutTypes && withoutTypes;
    const saved = 'eligibility' in over && eligibility !== undefined ? { eligibility } : {};
    await updatePatient(tx, id, { ...saved, ...(offered && { disabledTypes: [...offered] }) });
    const entry = ofPatient(id, 'patient changed by the clinic', now, {
      ...saved,
      ...(offered && { withoutTypes: offered }),
      ...(isProviderSaved && { mrp: providerId }),
    });
    await appendAudit(tx, { ...entry, actor });
    return null;
  });
}
