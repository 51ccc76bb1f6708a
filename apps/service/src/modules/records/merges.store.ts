import type { EpochSeconds } from '@clinic/domain';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { type Db, type Tx, sql as statement } from '../../database/db.ts';
import { type MovedAppointment, patientRecord, recordMerge } from './schema.ts';

/** How long a merge can be undone, in seconds. */
export const UNDO_FOR = 30 * 24 * 60 * 60;

/** The record that stands in place of a merged record; any other record stands for itself. */
export async function standingRecord(db: Db, recordId: string): Promise<string> {
  const [row] = await db
    .select({ into: patientRecord.mergedInto })
    .from(patientRecord)
    .where(eq(patientRecord.id, recordId));
  return row?.into ?? recordId;
}

interface Merge {
  readonly id: string;
  readonly recordId: string;
  readonly intoRecordId: string;
  readonly appointments: readonly MovedAppointment[];
  readonly at: EpochSeconds;
}

/** Records a merge of two locked records. Records merged into `recordId` before now point to the other. */
export async function keepMerge(tx: Tx, merge: Merge): Promise<void> {
  const { recordId, intoRecordId: mergedInto } = merge;
  await tx.insert(recordMerge).values({ ...merge, appointments: [...merge.appointments] });
  await tx
    .update(patientRecord)
    .set({ mergedInto })
    .where(sql`${patientRecord.id} = ${recordId} or ${patientRecord.mergedInto} = ${recordId}`);
}

/** The merges into a record that can be undone, the newest first. */
export function mergesInto(db: Db, recordId: string, now: EpochSeconds) {
  const { id, at, recordId: gone } = recordMerge;
  const { firstName, lastName, birthDate } = patientRecord;
  return db
    .select({ id, at, recordId: gone, firstName, lastName, birthDate })
    .from(recordMerge)
    .innerJoin(patientRecord, eq(patientRecord.id, gone))
    .where(and(eq(recordMerge.intoRecordId, recordId), canBeUndone(now)))
    .orderBy(sql`${at} desc`, id);
}

const canBeUndone = (now: EpochSeconds) =>
  and(isNull(recordMerge.undoneAt), gt(recordMerge.at, now - UNDO_FOR));

/** A merge, whether it can be undone or not; locked until the transaction is over. */
export async function lockMerge(tx: Tx, id: string) {
  const [merge] = await tx.select().from(recordMerge).where(eq(recordMerge.id, id)).for('update');
  return merge ?? null;
}

/** Undoes a merge: the record stands for itself again, and for all that was merged into it before. */
export async function endMerge(
  tx: Tx,
  { id, recordId }: Pick<Merge, 'id' | 'recordId'>,
  now: EpochSeconds,
): Promise<void> {
  await tx.update(recordMerge).set({ undoneAt: now }).where(eq(recordMerge.id, id));
  await tx.update(patientRecord).set({ mergedInto: null }).where(eq(patientRecord.id, recordId));
  await statement(tx, 'records-end-merge')`
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
  const rows = await statement<{ id: string }>(db, 'records-other-numbers')`
    select id from patient_record where merged_into = ${recordId}
    union
    select emr_id from emr_record where record_id = ${recordId} and emr_id is not null`;
  return rows.map(({ id }) => id);
}
