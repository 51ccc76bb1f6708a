import { isAppointmentTypeCode, isEligibility } from '@clinic/domain';
import type { AppointmentTypeCode, ContactPreference, Eligibility } from '@clinic/domain';

import type { StoredAppointment, AppointmentState } from './appointment.ts';
import type { Offer } from './offer.ts';

/** The columns of an appointment as `appointmentOf` reads them. */
export const READ_COLUMNS = `
  c.id, c.record_id, c.provider_id, c.start_s, c.end_s, c.clinic_date::text as clinic_date, c.type,
  c.state, c.hold_placed_at_s, c.hold_expires_at_s, c.confirming, c.paying,
  c.rescheduled_from,
  c.request_key, c.booking_number, c.paid_cents, c.is_reschedulable, c.is_cancellable, c.checkin,
  c.ticklers, c.sequence, c.changed_at_s, c.contact_preference`;

export interface AppointmentRow {
  readonly id: string;
  readonly record_id: string;
  readonly provider_id: string;
  readonly start_s: number;
  readonly end_s: number;
  readonly clinic_date: string;
  readonly type: string;
  readonly state: AppointmentState;
  readonly hold_placed_at_s: number | null;
  readonly hold_expires_at_s: number | null;
  readonly confirming: boolean;
  readonly paying: boolean;
  readonly rescheduled_from: string | null;
  readonly request_key: string | null;
  readonly booking_number: string | null;
  readonly paid_cents: number;
  readonly is_reschedulable: boolean;
  readonly is_cancellable: boolean;
  readonly checkin: string | null;
  readonly ticklers: string[];
  readonly sequence: number;
  readonly changed_at_s: number;
  readonly contact_preference: ContactPreference | null;
}

export function appointmentOf(row: AppointmentRow): StoredAppointment {
  return {
    id: row.id,
    recordId: row.record_id,
    providerId: row.provider_id,
    start: row.start_s,
    end: row.end_s,
    clinicDate: row.clinic_date,
    type: typeOf(row.type),
    state: row.state,
    holdPlacedAt: row.hold_placed_at_s,
    holdExpiresAt: row.hold_expires_at_s,
    confirming: row.confirming,
    paying: row.paying,
    rescheduledFrom: row.rescheduled_from,
    requestKey: row.request_key,
    bookingNumber: row.booking_number,
    paidCents: row.paid_cents,
    isReschedulable: row.is_reschedulable,
    isCancellable: row.is_cancellable,
    checkin: row.checkin,
    ticklers: row.ticklers,
    sequence: row.sequence,
    changedAt: row.changed_at_s,
    contactPreference: row.contact_preference,
  };
}

/** Everything that an offer is made of, in one row: all joins are on primary keys. */
export const OFFER_SQL = `
  select p.record_id, p.email, p.eligibility, p.family_doctor, p.booking_blocked,
         p.blocked_providers, p.disabled_types, p.health_card_uploaded, p.picture_id_uploaded,
         mp.patient_id is not null as medical_profile_kept,
         t.code as type, t.description, t.enforce_mrp, t.enforce_no_pcp, t.requires_documents,
         fee.charge_cents, r.id as doctor, r.first_name, r.last_name, r.status,
         coalesce(pp.disabled, false) as disabled, coalesce(pp.comment, '') as comment,
         coalesce(pp.hidden, false) as hidden, coalesce(pp.family_only, false) as family_only,
         coalesce(pp.no_pcp, false) as no_pcp, d.codes
    from patient p
    left join medical_profile mp on mp.patient_id = p.id
    left join appointment_type t on t.code = $2
    left join records_provider r on r.id = $3
    left join provider_policy pp on pp.provider_id = $3
    left join schedule_day d on d.clinic_date = $4::date and d.provider_id = $3
    left join lateral (
      select f.charge_cents from fee_policy f
       where f.type = $2 and f.eligibility = p.eligibility and f.valid_from <= $5::date
       order by f.valid_from desc limit 1) fee on true
   where p.id = $1`;

export interface OfferRow {
  readonly record_id: string;
  readonly email: string;
  readonly eligibility: string;
  readonly family_doctor: boolean;
  readonly booking_blocked: boolean;
  readonly blocked_providers: string[];
  readonly disabled_types: string[];
  readonly health_card_uploaded: boolean;
  readonly picture_id_uploaded: boolean;
  readonly medical_profile_kept: boolean;
  readonly type: string | null;
  readonly description: string;
  readonly enforce_mrp: boolean;
  readonly enforce_no_pcp: boolean;
  readonly requires_documents: boolean;
  readonly charge_cents: number | null;
  readonly doctor: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly status: string;
  readonly disabled: boolean;
  readonly comment: string;
  readonly hidden: boolean;
  readonly family_only: boolean;
  readonly no_pcp: boolean;
  readonly codes: string | null;
}

export function offerOf(row: OfferRow): Offer {
  return {
    patient: {
      recordId: row.record_id,
      email: row.email,
      eligibility: eligibilityOf(row.eligibility),
      familyDoctor: row.family_doctor,
      bookingBlocked: row.booking_blocked,
      blockedProviders: row.blocked_providers,
      disabledTypes: row.disabled_types,
      healthCardUploaded: row.health_card_uploaded,
      pictureIdUploaded: row.picture_id_uploaded,
      medicalProfileKept: row.medical_profile_kept,
    },
    // A type without a price is not offered: nobody books what the policy does not know.
    type:
      row.type === null || row.charge_cents === null
        ? null
        : {
            code: typeOf(row.type),
            description: row.description,
            enforceMrp: row.enforce_mrp,
            enforceNoPcp: row.enforce_no_pcp,
            requiresDocuments: row.requires_documents,
            chargeCents: row.charge_cents,
          },
    doctor:
      row.doctor === null
        ? null
        : {
            id: row.doctor,
            firstName: row.first_name,
            lastName: row.last_name,
            status: {
              disabled: row.disabled,
              comment: row.comment,
              hidden: row.hidden,
              familyOnly: row.family_only,
              noPcp: row.no_pcp,
              active: row.status === '1',
            },
          },
    codes: row.codes,
  };
}

function typeOf(code: string): AppointmentTypeCode {
  if (!isAppointmentTypeCode(code)) throw new Error(`Unknown appointment type '${code}'`);
  return code;
}

function eligibilityOf(email: string): Eligibility {
  if (!isEligibility(email)) throw new Error(`Unknown eligibility '${email}'`);
  return email;
}
