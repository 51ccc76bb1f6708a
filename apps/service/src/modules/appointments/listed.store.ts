import { toClinic } from '@clinic/domain';
import type { ClinicDate, Doctor, EpochSeconds, SlotRequest } from '@clinic/domain';

import { type Db, part, sql } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { TakenTime } from '../schedule/index.ts';
import { holdNamedBy } from './appointment.ts';
import type { StoredAppointment, Offer, BookedAppointment } from './appointment.ts';

/** Appointments with whose they are and when, for another module's statement. */
export const APPOINTMENTS = part`(
  select id, patient_id, record_id, provider_id, clinic_date, start_s, end_s, state
    from appointment)`;

/** What the schedule's statements read of the time that appointments take. */
export const takenTime: TakenTime = {
  appointments: part`(
    select id, patient_id, provider_id, clinic_date, start_s, end_s, state, hold_expires_at_s,
           confirming or paying as outlasts, changed_xid
      from appointment)`,
  steps: part`(select provider_id, step_start_s, appointment_id from appointment_step)`,
};

/** An appointment as it is read everywhere. */
export const READ_COLUMNS = part`
  c.id, c.record_id as "recordId", c.provider_id as "providerId", c.start_s as start, c.end_s as "end",
  c.clinic_date::text as "clinicDate", c.type, c.state, c.hold_placed_at_s as "holdPlacedAt",
  c.hold_expires_at_s as "holdExpiresAt", c.confirming, c.paying,
  c.rescheduled_from as "rescheduledFrom", c.request_key as "requestKey",
  c.booking_number as "bookingNumber", c.paid_cents as "paidCents",
  c.is_reschedulable as "isReschedulable", c.is_cancellable as "isCancellable", c.checkin,
  c.ticklers, c.sequence, c.changed_at_s as "changedAt",
  c.contact_preference as "contactPreference"`;

/** Everything that an offer is made of, in one row: all joins are on primary keys. */
export const offered = (patientId: PatientId, slot: SlotRequest, today: ClinicDate) => part`
  select p.record_id as "recordId", p.eligibility, p.family_doctor as "familyDoctor",
         p.booking_blocked as "bookingBlocked", p.blocked_providers as "blockedProviders",
         p.disabled_types as "disabledTypes",
         p.health_card_uploaded and p.picture_id_uploaded as "documentsUploaded",
         mp.patient_id is not null as "medicalProfileKept",
         t.code, t.description, t.enforce_mrp as "enforceMrp", t.enforce_no_pcp as "enforceNoPcp",
         t.requires_documents as "requiresDocuments", fee.charge_cents as "chargeCents",
         r.id, r.first_name as "firstName", r.last_name as "lastName", r.status = '1' as active,
         coalesce(pp.disabled, false) as disabled, coalesce(pp.comment, '') as comment,
         coalesce(pp.hidden, false) as hidden, coalesce(pp.family_only, false) as "familyOnly",
         coalesce(pp.no_pcp, false) as "noPcp", d.codes
    from patient p
    left join medical_profile mp on mp.patient_id = p.id
    left join appointment_type t on t.code = ${slot.type}
    left join records_provider r on r.id = ${slot.providerId}
    left join provider_policy pp on pp.provider_id = ${slot.providerId}
    left join schedule_day d on d.clinic_date = ${toClinic(slot.start).date}::date
                            and d.provider_id = ${slot.providerId}
    left join lateral (
      select f.charge_cents from fee_policy f
       where f.type = ${slot.type} and f.eligibility = p.eligibility
         and f.valid_from <= ${today}::date
       order by f.valid_from desc limit 1) fee on true
   where p.id = ${patientId}`;

type OfferedPatient = Offer['patient'] & Pick<Offer, 'recordId'>;
type OfferedType = NonNullable<Offer['type']>;
type OfferedProvider = NonNullable<Offer['provider']>;

export interface OfferRow
  extends
    OfferedPatient,
    Omit<OfferedType, 'code' | 'chargeCents'>,
    Omit<OfferedProvider, 'id' | 'status'>,
    Readonly<OfferedProvider['status']> {
  readonly code: OfferedType['code'] | null;
  readonly chargeCents: number | null;
  readonly id: string | null;
  readonly codes: string | null;
}

export function offerOf(row: OfferRow): Offer {
  const { recordId, code, chargeCents, id, codes, firstName, lastName, description } = row;
  const { eligibility, familyDoctor, bookingBlocked, blockedProviders, disabledTypes } = row;
  const { documentsUploaded, medicalProfileKept } = row;
  const { enforceMrp, enforceNoPcp, requiresDocuments } = row;
  const { disabled, comment, hidden, familyOnly, noPcp, active } = row;
  return {
    recordId,
    patient: {
      eligibility,
      familyDoctor,
      bookingBlocked,
      blockedProviders,
      disabledTypes,
      documentsUploaded,
      medicalProfileKept,
    },
    // A type without a price is not offered: nobody books what the policy does not know.
    type:
      code === null || chargeCents === null
        ? null
        : { code, description, enforceMrp, enforceNoPcp, requiresDocuments, chargeCents },
    provider:
      id === null
        ? null
        : {
            id,
            firstName,
            lastName,
            status: { disabled, comment, hidden, familyOnly, noPcp, active },
          },
    template: codes,
  };
}

/** An appointment as it is listed, and who and what it names. */
export interface ListedAppointment extends Pick<BookedAppointment, 'appointment' | 'description'> {
  /** Null when the records do not know the provider (any more). */
  readonly doctor: Doctor | null;
}

interface Named {
  readonly doctorId: string | null;
  readonly firstName: string;
  readonly lastName: string;
}
type ListedRow = StoredAppointment & Named & Pick<ListedAppointment, 'description'>;

const WITH_NAMES = part`
    from appointment c
    left join appointment_type t on t.code = c.type
    left join records_provider r on r.id = c.provider_id`;

const LISTED = part`
  select ${READ_COLUMNS}, coalesce(t.description, '') as description, r.id as "doctorId",
         r.first_name as "firstName", r.last_name as "lastName"
    ${WITH_NAMES}`;

function listedOf({ doctorId: id, firstName, lastName, description, ...appointment }: ListedRow) {
  return { appointment, description, doctor: id === null ? null : { id, firstName, lastName } };
}

/** The patient's appointments from an instant on, and whether there are older ones. */
export async function listedAppointmentsOf(
  db: Db,
  patientId: PatientId,
  since: EpochSeconds,
): Promise<{ readonly appointments: readonly ListedAppointment[]; readonly hasOlder: boolean }> {
  const [rows, older] = await Promise.all([
    sql<ListedRow>(db, 'appointments-of-patient')`
      ${LISTED} where c.patient_id = ${patientId} and c.start_s >= ${since}
         and c.state not in ('held', 'released') order by c.start_s, c.id`,
    sql(db, 'appointments-older')`
      select 1 from appointment c where c.patient_id = ${patientId} and c.start_s < ${since}
         and c.state not in ('held', 'released') limit 1`,
  ]);
  return { appointments: rows.map(listedOf), hasOlder: older.length > 0 };
}

/** One appointment of a patient, or null. */
export async function appointmentOf(
  db: Db,
  patientId: PatientId,
  appointmentId: string,
): Promise<ListedAppointment | null> {
  const [row] = await sql<ListedRow>(db, 'appointments-one')`
    ${LISTED} where c.patient_id = ${patientId} and c.id = ${appointmentId}
       and c.state not in ('held', 'released')`;
  return row ? listedOf(row) : null;
}

/**
 * The appointment that a request has made, by its stored key or of the hold that the key names.
 */
export async function appointmentMadeBy(
  db: Db,
  patientId: PatientId,
  storedKey: string,
): Promise<ListedAppointment | null> {
  const [row] = await sql<ListedRow>(db, 'appointments-of-request')`
    ${LISTED}
     where c.patient_id = ${patientId}
       and (c.request_key = ${storedKey} or c.id = ${holdNamedBy(storedKey)}::uuid)
       and c.state not in ('held', 'released')
     order by c.request_key is null limit 1`;
  return row ? listedOf(row) : null;
}

/** The patient's standing hold with its sealed draft. */
export async function holdOf(
  db: Db,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<{
  readonly appointment: StoredAppointment;
  readonly draftSealed: Uint8Array | null;
} | null> {
  const [row] = await sql<StoredAppointment & { readonly draftSealed: Uint8Array | null }>(
    db,
    'appointments-hold-of',
  )`
    select ${READ_COLUMNS}, c.answers_sealed as "draftSealed" from appointment c
     where c.patient_id = ${patientId} and c.state = 'held'
       and (c.confirming or c.paying or c.hold_expires_at_s > ${now})`;
  if (!row) return null;
  const { draftSealed, ...appointment } = row;
  return { appointment, draftSealed };
}

/** The sealed answers of an appointment, or null. */
export async function sealedAnswers(db: Db, appointmentId: string): Promise<Uint8Array | null> {
  const [row] = await sql<{ sealed: Uint8Array | null }>(db, 'appointments-sealed-answers')`
    select answers_sealed as sealed from appointment where id = ${appointmentId}`;
  return row?.sealed ?? null;
}

/** What an e-mail about an appointment needs, or null when its patient has no account. */
export interface EmailFacts {
  readonly to: string;
  readonly appointment: StoredAppointment;
  readonly doctor: Pick<Doctor, 'firstName' | 'lastName'>;
  readonly movedFrom: EpochSeconds | null;
}

export async function emailFacts(db: Db, appointmentId: string): Promise<EmailFacts | null> {
  type Row = StoredAppointment & Omit<EmailFacts, 'appointment' | 'doctor'> & EmailFacts['doctor'];
  const [row] = await sql<Row>(db, 'appointments-for-email')`
    select ${READ_COLUMNS}, p.email as "to", coalesce(r.first_name, '') as "firstName",
           coalesce(r.last_name, '') as "lastName", before.start_s as "movedFrom"
      from appointment c
      join patient p on p.id = c.patient_id
      left join records_provider r on r.id = c.provider_id
      left join appointment before on before.id = c.rescheduled_from
     where c.id = ${appointmentId}`;
  if (!row) return null;
  const { to, movedFrom, firstName, lastName, ...appointment } = row;
  return { to, movedFrom, appointment, doctor: { firstName, lastName } };
}

/** Somebody's appointment on a doctor's day. */
export interface DayAppointment {
  readonly id: string;
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly recordId: string;
  readonly start: EpochSeconds;
  readonly state: 'held' | 'booked' | 'registered';
  readonly paidCents: number;
  /** Being paid for, or being booked in the records: only that ends it. */
  readonly underWay: boolean;
}

/** What still stands on a doctor's day after an instant. */
export const appointmentsOnDay = (
  db: Db,
  providerId: string,
  day: ClinicDate,
  after: EpochSeconds,
): Promise<DayAppointment[]> =>
  sql<DayAppointment>(db, 'appointments-on-day')`
    select id, patient_id as "patientId", record_id as "recordId", start_s as start, state,
           paid_cents as "paidCents", (confirming or paying) as "underWay"
      from appointment
     where provider_id = ${providerId} and clinic_date = ${day}::date and start_s > ${after}
       and state in ('held', 'booked', 'registered')
     order by start_s`;

/** What a patient still has: how many appointments later than now, and whether a time is held. */
export async function standingOf(
  db: Db,
  patientId: string,
  now: EpochSeconds,
): Promise<{ readonly booked: number; readonly held: boolean }> {
  const [row] = await sql<{ booked: number; held: boolean }>(
    db,
    'appointments-of-patient-standing',
  )`
    select count(*) filter (where state in ('booked', 'registered') and start_s > ${now})::int as booked,
           coalesce(bool_or(state = 'held'), false) as held
      from appointment where patient_id = ${patientId}::uuid`;
  return row ?? { booked: 0, held: false };
}

/**
 * All that a patient is given of their appointments in a copy of their data. Every column is named,
 * so that one that is added later is not handed out unawares.
 */
export const ownAppointments = (db: Db, patientId: PatientId) =>
  sql<{ id: string; paidCents: number; answersSealed: Uint8Array | null }>(db)`
    select c.id, c.type, t.description, c.state, c.start_s as start, c.end_s as "end",
           r.first_name as "doctorFirstName", r.last_name as "doctorLastName",
           c.booking_number as "bookingNumber", c.paid_cents as "paidCents",
           c.created_at_s as "createdAt", c.changed_at_s as "changedAt",
           c.rescheduled_from as "rescheduledFrom", c.answers_sealed as "answersSealed"
      ${WITH_NAMES} where c.patient_id = ${patientId} order by c.start_s, c.id`;

/** When the appointments of the patient `p` of another's statement changed or ended last. */
export const LAST_APPOINTMENT = part`(
  select max(greatest(changed_at_s, end_s)) from appointment where patient_id = p.id)`;

export const eraseAppointments = (patientId: string) => part`
  with steps as (
    delete from appointment_step where appointment_id in (
      select id from appointment where patient_id = ${patientId}))
  delete from appointment where patient_id = ${patientId}`;
