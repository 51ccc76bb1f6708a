import type { EpochSeconds } from '@clinic/domain';
import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import { appointments, moveToRecord, returnToRecord } from '../appointments/index.ts';
import {
  UNDO_FOR,
  endMerge,
  keepMerge,
  lockMerge,
  lockRecord,
  standingRecord,
} from '../records/index.ts';
import {
  type Person,
  accountsOfRecords,
  endLinksOf,
  personOf,
  refusedByStanding,
} from '../accounts/index.ts';

// Merges two records of one person. An account never moves to another record: the record that has, or
// had, an account stays, and two records that each have, or had, an account are not merged.

/** Which of two records stays: the one that has, or had, an account, or else the first; with its open account. */
async function sidesOf(db: Db, one: string, other: string) {
  const accounts = await accountsOfRecords(db, [one, other]);
  const kept = accounts[0]?.recordId ?? one;
  if (accounts.some(({ recordId }) => recordId !== kept)) return refuse('bothHaveAccounts');
  const open = accounts.find(({ closedAt }) => closedAt === null);
  return { kept, gone: kept === one ? other : one, patientId: open?.id ?? null };
}

/** What merging would do; nothing is changed. */
export async function previewMerge(
  platform: Platform,
  one: string,
  other: string,
  now: EpochSeconds,
) {
  const { db } = platform.database;
  const found = await peopleOf(platform, await personOf(db, one), await personOf(db, other));
  if (!('kept' in found)) return found;
  const refused = await refusedBySides(db, found.kept.recordId, found.gone.recordId, now);
  return refused ?? found;
}

/** A record is not joined with an account of which it is not sure whose it is. */
async function refusedBySides(db: Db, kept: string, gone: string, now: EpochSeconds) {
  for (const { id } of await accountsOfRecords(db, [kept, gone])) {
    const refused = await refusedByStanding(db, id, 'join', now);
    if (refused !== null) return refused;
  }
  return null;
}

/** Whose record stays, and whose is merged into it. */
async function peopleOf({ database, emr }: Platform, first: Person | null, second: Person | null) {
  if (emr !== null) return refuse('changedInEmr');
  if (first === null || second === null) return refuse('notFound');
  if (first.recordId === second.recordId) return refuse('sameRecord');
  // An invitation asks for the record's card, so without accounts the record with a card stays.
  const hasSecondAlone = first.cardSealed === null && second.cardSealed !== null;
  const [preferred, rest] = hasSecondAlone ? [second, first] : [first, second];
  const sides = await sidesOf(database.db, preferred.recordId, rest.recordId);
  if (!('kept' in sides)) return sides;
  return sides.kept === first.recordId
    ? { kept: first, gone: second }
    : { kept: second, gone: first };
}

/** Merges two records and returns the one that stays; a retry after a lost answer returns the same. */
export async function mergePatients(
  platform: Platform,
  one: string,
  other: string,
  { actor, now }: Who,
): Promise<string | Refusal> {
  const { database, ids, appendAudit, parts } = platform;
  // They are read once: who merged them meanwhile is found under the lock.
  const [first, second] = [await personOf(database.db, one), await personOf(database.db, other)];
  const isGone = async (named: string) => (await standingRecord(database.db, named)) !== named;
  if (first !== null && first.recordId === second?.recordId)
    return (await isGone(one)) || (await isGone(other)) ? first.recordId : refuse('sameRecord');
  const asked = await peopleOf(platform, first, second);
  if (!('kept' in asked)) return asked;
  const { kept, gone } = { kept: asked.kept.recordId, gone: asked.gone.recordId };
  return database.inTransaction<string | Refusal>(async (tx, rollBack) => {
    // Ends the links of the merged record, after waiting for an account that one of them is opening.
    await endLinksOf(tx, gone, now);
    for (const each of [kept, gone].toSorted())
      // The record of an account may not exist yet: the family-doctor question opens it.
      if ((await lockRecord(tx, each)) === null && !(each === kept && asked.kept.account !== null))
        return rollBack(refuse('changedMeanwhile'));
    const sides = await sidesOf(tx, kept, gone);
    if (!('kept' in sides)) return rollBack(sides);
    if (sides.kept !== kept) return rollBack(refuse('changedMeanwhile'));
    const { patientId } = sides;
    if (patientId !== null) await appointments.lockPatient(tx, parts, patientId);
    const refused = await refusedBySides(tx, kept, gone, now);
    if (refused !== null) return rollBack(refused);
    const moved = await moveToRecord(tx, gone, { recordId: kept, patientId });
    const merge = { id: ids.uuid(), recordId: gone, intoRecordId: kept, appointments: moved };
    await keepMerge(tx, { ...merge, at: now });
    await appendAudit(tx, {
      actor,
      action: 'records merged',
      subject: `record:${kept}`,
      details: { record: gone, appointments: moved.length },
      at: now,
    });
    return kept;
  });
}

/** Undoes a merge and returns the restored record. Later bookings stay with the record they were made for. */
export async function undoMerge(
  { database, parts, appendAudit, emr }: Platform,
  id: string,
  { actor, now }: Who,
): Promise<string | Refusal> {
  if (emr !== null) return refuse('changedInEmr');
  return database.inTransaction<string | Refusal>(async (tx) => {
    const merge = await lockMerge(tx, id);
    if (merge === null) return refuse('notFound');
    const { recordId, intoRecordId: kept } = merge;
    if (merge.undoneAt !== null) return recordId;
    await lockRecord(tx, kept);
    // The record that it was merged into was merged itself since: that merge must be undone first.
    const isHidden = (await standingRecord(tx, kept)) !== kept;
    if (isHidden || merge.at <= now - UNDO_FOR) return refuse('mergeOver');
    const [account] = await accountsOfRecords(tx, [kept]);
    if (account) await appointments.lockPatient(tx, parts, account.id);
    await returnToRecord(tx, recordId, merge.appointments);
    await endMerge(tx, merge, now);
    await appendAudit(tx, {
      actor,
      action: 'merge of records undone',
      subject: `record:${kept}`,
      details: { record: recordId },
      at: now,
    });
    return recordId;
  });
}
