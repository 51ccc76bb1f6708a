import {
  type SQL,
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  ne,
  or,
  sql,
} from 'drizzle-orm';
import { type PgColumn } from 'drizzle-orm/pg-core';
import { isInName, normaliseEmail } from '@clinic/domain';
import { type Db, type Tx, firstOf, hasRows, isUuid, part } from '../../database/db.ts';
import { eraseDevices } from '../../security/known-devices.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { spellingsOf } from '../../server/email-spellings.ts';
import { takeOverAppointments } from '../appointments/index.ts';
import { RECORDS, lockRecord, standingRecord } from '../records/index.ts';
import { SILENCES } from './address/address-change.store.ts';
import { isBounced } from './address/bounces.store.ts';
import { patient } from './schema.ts';

const accountId = sql<PatientId>`${patient.id}`;

/** The columns of the patient's own pages and export, listed so that no new one is shown by accident. */
const columns = {
  id: accountId,
  role: patient.role,
  email: patient.email,
  recordId: patient.recordId,
  firstName: patient.firstName,
  lastName: patient.lastName,
  sex: patient.sex,
  birthDate: patient.birthDate,
  address: patient.address,
  city: patient.city,
  province: patient.province,
  postal: patient.postal,
  country: patient.country,
  phone: patient.phone,
  mobilePhone: patient.mobilePhone,
  internationalPhone: patient.internationalPhone,
  phoneE164: patient.phoneE164,
  mobilePhoneE164: patient.mobilePhoneE164,
  internationalPhoneE164: patient.internationalPhoneE164,
  cardProvince: patient.cardProvince,
  cardSealed: patient.cardSealed,
  preferredPharmacyId: patient.preferredPharmacyId,
  language: patient.language,
  eligibility: patient.eligibility,
  familyDoctor: patient.familyDoctor,
  shouldUpdate: patient.shouldUpdate,
  isChanged: patient.isChanged,
  blocked: patient.blocked,
  bookingBlocked: patient.bookingBlocked,
  visibility: patient.visibility,
  blockedProviders: patient.blockedProviders,
  disabledTypes: patient.disabledTypes,
  healthCardUploaded: patient.healthCardUploaded,
  pictureIdUploaded: patient.pictureIdUploaded,
  bouncedEmail: patient.bouncedEmail,
  bouncedAt: patient.bouncedAt,
  createdAt: patient.createdAt,
};

export type PatientRow = Pick<Account, keyof typeof columns>;

/** The signed-in patient's own row; a session without one is a bug. */
export async function patientOf(db: Db, id: PatientId): Promise<PatientRow> {
  const [row] = await db.select(columns).from(patient).where(eq(patient.id, id));
  if (!row) throw new Error('A session of a patient who is not there');
  return row;
}

/** The whole row; `closedAt` is null while the account is open. */
export type Account = Omit<typeof patient.$inferSelect, 'id'> & { readonly id: PatientId };
const wholeRow = { ...getTableColumns(patient), id: accountId };

/** The rows whose address is this one, in any of its spellings. */
export const isAt = (column: PgColumn, email: string) => inArray(column, spellingsOf(email));

/** At most one account of a spelling is open: that one, else the one closed last; first as it was typed. */
const openFirst = (email: string) => [
  sql`${patient.closedAt} desc nulls first`,
  desc(eq(patient.email, spellingsOf(email)[0] ?? '')),
];

/** Finds an account by id or email; of one address, the open account or else the last closed. */
export const findAccount = (
  db: Db,
  by: { readonly email: string } | { readonly id: string },
): Promise<Account | null> =>
  'email' in by
    ? newestOf(db, isAt(patient.email, by.email), by.email)
    : newestOf(db, eq(patient.id, by.id));

const newestOf = (db: Db, which: SQL | undefined, email = ''): Promise<Account | null> =>
  firstOf(
    db
      .select(wholeRow)
      .from(patient)
      .where(which)
      .orderBy(...openFirst(email))
      .limit(1),
  );

/** only an open account occupies its email address, as it does its card. */
export async function findOpenAccount(db: Db, email: string): Promise<Account | null> {
  const found = await findAccount(db, { email });
  return found?.closedAt === null ? found : null;
}

/**
 * Whether the account's password is still the one read before. Locks the row, so that it stays until the
 * transaction ends, and that sign-ins to one account write one after the other.
 */
export async function isPasswordStill(tx: Tx, { id, passwordHash }: Account): Promise<boolean> {
  const [row] = await lockAccount(tx, id);
  return row?.passwordHash === passwordHash;
}

export const lockAccount = (tx: Tx, id: string) =>
  tx
    .select({ passwordHash: patient.passwordHash })
    .from(patient)
    .where(eq(patient.id, id))
    .for('no key update');

/** Whether an open account has this card or this record already. */
export async function isCardTaken(
  db: Db,
  /** The card's blind indexes, by each key that a row may still have; empty without a card. */
  { province, indexes }: { readonly province: string; readonly indexes: readonly Uint8Array[] },
  /** Null checks the card alone. */
  recordId: string | null,
  /** The account that may have them itself. */
  but: string | null = null,
): Promise<boolean> {
  const sameCard = and(eq(patient.cardProvince, province), inArray(patient.cardIndex, indexes));
  const taken = recordId === null ? sameCard : or(sameCard, eq(patient.recordId, recordId));
  const others = but === null ? undefined : ne(patient.id, but);
  return (await db.$count(patient, and(taken, others, isNull(patient.closedAt)))) > 0;
}

/**
 * Opens an account for a record, and gives it the appointments that the front desk has booked for the
 * record. Waits for a booking for the record that is being made.
 */
export async function insertPatient(tx: Tx, row: typeof patient.$inferInsert): Promise<void> {
  await lockRecord(tx, row.recordId);
  // When the record was merged at the same moment, the account gets the record that stands for it.
  const recordId = await standingRecord(tx, row.recordId);
  if (recordId !== row.recordId) await lockRecord(tx, recordId);
  await tx.insert(patient).values({ ...row, recordId });
  await takeOverAppointments(tx, recordId, row.id);
}

/** The accounts of these records, open or closed; the open one of a record first. */
export const accountsOfRecords = (db: Db, recordIds: readonly string[]) =>
  db
    .select({
      id: accountId,
      recordId: patient.recordId,
      email: patient.email,
      closedAt: patient.closedAt,
    })
    .from(patient)
    .where(inArray(patient.recordId, recordIds))
    .orderBy(sql`${patient.closedAt} nulls first`);

export async function updatePatient(
  tx: Tx,
  id: string,
  change: Partial<typeof patient.$inferInsert>,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx.update(patient).set(change).where(eq(patient.id, id));
}

/** False, without a change, when the record number is not the patient's own. */
export const preferPharmacy = (
  tx: Tx,
  id: PatientId,
  recordId: string,
  preferredPharmacyId: string,
) =>
  hasRows(
    tx
      .update(patient)
      .set({ preferredPharmacyId })
      .where(and(eq(patient.id, id), eq(patient.recordId, recordId)))
      .returning({ id: patient.id }),
  );

export interface PatientSearch {
  /** Part of a name or of an email address; null for any. */
  readonly text: string | null;
  readonly blocked: boolean;
  /** Only patients from whose address an email came back. */
  readonly bounced: boolean;
  readonly limit: number;
}

/** Those of the rows in whose name or email address a text is. */
export function namedBy<Row extends Pick<Account, 'firstName' | 'lastName' | 'email'>>(
  text: string | null,
  rows: readonly Row[],
  limit: number,
): Row[] {
  const isNamed = (row: Row) =>
    text === null ||
    isInName(text, row) ||
    [text.toLowerCase(), normaliseEmail(text)].some((each) => row.email.includes(each));
  return rows.filter(isNamed).slice(0, limit);
}

export async function patientsByName(
  db: Db,
  { text, blocked, bounced, limit }: PatientSearch,
): Promise<Account[]> {
  const isBlocked = or(eq(patient.blocked, true), eq(patient.bookingBlocked, true));
  const rows = db
    .select(wholeRow)
    .from(patient)
    .where(
      and(
        eq(patient.role, 'patient'),
        blocked ? isBlocked : undefined,
        bounced ? isBounced : undefined,
      ),
    )
    .orderBy(asc(patient.lastName), asc(patient.firstName), asc(patient.id));
  return namedBy(text, text === null ? await rows.limit(limit) : await rows, limit);
}

/** Finds a patient by id, record number or email address. */
export function findPatient(db: Db, named: string): Promise<Account | null> {
  const isIt = isUuid(named)
    ? eq(patient.id, named)
    : or(isAt(patient.email, named), eq(patient.recordId, named));
  return newestOf(db, and(eq(patient.role, 'patient'), isIt), named);
}

/** The facts of `accessOf`. */
const ACCOUNT = part`json_build_object(
  'blocked', blocked, 'bookingBlocked', booking_blocked, 'closedAt', closed_at_s,
  'visibility', visibility) as account`;

/** Accounts with the person of each; for other modules' statements. */
export const ACCOUNTS = part`(
  select id, role, record_id, first_name, last_name, birth_date, phone, mobile_phone,
         international_phone, email, address, postal, card_province, card_index, card_sealed,
         closed_at_s
    from patient)`;

/** Accounts, with what decides their doctors, types and fees; for other modules' statements. */
export const PATIENTS_WHO_BOOK = part`(
  select id, record_id, eligibility, family_doctor, ${ACCOUNT}, blocked_providers,
         disabled_types, health_card_uploaded and picture_id_uploaded as documents_uploaded, email,
         language, closed_at_s is null as is_open
    from patient)`;

/** Accounts, with what decides who may sign in and what they see; for other modules' statements. */
export const PATIENTS_WHO_SIGN_IN = part`(
  select id, role, ${ACCOUNT}, eligibility, disabled_types
    from patient)`;

const ABROAD = part`
  case when international_phone_e164 = '+' || international_phone
       then international_phone_e164 else international_phone end`;

/** The patient, contact details and language of every account; for other modules' statements. */
export const PATIENT_EMAILS = part`(
  select id, email, language, first_name, last_name, birth_date, ${ACCOUNT},
         coalesce(bounced_email = email, false) or exists (
           select 1 from email_change c where c.patient_id = patient.id and ${SILENCES}) as bounces,
         coalesce(nullif(mobile_phone, ''), nullif(phone, ''), ${ABROAD}) as phone,
         array_remove(array[nullif(mobile_phone, ''), nullif(phone, ''), nullif(${ABROAD}, '')], null) as phones
    from patient)`;

/**
 * Whose records are kept, with what decides how long; for other modules' statements. Everybody with an
 * account, closed ones and those of any role included, by its id; everybody else by the number of the
 * record that stands.
 */
export const KEPT_PEOPLE = part`(
  select id::text as person, id, role, record_id, birth_date, greatest(
           created_at_s, (select max(at_s) from agreement a where a.patient_id = patient.id)
         ) as last_entry_at, null as written_at
    from patient
  union all
  select r.id, null, 'patient', r.id, r.birth_date, null, r.written_at_s
    from ${RECORDS} r
   where r.merged_into is null and not exists (select from patient p where p.record_id = r.id))`;

export const erasePatient = (patientId: string) => part`
  with devices as (${eraseDevices(patientId)}),
       links as (delete from account_link where patient_id = ${patientId}),
       changes as (delete from email_change where patient_id = ${patientId})
  delete from patient where id = ${patientId}`;

/** Erases what accounts of a record were invited by, once it has none. */
export const eraseLinksOfRecord = (recordId: string) => part`
  delete from account_link where record_id = ${recordId}`;
