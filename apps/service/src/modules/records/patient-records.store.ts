import {
  type Eligibility,
  type EpochSeconds,
  UNSURE_CHARTS,
  eligibilityOfCard,
  isProvince,
} from '@clinic/domain';
import { type SQL, and, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { type Database, type Db, type Tx, firstOf, hasRows, part } from '../../database/db.ts';
import { lockWord } from '../../database/shared-names.store.ts';
import type { Platform } from '../../platform.ts';
import { type Keyring, sealedCard } from '../../security/keyring.ts';
import {
  EmrOffline,
  type NewPatientRecord,
  type RecordId,
  type RecordQuery,
  type RecordSearch,
} from './emr.ts';
import { emrRecord, emrUnclearRecord, patientRecord, provider } from './schema.ts';

/** More records than one person has, merged ones included. */
const MOST_OF_ONE = 10;

/** Inside a transaction, `database.db` is the transaction. */
type RecordPorts = Pick<Platform, 'keyring' | 'emr'> & {
  readonly database: Pick<Database, 'db'>;
};

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

/** One of our records with its card; null when there is none, as when an EMR keeps the records. */
export function ownRecord(db: Db, id: string) {
  const { firstName, lastName, birthDate, providerId, cardProvince, cardSealed } = patientRecord;
  const shown = { firstName, lastName, birthDate, providerId, cardProvince, cardSealed };
  return firstOf(db.select(shown).from(patientRecord).where(eq(patientRecord.id, id)));
}

const conditionOf = (by: RecordQuery, keyring: Keyring): SQL | undefined =>
  'id' in by
    ? eq(patientRecord.id, by.id)
    : and(
        inArray(patientRecord.cardIndex, keyring.blindIndexes('card', by.cardNumber)),
        eq(patientRecord.cardProvince, by.cardProvince),
        eq(patientRecord.birthDate, by.birthDate),
      );

/** Opens a record here; false when the number has a record, which stays as it is. */
export function insertRecord(
  tx: Tx,
  keyring: Keyring,
  { cardNumber, ...row }: NewPatientRecord,
): Promise<boolean> {
  const { id } = patientRecord;
  const values = { ...row, ...sealedCard(keyring, row.id, cardNumber).record };
  return hasRows(
    tx.insert(patientRecord).values(values).onConflictDoNothing({ target: id }).returning({ id }),
  );
}

/** Writes what staff correct in one of our records; there is none when an EMR keeps the records. */
export const correctRecord = (
  tx: Tx,
  id: string,
  change: Partial<Omit<typeof patientRecord.$inferInsert, 'id' | 'providerId'>>,
) => tx.update(patientRecord).set(change).where(eq(patientRecord.id, id));

/** Whether one of our records has the card, other than the record `but` and those merged into it. */
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
  { database, emr }: Pick<RecordPorts, 'database' | 'emr'>,
  recordId: string,
  db: Db = database.db,
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

/** False when there is no such record here. */
export function setPrimaryProvider(tx: Tx, recordId: string, providerId: string | null) {
  const { id } = patientRecord;
  return hasRows(
    tx.update(patientRecord).set({ providerId }).where(eq(id, recordId)).returning({ id }),
  );
}

/** Erases a record with those that were merged into it. */
export const eraseRecord = (recordId: string) =>
  part`delete from patient_record where id = ${recordId} or merged_into = ${recordId}`;

/** Erases which EMR record was the patient's; the clinic keeps or erases that EMR record itself. */
export const eraseEmrRecord = (recordId: string) =>
  part`with waiting as (delete from emr_unclear_record where record_id = ${recordId})
       delete from emr_record where record_id = ${recordId}`;

/** The eligibility that an account opened for the record now would have. */
export const eligibilityOfRecord = (cardProvince: string): Eligibility =>
  eligibilityOfCard(isProvince(cardProvince) ? cardProvince : 'Other');

/** One of our records that has no account. */
export interface RecordWhoBooks {
  readonly recordId: string;
  readonly eligibility: string;
}

/** A record without an account, as a row like those of accounts, for other modules' statements. */
export const recordWhoBooks = ({ recordId, eligibility }: RecordWhoBooks) => part`(
  select null::uuid as id, ${recordId}::text as record_id, ${eligibility}::text as eligibility,
         false as family_doctor, null::json as account, '{}'::text[] as blocked_providers,
         '{}'::text[] as disabled_types, false as documents_uploaded)`;

/** The records with the persons that they are of, for other modules' statements. */
export const RECORDS = part`(
  select id, first_name, last_name, birth_date, card_province, card_index, card_sealed, merged_into,
         written_at_s
    from patient_record)`;

/** The EMR's numbers of our records, for other modules' statements. */
export const CHARTS = part`(select record_id, emr_id from emr_record where emr_id is not null)`;

/** The EMR's number of one of our records; null while it has none. */
export async function chartOf(db: Db, recordId: string): Promise<string | null> {
  const [row] = await db.select().from(emrRecord).where(eq(emrRecord.recordId, recordId));
  return row?.emrId ?? null;
}

/** A number of the EMR's. An account that was opened for a chart has such a number for its record. */
const IS_CHART = /^[1-9]\d{0,9}$/;

/** As `chartOf`, for the record of an account: that of an older one may be the EMR's number itself. */
export const chartOfRecord = async (db: Db, recordId: string): Promise<string | null> =>
  (await chartOf(db, recordId)) ?? (IS_CHART.test(recordId) ? recordId : null);

/** The record that a chart is known to be, or null. An older account's may be its number itself. */
export async function recordOfChart(db: Db, chart: string): Promise<string | null> {
  const [row] = await db.select().from(emrRecord).where(eq(emrRecord.emrId, chart));
  return row?.recordId ?? null;
}

/**
 * Gives a record its chart; what it had before is kept, as appointments may stand there. False, without a
 * change, where the chart is another record's, or `unlessOther` and the record has another.
 */
export async function takeChart(
  tx: Tx,
  { recordId, chart }: ForChart,
  now: EpochSeconds,
  unlessOther = false,
): Promise<boolean> {
  await lockForChart(tx, { recordId, chart });
  const whose = await recordOfChart(tx, chart);
  if (whose !== null && whose !== recordId) return false;
  const before = await chartOfRecord(tx, recordId);
  if (unlessOther && before !== null && before !== chart) return false;
  const left = before === null || before === chart ? [] : [before];
  await tx
    .insert(emrRecord)
    .values({ recordId, emrId: chart, askedAt: now, earlier: left })
    .onConflictDoUpdate({
      target: emrRecord.recordId,
      set: { emrId: chart, earlier: sql`${emrRecord.earlier} || excluded.earlier` },
    });
  return true;
}

interface ForChart {
  readonly recordId: string;
  readonly chart: string;
}

/** Another transaction that gives the same record or the same chart waits until this one is over. */
export async function lockForChart(tx: Tx, { recordId, chart }: ForChart): Promise<void> {
  await lockWord(`emr-record:${recordId}`, tx);
  await lockWord(`emr:${chart}`, tx);
}

/** Takes its chart from a record whose account is closed; what stands there is still found. */
export async function leaveChart(tx: Tx, recordId: string): Promise<void> {
  await tx
    .update(emrRecord)
    .set({ emrId: null, earlier: sql`array_append(${emrRecord.earlier}, ${emrRecord.emrId})` })
    .where(and(eq(emrRecord.recordId, recordId), isNotNull(emrRecord.emrId)));
}

/** Keeps which EMR record was opened for which of our record numbers. */
export const openedRecords = ({ db, inTransaction }: Pick<Database, 'db' | 'inTransaction'>) => ({
  find: (recordId: string) =>
    firstOf(db.select().from(emrRecord).where(eq(emrRecord.recordId, recordId))),
  named: (emrId: string) => recordOfChart(db, emrId),
  take: (recordId: string, chart: string, now: EpochSeconds) =>
    inTransaction((tx) => takeChart(tx, { recordId, chart }, now, true)),
  /** Call before asking the EMR to open one; false when it was asked after `since` or has opened it. */
  ask: (recordId: string, now: EpochSeconds, since: EpochSeconds) =>
    hasRows(
      db
        .insert(emrRecord)
        .values({ recordId, askedAt: now })
        .onConflictDoUpdate({
          target: emrRecord.recordId,
          set: { askedAt: now },
          setWhere: sql`${emrRecord.emrId} is null and ${emrRecord.askedAt} <= ${since}`,
        })
        .returning({ recordId: emrRecord.recordId }),
    ),
  async keep(recordId: string, emrId: string) {
    await db.update(emrRecord).set({ emrId }).where(isWithoutChart(recordId));
  },
  async forget(recordId: string) {
    await db.delete(emrRecord).where(isWithoutChart(recordId));
  },
});

const isWithoutChart = (recordId: string) =>
  and(eq(emrRecord.recordId, recordId), isNull(emrRecord.emrId));

/** The numbers of the EMR's records that staff say not to be this one. */
export const apartInEmr = async (db: Db, recordId: string): Promise<readonly string[]> =>
  (await unclearInEmr(db, recordId)).apart;

/** What is known of a record's chart where it was, or is, not sure. */
export async function unclearInEmr(db: Db, recordId: string) {
  const [row] = await db
    .select()
    .from(emrUnclearRecord)
    .where(eq(emrUnclearRecord.recordId, recordId));
  const { apart = [], at = null, decidedAt = null, why = null } = row ?? {};
  const known = UNSURE_CHARTS.find((each) => each === why) ?? null;
  return { apart, waitsSince: decidedAt === null ? at : null, why: known };
}

/** Has a record wait until staff say whose it is in the EMR; false where it waits already. */
export const waitUnclear = (
  tx: Tx,
  recordId: string,
  why: string | null,
  at: EpochSeconds,
): Promise<boolean> =>
  hasRows(
    tx
      .insert(emrUnclearRecord)
      .values({ recordId, at, why })
      .onConflictDoUpdate({
        target: emrUnclearRecord.recordId,
        set: { at, why, decidedAt: null },
        setWhere: isNotNull(emrUnclearRecord.decidedAt),
      })
      .returning({ recordId: emrUnclearRecord.recordId }),
  );

/** Notes what staff decided, and the EMR's records that they say to be of others; false when nothing waited. */
export async function endUnclear(
  tx: Tx,
  recordId: string,
  apartFrom: readonly string[],
  decidedAt: EpochSeconds,
): Promise<boolean> {
  const [row] = await tx
    .select()
    .from(emrUnclearRecord)
    .where(and(eq(emrUnclearRecord.recordId, recordId), isNull(emrUnclearRecord.decidedAt)))
    .for('update');
  if (row === undefined) return false;
  const apart = [...new Set([...row.apart, ...apartFrom])];
  await tx
    .update(emrUnclearRecord)
    .set({ apart, decidedAt })
    .where(eq(emrUnclearRecord.recordId, recordId));
  return true;
}

/** The records that wait for staff to say whose they are in the EMR, for other modules' statements. */
export const UNCLEAR_IN_EMR = part`(
  select record_id, at_s, why from emr_unclear_record where decided_at_s is null)`;
