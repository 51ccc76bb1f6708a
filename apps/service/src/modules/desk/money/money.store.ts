import type {
  EpochSeconds,
  FeeMeans,
  PaymentAlarm,
  PaymentState,
  RefundReason,
} from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, part, sql } from '../../../database/db.ts';
import { DESK_APPOINTMENTS } from '../../appointments/index.ts';
import { PATIENT_EMAILS } from '../../accounts/index.ts';
import { DESK_PAYMENTS } from '../../payments/index.ts';
import { RECORDS } from '../../records/index.ts';
import { typesNamedTo } from '../../schedule/index.ts';

interface Paid {
  readonly id: string;
  readonly appointmentId: string;
  readonly cents: number;
  readonly at: EpochSeconds;
  /** 'Morgan, Casey'. */
  readonly patient: string;
  readonly start: EpochSeconds | null;
  readonly description: string;
  readonly refundReason: RefundReason | null;
  readonly refundedAt: EpochSeconds | null;
  /** Null where the appointment is gone. */
  readonly recordId: string | null;
}

/** A payment online. */
export interface PaidOnline extends Paid {
  readonly state: PaymentState;
  readonly alarm: PaymentAlarm | null;
  readonly reference: string;
}

/** A fee that was taken at the clinic. */
export interface PaidAtClinic extends Paid {
  readonly means: FeeMeans;
  readonly refundMeans: FeeMeans | null;
}

const WHOSE = part`
  coalesce(p.last_name || ', ' || p.first_name, r.last_name || ', ' || r.first_name, '') as patient,
  c.record_id as "recordId", c.start_s as start, coalesce(t.description, c.type, '') as description`;
const namesTo = (reader: Locale) => part`
  left join ${PATIENT_EMAILS} p on p.id = c.patient_id
  left join ${RECORDS} r on r.id = c.record_id
  left join ${typesNamedTo(reader)} t on t.code = c.type`;

/** Payments made online, or given back, from `from` up to but not including `before`. */
export const paidOnline = (db: Db, from: EpochSeconds, before: EpochSeconds, reader: Locale) =>
  sql<PaidOnline>(db, 'desk-paid-online')`
    select m.id, m.appointment_id as "appointmentId", m.amount_cents as cents, m.created_at_s as at,
           m.state, m.alarm, m.reference, m.refund_reason as "refundReason",
           m.refunded_at_s as "refundedAt", ${WHOSE}
      from ${DESK_PAYMENTS} m
      left join ${DESK_APPOINTMENTS} c on c.id = m.appointment_id
      ${namesTo(reader)}
     where (m.created_at_s >= ${from} and m.created_at_s < ${before})
        or (m.refunded_at_s >= ${from} and m.refunded_at_s < ${before})
     order by m.created_at_s desc, m.id`;

const TAKEN_AT = part`(c.fee_at_clinic #>> '{taken,at}')::bigint`;
const BACK_AT = part`(c.fee_at_clinic #>> '{givenBack,at}')::bigint`;

/**
 * Fees taken, or given back, at the clinic from `from` up to but not including `before`. The fee of an
 * appointment that was moved is listed with the appointment that it moved to.
 */
export const paidAtClinic = (db: Db, from: EpochSeconds, before: EpochSeconds, reader: Locale) =>
  sql<PaidAtClinic>(db, 'desk-paid-at-clinic')`
    select c.id, c.id as "appointmentId", (c.fee_at_clinic ->> 'cents')::int as cents,
           ${TAKEN_AT} as at, c.fee_at_clinic #>> '{taken,means}' as means,
           ${BACK_AT} as "refundedAt", c.fee_at_clinic #>> '{givenBack,means}' as "refundMeans",
           c.fee_at_clinic #>> '{givenBack,reason}' as "refundReason", ${WHOSE}
      from ${DESK_APPOINTMENTS} c
      ${namesTo(reader)}
     where ((${TAKEN_AT} >= ${from} and ${TAKEN_AT} < ${before})
            or (${BACK_AT} >= ${from} and ${BACK_AT} < ${before}))
       and c.was_booked and c.state <> 'rescheduled'
     order by at desc, c.id`;

/** The numbers of the records whose payments online these are. */
export async function recordsOfPayments(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ recordId: string }>(db, 'desk-records-of-payments')`
    select distinct c.record_id as "recordId"
      from ${DESK_PAYMENTS} m join ${DESK_APPOINTMENTS} c on c.id = m.appointment_id
     where m.id = any(${ids}::uuid[])`;
  return rows.map(({ recordId }) => recordId);
}
