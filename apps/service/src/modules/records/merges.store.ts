import type { EpochSeconds } from '@clinic/domain';
import { type Db, type Tx, firstOf, sql } from '../../database/db.ts';
import { type RecordWhoBooks, eligibilityOfRecord } from './patient-records.store.ts';
import type { MovedAppointment } from './schema.ts';

/** How long a merge can be undone, in seconds. */
export const UNDO_FOR = 30 * 24 * 60 * 60;

/** The record that stands in place of a merged record; any other record stands for itself. */
export async function standingRecord(db: Db, recordId: string): Promise<string> {
  const [row] = await sql<{ into: string | null }>(db, 'records-standing')`
    select merged_into as "into" from patient_record where id = ${recordId}`;
  return row?.into ?? recordId;
}

/**
 * Locks a record and returns what booking needs of it; null when there is none, or another record
 * stands in its place. Until the transaction ends, opening an account for the record waits, and so does
 * another booking for it.
 */
export async function lockRecord(tx: Tx, recordId: string): Promise<RecordWhoBooks | null> {
  // Sent at once: statements that are sent along with it must come after it.
  const [row] = await sql<{ province: string; isMerged: boolean }>(tx, 'records-lock')`
    select card_province as province, merged_into is not null as "isMerged" from patient_record
     where id = ${recordId} for no key update`;
  return row && !row.isMerged ? { recordId, eligibility: eligibilityOfRecord(row.province) } : null;
}

interface Merge {
  readonly id: string;
  readonly recordId: string;
  readonly intoRecordId: string;
  readonly appointments: readonly MovedAppointment[];
  readonly at: EpochSeconds;
}

/** Records a merge of two locked records. Records merged into `recordId` before now point to the other. */
export async function keepMerge(
  tx: Tx,
  { id, recordId, intoRecordId, appointments, at }: Merge,
): Promise<void> {
  await sql(tx, 'records-keep-merge')`
    insert into record_merge (id, record_id, into_record_id, appointments, at_s)
    values (${id}, ${recordId}, ${intoRecordId}, ${JSON.stringify(appointments)}::jsonb, ${at})`;
  await sql(tx, 'records-merge-into')`
    update patient_record set merged_into = ${intoRecordId}
     where id = ${recordId} or merged_into = ${recordId}`;
}

interface MergedRecord extends Pick<Merge, 'id' | 'recordId' | 'at'> {
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
}

/** The merges into a record that can be undone, the newest first. */
export const mergesInto = (db: Db, recordId: string, now: EpochSeconds) =>
  sql<MergedRecord>(db, 'records-merges-into')`
    select m.id, m.record_id as "recordId", m.at_s as at, r.first_name as "firstName",
           r.last_name as "lastName", r.birth_date::text as "birthDate"
      from record_merge m join patient_record r on r.id = m.record_id
     where m.into_record_id = ${recordId} and m.undone_at_s is null and m.at_s > ${now - UNDO_FOR}
     order by m.at_s desc, m.id`;

/** A merge, whether it can be undone or not; locked until the transaction is over. */
export const lockMerge = (tx: Tx, id: string) =>
  firstOf(sql<Merge & { readonly undoneAt: EpochSeconds | null }>(tx, 'merge-lock')`
    select id, record_id as "recordId", into_record_id as "intoRecordId", appointments, at_s as at,
           undone_at_s as "undoneAt"
      from record_merge where id = ${id}::uuid for update`);

/** Undoes a merge: the record stands for itself again, and for all that was merged into it before. */
export async function endMerge(
  tx: Tx,
  { id, recordId }: Pick<Merge, 'id' | 'recordId'>,
  now: EpochSeconds,
): Promise<void> {
  await sql(tx, 'records-merge-undone')`
    update record_merge set undone_at_s = ${now} where id = ${id}`;
  await sql(tx, 'records-unmerge')`
    update patient_record set merged_into = null where id = ${recordId}`;
  await sql(tx, 'records-end-merge')`
    with recursive theirs as (
      select record_id from record_merge where into_record_id = ${recordId} and undone_at_s is null
       union
      select earlier.record_id from record_merge earlier
        join theirs on earlier.into_record_id = theirs.record_id
       where earlier.undone_at_s is null)
    update patient_record set merged_into = ${recordId} where id in (select record_id from theirs)`;
}

/** The other numbers under which the trail may name a record: of those merged into it, and its chart's. */
export async function otherNumbers(db: Db, recordId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>(db, 'records-other-numbers')`
    select id from patient_record where merged_into = ${recordId}
    union
    select emr_id from emr_record where record_id = ${recordId} and emr_id is not null`;
  return rows.map(({ id }) => id);
}
