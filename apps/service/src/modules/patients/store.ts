import { createHash } from 'node:crypto';
import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { normaliseEmail } from '@clinic/domain';
import { type Db, type Tx, isUuid, part } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { takeOverAppointments } from '../appointments/index.ts';
import { lockRecord, standingRecord } from '../records/index.ts';
import { isBounced } from './bounces.store.ts';
import { knownDevice, patient, pendingSignUp } from './schema.ts';

/** The columns of the patient's own pages and export, listed so that no new one is shown by accident. */
const columns = {
  id: patient.id,
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
export type Account = typeof patient.$inferSelect;

/** Finds an account by id or email; of one address, the open account or else the last closed. */
export async function findAccount(
  db: Db,
  by: { readonly email: string } | { readonly id: string },
): Promise<Account | null> {
  const is = 'email' in by ? eq(patient.email, by.email) : eq(patient.id, by.id);
  const [row] = await db
    .select()
    .from(patient)
    .where(is)
    .orderBy(sql`${patient.closedAt} desc nulls first`)
    .limit(1);
  return row ?? null;
}

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
    .select({ id: patient.id, recordId: patient.recordId, closedAt: patient.closedAt })
    .from(patient)
    .where(inArray(patient.recordId, [...recordIds]))
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
export async function preferPharmacy(
  tx: Tx,
  id: PatientId,
  recordId: string,
  preferredPharmacyId: string,
): Promise<boolean> {
  const changed = await tx
    .update(patient)
    .set({ preferredPharmacyId })
    .where(and(eq(patient.id, id), eq(patient.recordId, recordId)))
    .returning({ id: patient.id });
  return changed.length > 0;
}

const clinicColumns = {
  id: patient.id,
  birthDate: patient.birthDate,
  firstName: patient.firstName,
  lastName: patient.lastName,
  email: patient.email,
  recordId: patient.recordId,
  eligibility: patient.eligibility,
  blocked: patient.blocked,
  bookingBlocked: patient.bookingBlocked,
  blockedReason: patient.blockedReason,
  closedAt: patient.closedAt,
  disabledTypes: patient.disabledTypes,
  visibility: patient.visibility,
  bouncedEmail: patient.bouncedEmail,
  bouncedAt: patient.bouncedAt,
  bounceStatus: patient.bounceStatus,
};

/** A patient as the clinic sees them; without 'appointment' in `visibility` they may only sign out. */
export type FoundPatient = Pick<Account, keyof typeof clinicColumns>;

export interface PatientSearch {
  /** Part of a name or of an email address; null for any. */
  readonly text: string | null;
  readonly blocked: boolean;
  /** Only patients from whose address an email came back. */
  readonly bounced: boolean;
  readonly limit: number;
}

/** Matches rows with the text in the name or the email address; a null text matches all. */
const isNamed = (
  text: string | null,
  { firstName, lastName, email }: typeof patient | typeof pendingSignUp,
) =>
  text === null
    ? undefined
    : sql`position(${text.toLowerCase()} in lower(${firstName} || ' ' || ${lastName} || ' ' || ${email})) > 0`;

export async function patientsByName(
  db: Db,
  { text, blocked, bounced, limit }: PatientSearch,
): Promise<FoundPatient[]> {
  const isBlocked = or(eq(patient.blocked, true), eq(patient.bookingBlocked, true));
  return db
    .select(clinicColumns)
    .from(patient)
    .where(
      and(
        eq(patient.role, 'patient'),
        blocked ? isBlocked : undefined,
        bounced ? isBounced : undefined,
        isNamed(text, patient),
      ),
    )
    .orderBy(asc(patient.lastName), asc(patient.firstName), asc(patient.id))
    .limit(limit);
}

/** Finds a patient by id, record number or email address. */
export async function findPatient(db: Db, named: string): Promise<FoundPatient | null> {
  const isIt = isUuid(named)
    ? eq(patient.id, named)
    : or(eq(patient.email, normaliseEmail(named)), eq(patient.recordId, named));
  const [row] = await db
    .select(clinicColumns)
    .from(patient)
    .where(and(eq(patient.role, 'patient'), isIt))
    // At most one account of a record or an address is open; else this takes the one closed last.
    .orderBy(sql`${patient.closedAt} desc nulls first`)
    .limit(1);
  return row ?? null;
}

/** Accounts, with what decides their doctors, types and fees; for other modules' statements. */
export const PATIENTS_WHO_BOOK = part`(
  select id, record_id, eligibility, family_doctor, booking_blocked, blocked_providers,
         disabled_types, health_card_uploaded and picture_id_uploaded as documents_uploaded, email,
         language, closed_at_s is null as is_open
    from patient)`;

/** Accounts, with what decides who may sign in and what they see; for other modules' statements. */
export const PATIENTS_WHO_SIGN_IN = part`(
  select id, role, visibility, blocked or closed_at_s is not null as kept_out, eligibility,
         disabled_types
    from patient)`;

/** The patient, contact details and language of every account; for other modules' statements. */
export const PATIENT_EMAILS = part`(
  select id, email, language, first_name, last_name, birth_date,
         coalesce(bounced_email = email, false) as bounces,
         coalesce(nullif(mobile_phone, ''), nullif(phone, ''), international_phone) as phone
    from patient)`;

// Sign-up forms whose links are not confirmed yet.

export type SignUpForm = typeof pendingSignUp.$inferSelect;

/** How many passwords may be tried with the link of one form. */
export const SIGN_UP_TRIES = 5;

const standing = (now: number) =>
  or(isNull(pendingSignUp.expiresAt), gt(pendingSignUp.expiresAt, now));
const mayBeTried = lt(pendingSignUp.tries, SIGN_UP_TRIES);

export async function insertForm(tx: Tx, form: typeof pendingSignUp.$inferInsert): Promise<void> {
  await tx.insert(pendingSignUp).values(form);
}

/** A form that has not expired, even without tries left, so that the caller can say which it is. */
export async function signUpForm(db: Db, id: string, now: number): Promise<SignUpForm | null> {
  const [row] = await db
    .select()
    .from(pendingSignUp)
    .where(and(eq(pendingSignUp.id, id), standing(now)));
  return row ?? null;
}

/** The id of the newest form of an address that can still be confirmed. */
export async function newestFormOf(db: Db, email: string, now: number): Promise<string | null> {
  const [row] = await db
    .select({ id: pendingSignUp.id })
    .from(pendingSignUp)
    .where(and(eq(pendingSignUp.email, email), standing(now), mayBeTried))
    .orderBy(desc(pendingSignUp.createdAt), desc(pendingSignUp.id))
    .limit(1);
  return row?.id ?? null;
}

/** The forms of the same address as this one that can still be confirmed, the newest first. */
export function waitingFormsBeside(db: Db, id: string, now: number) {
  const one = alias(pendingSignUp, 'one');
  const { email, language, createdAt, expiresAt } = pendingSignUp;
  return db
    .select({ id: pendingSignUp.id, email, language, createdAt, expiresAt })
    .from(pendingSignUp)
    .innerJoin(one, and(eq(one.id, id), eq(one.email, email)))
    .where(and(standing(now), mayBeTried))
    .orderBy(desc(createdAt), desc(pendingSignUp.id));
}

/** Counts a password before it is tried; returns the count with it, null when the form is gone. */
export async function countPasswordTry(tx: Tx, id: string): Promise<number | null> {
  const [row] = await tx
    .update(pendingSignUp)
    .set({ tries: sql`${pendingSignUp.tries} + 1` })
    .where(eq(pendingSignUp.id, id))
    .returning({ tries: pendingSignUp.tries });
  return row?.tries ?? null;
}

export async function forgetPasswordTries(tx: Tx, id: string): Promise<void> {
  await tx.update(pendingSignUp).set({ tries: 0 }).where(eq(pendingSignUp.id, id));
}

/** Locks the forms of an address and returns their ids; confirming another of them waits. */
export async function lockFormsOf(tx: Tx, email: string): Promise<string[]> {
  const rows = await tx
    .select({ id: pendingSignUp.id })
    .from(pendingSignUp)
    .where(eq(pendingSignUp.email, email))
    .orderBy(pendingSignUp.id)
    .for('update');
  return rows.map(({ id }) => id);
}

export async function endFormsOf(tx: Tx, email: string): Promise<void> {
  await tx.delete(pendingSignUp).where(eq(pendingSignUp.email, email));
}

/**
 * The sign-ups that can still be confirmed, the newest first, `limit` at most; with a `text`, only those
 * with it in their name or address. A sign-up whose `expiresAt` is null never expires.
 */
export function pendingSignUps(
  db: Db,
  { text, limit, now }: Pick<PatientSearch, 'text' | 'limit'> & { readonly now: number },
) {
  const { firstName, lastName, email, expiresAt, createdAt, id } = pendingSignUp;
  return db
    .select({ firstName, lastName, email, expiresAt })
    .from(pendingSignUp)
    .where(and(standing(now), mayBeTried, isNamed(text, pendingSignUp)))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
}

/** Deletes sign-ups that expired before anybody confirmed them. */
export const spentSignUps = (now: number) =>
  part`delete from pending_sign_up where expires_at_s <= ${now}`;

/** For how long a browser that signed in is known, in seconds. */
export const DEVICE_KNOWN_FOR = 90 * 24 * 60 * 60;
const MOST_DEVICES = 5;

/** The hash includes the account, so that the table does not show which accounts share a browser. */
const deviceHash = (patientId: string, token: string): Uint8Array =>
  createHash('sha256').update(`${patientId}:${token}`).digest();

/** Whether the browser with this token signed in to the account in the last 90 days. */
export async function isKnownDevice(db: Db, patientId: string, token: string, now: number) {
  const isIt = and(
    eq(knownDevice.patientId, patientId),
    eq(knownDevice.tokenHash, deviceHash(patientId, token)),
    gt(knownDevice.signedInAt, now - DEVICE_KNOWN_FOR),
  );
  return (await db.$count(knownDevice, isIt)) > 0;
}

/** Remembers a browser that signed in; beyond five, the longest unused are forgotten. */
export async function keepDevice(tx: Tx, patientId: string, token: string, now: number) {
  const { tokenHash, signedInAt } = knownDevice;
  const isTheirs = eq(knownDevice.patientId, patientId);
  await tx
    .insert(knownDevice)
    .values({ patientId, tokenHash: deviceHash(patientId, token), signedInAt: now })
    .onConflictDoUpdate({
      target: [knownDevice.patientId, tokenHash],
      set: { signedInAt: now },
    });
  const tooMany = tx
    .select({ tokenHash })
    .from(knownDevice)
    .where(isTheirs)
    .orderBy(desc(signedInAt), desc(tokenHash))
    .offset(MOST_DEVICES);
  await tx.delete(knownDevice).where(and(isTheirs, inArray(tokenHash, tooMany)));
}

/** Forgets every known browser of an account. */
export async function forgetDevices(tx: Tx, patientId: string): Promise<void> {
  await tx.delete(knownDevice).where(eq(knownDevice.patientId, patientId));
}

/** Deletes browsers that last signed in too long ago to be known. */
export const spentDevices = (now: number) =>
  part`delete from known_device where signed_in_at_s < ${now - DEVICE_KNOWN_FOR}`;

/** Accounts, with what decides how long their records are kept; for other modules' statements. */
export const ACCOUNTS = part`(
  select id, role, record_id, birth_date, greatest(
           created_at_s, (select max(at_s) from agreement a where a.patient_id = patient.id)
         ) as last_entry_at
    from patient)`;

export const erasePatient = (patientId: string) => part`
  with devices as (delete from known_device where patient_id = ${patientId}),
       links as (delete from account_link
                  where record_id in (select record_id from patient where id = ${patientId}))
  delete from patient where id = ${patientId}`;
