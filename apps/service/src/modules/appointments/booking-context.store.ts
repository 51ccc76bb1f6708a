import { ELIGIBILITIES, INACTIVE_PROVIDER_COMMENT, NOT_WORKING, toClinic } from '@clinic/domain';
import type { ClinicDate, EpochSeconds, SlotRequest } from '@clinic/domain';

import { type Db, type Part, type Tx, firstOf, part, onlyRowOf, sql } from '../../database/db.ts';
import type { LaterParts } from '../../platform.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { PROVIDERS, SLOT_CODES, TEMPLATES, lockRecord, recordWhoBooks } from '../records/index.ts';
import { APPOINTMENT_TYPES, PACES, PROVIDER_POLICIES, feeOn } from '../schedule/index.ts';
import type { RateRule } from '../../server/rates.ts';
import { type BookingContext, type Owner, isAccount } from './appointment.ts';
import { own } from './state-columns.store.ts';

const FEE = feeOn(part`asked.type`, part`p.eligibility`, part`asked.today`);

/** The offer to an account. */
export const bookingContextOf = (
  parts: LaterParts,
  patientId: PatientId,
  slot: SlotRequest,
  today: ClinicDate,
) => bookingContextFor(part`${parts.patients} p on p.id = ${patientId}`, parts, slot, today);

/**
 * Everything that an offer is made of, in one row: all joins are on primary keys. A type without a
 * fee is not offered: what the fee policy does not know cannot be booked.
 */
const bookingContextFor = (
  whom: Part,
  { medicalProfiles }: LaterParts,
  slot: SlotRequest,
  today: ClinicDate,
) => part`
  select p.record_id as "recordId",
         json_build_object(
           'eligibility', p.eligibility, 'familyDoctor', p.family_doctor,
           'account', p.account, 'blockedProviders', p.blocked_providers,
           'disabledTypes', p.disabled_types, 'documentsUploaded', p.documents_uploaded,
           'medicalProfileKept', mp.patient_id is not null) as patient,
         case when t.active and fee.charge_cents is not null then json_build_object(
           'code', t.code, 'description', t.description,
           'translations', t.translations, 'minutes', t.minutes, 'mode', t.mode, 'form', t.form,
           'enforceMrp', t.enforce_mrp, 'enforceNoPcp', t.enforce_no_pcp,
           'requiresDocuments', t.requires_documents, 'isPrivate', t.is_private,
           'byNursePractitioners', t.by_nurse_practitioners,
           'chargeCents', fee.charge_cents) end as type,
         case when r.id is not null then json_build_object(
           'id', r.id, 'firstName', r.first_name, 'lastName', r.last_name,
           'status', json_build_object(
             'disabled', pp.disabled, 'comment', pp.comment, 'hidden', pp.hidden,
             'familyOnly', pp.family_only, 'noPcp', pp.no_pcp, 'active', pp.bookable)) end as provider,
         d.codes as template,
         coalesce((select json_agg(c.rules) from ${SLOT_CODES} c where asked.type = any(c.types)),
                  '[]') as codes,
         (select json_build_object('offers', pt.offers, 'minutes', pt.minutes) from ${PACES} pt
           where pt.provider_id = asked.provider_id and pt.type = asked.type) as pace
    from (select ${slot.type}::text as type, ${slot.providerId}::text as provider_id,
                 ${toClinic(slot.start).date}::date as day, ${today}::date as today) asked
    join ${whom}
    left join ${medicalProfiles} mp on mp.patient_id = p.id
    left join ${APPOINTMENT_TYPES} t on t.code = asked.type
    left join lateral ${FEE} fee on true
    left join ${PROVIDERS} r on r.id = asked.provider_id
    left join ${PROVIDER_POLICIES} pp on pp.provider_id = asked.provider_id
    left join ${TEMPLATES} d on d.clinic_date = asked.day and d.provider_id = asked.provider_id`;

/**
 * Locks the patient's row, or the record of a patient without an account, and reads what the clinic
 * offers; null when there is no such patient, or the record has an account by now.
 */
export async function lockBookingContext(
  tx: Tx,
  parts: LaterParts,
  owner: Owner,
  slot: SlotRequest,
  today: ClinicDate,
): Promise<BookingContext | null> {
  if (isAccount(owner)) {
    return firstOf(sql<BookingContext>(tx, 'appointments-lock-offer')`
      ${bookingContextOf(parts, owner, slot, today)} for no key update of p`);
  }
  const record = await lockRecord(tx, owner.recordId);
  if (record === null) return null;
  const withoutAccount = part`${recordWhoBooks(record)} p on not exists (
    select from ${parts.patients} own where own.record_id = p.record_id and own.is_open)`;
  // A separate statement after the lock, so that it sees an account whose opening the lock waited for.
  return firstOf(sql<BookingContext>(tx, 'appointments-offer-to-record')`
    ${bookingContextFor(withoutAccount, parts, slot, today)}`);
}

/** Only locks the patient's row, or the record of a patient without an account. */
export async function lockPatient(tx: Tx, { patients }: LaterParts, owner: Owner): Promise<void> {
  if (isAccount(owner))
    await sql(tx, 'appointments-lock-patient')`
      select 1 from ${patients} p where p.id = ${owner} for no key update`;
  else await lockRecord(tx, owner.recordId);
}

/** What rate limits count among a patient's appointments, and the time that counts for each. */
type Counted = 'holds' | 'bookings' | 'cancellations';
const COUNTED_BY: Record<Counted, { readonly at: Part; readonly which: Part }> = {
  holds: { at: part`created_at_s`, which: part`hold_placed_at_s is not null` },
  bookings: { at: part`created_at_s`, which: own.wasBooked },
  cancellations: { at: part`changed_at_s`, which: own.is('cancelled') },
};

/**
 * Seconds until the patient may do this again; null while they have not done it as often as the rule
 * allows. What counts is when a hold was placed, when an appointment or the hold that became it was
 * placed, or when an appointment was cancelled.
 */
export async function retryAfter(
  tx: Tx,
  patientId: PatientId,
  { counted, rule }: { readonly counted: Counted; readonly rule: RateRule },
  now: EpochSeconds,
): Promise<number | null> {
  const { at, which } = COUNTED_BY[counted];
  const [row] = await sql<{ madeAt: number }>(tx, `appointments-made-${counted}`)`
    select ${at} as "madeAt" from appointment c
     where patient_id = ${patientId} and ${at} > ${now - rule.seconds} and ${which}
     order by ${at} desc offset ${rule.count - 1} limit 1`;
  return row ? row.madeAt + rule.seconds - now : null;
}

/** Whether the clinic's own tables hold what any booking needs, and whether any type costs money. */
export interface BookingFacts {
  /** Types, other than refills that another site takes, that are offered. */
  readonly types: boolean;
  readonly fees: boolean;
  /** Providers who are active and offered to patients. */
  readonly providers: boolean;
  /** A day from today on, on which one of these providers works. */
  readonly schedule: boolean;
  /** Some type costs something today. */
  readonly charges: boolean;
}

export function bookingFacts(db: Db, today: ClinicDate): Promise<BookingFacts> {
  const fee = feeOn(part`type.code`, part`eligible.as`, part`${today}::date`);
  return onlyRowOf(sql<BookingFacts>(db, 'booking-facts')`
    with type as (select code from ${APPOINTMENT_TYPES} each where active and form <> 'refill'),
    fee as (
      select charged.charge_cents
        from type cross join unnest(${ELIGIBILITIES}::text[]) as eligible ("as")
             cross join lateral ${fee} charged),
    offered as (
      select o.provider_id as id from ${PROVIDER_POLICIES} o
       where o.bookable and not o.hidden
         and (not o.disabled or o.comment = ${INACTIVE_PROVIDER_COMMENT}))
    select exists (select from type) as types,
           exists (select from fee) as fees,
           exists (select from offered) as providers,
           exists (select from ${TEMPLATES} d join offered on offered.id = d.provider_id
                    where d.clinic_date >= ${today}::date
                      and replace(d.codes, ${NOT_WORKING}, '') <> '') as schedule,
           exists (select from fee where charge_cents > 0) as charges`);
}
