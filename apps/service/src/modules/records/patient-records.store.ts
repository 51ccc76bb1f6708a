import { type Eligibility, type EpochSeconds, eligibilityOfCard, isProvince } from '@clinic/domain';
import { type SQL, and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { type Database, type Db, type Tx, part, sql as statement } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { type Keyring, sealedCard } from '../../security/keyring.ts';
import {
  EmrOffline,
  type NewPatientRecord,
  type RecordId,
  type RecordQuery,
  type RecordSearch,
} from './emr.ts';
import { emrRecord, patientRecord, provider } from './schema.ts';

/** More records than one person has, merged ones included. */
const MOST_OF_ONE = 10;

type RecordPorts = Pick<Platform, 'database' | 'keyring' | 'emr'>;

/** The record of a patient: the EMR's where one is connected, else our own. */
export async function findRecord(
  { database, keyring, emr }: RecordPorts,
  by: RecordQuery,
): Promise<RecordSearch> {
  if (emr) return emr.findPatient(by);
  const [record, ...more] = await database.db
    .select({
      id: sql<RecordId>`coalesce(${patientRecord.mergedInto}, ${patientRecord.id})`,
      firstName: patientRecord.firstName,
      lastName: patientRecord.lastName,
      birthDate: patientRecord.birthDate,
    })
    .from(patientRecord)
    .where(conditionOf(by, keyring))
    .limit(MOST_OF_ONE);
  if (!record) return { kind: 'none' };
  return more.some(({ id }) => id !== record.id) ? { kind: 'many' } : { kind: 'one', record };
}

/** A record of ours with its card; null when there is none, as when an EMR keeps the records. */
export async function ownRecord(db: Db, id: string) {
  const { firstName, lastName, birthDate, providerId, cardProvince, cardSealed } = patientRecord;
  const [row] = await db
    .select({ firstName, lastName, birthDate, providerId, cardProvince, cardSealed })
    .from(patientRecord)
    .where(eq(patientRecord.id, id));
  return row ?? null;
}

const conditionOf = (by: RecordQuery, keyring: Keyring): SQL | undefined =>
  'id' in by
    ? eq(patientRecord.id, by.id)
    : and(
        inArray(patientRecord.cardIndex, keyring.blindIndexes('card', by.cardNumber)),
        eq(patientRecord.cardProvince, by.cardProvince),
        eq(patientRecord.birthDate, by.birthDate),
      );

/** Opens a record of ours; false when the number has a record, which stays as it is. */
export async function insertRecord(
  tx: Tx,
  keyring: Keyring,
  { cardNumber, ...row }: NewPatientRecord,
): Promise<boolean> {
  const card = sealedCard(keyring, row.id, cardNumber).record;
  const opened = await tx
    .insert(patientRecord)
    .values({ ...row, ...card })
    .onConflictDoNothing({ target: patientRecord.id })
    .returning({ id: patientRecord.id });
  return opened.length > 0;
}

/** Writes what staff correct in a record of ours; there is none when an EMR keeps the records. */
export async function correctRecord(
  tx: Tx,
  id: string,
  change: Partial<Omit<typeof patientRecord.$inferInsert, 'id' | 'providerId'>>,
): Promise<void> {
  await tx.update(patientRecord).set(change).where(eq(patientRecord.id, id));
}

/** Whether a record of ours has the card, other than the record `but` and those merged into it. */
export async function isCardOfRecord(
  db: Db,
  { province, indexes }: { readonly province: string; readonly indexes: readonly Uint8Array[] },
  but: string,
): Promise<boolean> {
  const { id, cardProvince, cardIndex, mergedInto } = patientRecord;
  const isOther = and(ne(id, but), or(isNull(mergedInto), ne(mergedInto, but)));
  const has = and(eq(cardProvince, province), inArray(cardIndex, [...indexes]), isOther);
  return (await db.$count(patientRecord, has)) > 0;
}

/** The most responsible provider of a record, or none, and whether they practise here now. */
export interface PrimaryDoctor {
  readonly providerId: string | null;
  readonly active: boolean;
}

export async function primaryDoctorOf(
  { database: { db }, emr }: Pick<RecordPorts, 'database' | 'emr'>,
  recordId: string,
): Promise<PrimaryDoctor> {
  if (emr) {
    const providerId = await emr.responsibleProvider(recordId as RecordId);
    return { providerId, active: providerId !== null && (await statusOf(db, providerId)) === '1' };
  }
  const [row] = await db
    .select({ providerId: patientRecord.providerId, status: provider.status })
    .from(patientRecord)
    .leftJoin(provider, eq(provider.id, patientRecord.providerId))
    .where(eq(patientRecord.id, recordId));
  return { providerId: row?.providerId ?? null, active: row?.status === '1' };
}

/** As `primaryDoctorOf`; null when the EMR does not answer. */
export async function primaryDoctorIfKnown(
  ports: Pick<RecordPorts, 'database' | 'emr'>,
  recordId: string,
): Promise<PrimaryDoctor | null> {
  try {
    return await primaryDoctorOf(ports, recordId);
  } catch (error) {
    if (error instanceof EmrOffline) return null;
    throw error;
  }
}

/** Whether the patient's primary doctor practises here; 'unknown' where the EMR does not answer. */
export async function isDoctorActive(
  ports: Pick<RecordPorts, 'database' | 'emr'>,
  recordId: string,
): Promise<boolean | 'unknown'> {
  return (await primaryDoctorIfKnown(ports, recordId))?.active ?? 'unknown';
}

/** A provider's status, '1' for active; null for an unknown provider. */
export async function statusOf(db: Db, providerId: string): Promise<string | null> {
  const [row] = await db
    .select({ status: provider.status })
    .from(provider)
    .where(eq(provider.id, providerId));
  return row?.status ?? null;
}

/** False when the record is none of ours. */
export async function setPrimaryProvider(tx: Tx, recordId: string, providerId: string | null) {
  const changed = await tx
    .update(patientRecord)
    .set({ providerId })
    .where(eq(patientRecord.id, recordId))
    .returning({ id: patientRecord.id });
  return changed.length > 0;
}

/** Erases a record with those that were merged into it. */
export const eraseRecord = (recordId: string) =>
  part`delete from patient_record where id = ${recordId} or merged_into = ${recordId}`;

/** Erases which EMR record was the patient's; the clinic keeps or erases that EMR record itself. */
export const eraseEmrRecord = (recordId: string) =>
  part`delete from emr_record where record_id = ${recordId}`;

/** A record of ours that has no account. */
export interface RecordWhoBooks {
  readonly recordId: string;
  readonly eligibility: string;
}

/**
 * Locks a record and returns what booking needs of it; null when there is none, or another record
 * stands in its place. Until the transaction ends, opening an account for the record waits, and so does
 * another booking for it.
 */
export async function lockRecord(tx: Tx, recordId: string): Promise<RecordWhoBooks | null> {
  // Sent at once: statements that are sent along with it must come after it.
  const [row] = await statement<{ province: string; isMerged: boolean }>(tx, 'records-lock')`
    select card_province as province, merged_into is not null as "isMerged" from patient_record
     where id = ${recordId} for no key update`;
  return row && !row.isMerged ? { recordId, eligibility: eligibilityOfRecord(row.province) } : null;
}

/** The eligibility that an account opened for the record now would have. */
export const eligibilityOfRecord = (cardProvince: string): Eligibility =>
  eligibilityOfCard(isProvince(cardProvince) ? cardProvince : 'Other');

/** A record without an account, as a row like those of accounts, for other modules' statements. */
export const recordWhoBooks = ({ recordId, eligibility }: RecordWhoBooks) => part`(
  select null::uuid as id, ${recordId}::text as record_id, ${eligibility}::text as eligibility,
         false as family_doctor, false as booking_blocked, '{}'::text[] as blocked_providers,
         '{}'::text[] as disabled_types, false as documents_uploaded)`;

/** The records with the persons that they are of, for other modules' statements. */
export const RECORDS = part`(
  select id, first_name, last_name, birth_date, card_index, merged_into from patient_record)`;

/** Keeps which EMR record was opened for which record number of ours. */
export const openedRecords = ({ db }: Database) => ({
  async find(recordId: string) {
    const [row] = await db.select().from(emrRecord).where(eq(emrRecord.recordId, recordId));
    return row ?? null;
  },
  async named(emrId: string) {
    const [row] = await db.select().from(emrRecord).where(eq(emrRecord.emrId, emrId));
    return row?.recordId ?? null;
  },
  /** Call before asking the EMR to open one; false when it was asked after `since` or has opened it. */
  async ask(recordId: string, now: EpochSeconds, since: EpochSeconds) {
    const asked = await db
      .insert(emrRecord)
      .values({ recordId, askedAt: now })
      .onConflictDoUpdate({
        target: emrRecord.recordId,
        set: { askedAt: now },
        setWhere: sql`${emrRecord.emrId} is null and ${emrRecord.askedAt} <= ${since}`,
      })
      .returning({ recordId: emrRecord.recordId });
    return asked.length > 0;
  },
  async keep(recordId: string, emrId: string) {
    await db.update(emrRecord).set({ emrId }).where(eq(emrRecord.recordId, recordId));
  },
  async forget(recordId: string) {
    await db
      .delete(emrRecord)
      .where(and(eq(emrRecord.recordId, recordId), isNull(emrRecord.emrId)));
  },
});
