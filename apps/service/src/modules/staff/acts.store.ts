import { columnsOf } from '../../database/column-types.ts';
import { type Db, type Tx, firstOf, part, sql } from '../../database/db.ts';
import { waitingAct } from './schema.ts';

export type WaitingAct = Readonly<typeof waitingAct.$inferSelect>;

/** How long an export can be fetched, and how long its asker is shown what became of an act. */
export const KEPT_SECONDS = 24 * 60 * 60;
const MONTH = 30 * 24 * 60 * 60;

const ACTS = part`select ${columnsOf(waitingAct, 'a')} from waiting_act a`;

type NewAct = Omit<WaitingAct, 'outcome' | 'overAt' | 'stoppedBy'>;

export const insertAct = (tx: Tx, { id, act, asked, people, ...by }: NewAct) =>
  sql(tx, 'acts-insert')`
    insert into waiting_act (id, act, asked_by, asked_at_s, waits_until_s, asked, people)
    values (${id}::uuid, ${act}, ${by.askedBy}::uuid, ${by.askedAt}, ${by.waitsUntil},
            ${JSON.stringify(asked)}::text::jsonb, ${people})`;

/** Acts of all staff that can still be stopped, and the member's own acts of the last day. */
export const shownActs = (db: Db, staffId: string, now: number): Promise<WaitingAct[]> =>
  sql<WaitingAct>(db, 'acts-shown')`
    ${ACTS}
     where waits_until_s > ${now - KEPT_SECONDS}
       and (asked_by = ${staffId}::uuid or outcome is null and waits_until_s > ${now})
     order by asked_at_s desc, id`;

/** The same act, asked for by the same person, that waits or of which they have not had the export long. */
export const sameAct = (
  db: Db,
  { act, askedBy, asked }: Pick<WaitingAct, 'act' | 'askedBy' | 'asked'>,
  now: number,
) =>
  firstOf(sql<WaitingAct>(db, 'acts-same')`
    ${ACTS}
     where act = ${act} and asked_by = ${askedBy}::uuid and outcome is null
       and waits_until_s > ${now - KEPT_SECONDS} and asked = ${JSON.stringify(asked)}::text::jsonb
     order by asked_at_s desc limit 1`);

export const actById = (db: Db, id: string) =>
  firstOf(sql<WaitingAct>(db, 'acts-by-id')`
    ${ACTS} where id = ${id}::uuid`);

/** Stops what waits; null when there is nothing to stop. */
export const stopAct = (
  tx: Tx,
  { id, by, now }: { readonly id: string; readonly by: string; readonly now: number },
) =>
  firstOf(sql<WaitingAct>(tx, 'acts-stop')`
    update waiting_act a set outcome = 'stopped', over_at_s = ${now}, stopped_by = ${by}::uuid
     where id = ${id}::uuid and outcome is null and waits_until_s > ${now}
    returning ${columnsOf(waitingAct, 'a')}`);

/** An invitation whose time has come, which nobody else carries out until the transaction ends. */
export const takeDueInvitation = (tx: Tx, now: number) =>
  firstOf(sql<WaitingAct>(tx, 'acts-due')`
    ${ACTS}
     where act = 'invite' and outcome is null and waits_until_s <= ${now}
     order by waits_until_s, id limit 1 for update skip locked`);

export const endAct = (tx: Tx, id: string, outcome: 'done' | 'failed', now: number) =>
  sql(tx, 'acts-end')`
    update waiting_act set outcome = ${outcome}, over_at_s = ${now} where id = ${id}::uuid`;

/** Deletes acts that waited more than a month ago: the trail keeps who asked and who stopped. */
export const spentActs = (now: number) =>
  part`delete from waiting_act where waits_until_s < ${now - MONTH}`;
