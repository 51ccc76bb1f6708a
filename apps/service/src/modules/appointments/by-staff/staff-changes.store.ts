import type {
  AppointmentState,
  ClinicDate,
  DateSpan,
  EpochSeconds,
  FeeAtClinic,
  Span,
} from '@clinic/domain';

import { type Db, type Tx, hasRows, part, sql } from '../../../database/db.ts';
import { OUTBOX } from '../../../database/outbox.store.ts';
import { DERIVED_PREFIX } from '../appointment.ts';
import type { AccountRef, StoredAppointment } from '../appointment.ts';
import { PAID_CENTS_COPY, change, own, stateIn } from '../state-columns.store.ts';
import { FREED, waitForTimeSteps } from '../store.ts';

/** One of our appointments, to compare with what an EMR has. */
export type OwnInEmr = Span & AccountRef & Pick<StoredAppointment, 'id' | 'state'>;

/** One of our appointments as the sync compares it. */
export interface ComparedWithEmr extends OwnInEmr {
  readonly createdAt: EpochSeconds;
  /** The EMR is still to cancel it: a job or the outbox goes on asking. */
  readonly awaitsCancelInEmr: boolean;
  /** The EMR has ended it once since it was given up here. */
  readonly endedInEmr: boolean;
}

/**
 * Our appointments with these ids, and those that are booked or being booked on these days (null for none) with
 * these providers (null for any).
 */
export const ownInEmr = (
  db: Db,
  ids: readonly string[],
  on: { readonly dates: DateSpan; readonly providers: readonly string[] | null } | null,
): Promise<ComparedWithEmr[]> =>
  sql<ComparedWithEmr>(db, 'appointments-own-in-emr')`
    select c.id, c.patient_id as "patientId", c.provider_id as "providerId", c.start_s as start,
           c.end_s as "end", ${own.word} as state, c.created_at_s as "createdAt",
           cancel_asked_at_s is not null or id::text in (
             select payload ->> 'appointmentId' from ${OUTBOX} o
              where o.kind = 'cancel-in-emr' and o.done_at_s is null) as "awaitsCancelInEmr",
           emr_ended_at_s is not null as "endedInEmr"
      from appointment c
     where id = any(${ids}::uuid[])
        or (clinic_date between ${on?.dates.from ?? null}::date and ${on?.dates.to ?? null}::date
            and (${on?.providers ?? null}::text[] is null or provider_id = any(${on?.providers ?? null}::text[]))
            and (${own.isBooked} or ${own.isUnderWay}))`;

/**
 * Moves a booked appointment to where staff have put it in the EMR, even over another one or off the
 * grid: it takes those steps that are free. Returns the change's calendar sequence, or null when the
 * appointment has moved or ended since it was compared with the EMR.
 */
export async function moveByStaff(
  tx: Tx,
  { id, ...from }: OwnInEmr,
  to: Span & { readonly clinicDate: ClinicDate },
  now: EpochSeconds,
): Promise<number | null> {
  await waitForTimeSteps(tx, id);
  const [moved] = await sql<{ sequence: number }>(tx, 'appointments-move-by-staff')`
    with gone as (
      update appointment c
         set provider_id = ${to.providerId}, start_s = ${to.start}, end_s = ${to.end},
             clinic_date = ${to.clinicDate}::date, placed_by_staff = true, once_a_day = false,
             moved_by_clinic = moved_by_clinic or provider_id <> ${to.providerId}
                               or start_s <> ${to.start},
             sequence = sequence + 1, changed_at_s = ${now},
             request_key = case when request_key like ${`${DERIVED_PREFIX}%`} then null else request_key end
       where c.id = ${id}::uuid and ${own.isBooked}
         and provider_id = ${from.providerId} and start_s = ${from.start} and end_s = ${from.end}
      returning id, sequence), ${FREED}
    select sequence from gone`;
  if (!moved) return null;
  await sql(tx, 'appointments-steps-by-staff')`
    insert into appointment_step (provider_id, step_start_s, appointment_id)
    select ${to.providerId}::text, step, ${id}::uuid
      from generate_series(${to.start - (to.start % 300)}::bigint, ${to.end - 1}::bigint, 300) as step
     order by step
    on conflict do nothing`;
  return moved.sequence;
}

/** Records that the patient came, or did not; false when that is known, or the appointment has ended. */
export async function noteAttendance(
  tx: Tx,
  id: string,
  event: 'arrive' | 'miss',
  now: EpochSeconds,
): Promise<boolean> {
  await waitForTimeSteps(tx, id);
  const known = event === 'arrive' ? part` and not ${own.is('registered')}` : part``;
  return hasRows(sql(tx, `appointments-attendance-${event}`)`
    with gone as (${change(event, part`c.id = ${id}::uuid${known}`, now)} returning c.id)
    ${event === 'miss' ? part`, ${FREED}` : part``}
    select id from gone`);
}

/** The appointment as the front desk saw it; it may have changed since. */
export interface SeenAtDesk {
  readonly id: string;
  readonly state: AppointmentState;
  readonly inRoomAt: EpochSeconds | null;
}

/** What happens, and whether the arrival and room times are set, cleared or left as they are. */
interface Attended {
  readonly event: 'expect' | 'arrive' | 'miss' | 'complete';
  readonly arrived: 'now' | 'never' | 'before';
  readonly inRoom: 'now' | 'never' | 'before';
}

/** False when the appointment is no longer as the front desk saw it. If it is over, frees its time. */
export async function attendAtDesk(
  tx: Tx,
  { id, ...seen }: SeenAtDesk,
  { event, arrived, inRoom }: Attended,
  now: EpochSeconds,
): Promise<boolean> {
  await waitForTimeSteps(tx, id);
  return hasRows(sql(tx, `appointments-attend-at-desk-${event}`)`
    with gone as (${change(
      event,
      part`c.id = ${id}::uuid and ${own.word} = ${seen.state}::text and cancel_asked_at_s is null
           and in_room_at_s is not distinct from ${seen.inRoomAt}::bigint`,
      now,
      part`, arrived_at_s = case ${arrived}::text when 'now' then ${now}::bigint
                                                when 'before' then arrived_at_s end,
             in_room_at_s = case ${inRoom}::text when 'now' then ${now}::bigint
                                                 when 'before' then in_room_at_s end`,
    )} returning c.id)${event === 'miss' || event === 'complete' ? part`, ${FREED}` : part``}
    select id from gone`);
}

/** How what stands again had ended, and what it gets back of the appointment to which it had moved. */
const ENDED_AS = {
  noShow: { event: 'expect', is: own.is('noShow') },
  cancelled: { event: 'undo', is: own.is('cancelled') },
  rescheduled: { event: 'undo', is: own.is('rescheduled') },
} as const;
type OfMoved = Pick<StoredAppointment, 'paidNow' | 'ticklers' | 'feeAtClinic'>;

/**
 * Makes what has ended booked again; false where part of its time is taken or another patient was seen in it.
 * Where its patient has another appointment on a day that allows one, both stay: staff have decided so.
 */
export const standAgain = (
  tx: Tx,
  { id, providerId, start, end }: Span & { readonly id: string },
  { was, of = null }: { readonly was: keyof typeof ENDED_AS; readonly of?: OfMoved | null },
  now: EpochSeconds,
): Promise<boolean> =>
  hasRows(sql(tx, `appointments-stand-again-${was}`)`
    with span as (
      select step from generate_series(${start - (start % 300)}::bigint, ${end - 1}::bigint, 300) as step),
    steps as (
      insert into appointment_step (provider_id, step_start_s, appointment_id)
      select ${providerId}::text, step, ${id}::uuid from span order by step
      on conflict do nothing returning 1)
    ${change(
      ENDED_AS[was].event,
      part`c.id = ${id}::uuid and ${ENDED_AS[was].is}
       and (select count(*) from steps) = (select count(*) from span)
       and not exists (
         select from appointment seen
          where seen.provider_id = c.provider_id and ${stateIn('seen').is('completed')}
            and seen.start_s < c.end_s and c.start_s < seen.end_s)`,
      now,
      part`, once_a_day = once_a_day and not exists (
             select from appointment other
              where other.patient_id = c.patient_id and other.clinic_date = c.clinic_date
                and other.once_a_day and other.rescheduled_from is null
                and ${stateIn('other').isBooked})
           ${
             of === null
               ? part``
               : part`, ${PAID_CENTS_COPY} = ${of.paidNow}, ticklers = ${of.ticklers}::text[],
               fee_at_clinic = ${of.feeAtClinic && JSON.stringify(of.feeAtClinic)}::text::jsonb`
           }`,
    )}
    returning c.id`);

/** Keeps the copy of what is paid right where a fee is refunded though the appointment was not cancelled. */
export const clearPaidCents = (tx: Tx, id: string) =>
  sql(tx, 'appointments-fee-given-back')`
    update appointment c set ${PAID_CENTS_COPY} = 0 where c.id = ${id}::uuid and ${own.keptItsTime}`;

/**
 * Whether an EMR is being asked to book the time that it moves to, so that its fee is moving too. The caller
 * has locked the patient.
 */
export const isFeeMoving = (tx: Tx, id: string): Promise<boolean> =>
  hasRows(sql(tx, 'appointments-fee-moving')`
    select from appointment c where c.rescheduled_from = ${id}::uuid and ${own.isConfirming}`);

export const writeFee = (tx: Tx, id: string, fee: FeeAtClinic | null) =>
  sql(tx, 'appointments-write-fee')`
    update appointment c set fee_at_clinic = ${fee && JSON.stringify(fee)}::text::jsonb
     where c.id = ${id}::uuid`;
