import { type DateSpan, type EpochSeconds, MOST_APPOINTMENTS, type Span } from '@clinic/domain';

import { type Db, type Tx, hasRows, part, sql } from '../../../database/db.ts';
import { DESK_APPOINTMENTS } from '../../appointments/index.ts';
import { PROVIDERS } from '../../records/index.ts';

/** A standing appointment whose row the EMR lacks, or has without our key; at the place where it stands. */
export interface Gone {
  readonly id: string;
  readonly listedAt: EpochSeconds | null;
  /** When staff kept it, or the EMR had its row without a key that could be written. */
  readonly keptAt: EpochSeconds | null;
  /** So many went at about the same time that none of them ends by itself. */
  readonly isOfMany: boolean;
}

type Place = Pick<Span, 'providerId' | 'start'> & { readonly id: string };

/** How long somebody has to put it back, or to press at the desk, before it ends by itself. */
export const UNDECIDED_SECONDS = 600;
/** What goes within this long of each other is of one cause, such as a backup that was put back. */
const TOGETHER_SECONDS = 120;
const DAY = 86_400;

/** What `g` says is stale once its appointment has moved or ended, or is being cancelled. */
const STANDS = part`exists (
  select from ${DESK_APPOINTMENTS} a
   where a.id = g.appointment_id and a.provider_id = g.provider_id and a.start_s = g.start_s
     and a.is_booked and not a.is_cancelling)`;
const IS_OF_MANY = part`(
  select count(*) from emr_gone o
   where o.gone_at_s between g.gone_at_s - ${TOGETHER_SECONDS} and g.gone_at_s + ${TOGETHER_SECONDS}
     and (o.kept_at_s is null or o.listed_at_s is not null)) > ${MOST_APPOINTMENTS}`;
const isOf = ({ id, providerId, start }: Place) => part`
  g.appointment_id = ${id}::uuid and g.provider_id = ${providerId} and g.start_s = ${start}`;

/** The standing ones that have not begun, the longest missed first. */
export const goneAppointments = (db: Db, now: EpochSeconds): Promise<Gone[]> =>
  sql<Gone>(db, 'gone-appointments')`
    select g.appointment_id as id, g.listed_at_s as "listedAt", g.kept_at_s as "keptAt",
           ${IS_OF_MANY} as "isOfMany"
      from emr_gone g where g.start_s > ${now} and ${STANDS} order by g.gone_at_s, g.appointment_id`;

/** Of module `desk`: what the desk has to decide on, with when it ends by itself, or null where it does not. */
export const undecidedGone = (now: EpochSeconds) => part`(
  select g.appointment_id as id, g.listed_at_s,
         case when not ${IS_OF_MANY} then g.listed_at_s + ${UNDECIDED_SECONDS} end as until_s
    from emr_gone g
   where g.listed_at_s is not null and g.kept_at_s is null and g.start_s > ${now} and ${STANDS})`;

/** Notes that the EMR lacked it at a look; the look may have been only at its day. */
export async function noteMissed(
  tx: Tx,
  own: Place,
  now: EpochSeconds,
): Promise<'missed' | 'listed' | 'due'> {
  const { id, providerId, start } = own;
  // What was missed elsewhere, or was there without a key, is missed anew.
  const anew = sql(tx, 'gone-note')`
    insert into emr_gone as g (appointment_id, provider_id, start_s, gone_at_s)
    values (${id}::uuid, ${providerId}, ${start}, ${now})
    on conflict (appointment_id) do update
      set provider_id = excluded.provider_id, start_s = excluded.start_s, gone_at_s = excluded.gone_at_s,
          listed_at_s = null, kept_at_s = null, kept_by = null
      where (g.provider_id, g.start_s) <> (excluded.provider_id, excluded.start_s)
         or (g.kept_at_s is not null and g.kept_by is null)
    returning 1`;
  if (await hasRows(anew)) return 'missed';
  const listed = sql(tx, 'gone-list')`
    update emr_gone g set listed_at_s = ${now}
     where ${isOf(own)} and listed_at_s is null and kept_at_s is null and gone_at_s < ${now}
    returning 1`;
  if (await hasRows(listed)) return 'listed';
  const due = sql(tx, 'gone-due')`
    select from emr_gone g where ${isOf(own)} and ${isDue(now)}`;
  return (await hasRows(due)) ? 'due' : 'missed';
}

const isDue = (now: EpochSeconds) =>
  part`g.kept_at_s is null and g.listed_at_s <= ${now - UNDECIDED_SECONDS} and not ${IS_OF_MANY}`;

/** The EMR has its row without our key, which cannot be written there. */
export const noteKeyless = (tx: Tx, { id, providerId, start }: Place, now: EpochSeconds) =>
  sql(tx, 'gone-keyless')`
    insert into emr_gone as g (appointment_id, provider_id, start_s, gone_at_s, kept_at_s)
    values (${id}::uuid, ${providerId}, ${start}, ${now}, ${now})
    on conflict (appointment_id) do update
      set provider_id = excluded.provider_id, start_s = excluded.start_s, gone_at_s = excluded.gone_at_s,
          listed_at_s = null, kept_at_s = excluded.kept_at_s, kept_by = null
      where g.kept_by is null`;

/** Forgets that it was missed: the EMR has it. True when the desk's list has one less. */
export async function forgetGone(tx: Tx, id: string): Promise<boolean> {
  const [row] = await sql<{ wasListed: boolean }>(tx, 'gone-back')`
    delete from emr_gone where appointment_id = ${id}::uuid
    returning listed_at_s is not null and kept_at_s is null as "wasListed"`;
  return row?.wasListed ?? false;
}

/**
 * Takes the decision on one that the desk's list has, so that nobody else does; `by` is a member of staff,
 * or null where nobody pressed in time. False when it is decided, back or no longer stands.
 */
export const takeDecision = (
  tx: Tx,
  own: Place,
  by: string | null,
  now: EpochSeconds,
): Promise<boolean> =>
  hasRows(sql(tx, `gone-decide-${by === null ? 'itself' : 'staff'}`)`
    update emr_gone g set kept_at_s = ${now}, kept_by = ${by}::uuid
     where ${isOf(own)} and ${STANDS}
       and ${by === null ? isDue(now) : part`g.listed_at_s is not null and g.kept_at_s is null`}
    returning 1`);

/** Whether staff have kept it, and the EMR has not had it since. */
export const isKept = (db: Db, own: Place): Promise<boolean> =>
  hasRows(sql(db, 'gone-kept')`
    select from emr_gone g where ${isOf(own)} and kept_by is not null and ${STANDS}`);

/** Those that are over stay for a day: how many went together is still counted. */
export const forgetStaleGone = (tx: Tx, now: EpochSeconds) =>
  sql(tx, 'gone-forget')`
    delete from emr_gone g where gone_at_s < ${now - DAY} and (start_s < ${now} or not ${STANDS})`;

/** Providers who are active in the EMR and have appointments here on these days. */
export const providersOfOurs = async (db: Db, { from, to }: DateSpan): Promise<string[]> =>
  (
    await sql<{ id: string }>(db, 'gone-providers')`
      select r.id from ${PROVIDERS} r
       where r.active and exists (
         select from ${DESK_APPOINTMENTS} a
          where a.provider_id = r.id and a.clinic_date between ${from}::date and ${to}::date
            and (a.is_booked or a.is_under_way))
       order by r.id`
  ).map(({ id }) => id);
