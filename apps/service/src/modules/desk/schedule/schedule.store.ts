import type { ClosingOutcome, EpochSeconds, PaymentState } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type Db, sql } from '../../../database/db.ts';
import { closingEntries, rebookedSince } from '../../closings/index.ts';
import { PATIENT_EMAILS } from '../../accounts/index.ts';
import { CONTACT_NUMBERS } from '../../patients/index.ts';
import { EVER_PAID, PAYMENTS } from '../../payments/index.ts';
import { RECORDS } from '../../records/index.ts';
import { typesNamedTo } from '../../schedule/index.ts';

/** The patient of an appointment, and how the clinic reaches them. */
export interface WhoIsTold {
  readonly appointmentId: string;
  /** 'Morgan, Casey'. */
  readonly patient: string;
  /** Null without an account. */
  readonly phone: string | null;
  /** True when an email to the patient's address came back. */
  readonly bounces: boolean;
  readonly description: string;
  /** Null for a record without an account. */
  readonly patientId: string | null;
}

interface Asked {
  readonly id: string;
  readonly patientId: string | null;
  readonly recordId: string;
  readonly type: string;
}

/** These appointments with their patients. */
export async function withPatients<Of extends Asked>(db: Db, asked: readonly Of[], reader: Locale) {
  const column = (of: (each: Asked) => string | null) => asked.map(of);
  const rows = await sql<WhoIsTold>(db, 'desk-who-is-told')`
    select asked.id::text as "appointmentId", asked.patient_id as "patientId", p.phone, coalesce(p.bounces, false) as bounces,
           coalesce(p.last_name || ', ' || p.first_name, r.last_name || ', ' || r.first_name, '') as patient,
           coalesce(t.description, asked.type) as description
      from unnest(${column(({ id }) => id)}::uuid[], ${column(({ patientId }) => patientId)}::uuid[],
                  ${column(({ recordId }) => recordId)}::text[], ${column(({ type }) => type)}::text[])
           with ordinality as asked (id, patient_id, record_id, type, place)
      left join ${PATIENT_EMAILS} p on p.id = asked.patient_id
      left join ${RECORDS} r on r.id = asked.record_id
      left join ${typesNamedTo(reader)} t on t.code = asked.type
     order by asked.place`;
  return rows.map((row, at) => ({ ...(asked[at] as Of), ...row }));
}

/** An appointment or a hold that a closing covers, and what became of it. */
export interface EntryRow extends WhoIsTold {
  readonly recordId: string;
  readonly providerId: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly paidCents: number;
  /** Null until the closing has dealt with the appointment. */
  readonly outcome: ClosingOutcome | null;
  readonly underWay: boolean;
  readonly email: 'sent' | 'waiting' | 'failed' | null;
  readonly payment: PaymentState | null;
  readonly type: string;
  /** Of the card, in E.164, and of the account. */
  readonly cardPhones: string[];
  readonly accountPhones: string[];
  /** What the patient has booked since; null while nothing. */
  readonly rebooked: {
    readonly appointmentId: string;
    readonly providerId: string;
    readonly description: string;
    readonly start: EpochSeconds;
    readonly isHeld: boolean;
  } | null;
}

export const entriesOfClosing = (db: Db, closingId: string, reader: Locale): Promise<EntryRow[]> =>
  sql<EntryRow>(db, 'desk-closing-entries')`
    select e.appointment_id as "appointmentId", e.patient_id as "patientId",
           e.record_id as "recordId",
           e.provider_id as "providerId", e.start_s as start, e.end_s as "end",
           e.ever_paid as "paidCents", e.outcome, e.under_way as "underWay", e.email,
           m.state as payment, p.phone, coalesce(p.bounces, false) as bounces,
           coalesce(p.last_name || ', ' || p.first_name, r.last_name || ', ' || r.first_name, '') as patient,
           coalesce(t.description, e.type) as description, e.type,
           array(select n.number from ${CONTACT_NUMBERS} n where n.record_id = e.record_id
                  order by n.preferred desc, n.at_s, n.number) as "cardPhones",
           coalesce(p.phones, '{}') as "accountPhones",
           case when n.id is not null then json_build_object(
             'appointmentId', n.id, 'providerId', n.provider_id, 'start', n.start_s,
             'description', coalesce(nt.description, n.type), 'isHeld', n.has_payment_link) end as rebooked
      from ${closingEntries({ everPaid: EVER_PAID })} e
      left join ${PATIENT_EMAILS} p on p.id = e.patient_id
      left join ${RECORDS} r on r.id = e.record_id
      left join ${typesNamedTo(reader)} t on t.code = e.type
      left join ${rebookedSince(closingId)} n on n.appointment_id = e.appointment_id
      left join ${typesNamedTo(reader)} nt on nt.code = n.type
      left join ${PAYMENTS} m on m.appointment_id = e.appointment_id
     where e.closing_id = ${closingId}::uuid
     order by e.start_s, e.provider_id, e.appointment_id`;
