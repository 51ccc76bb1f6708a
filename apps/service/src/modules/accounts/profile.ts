import type { ApiAppointmentType, ApiUser, CallInput } from '@clinic/contract';
import {
  type AddressStanding,
  type ProfileForm,
  accessOf,
  calendarDate,
  dollarsOf,
  isEligibility,
  maskedCard,
} from '@clinic/domain';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import type { ServiceConfig } from '../../server/config.ts';
import { type PhonesE164, e164Of, phoneColumns } from '../../server/phones.ts';
import { Refusal } from '../../server/refusal.ts';
import { type FormHeaders, overStored, versionOfForm } from '../../server/version.ts';
import type { TypeWithFee } from '../schedule/index.ts';
import { bounceOf } from './address/bounces.store.ts';
import type { OwnDetails } from './open-patient.ts';
import { type PatientRow, updatePatient } from './store.ts';

/** The User of §3. Odd names and pairs of names are made here and nowhere else. */
export function apiUser(
  row: OwnDetails,
  types: readonly TypeWithFee[],
  config: ServiceConfig,
  { isWatched, watchedUntil }: AddressStanding,
): ApiUser {
  const [year = 0, month = 0, day = 0] = row.birthDate.split('-').map(Number);
  const { cardNumber, cardSealed: _, eligibility, ...shown } = row;
  if (!isEligibility(eligibility)) throw new Error('An eligibility nobody knows');
  return {
    ...shown,
    demographicNo: row.recordId,
    eligibility,
    e164: {
      phone: e164Of(row, 'phone'),
      mobilePhone: e164Of(row, 'mobilePhone'),
      internationalPhone: e164Of(row, 'internationalPhone'),
    },
    birthday: { year, month, day },
    careCard: {
      number: isWatched ? maskedCard(cardNumber) : cardNumber,
      province: row.cardProvince,
    },
    preferredPharmacy: row.preferredPharmacyId,
    appointmentType: types.map((type) => apiType(type, row.disabledTypes, config)),
    familyDoc: row.familyDoctor,
    isBlocked: accessOf({ ...row, closedAt: null }).booking !== null,
    appVisibility: row.visibility,
    role: row.role === 'staff' ? 'staff' : 'patient',
    emailReturnedAt: bounceOf(row)?.at ?? null,
    watched: isWatched ? { until: watchedUntil } : null,
    formVersion: versionOfForm(apiNamed(profileOf(row))),
  };
}

function apiType(
  type: TypeWithFee,
  disabled: readonly string[],
  config: ServiceConfig,
): ApiAppointmentType {
  const offered =
    type.active &&
    !disabled.includes(type.code) &&
    (type.form !== 'refill' || config.medicationSiteUrl !== null) &&
    (type.chargeCents === 0 || config.payments !== null);
  const { translations, notice, ...rules } = type;
  return {
    ...rules,
    ...(translations && { translations }),
    ...(notice !== null && { notice }),
    status: offered ? 'enabled' : 'disabled',
    enforceMRP: type.enforceMrp,
    enforceNoPCP: type.enforceNoPcp,
    chargeAmount: dollarsOf(type.chargeCents),
    requiresDocumentUpload: type.requiresDocuments,
  };
}

/** The columns that a patient may change, and the flags that a change sets. */
type ProfileChange = Partial<
  Pick<
    PatientRow,
    | keyof ProfileForm
    | keyof PhonesE164
    | 'preferredPharmacyId'
    | 'familyDoctor'
    | 'shouldUpdate'
    | 'isChanged'
    | 'language'
  >
>;

type ProfileBody = CallInput<'updateMe'>['body'];

/** Converts the body to the form that the rules check; its `mobile` becomes `mobilePhone`. */
export function profileForm(body: ProfileBody): ProfileForm {
  return {
    address: body.address.trim(),
    city: body.city.trim(),
    province: body.province,
    postal: body.postal.trim().toUpperCase(),
    country: body.country.trim(),
    sex: body.sex,
    phone: body.phone ?? '',
    mobilePhone: body.mobile ?? '',
    internationalPhone: body.internationalPhone ?? '',
  };
}

/** The API's names for fields and columns that are named differently here. */
const API_NAMES: Readonly<Record<string, string>> = {
  mobilePhone: 'mobile',
  phones: 'mobile',
  familyDoctor: 'familyDoc',
  preferredPharmacyId: 'preferredPharmacy',
};
export const apiNameOf = (column: string) => API_NAMES[column] ?? column;
const apiNamed = (columns: object) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [apiNameOf(name), value]));

/** The columns that a form of the account is made of. */
function profileOf(row: PatientRow) {
  const { address, city, province, postal, country, sex, familyDoctor } = row;
  const { phone, mobilePhone, internationalPhone, preferredPharmacyId } = row;
  return {
    address,
    city,
    province,
    postal,
    country,
    sex,
    familyDoctor,
    phone,
    mobilePhone,
    internationalPhone,
    preferredPharmacyId,
  };
}

/** The columns of a form. A pharmacy or family doctor that it leaves out is not written. */
export function profileColumns(
  row: PatientRow,
  form: ProfileForm,
  { preferredPharmacy }: ProfileBody,
  familyDoctor: boolean | null,
): ProfileChange {
  return {
    ...form,
    ...phoneColumns(form, row),
    // '' or null removes the pharmacy.
    ...(preferredPharmacy === undefined ? {} : { preferredPharmacyId: preferredPharmacy || null }),
    ...(familyDoctor === null ? {} : { familyDoctor }),
  };
}

/** The columns to be saved of those that a form sends, or a refusal (`overStored`). */
export function overProfile(
  { 'x-changed': named, ...headers }: FormHeaders,
  row: PatientRow,
  wanted: ProfileChange,
): ProfileChange | Refusal {
  // Earlier pages name these two otherwise, and send them only where they were changed.
  const changed =
    named === undefined ? {} : { 'x-changed': `${named},familyDoc,preferredPharmacy` };
  // The E.164 of a number goes with it.
  const fields = Object.entries(wanted).filter(([name]) => !name.endsWith('E164'));
  const sent = apiNamed(Object.fromEntries(fields));
  const over = overStored({ ...headers, ...changed }, apiNamed(row), sent);
  if (over instanceof Refusal) return over;
  return Object.fromEntries(
    Object.entries(wanted).filter(([name]) => apiNameOf(name.replace(/E164$/, '')) in over),
  );
}

/** What a person would say has changed: a number's E.164 is the same number. */
export const changedIn = (change: ProfileChange, row: PatientRow) =>
  keysOf(change).filter((key) => change[key] !== row[key] && !key.endsWith('E164'));

export const keysOf = <T extends object>(value: T): (keyof T)[] =>
  Object.keys(value) as (keyof T)[];

/** The fields that a client may not change and sent with another value. */
export function ignoredOf(row: PatientRow, body: ProfileBody): string[] {
  const { firstName, lastName, birthYear, birthMonth, birthDay } = body;
  const saysDate = [birthYear, birthMonth, birthDay].some((part) => typeof part === 'number');
  const date = calendarDate(birthYear ?? 0, birthMonth ?? 0, birthDay ?? 0);
  return [
    ...((firstName ?? row.firstName) === row.firstName ? [] : ['firstName']),
    ...((lastName ?? row.lastName) === row.lastName ? [] : ['lastName']),
    ...(saysDate && date !== row.birthDate ? ['birthDate'] : []),
  ];
}

/** Saves the change; the audit trail names the changed fields, never their values. */
export async function saveProfile(
  { appendAudit }: Platform,
  tx: Tx,
  row: PatientRow,
  change: ProfileChange,
  { ignored, now }: { readonly ignored: readonly string[]; readonly now: number },
): Promise<void> {
  const changed = changedIn(change, row);
  const details = { changed, ...(ignored.length === 0 ? {} : { ignored }) };
  await updatePatient(tx, row.id, change);
  await appendAudit(tx, ofPatient(row.id, 'profile changed', now, details));
}
