import { accessOf, appointmentMode } from '@clinic/domain';
import type { AccountFacts, ClinicDate, EpochSeconds, TypeRules } from '@clinic/domain';

import { type Db, type Part, type Tx, firstOf, onlyRowOf, part, sql } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { LaterParts } from '../../platform.ts';
import { type MovedAppointment, PROVIDERS, TEMPLATES } from '../records/index.ts';
import { APPOINTMENT_TYPES } from '../schedule/index.ts';
import type { TakenTime } from '../schedule/index.ts';
import { holdIdOfStoredKey } from './appointment.ts';
import type { BookedAppointment, StoredAppointment, Owner } from './appointment.ts';
import { MAY_BE_UNDONE } from './by-staff/staff-acts.store.ts';
import { own, stateIn } from './state-columns.store.ts';
import { READ_COLUMNS, statementName, ownedBy, storedColumns } from './store.ts';

/** Appointments with patient, time and state, for other modules' statements. */
export const APPOINTMENTS = part`(
  select c.id, c.patient_id, c.record_id, c.provider_id, c.clinic_date, c.start_s, c.end_s, c.created_at_s,
         c.changed_at_s, c.rescheduled_from, c.booked_by, c.moved_by_clinic, ${own.word} as state,
         ${own.wasBooked} as was_booked
    from appointment c)`;

/** Appointments and holds as the front desk reads them, and the time that the EMR alone has taken. */
export const DESK_APPOINTMENTS = part`(
  select c.id, c.patient_id, c.record_id, c.provider_id, c.clinic_date, c.start_s, c.end_s, c.type,
         case when ${own.isUnderWay} then c.rescheduled_from end as rescheduled_from,
         c.hold_expires_at_s, c.answers_sealed, c.booking_number, c.checkin, c.created_at_s,
         c.changed_at_s, c.arrived_at_s, c.in_room_at_s, c.fee_at_clinic, c.is_cancellable, c.moved_by_clinic,
         c.cancel_asked_at_s is not null as is_cancelling, ${own.word} as state,
         ${own.isBooked} as is_booked, ${own.keptItsTime} as kept_its_time,
         ${own.wasBooked} as was_booked, ${own.mayLapse} as may_lapse, ${own.isUnderWay} as is_under_way,
         ${own.isHold} as is_hold, ${own.hasPaymentLink} as has_payment_link
    from appointment c)`;

/** When an appointment was made, or the one that it was moved from, however often; for other modules' statements. */
export const firstMade = (id: Part) => part`(
  with recursive moved as (
    select made.created_at_s, made.rescheduled_from from appointment made where made.id = ${id}
    union all
    select made.created_at_s, made.rescheduled_from
      from moved join appointment made on made.id = moved.rescheduled_from)
  select min(created_at_s) from moved)`;

/** The cents of an appointment `c` of `DESK_APPOINTMENTS` that are due at the clinic; null where none are. */
export const FEE_DUE = part`(
  case when c.kept_its_time and not c.fee_at_clinic ?| '{taken,waived}'
       then (c.fee_at_clinic ->> 'cents')::int end)`;

export const BUSY_SPANS = part`(
  select provider_id, clinic_date, start_s, end_s from busy_span where stands)`;

/** The appointment of a request, by its stored key, for other modules' statements. */
export const requestedBy = (patientId: PatientId, storedKey: string) =>
  part`(select id from appointment where patient_id = ${patientId} and request_key = ${storedKey})`;

/** Appointments that were cancelled since an instant and stay so, for other modules' statements. */
export const cancelledSince = (since: EpochSeconds, now: EpochSeconds) => part`(
  select c.id from appointment c where ${own.is('cancelled')} and c.changed_at_s >= ${since}
     and not exists (select from ${MAY_BE_UNDONE(now)} a where a.subject = c.id))`;

/** How many slots patients hold, and the oldest hold's age in seconds; without payment-link holds. */
export const holdFigures = (db: Db, now: EpochSeconds) =>
  onlyRowOf(sql<{ readonly holds: number; readonly oldestSeconds: number }>(db, 'hold-figures')`
    select count(*)::int as holds,
           coalesce(greatest(0, ${now}::bigint - min(created_at_s)), 0)::int as "oldestSeconds"
      from appointment c where ${own.isHold} and not ${own.hasPaymentLink}`);

/** The appointments, taken steps and changes that the schedule's statements read. */
export const takenTime: TakenTime = {
  appointments: part`(
    select c.id, c.patient_id, c.provider_id, c.type, c.clinic_date, c.start_s, c.end_s,
           c.hold_expires_at_s, ${own.isHold} as is_hold, ${own.mayLapse} as may_lapse
      from appointment c)`,
  steps: part`(select provider_id, step_start_s, appointment_id from appointment_step)`,
  changes: part`(
    select provider_id, clinic_date, start_s, end_s, changed_xid from appointment
    union all
    select provider_id, clinic_date, start_s, end_s, changed_xid from busy_span)`,
};

/** An appointment as it is listed, with its doctor and the description of its type. */
export interface ListedAppointment extends Omit<BookedAppointment, 'kind'> {
  /** What was paid for it; absent when not read. */
  readonly receipt?: Receipt | null;
  /** The appointment that took the place of one that was moved. */
  readonly movedTo?: Successor | null;
}

interface Successor {
  readonly id: string;
  readonly start: EpochSeconds;
}

/** What was paid for an appointment. */
export interface Receipt {
  readonly amountCents: number;
  readonly reference: string;
  readonly paidAt: EpochSeconds;
}

/** An appointment, with what says whether its patient may move it and how they are seen. */
export interface Judged extends StoredAppointment {
  readonly account: AccountFacts | null;
  readonly isTypeOpen: boolean;
  readonly seen: Pick<TypeRules, 'mode' | 'form'> | null;
}
type ListedRow = Judged & Required<Omit<ListedAppointment, 'appointment' | 'mode'>>;

export const judgedColumns = (parts: LaterParts) => part`
  ${storedColumns(parts)}, p.account,
  coalesce(t.active, false) and not coalesce(c.type = any(p.disabled_types), false) as "isTypeOpen",
  case when t.code is not null
       then json_build_object('mode', t.mode, 'form', t.form) end as seen,
  (select json_build_object('amountCents', amount_cents, 'reference', reference,
                            'paidAt', created_at_s)
     from ${parts.receipts} paid where paid.appointment_id = c.id
    order by created_at_s desc limit 1) as receipt`;

export function judged({ account, isTypeOpen, seen, ...appointment }: Judged) {
  const access = accessOf(account);
  const isReschedulable = appointment.isReschedulable && isTypeOpen && access.booking === null;
  const mode = seen && appointmentMode(seen, appointment.contactPreference);
  return { appointment: { ...appointment, isReschedulable }, mode, access };
}

export const WITH_NAMES = part`
    from appointment c
    left join ${APPOINTMENT_TYPES} t on t.code = c.type
    left join ${PROVIDERS} r on r.id = c.provider_id`;

const MOVED_TO = part`
  case when ${own.is('rescheduled')} then (
    select json_build_object('id', next.id, 'start', next.start_s) from appointment next
     where next.patient_id = c.patient_id and next.rescheduled_from = c.id
       and ${stateIn('next').wasBooked}
     limit 1) end as "movedTo"`;

const listed = (parts: LaterParts) => part`
  select ${judgedColumns(parts)}, coalesce(t.description, '') as description, t.translations,
         case when r.id is not null then json_build_object(
           'id', r.id, 'firstName', r.first_name, 'lastName', r.last_name) end as doctor,
         ${MOVED_TO}
    ${WITH_NAMES}
    left join ${parts.patients} p on p.id = c.patient_id`;

const listedOf = (row: ListedRow): ListedAppointment => ({ ...row, ...judged(row) });

/** The patient's appointments from an instant on, and whether there are older ones. */
export async function listedAppointmentsOf(
  db: Db,
  parts: LaterParts,
  patientId: PatientId,
  since: EpochSeconds,
): Promise<{ readonly appointments: readonly ListedAppointment[]; readonly hasOlder: boolean }> {
  const [rows, older] = await Promise.all([
    sql<ListedRow>(db, 'appointments-of-patient')`
      ${listed(parts)} where c.patient_id = ${patientId} and c.start_s >= ${since}
         and (${own.wasBooked} or ${own.isConfirming})
       order by c.start_s, c.id`,
    sql(db, 'appointments-older')`
      select 1 from appointment c where c.patient_id = ${patientId} and c.start_s < ${since}
         and ${own.wasBooked} limit 1`,
  ]);
  return { appointments: rows.map(listedOf), hasOlder: older.length > 0 };
}

async function oneListed(db: Db, name: string, parts: LaterParts, which: Part) {
  const [row] = await sql<ListedRow>(db, name)`
    ${listed(parts)} where ${own.wasBooked} and ${which} limit 1`;
  return row ? listedOf(row) : null;
}

/** One appointment of a patient, or null. */
export const listedAppointment = (db: Db, parts: LaterParts, owner: Owner, id: string) =>
  oneListed(
    db,
    statementName('appointments-one', owner),
    parts,
    part`${ownedBy(owner)} and c.id = ${id}`,
  );

/** The appointment that a request has made, found by its stored key or as the hold that the key names. */
export const appointmentMadeBy = (
  db: Db,
  parts: LaterParts,
  patientId: PatientId,
  storedKey: string,
) =>
  oneListed(
    db,
    'appointments-of-request',
    parts,
    part`c.patient_id = ${patientId}
       and (c.request_key = ${storedKey} or c.id = ${holdIdOfStoredKey(storedKey)}::uuid)
     order by c.request_key is null`,
  );

interface Hold extends Omit<StoredAppointment, 'paidNow'> {
  readonly draftSealed: Uint8Array | null;
}

/** The patient's standing hold with its sealed draft. */
export const holdOf = (db: Db, patientId: PatientId, now: EpochSeconds): Promise<Hold | null> =>
  firstOf(sql<Hold>(db, 'appointments-hold-of')`
    select ${READ_COLUMNS}, c.answers_sealed as "draftSealed" from appointment c
     where c.patient_id = ${patientId} and ${own.isHold}
       and (${own.isUnderWay} or c.hold_expires_at_s > ${now})`);

/** The sealed answers of an appointment, or null. */
export async function sealedAnswers(db: Db, appointmentId: string): Promise<Uint8Array | null> {
  const [row] = await sql<{ sealed: Uint8Array | null }>(db, 'appointments-sealed-answers')`
    select answers_sealed as sealed from appointment where id = ${appointmentId}`;
  return row?.sealed ?? null;
}

/** An upcoming appointment or payment-link hold, and the template of its day. */
export interface StandingOnDay extends Pick<
  StoredAppointment,
  'id' | 'recordId' | 'providerId' | 'type' | 'start' | 'end'
> {
  /** Null for a record without an account. */
  readonly patientId: string | null;
  readonly date: ClinicDate;
  /** Null where the schedule has no such day. */
  readonly codes: string | null;
  /** Staff hold it for a payment link: it is not booked yet. */
  readonly isHeld: boolean;
}

/**
 * What stands booked, or held for a payment link, after an instant, with the templates as they are now. With
 * dates or ids, only of these.
 */
export const standingOnDays = (
  db: Db,
  after: EpochSeconds,
  { dates, ids }: { readonly dates?: readonly string[]; readonly ids?: readonly string[] } = {},
): Promise<StandingOnDay[]> =>
  sql<StandingOnDay>(
    db,
    `appointments-on-templates${dates ? '-of-dates' : ''}${ids ? '-of-ids' : ''}`,
  )`
    select c.id, c.patient_id as "patientId", c.record_id as "recordId",
           c.provider_id as "providerId", c.type, c.start_s as start, c.end_s as "end",
           c.clinic_date::text as date, d.codes, ${own.isHold} as "isHeld"
      from appointment c
      left join ${TEMPLATES} d on d.clinic_date = c.clinic_date and d.provider_id = c.provider_id
     where c.start_s > ${after}
       ${dates ? part`and c.clinic_date = any(${[...dates]}::date[])` : part``}
       ${ids ? part`and c.id = any(${[...ids]}::uuid[])` : part``}
       and (${own.isBooked}
            or (${own.hasPaymentLink} and (${own.isPaying} or c.hold_expires_at_s > ${after})))
     order by c.start_s, c.provider_id`;

/** What a patient still has: how many appointments later than now, and whether a time is held. */
export const standingOf = (db: Db, patientId: string, now: EpochSeconds) =>
  onlyRowOf(sql<{ readonly booked: number; readonly held: boolean }>(db, 'appointments-left')`
    select count(*) filter (where ${own.isBooked} and start_s > ${now})::int as booked,
           coalesce(bool_or(${own.isHold}), false) as held
      from appointment c where patient_id = ${patientId}::uuid`);

/**
 * A patient's appointments for the copy of their data. Every column is named, so that a column added
 * later is not disclosed by accident.
 */
export const ownAppointments = (db: Db, { everPaid }: LaterParts, patientId: PatientId) =>
  sql<
    Pick<StoredAppointment, 'id' | 'state'> & {
      readonly paidCents: number;
      readonly answersSealed: Uint8Array | null;
    }
  >(db)`
    select c.id, c.type, t.description, ${own.word} as state, c.start_s as start, c.end_s as "end",
           r.first_name as "doctorFirstName", r.last_name as "doctorLastName",
           c.booking_number as "bookingNumber", ${everPaid} as "paidCents",
           c.created_at_s as "createdAt", c.changed_at_s as "changedAt",
           c.rescheduled_from as "rescheduledFrom", ${MOVED_TO}, c.answers_sealed as "answersSealed"
      ${WITH_NAMES} where c.patient_id = ${patientId} order by c.start_s, c.id`;

/** The provider of the patient's next appointment; null without one. */
export async function nextProviderOf(db: Db, patientId: string, now: EpochSeconds) {
  const [row] = await sql<{ providerId: string }>(db, 'appointments-next-provider')`
    select provider_id as "providerId" from appointment c
     where patient_id = ${patientId}::uuid and ${own.isBooked} and start_s > ${now}
     order by start_s limit 1`;
  return row?.providerId ?? null;
}

/**
 * When the appointments of the patient `p` of the surrounding statement last changed or ended; includes
 * those made for the patient's record without an account.
 */
export const LAST_APPOINTMENT = part`(
  select max(greatest(changed_at_s, end_s)) from appointment
   where patient_id = p.id or (patient_id is null and record_id = p.record_id))`;

const erased = (which: Part) => part`
  with steps as (
    delete from appointment_step where appointment_id in (select id from appointment where ${which}))
  delete from appointment where ${which}`;

export const eraseAppointments = (patientId: string) => erased(part`patient_id = ${patientId}`);

/** Erases the appointments of a record that belong to no account. */
export const eraseAppointmentsOfRecord = (recordId: string) =>
  erased(part`patient_id is null and record_id = ${recordId}`);

/**
 * Moves all appointments of a record to another record of the same person, and to its account if it has
 * one. Together they may exceed what one patient may book, so the limits are lifted for them. A request
 * key is unique for each patient: when both records have it, the record that stays keeps it.
 */
export const moveToRecord = (
  tx: Tx,
  from: string,
  to: { readonly recordId: string; readonly patientId: string | null },
) =>
  sql<MovedAppointment>(tx, 'appointments-move-to-record')`
    with before as (
      select id, once_a_day, beyond_limits from appointment where record_id = ${from} for update)
    update appointment c
       set record_id = ${to.recordId}, patient_id = ${to.patientId}::uuid, once_a_day = false,
           beyond_limits = true,
           request_key = case when exists (
             select from appointment own
              where own.record_id = ${to.recordId} and own.request_key = c.request_key)
                         then null else c.request_key end
      from before where c.id = before.id
    returning c.id, before.once_a_day as "onceADay", before.beyond_limits as "beyondLimits"`;

/** Returns moved appointments, and those they were rescheduled to, to a record without an account. */
export async function returnToRecord(
  tx: Tx,
  recordId: string,
  moved: readonly MovedAppointment[],
): Promise<void> {
  const ids = moved.map(({ id }) => id);
  await sql(tx, 'appointments-return-to-record')`
    with recursive theirs as (
      select id from appointment where id = any(${ids}::uuid[])
       union
      select later.id from appointment later join theirs on later.rescheduled_from = theirs.id
       where ${stateIn('later').wasBooked})
    update appointment c
       set record_id = ${recordId}, patient_id = null,
           once_a_day = coalesce(was.once_a_day, c.once_a_day),
           beyond_limits = coalesce(was.beyond_limits, c.beyond_limits)
      from theirs
      left join unnest(${ids}::uuid[], ${moved.map(({ onceADay }) => onceADay)}::boolean[],
                       ${moved.map(({ beyondLimits }) => beyondLimits)}::boolean[])
             as was (id, once_a_day, beyond_limits) on was.id = theirs.id
     where c.id = theirs.id`;
}

/** Gives an account that was opened for a record the appointments booked for the record before. */
export const takeOverAppointments = (tx: Tx, recordId: string, patientId: string) =>
  sql(tx, 'appointments-take-over')`
    update appointment set patient_id = ${patientId}::uuid
     where record_id = ${recordId} and patient_id is null`;
