import { type DateSpan, type EpochSeconds, MOST_APPOINTMENTS, type Span } from '@clinic/domain';

import { type Db, type Tx, hasRows, part, sql } from '../../../database/db.ts';
import { DESK_APPOINTMENTS } from '../../appointments/index.ts';
import { PROVIDERS } from '../../records/index.ts';

/** An appointment that is booked here and that the EMR lacks (the stages stand in missing.ts). */
export interface MissingAppointment {
  readonly id: string;
  /** Since when the desk's list has it. */
  readonly listedAt: EpochSeconds | null;
  /** When staff kept it, or its key could not be written. */
  readonly decidedAt: EpochSeconds | null;
  /** So many went at about the same time that none of them is cancelled without a decision. */
  readonly isMassLoss: boolean;
}

type Place = Pick<Span, 'providerId' | 'start'> & { readonly id: string };

/** How long staff have to put it back in the EMR, or to decide at the desk, before it is cancelled. */
export const DECISION_SECONDS = 600;
/** What goes within this long of each other is of one cause, such as a backup that was put back. */
const MASS_LOSS_SECONDS = 120;
const DAY = 86_400;

/** What `g` says is stale once its appointment has moved or ended, or is being cancelled. */
const STANDS = part`exists (
  select from ${DESK_APPOINTMENTS} a
   where a.id = g.appointment_id and a.provider_id = g.provider_id and a.start_s = g.start_s
     and a.is_booked and not a.is_cancelling)`;
const IS_MASS_LOSS = part`(
  select count(*) from emr_gone o
   where o.gone_at_s between g.gone_at_s - ${MASS_LOSS_SECONDS} and g.gone_at_s + ${MASS_LOSS_SECONDS}
     and (o.kept_at_s is null or o.listed_at_s is not null)) > ${MOST_APPOINTMENTS}`;
const isOf = ({ id, providerId, start }: Place) => part`
  g.appointment_id = ${id}::uuid and g.provider_id = ${providerId} and g.start_s = ${start}`;

/** Those that have not begun, the longest missing first. */
export const missingAppointments = (db: Db, now: EpochSeconds): Promise<MissingAppointment[]> =>
  sql<MissingAppointment>(db, 'gone-appointments')`
    select g.appointment_id as id, g.listed_at_s as "listedAt", g.kept_at_s as "decidedAt",
           ${IS_MASS_LOSS} as "isMassLoss"
      from emr_gone g where g.start_s > ${now} and ${STANDS} order by g.gone_at_s, g.appointment_id`;

/** For module `desk`: what staff have to decide on, with when it is cancelled otherwise, or null for never. */
export const undecidedMissing = (now: EpochSeconds) => part`(
  select g.appointment_id as id, g.listed_at_s,
         case when not ${IS_MASS_LOSS} then g.listed_at_s + ${DECISION_SECONDS} end as until_s
    from emr_gone g
   where g.listed_at_s is not null and g.kept_at_s is null and g.start_s > ${now} and ${STANDS})`;

/** Takes one that the EMR lacks to its next stage; the sync may have read its day alone. */
export async function recordMissing(
  tx: Tx,
  own: Place,
  now: EpochSeconds,
): Promise<'missing' | 'listed' | 'due'> {
  const { id, providerId, start } = own;
  // One that was missing at another place, or was there without its key, begins anew.
  const anew = sql(tx, 'gone-note')`
    insert into emr_gone as g (appointment_id, provider_id, start_s, gone_at_s)
    values (${id}::uuid, ${providerId}, ${start}, ${now})
    on conflict (appointment_id) do update
      set provider_id = excluded.provider_id, start_s = excluded.start_s, gone_at_s = excluded.gone_at_s,
          listed_at_s = null, kept_at_s = null, kept_by = null
      where (g.provider_id, g.start_s) <> (excluded.provider_id, excluded.start_s)
         or (g.kept_at_s is not null and g.kept_by is null)
    returning 1`;
  if (await hasRows(anew)) return 'missing';
  const listed = sql(tx, 'gone-list')`
    update emr_gone g set listed_at_s = ${now}
     where ${isOf(own)} and listed_at_s is null and kept_at_s is null and gone_at_s < ${now}
    returning 1`;
  if (await hasRows(listed)) return 'listed';
  const due = sql(tx, 'gone-due')`
    select from emr_gone g where ${isOf(own)} and ${isDue(now)}`;
  return (await hasRows(due)) ? 'due' : 'missing';
}

const isDue = (now: EpochSeconds) =>
  part`g.kept_at_s is null and g.listed_at_s <= ${now - DECISION_SECONDS} and not ${IS_MASS_LOSS}`;

/** The EMR has its entry without the key, and the key cannot be written. */
export const noteKeyless = (tx: Tx, { id, providerId, start }: Place, now: EpochSeconds) =>
  sql(tx, 'gone-keyless')`
    insert into emr_gone as g (appointment_id, provider_id, start_s, gone_at_s, kept_at_s)
    values (${id}::uuid, ${providerId}, ${start}, ${now}, ${now})
    on conflict (appointment_id) do update
      set provider_id = excluded.provider_id, start_s = excluded.start_s, gone_at_s = excluded.gone_at_s,
          listed_at_s = null, kept_at_s = excluded.kept_at_s, kept_by = null
      where g.kept_by is null`;

/** The EMR has it again. True when the desk's list has one less. */
export async function deleteMissing(tx: Tx, id: string): Promise<boolean> {
  const [row] = await sql<{ wasListed: boolean }>(tx, 'gone-back')`
    delete from emr_gone where appointment_id = ${id}::uuid
    returning listed_at_s is not null and kept_at_s is null as "wasListed"`;
  return row?.wasListed ?? false;
}

/**
 * Takes the decision on one that is listed, so that nobody else does; `by` is a member of staff, or null where
 * nobody decided in time. False when it was decided, is back in the EMR or no longer stands.
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

/** Those that are over stay for a day, as a mass loss counts them. */
export const deleteStaleMissing = (tx: Tx, now: EpochSeconds) =>
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
