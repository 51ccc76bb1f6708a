import type { ClosingOutcome, EpochSeconds, OfferedTime, SaidOfDay } from '@clinic/domain';

import {
  type Db,
  type Part,
  type Tx,
  firstOf,
  hasRows,
  part,
  onlyRowOf,
  sql,
} from '../../database/db.ts';
import { OUTBOX } from '../../database/outbox.store.ts';
import type { LaterParts } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { ClosedTime, ProviderTime } from '../records/index.ts';
import {
  APPOINTMENT_EMAIL,
  DESK_APPOINTMENTS,
  firstMade,
  type StoredAppointment,
} from '../appointments/index.ts';

type OfMoney = Pick<LaterParts, 'everPaid'>;

/** An appointment or hold that overlaps the time to be closed. */
export interface InClosedTime extends Pick<
  StoredAppointment,
  'id' | 'recordId' | 'providerId' | 'type' | 'start' | 'end' | 'state'
> {
  /** In cents, see `LaterParts`. */
  readonly everPaid: number;
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
}

/** A closing, with its progress. */
export interface Closing extends ProviderTime {
  readonly id: string;
  /** Who asked, as the audit trail names them. */
  readonly askedBy: string;
  readonly askedAt: EpochSeconds;
  readonly doneAt: EpochSeconds | null;
  /** Until when nothing of it is given up, so that it can be stopped; null where it does not wait. */
  readonly waitsUntil: EpochSeconds | null;
  /** The first instant that is open again, when it was reopened, and by whom; null while it is closed. */
  readonly reopenedFrom: EpochSeconds | null;
  readonly reopenedAt: EpochSeconds | null;
  readonly reopenedBy: string | null;
  /** How many appointments and holds it is to give up, and how many of them have an outcome. */
  readonly total: number;
  readonly known: number;
}

const toGiveUp = ({ everPaid }: OfMoney) => part`
  c.id, c.patient_id as "patientId", c.record_id as "recordId", c.provider_id as "providerId", c.type,
  c.start_s as start, c.end_s as "end", c.state, ${everPaid} as "everPaid"`;

/** A request that did not see a closing yet has read the clock at most this long after its instant. */
const MEANWHILE_SECONDS = 15;

type ClosedAt = { readonly [Column in keyof ProviderTime | 'closedAt']: Part };

/**
 * Whether closing a time at an instant ends the appointment `c`: it begins after that. What was made after it is
 * left out: staff have put it there in spite of the closing.
 */
const endedBy = ({ providerIds, from, to, closedAt }: ClosedAt) => part`
  c.provider_id = any(${providerIds}) and c.start_s < ${to} and c.end_s > ${from}
       and c.start_s > ${closedAt} and c.created_at_s <= ${closedAt} + ${MEANWHILE_SECONDS}`;

/** Whether closed time that was not opened again would end the appointment `c`, for other modules' statements. */
export const IN_CLOSED_TIME = part`exists (
  select from closing k where ${endedBy({
    providerIds: part`k.provider_ids`,
    from: part`k.from_s`,
    to: part`coalesce(k.reopened_from_s, k.to_s)`,
    closedAt: part`k.asked_at_s`,
  })})`;

/** What still stands in a time that is closed at an instant. */
export const standingIn = (
  db: Db,
  parts: OfMoney,
  { providerIds, from, to }: ProviderTime,
  closedAt: EpochSeconds,
): Promise<InClosedTime[]> =>
  sql<InClosedTime>(db, 'closings-standing')`
    select ${toGiveUp(parts)} from ${DESK_APPOINTMENTS} c
     where (c.is_hold or c.is_booked) and ${endedBy({
       providerIds: part`${providerIds}::text[]`,
       from: part`${from}::bigint`,
       to: part`${to}::bigint`,
       closedAt: part`${closedAt}::bigint`,
     })}
     order by c.start_s, c.provider_id, c.id`;

const CLOSING = part`
  id, provider_ids as "providerIds", from_s as "from", to_s as "to", asked_by as "askedBy",
  asked_at_s as "askedAt", done_at_s as "doneAt", waits_until_s as "waitsUntil",
  reopened_from_s as "reopenedFrom",
  reopened_at_s as "reopenedAt", reopened_by as "reopenedBy"`;

type Leased = Omit<Closing, 'total' | 'known'>;

interface NewClosing extends ProviderTime {
  readonly id: string;
  readonly requestKey: string;
  readonly askedBy: string;
  readonly askedAt: EpochSeconds;
  readonly waitsUntil: EpochSeconds | null;
}

/** Inserts a closing, or returns the one that the same request has inserted before. */
export const insertClosing = (
  tx: Tx,
  { id, requestKey, providerIds, from, to, askedBy, askedAt, waitsUntil }: NewClosing,
): Promise<Leased> =>
  onlyRowOf(sql<Leased>(tx, 'closings-insert')`
    insert into closing (id, request_key, provider_ids, from_s, to_s, asked_by, asked_at_s,
                         waits_until_s)
    values (${id}, ${requestKey}, ${providerIds}::text[], ${from}, ${to}, ${askedBy}, ${askedAt},
            ${waitsUntil}::bigint)
    on conflict (asked_by, request_key) do update set request_key = excluded.request_key
    returning ${CLOSING}`);

const BESIDE = ({ providerIds, from, to }: ProviderTime) => part`
  provider_ids && ${[...providerIds]}::text[]
       and from_s < ${to} and coalesce(reopened_from_s, to_s) > ${from}`;

/** What closings other than `but` close of a time, and the exceptions of its days before them. */
export const standingClosings = (db: Db, time: ProviderTime, but: string | null = null) =>
  sql<ClosedTime>(db, 'closings-standing-beside')`
    select provider_ids as "providerIds", from_s as "from", coalesce(reopened_from_s, to_s) as "to",
           before
      from closing
     where id is distinct from ${but}::uuid and ${BESIDE(time)}`;

export const keepBefore = (tx: Tx, id: string, before: readonly SaidOfDay[]) =>
  sql(tx, 'closings-keep-before')`
    update closing set before = ${JSON.stringify(before)}::text::jsonb where id = ${id}::uuid`;

/** Locks the closings that overlap a time. */
export const lockClosings = (tx: Tx, time: ProviderTime) =>
  sql(tx, 'closings-lock-beside')`select id from closing where ${BESIDE(time)} for update`;

type DayBefore = Omit<SaidOfDay, 'codes'> & { readonly codes: string | null };

/** Replaces the exception that the closings of a day keep from before them; null codes for none. */
export const keepDayBefore = (tx: Tx, time: ProviderTime, { codes, ...day }: DayBefore) =>
  sql(tx, 'closings-keep-day-before')`
    update closing set before = ${JSON.stringify(codes === null ? [] : [{ ...day, codes }])}::text::jsonb || (
             select coalesce(jsonb_agg(kept), '[]'::jsonb) from jsonb_array_elements(before) kept
              where not kept @> ${JSON.stringify(day)}::text::jsonb)
     where ${BESIDE(time)}`;

/** Locks a closing and reads it; null when there is none. */
export const lockClosing = (tx: Tx, id: string): Promise<(Leased & ClosedTime) | null> =>
  firstOf(sql<Leased & ClosedTime>(tx, 'closings-lock')`
    select ${CLOSING}, before from closing where id = ${id}::uuid for update`);

/** Whether a closing was not reopened; nobody can reopen it until the transaction ends. */
export const isStillClosed = (tx: Tx, id: string): Promise<boolean> =>
  hasRows(sql(tx, 'closings-still-closed')`
    select from closing where id = ${id}::uuid and reopened_at_s is null for share`);

/** Records that a closing was reopened: nothing more is given up for it. */
export const noteReopened = (tx: Tx, id: string, from: EpochSeconds, { actor, now }: Who) =>
  sql(tx, 'closings-note-reopened')`
    update closing set reopened_from_s = ${from}, reopened_at_s = ${now}, reopened_by = ${actor},
           done_at_s = coalesce(done_at_s, ${now})
     where id = ${id}::uuid`;

/** Whether a request has begun a closing. */
export const isClosingAsked = (
  db: Db,
  { actor, requestKey }: { readonly actor: string; readonly requestKey: string },
): Promise<boolean> =>
  hasRows(sql(db, 'closings-asked')`
    select id from closing where asked_by = ${actor} and request_key = ${requestKey}`);

/** Adds entries for what a closing is to give up; existing entries stay as they are. */
export const insertEntries = (
  tx: Tx,
  closingId: string,
  offered: ReadonlyMap<string, readonly OfferedTime[]>,
) =>
  sql(tx, 'closings-insert-entries')`
    insert into closing_entry (closing_id, appointment_id, offered)
    select ${closingId}::uuid, (named.each->>'id')::uuid, named.each->'offered'
      from json_array_elements(${JSON.stringify([...offered].map(([id, times]) => ({ id, offered: times })))}::text::json) as named (each)
    on conflict do nothing`;

/** How long a process has a closing to itself before another may take it over. */
export const LEASE_SECONDS = 30;
/** A booking that began before the time was closed is committed by then. */
const LATE_SECONDS = 60;

/** Leases the closing that has waited longest, or only `id` where given; null when none waits. */
export const leaseClosing = (
  tx: Tx,
  id: string | null,
  now: EpochSeconds,
): Promise<Leased | null> =>
  firstOf(sql<Leased>(tx, 'closings-lease')`
    update closing set lease_until_s = ${now + LEASE_SECONDS}
     where id in (
             select id from closing
              where (done_at_s is null or asked_at_s > ${now - LATE_SECONDS})
                and reopened_at_s is null and lease_until_s <= ${now}
                and coalesce(waits_until_s, 0) <= ${now}
                and (${id}::uuid is null or id = ${id}::uuid)
              order by lease_until_s, asked_at_s limit 1 for update skip locked)
    returning ${CLOSING}`);

export const prolongLease = (tx: Tx, id: string, now: EpochSeconds) =>
  sql(tx, 'closings-prolong')`
    update closing set lease_until_s = ${now + LEASE_SECONDS} where id = ${id}::uuid`;

/** Ends the lease on a closing, and records whether nothing is left to be given up. */
export const returnClosing = (tx: Tx, id: string, isDone: boolean, now: EpochSeconds) =>
  sql(tx, 'closings-return')`
    update closing set lease_until_s = ${now},
           done_at_s = case when ${isDone}::boolean or reopened_at_s is not null
                            then coalesce(done_at_s, ${now}::bigint) end
     where id = ${id}::uuid`;

/** Records the outcome 'gone' for what has ended otherwise. */
export const noteGone = (tx: Tx, closingId: string, now: EpochSeconds) =>
  sql(tx, 'closings-note-gone')`
    update closing_entry e set outcome = 'gone', at_s = ${now}
      from ${DESK_APPOINTMENTS} c
     where e.closing_id = ${closingId}::uuid and e.outcome is null and c.id = e.appointment_id
       and not (c.is_hold or c.is_booked)`;

export const noteOutcome = (
  tx: Tx,
  entry: { readonly closingId: string; readonly appointmentId: string },
  outcome: ClosingOutcome | null,
  now: EpochSeconds,
) =>
  sql(tx, 'closings-note-outcome')`
    update closing_entry set outcome = ${outcome}::text, at_s = ${now}
     where closing_id = ${entry.closingId}::uuid and appointment_id = ${entry.appointmentId}::uuid
       and (outcome is null or outcome = 'stays')`;

/** An entry of a closing, with what is known of its outcome. */
export interface KnownEntry {
  readonly appointmentId: string;
  readonly outcome: ClosingOutcome | null;
  readonly at: EpochSeconds | null;
  readonly offered: readonly OfferedTime[];
}

export const entriesOf = (db: Db, closingId: string): Promise<KnownEntry[]> =>
  sql<KnownEntry>(db, 'closings-entries')`
    select appointment_id as "appointmentId", outcome, at_s as at, offered
      from closing_entry where closing_id = ${closingId}::uuid`;

const WITH_PROGRESS = part`
  select ${CLOSING},
         (select count(*)::int from closing_entry e where e.closing_id = closing.id) as total,
         (select count(e.outcome)::int from closing_entry e where e.closing_id = closing.id) as known
    from closing`;

/** One closing, or null. */
export const closingById = (db: Db, id: string): Promise<Closing | null> =>
  firstOf(sql<Closing>(db, 'closings-one')`${WITH_PROGRESS} where id = ${id}::uuid`);

/** Those that can still be stopped, then the newest. */
export const newestClosings = (db: Db, most: number, now: EpochSeconds): Promise<Closing[]> =>
  sql<Closing>(db, 'closings-newest')`
    ${WITH_PROGRESS}
     order by coalesce(waits_until_s > ${now} and reopened_at_s is null, false) desc,
              asked_at_s desc, id limit ${most}`;

/** What is closed between two instants and was not opened again. */
export const closedBetween = (
  db: Db,
  { start, end }: { readonly start: EpochSeconds; readonly end: EpochSeconds },
) =>
  sql<ProviderTime & { readonly id: string }>(db, 'closings-between')`
    select id, provider_ids as "providerIds", from_s as "from", coalesce(reopened_from_s, to_s) as "to"
      from closing
     where from_s < ${end} and coalesce(reopened_from_s, to_s) > greatest(from_s, ${start}::bigint)
     order by asked_at_s, id`;

/** What somebody has closed since an instant, without what was opened again. */
export const closedBy = (db: Db, actor: string, since: EpochSeconds) =>
  sql<{ readonly from: EpochSeconds; readonly to: EpochSeconds; readonly coming: number }>(
    db,
    'closings-by',
  )`
    select from_s as from, to_s as to,
           (select count(*)::int from closing_entry e
             where e.closing_id = closing.id and e.outcome is null) as coming
      from closing
     where asked_by = ${actor} and asked_at_s > ${since} and reopened_at_s is null`;

/** An appointment or a hold of a closing, and its outcome; null while it stands. */
export interface GivenUp extends InClosedTime {
  readonly outcome: ClosingOutcome | null;
}

export const givenUpIn = (db: Db, parts: OfMoney, closingId: string): Promise<GivenUp[]> =>
  sql<GivenUp>(db, 'closings-given-up')`
    select ${toGiveUp(parts)}, e.outcome
      from closing_entry e join ${DESK_APPOINTMENTS} c on c.id = e.appointment_id
     where e.closing_id = ${closingId}::uuid order by c.start_s, c.id`;

/** Closing entries with patient, time, outcome and state of the email, for other modules' statements. */
export const closingEntries = ({ everPaid }: OfMoney) => part`(
  select e.closing_id, e.appointment_id, e.outcome, c.patient_id, c.record_id, c.provider_id, c.type,
         c.start_s, c.end_s, ${everPaid} as ever_paid, c.is_under_way as under_way, mail.email
    from closing_entry e join ${DESK_APPOINTMENTS} c on c.id = e.appointment_id
    left join (
           select o.payload->>'appointmentId' as appointment_id,
                  case when bool_or(o.failed) then 'failed'
                       when bool_or(o.done_at_s is null) then 'waiting' else 'sent' end as email
             from ${OUTBOX} o
            where o.kind = ${APPOINTMENT_EMAIL} and o.payload->>'event' = 'cancelled'
            group by 1) mail on mail.appointment_id = c.id::text)`;

/**
 * R-124: for the cancelled entries of a closing, what their patients have booked since, for other modules'
 * statements: for the first of a patient's entries the first of these appointments, and so on.
 */
export const rebookedSince = (closingId: string) => part`(
  select e.appointment_id, n.id, n.provider_id, n.type, n.start_s, n.has_payment_link
    from (select e.appointment_id, c.record_id,
                 row_number() over (partition by c.record_id order by c.start_s, c.id) as nth
            from closing_entry e join ${DESK_APPOINTMENTS} c on c.id = e.appointment_id
           where e.closing_id = ${closingId}::uuid and e.outcome in ('cancelled', 'cancelSent')) e
    join (select c.*, row_number() over (partition by c.record_id order by c.start_s, c.id) as nth
            from closing k
            join ${DESK_APPOINTMENTS} c on c.record_id in (
                   select o.record_id from closing_entry e join ${DESK_APPOINTMENTS} o on o.id = e.appointment_id
                    where e.closing_id = k.id)
           where k.id = ${closingId}::uuid and (c.kept_its_time or c.has_payment_link)
             and ${firstMade(part`c.id`)} > k.asked_at_s) n using (record_id, nth))`;

const erasedOf = (whose: Part) => part`
  with gone as (select c.id from ${DESK_APPOINTMENTS} c where ${whose}),
       calls as (delete from closing_call where appointment_id in (select id from gone))
  delete from closing_entry where appointment_id in (select id from gone)`;

/** Erases what closings keep of the appointments of a patient, while these are still there. */
export const eraseClosingEntries = (patientId: string) =>
  erasedOf(part`c.patient_id = ${patientId}`);

/** As `eraseClosingEntries`, of a record that has no account. */
export const eraseClosingEntriesOfRecord = (recordId: string) =>
  erasedOf(part`c.patient_id is null and c.record_id = ${recordId}`);
