import { type Db, type Tx, part, sql } from '../../database/db.ts';

/** Of one act what was asked for, as JSON. */
type Asked = Readonly<Record<string, unknown>>;

export interface WaitingAct {
  readonly id: string;
  readonly act: 'export' | 'invite';
  /** The member of staff. */
  readonly askedBy: string;
  readonly askedAt: number;
  readonly waitsUntil: number;
  readonly asked: Asked;
  /** How many people an export shows. */
  readonly people: number;
  /** Null while it waits, and of an export that can be fetched. */
  readonly outcome: 'done' | 'stopped' | 'failed' | null;
  readonly overAt: number | null;
  readonly stoppedBy: string | null;
}

/** How long an export can be fetched, and how long its asker is shown what became of an act. */
export const KEPT_SECONDS = 24 * 60 * 60;
const MONTH = 30 * 24 * 60 * 60;

const COLUMNS = part`
  id, act, asked_by as "askedBy", asked_at_s as "askedAt", waits_until_s as "waitsUntil", asked, people,
  outcome, over_at_s as "overAt", stopped_by as "stoppedBy"`;

type NewAct = Omit<WaitingAct, 'outcome' | 'overAt' | 'stoppedBy'>;

export const insertAct = (tx: Tx, { id, act, asked, people, ...by }: NewAct) =>
  sql(tx, 'acts-insert')`
    insert into waiting_act (id, act, asked_by, asked_at_s, waits_until_s, asked, people)
    values (${id}::uuid, ${act}, ${by.askedBy}::uuid, ${by.askedAt}, ${by.waitsUntil},
            ${JSON.stringify(asked)}::text::jsonb, ${people})`;

/** What can still be stopped, whoever asked, and what somebody asked for themselves within a day. */
export const shownActs = (db: Db, staffId: string, now: number): Promise<WaitingAct[]> =>
  sql<WaitingAct>(db, 'acts-shown')`
    select ${COLUMNS} from waiting_act
     where waits_until_s > ${now - KEPT_SECONDS}
       and (asked_by = ${staffId}::uuid or outcome is null and waits_until_s > ${now})
     order by asked_at_s desc, id`;

/** The same act, asked for by the same person, that waits or of which they have not had the export long. */
export async function sameAct(
  db: Db,
  { act, askedBy, asked }: Pick<WaitingAct, 'act' | 'askedBy' | 'asked'>,
  now: number,
): Promise<WaitingAct | null> {
  const [row] = await sql<WaitingAct>(db, 'acts-same')`
    select ${COLUMNS} from waiting_act
     where act = ${act} and asked_by = ${askedBy}::uuid and outcome is null
       and waits_until_s > ${now - KEPT_SECONDS} and asked = ${JSON.stringify(asked)}::text::jsonb
     order by asked_at_s desc limit 1`;
  return row ?? null;
}

export async function actById(db: Db, id: string): Promise<WaitingAct | null> {
  const [row] = await sql<WaitingAct>(db, 'acts-by-id')`
    select ${COLUMNS} from waiting_act where id = ${id}::uuid`;
  return row ?? null;
}

/** Stops what waits; null when there is nothing to stop. */
export async function stopAct(
  tx: Tx,
  { id, by, now }: { readonly id: string; readonly by: string; readonly now: number },
): Promise<WaitingAct | null> {
  const [row] = await sql<WaitingAct>(tx, 'acts-stop')`
    update waiting_act set outcome = 'stopped', over_at_s = ${now}, stopped_by = ${by}::uuid
     where id = ${id}::uuid and outcome is null and waits_until_s > ${now}
    returning ${COLUMNS}`;
  return row ?? null;
}

/** An invitation whose time has come, which nobody else carries out until the transaction ends. */
export async function takeDueInvitation(tx: Tx, now: number): Promise<WaitingAct | null> {
  const [row] = await sql<WaitingAct>(tx, 'acts-due')`
    select ${COLUMNS} from waiting_act
     where act = 'invite' and outcome is null and waits_until_s <= ${now}
     order by waits_until_s, id limit 1 for update skip locked`;
  return row ?? null;
}

export const endAct = (tx: Tx, id: string, outcome: 'done' | 'failed', now: number) =>
  sql(tx, 'acts-end')`
    update waiting_act set outcome = ${outcome}, over_at_s = ${now} where id = ${id}::uuid`;

/** Deletes acts that waited more than a month ago: the trail keeps who asked and who stopped. */
export const spentActs = (now: number) =>
  part`delete from waiting_act where waits_until_s < ${now - MONTH}`;
