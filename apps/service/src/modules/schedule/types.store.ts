import type {
  AccountFacts,
  AppointmentForm,
  ClinicDate,
  KeptType,
  TypeHue,
  TypeRules,
  TypeShape,
} from '@clinic/domain';
import { ENGLISH, type Locale } from '@clinic/texts';

import { type Db, type Part, part, sql } from '../../database/db.ts';
import { type RecordWhoBooks, recordWhoBooks } from '../records/index.ts';
import { feeOn } from './fees.store.ts';

/** The translations of a type's description that hold, or null; see the column. */
const TRANSLATIONS = part`
  case when translations ->> 'of' = description then translations - 'of' end as translations`;

/** What a type is called to a reader of that language: the translation that holds, or else the description. */
const nameTo = (reader: Locale) => part`
  coalesce(case when translations ->> 'of' = description then translations ->> ${reader}::text end,
           description) as description`;

/** The types by code, each described in that language, for statements of the desk. */
export const typesNamedTo = (reader: Locale) => part`(
  select code, ${nameTo(reader)} from appointment_type)`;

/** The appointment types, for other modules' statements. */
export const APPOINTMENT_TYPES = part`(
  select code, description, ${TRANSLATIONS}, active, minutes, mode, form, enforce_mrp, enforce_no_pcp, requires_documents,
         is_private, by_nurse_practitioners from appointment_type)`;

/** A select of patients by id, with what decides their doctors and fees, by the owner of their table. */
export type PatientsWhoBook = Part;

/** What decides which doctors a patient sees for one type, and what it costs. */
export interface PatientOfType {
  readonly recordId: string;
  readonly hasFamilyDoctor: boolean;
  /** Null without an account. */
  readonly account: AccountFacts | null;
  readonly blockedProviders: readonly string[];
  /** Null when the clinic does not offer the type; then the rules below mean nothing. */
  readonly chargeCents: number | null;
  /** True when the clinic offers the type, but not to this patient. */
  readonly isDisabled: boolean;
  readonly form: AppointmentForm;
  readonly enforceMrp: boolean;
  readonly enforceNoPcp: boolean;
  readonly byNursePractitioners: boolean;
}

/** Why the patient may not book the type, or null. */
export const whyTypeClosed = ({ chargeCents, isDisabled, form }: PatientOfType) =>
  whyNotOpen(chargeCents === null || isDisabled ? null : { form });

/** A patient, a type, and the day whose fee applies. */
export interface AskedOfType {
  readonly patientId: string;
  readonly type: string;
  readonly day: ClinicDate;
}

const OF_TYPE = part`
  p.record_id as "recordId", p.family_doctor as "hasFamilyDoctor",
  p.account, p.blocked_providers as "blockedProviders",
  t.form, t.enforce_mrp as "enforceMrp", t.enforce_no_pcp as "enforceNoPcp",
  t.by_nurse_practitioners as "byNursePractitioners",
  coalesce(t.code = any(p.disabled_types), false) as "isDisabled",
  case when t.active then ${feeOn(part`t.code`, part`p.eligibility`, part`asked.day`)}
  end as "chargeCents"`;

/** What decides the doctors and the fee of a type, for a record without an account. */
export const recordOfType = (
  db: Db,
  record: RecordWhoBooks,
  { type, day }: Pick<AskedOfType, 'type' | 'day'>,
): Promise<PatientOfType[]> =>
  sql<PatientOfType>(db, 'record-of-type')`
    select ${OF_TYPE}
      from (select ${type}::text as type, ${day}::date as day) asked
      cross join ${recordWhoBooks(record)} p
      left join appointment_type t on t.code = asked.type`;

/** What decides the doctors and the fees of types, for several questions at once, in their order. */
export async function patientsOfTypes(
  db: Db,
  patients: PatientsWhoBook,
  asked: readonly AskedOfType[],
): Promise<PatientOfType[]> {
  const column = (of: (each: AskedOfType) => string) => asked.map(of);
  const rows = await sql<PatientOfType>(db, 'patients-of-types')`
    select ${OF_TYPE}
      from unnest(${column((each) => each.patientId)}::uuid[], ${column((each) => each.type)}::text[],
                  ${column((each) => each.day)}::date[]) with ordinality as asked (patient_id, type, day, place)
      join ${patients} p on p.id = asked.patient_id
      left join appointment_type t on t.code = asked.type
     order by asked.place`;
  if (rows.length < asked.length) throw new Error('A session without its patient');
  return rows;
}

/** A type that is offered to an eligibility from a day on. */
export interface TypeOffer {
  readonly type: string;
  readonly eligibility: string;
  readonly since: ClinicDate;
  readonly form: AppointmentForm;
}

export const readOffers = (db: Db) =>
  sql<TypeOffer>(db, 'schedule-offers')`
    select t.code as type, f.eligibility, min(f.valid_from)::text as since, t.form
      from appointment_type t join fee_policy f on f.type = t.code
     where t.active
     group by t.code, f.eligibility`;

/**
 * Why a patient sees no times of a type, by the code that a hold is refused with; null if they see them.
 * `offered` is null when the type is not offered to the patient.
 */
export const whyNotOpen = (
  offered: Pick<TypeOffer, 'form'> | null | undefined,
): 'typeNotOffered' | null => (!offered || offered.form === 'refill' ? 'typeNotOffered' : null);

export interface TypeWithFee extends TypeRules {
  readonly active: boolean;
  readonly chargeCents: number;
  /** The Important Notice, where the policy has one. */
  readonly notice: string | null;
}

/**
 * Every type with what it costs a patient of that eligibility on that day, in the clinic's order. Types
 * of different imports may have the same position.
 */
export function typesFor(
  db: Db,
  eligibility: string,
  today: ClinicDate,
  reader = ENGLISH.id,
): Promise<TypeWithFee[]> {
  return sql<TypeWithFee>(db, 'types-with-fee')`
    select distinct on (t.position, t.code) t.code, ${nameTo(reader)}, ${TRANSLATIONS}, t.minutes, t.mode, t.form,
           t.instruction, t.enforce_mrp as "enforceMrp", t.enforce_no_pcp as "enforceNoPcp",
           t.requires_documents as "requiresDocuments", t.is_private as "isPrivate",
           t.by_nurse_practitioners as "byNursePractitioners", t.resets_doctor as "resetsDoctor",
           t.active, f.charge_cents as "chargeCents", f.notice
      from appointment_type t
      join fee_policy f on f.type = t.code and f.eligibility = ${eligibility}
       and f.valid_from <= ${today}::date
     order by t.position, t.code, f.valid_from desc`;
}

/** What anybody may book on a day, in the clinic's order. */
export const typesOffered = (db: Db, day: ClinicDate, reader: Locale) =>
  sql<Pick<KeptType, 'code' | 'description'>>(db, 'types-offered')`
    select t.code, ${nameTo(reader)} from appointment_type t
     where t.active and t.form <> 'refill'
       and exists (select 1 from fee_policy f where f.type = t.code and f.valid_from <= ${day}::date)
     order by t.position, t.code`;

/** Every type that the clinic has; `insured` types must cost a covered patient nothing. */
export const knownTypes = (db: Db, reader = ENGLISH.id) =>
  sql<KnownType>(db, 'known-types')`
    select code, ${nameTo(reader)}, insured, form, active, emr_name as "emrName", hue, shape
      from appointment_type order by position, code`;

interface KnownType extends Pick<KeptType, 'code' | 'description' | 'insured' | 'form'> {
  readonly active: boolean;
  /** What the clinic says that the EMR calls it, where that is not the description. */
  readonly emrName: string | null;
  readonly hue: TypeHue | null;
  readonly shape: TypeShape | null;
}

/** What an appointment of the type is called in the EMR. */
export const nameInEmr = ({ emrName, description }: Pick<KnownType, 'emrName' | 'description'>) =>
  emrName ?? description;

export const codesOfInsured = (types: Awaited<ReturnType<typeof knownTypes>>): string[] =>
  types.flatMap(({ code, insured }) => (insured ? [code] : []));
