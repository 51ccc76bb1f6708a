import type { EpochSeconds } from '@clinic/domain';

import { type Db, type Tx, firstOf, hasRows, part, sql, writeLast } from '../../../database/db.ts';
import type { LaterParts } from '../../../platform.ts';
import { DERIVED_PREFIX } from '../appointment.ts';
import type { AccountRef, StoredAppointment } from '../appointment.ts';
import type { BeforeAct, staffAct } from '../schema.ts';
import { PAID_CENTS_COPY, change, own } from '../state-columns.store.ts';
import { FREED } from '../store.ts';

export type StaffAct = Readonly<typeof staffAct.$inferSelect>;
type NewAct = Omit<StaffAct, 'before' | 'undoneAt'> & { readonly before: BeforeAct };

export const insertAct = (tx: Tx, act: NewAct): void =>
  writeLast(
    tx,
    'staff-act-insert',
    part`
      insert into staff_act (id, staff_id, kind, subject, before, until_s)
      values (${act.id}::uuid, ${act.staffId}::uuid, ${act.kind}, ${act.subject}::uuid,
              ${JSON.stringify(act.before)}::text::jsonb, ${act.until}::bigint)`,
  );

/** Whose act it is, and the owner of its subject. */
export const actOf = (db: Db, id: string) =>
  firstOf(sql<Pick<StaffAct, 'staffId'> & AccountRef & Pick<StoredAppointment, 'recordId'>>(
    db,
    'staff-act-of',
  )`
    select a.staff_id as "staffId", c.patient_id as "patientId", c.record_id as "recordId"
      from staff_act a join appointment c on c.id = a.subject where a.id = ${id}::uuid`);

export const lockAct = (tx: Tx, id: string): Promise<StaffAct | null> =>
  firstOf(sql<StaffAct>(tx, 'staff-act-lock')`
    select id, staff_id as "staffId", kind, subject, before, until_s as until, undone_at_s as "undoneAt"
      from staff_act where id = ${id}::uuid for update`);

export const noteUndone = (tx: Tx, id: string, now: EpochSeconds): void =>
  writeLast(
    tx,
    'staff-act-undone',
    part`update staff_act set undone_at_s = ${now}::bigint, before = null where id = ${id}::uuid`,
  );

/** The act of a colleague that left an appointment as it stands, while they can undo it. */
export const undoableAct = (
  db: Db,
  { subject, staffId }: Pick<StaffAct, 'subject' | 'staffId'>,
  now: EpochSeconds,
) =>
  firstOf(sql<{ readonly act: string; readonly until: EpochSeconds }>(db, 'staff-act-undoable')`
    select a.id as act, a.until_s as until from staff_act a join appointment c on c.id = a.subject
     where a.subject = ${subject}::uuid and a.staff_id = ${staffId}::uuid
       and ${own.word} = case a.kind when 'cancel' then 'cancelled' else 'booked' end and a.undone_at_s is null
       and a.until_s > ${now}::bigint limit 1`);

/** Until when a cancellation may be undone; null where it may not, and where nothing is cancelled. */
export async function undoableUntil(
  tx: Tx,
  { id, state }: Pick<StoredAppointment, 'id' | 'state'>,
): Promise<EpochSeconds | null> {
  if (state !== 'cancelled') return null;
  const [act] = await sql<{ until: EpochSeconds }>(tx, 'staff-act-undoable-until')`
    select until_s as until from staff_act
     where subject = ${id}::uuid and kind = 'cancel' and undone_at_s is null
     order by until_s desc limit 1`;
  return act?.until ?? null;
}

/**
 * Gives up what staff booked, or held for a link, and frees its steps. Its request key stays where staff sent one,
 * so that their request books nothing when it comes late.
 */
export const giveUpBooking = (tx: Tx, id: string, now: EpochSeconds) =>
  hasRows(sql(tx, 'staff-act-give-up')`
    with gone as (${change(
      'undo',
      part`c.id = ${id}::uuid`,
      now,
      part`, answers_sealed = null, contact_preference = null, ${PAID_CENTS_COPY} = 0, ticklers = '{}',
           request_key = case when request_key like ${`${DERIVED_PREFIX}%`} then null else request_key end`,
    )} returning c.id), ${FREED}
    select id from gone`);

/** The money of an appointment goes back to the one that had moved. */
export const moveMoneyBack = (
  tx: Tx,
  { moneyMoved }: LaterParts,
  { from, to }: { readonly from: string; readonly to: string },
  now: EpochSeconds,
) =>
  sql(tx, 'staff-act-move-money-back')`
    with ended as (select ${from}::uuid as id, ${to}::uuid as moved_to, ${now}::bigint as at_s)
    ${moneyMoved}`;

/** Has what was paid for an appointment stay, as it is not cancelled after all; returns how much, in cents. */
export async function restoreMoney(
  tx: Tx,
  { moneyRestored }: LaterParts,
  id: string,
  now: EpochSeconds,
): Promise<number> {
  const stays = await sql<{ amountCents: number }>(tx, 'staff-act-restore-money')`
    with undone as (select ${id}::uuid as id, ${now}::bigint as at_s),
    money as (${moneyRestored})
    select amount_cents as "amountCents" from money`;
  return stays.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Whether the time of an appointment has been closed since it was made. */
export const isTimeClosed = (tx: Tx, { inClosedTime }: LaterParts, id: string): Promise<boolean> =>
  hasRows(sql(tx, 'staff-act-time-closed')`
    select from appointment c where c.id = ${id}::uuid and ${inClosedTime}`);

/** The acts that may still be undone. */
export const MAY_BE_UNDONE = (now: EpochSeconds) => part`(
  select subject, until_s from staff_act where undone_at_s is null and until_s > ${now}::bigint)`;

/** Empties acts that can no longer be undone, and deletes those of more than a day ago. */
export const spentStaffActs = (now: EpochSeconds) => part`
  with emptied as (
    update staff_act set before = null where until_s <= ${now}::bigint and before is not null)
  delete from staff_act where until_s < ${now - 86_400}::bigint`;
