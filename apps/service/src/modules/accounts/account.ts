import { type ApiAppointmentType, type ApiUser, type CallInput, calls } from '@clinic/contract';
import { profileText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import {
  type AddressStanding,
  type ProfileForm,
  accessOf,
  calendarDate,
  dollarsOf,
  isEligibility,
  maskedCard,
  toClinic,
  whyProfileRefused,
} from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { ServiceConfig } from '../../server/config.ts';
import { route } from '../../server/http.ts';
import { type PhonesE164, e164Of, phoneColumns, whyPhoneRefused } from '../../server/phones.ts';
import { Refusal, invalid, refuse, said } from '../../server/refusal.ts';
import { type FormHeaders, overStored, overtaken, versionOfForm } from '../../server/version.ts';
import { acceptFiles, refusedDocuments, storeFile } from '../documents/index.ts';
import { findPharmacy } from '../pharmacies/index.ts';
import { type TypeWithFee, typesFor } from '../schedule/index.ts';
import { standingOfAddress } from './address/address-change.store.ts';
import { agreedText, agreementsWait, insertAgreement } from './agreements.store.ts';
import { bounceOf } from './address/bounces.store.ts';
import { enqueueUploaded } from './uploads.ts';
import { type OwnDetails, ownDetails } from './open-patient.ts';
import { saidFamilyDoctor } from './family-doctor.ts';
import { type PatientRow, lockAccount, patientOf, preferPharmacy, updatePatient } from './store.ts';

/** My Account: the profile and its documents; and what the patient agrees to. */
export function registerAccount(app: FastifyInstance, platform: Platform): void {
  const { database, config, appendAudit, ids } = platform;
  const { rates } = config;

  async function userOf(id: PatientId, now: number): Promise<ApiUser> {
    const own = await ownDetails(platform, id);
    const standing = await standingOfAddress(database.db, id, now);
    const types = await typesFor(database.db, own.eligibility, toClinic(now).date);
    return apiUser(own, types, config, standing);
  }

  route(app, calls.getMe, async ({ patient, exchangedToken, now }) => {
    const user = await userOf(patient.id, now);
    return exchangedToken === null ? user : { ...user, token: exchangedToken };
  });

  route(app, calls.updateMe, async ({ body, headers, patient, now }) => {
    const sent = profileForm(body);
    const familyDoctor = saidFamilyDoctor(body, config.familyDoctorIds);
    const refused = await database.inTransaction(async (tx) => {
      await lockAccount(tx, patient.id);
      const row = await patientOf(tx, patient.id);
      const over = overProfile(headers, row, profileColumns(row, sent, body, familyDoctor ?? null));
      if (over instanceof Refusal) return over;
      const unchanged = keysOf(sent).filter((key) => !(key in over));
      const isChange = changedIn(over, row).length > 0;
      if (isChange && (await standingOfAddress(tx, patient.id, now)).isWatched)
        return refuse('accountWatched');
      const form = { ...sent, ...Object.fromEntries(unchanged.map((key) => [key, row[key]])) };
      const errors = whyProfileRefused(form, row, whyPhoneRefused).map((problem) => ({
        field: API_NAMES[problem.field] ?? problem.field,
        message: (locale: Locale) => profileText(locale, problem),
      }));
      if (familyDoctor === undefined)
        errors.push({ field: 'familyDoc', message: said('familyDoctorUnclear') });
      if (errors.length > 0) return refuse('invalidInput', { errors });
      const pharmacy = over.preferredPharmacyId ?? null;
      const isNewPharmacy = pharmacy !== row.preferredPharmacyId;
      if (pharmacy !== null && isNewPharmacy && !(await findPharmacy(tx, pharmacy)))
        return invalid('preferredPharmacy', 'notInTheList');
      const change = {
        ...over,
        shouldUpdate: false,
        ...(isChange && { isChanged: true }),
      };
      await saveProfile(platform, tx, row, change, { ignored: ignoredOf(row, body), now });
      return null;
    });
    return refused ?? userOf(patient.id, now);
  });

  route(app, calls.confirmInformation, async ({ body, headers, patient, now }) => {
    const familyDoctor = saidFamilyDoctor(body, config.familyDoctorIds);
    if (familyDoctor === undefined) return invalid('familyDoc', 'familyDoctorUnclear');
    const { language } = body;
    if (language && !config.languages.includes(language))
      return invalid('language', 'notInTheList');
    const refused = await database.inTransaction(async (tx) => {
      await lockAccount(tx, patient.id);
      const row = await patientOf(tx, patient.id);
      const sent = familyDoctor === null ? {} : { familyDoc: familyDoctor };
      const overtakenBy = overtaken(headers, { familyDoc: row.familyDoctor }, sent);
      if (overtakenBy !== null) return overtakenBy;
      const change = {
        // Only the clinic asks for an update: the patient's answer can only clear the flag.
        ...(body.shouldUpdate ? {} : { shouldUpdate: false }),
        ...(familyDoctor === null ? {} : { familyDoctor }),
        ...(language ? { language } : {}),
      };
      await saveProfile(platform, tx, row, change, { ignored: [], now });
      return null;
    });
    return refused ?? userOf(patient.id, now);
  });

  route(app, calls.addPreferredPharmacy, async ({ body, headers, patient, locale, now }) => {
    const id = typeof body.pharmacy === 'string' ? body.pharmacy : body.pharmacy.id;
    const payload = await findPharmacy(database.db, id);
    if (payload === null) return refuse('notFound');
    return database.inTransaction(async (tx) => {
      await lockAccount(tx, patient.id);
      const row = await patientOf(tx, patient.id);
      const stored = { preferredPharmacy: row.preferredPharmacyId };
      const refused = overtaken(headers, stored, { preferredPharmacy: payload.id });
      if (refused !== null) return refused;
      if (!(await preferPharmacy(tx, patient.id, body.demographicNo, payload.id)))
        return refuse('notFound');
      await appendAudit(tx, {
        actor: `patient:${patient.id}`,
        action: 'preferred pharmacy chosen',
        subject: `pharmacy:${payload.id}`,
        at: now,
      });
      return {
        success: true as const,
        extras: { message: text(locale, 'pharmacyChosen'), payload },
      };
    });
  });

  route(app, calls.checkNoPcp, async ({ patient }) => {
    const { familyDoctor } = await patientOf(database.db, patient.id);
    return { success: true as const, noPCP: !familyDoctor };
  });

  // The health card and the picture ID that some appointments ask for.
  route(app, calls.shouldUploadDocument, async ({ patient }) => {
    const { healthCardUploaded, pictureIdUploaded } = await patientOf(database.db, patient.id);
    const found = await refusedDocuments(platform, database.db, patient.id);
    // A refusal is over once a document of its kind was sent again.
    const isSent = { healthCard: healthCardUploaded, pictureId: pictureIdUploaded };
    const refused = found.filter(({ document }) => !isSent[document]);
    return {
      success: true as const,
      healthcardUploaded: healthCardUploaded,
      pictureIdUploaded,
      refused: refused.map(({ document, reason, at }) => ({ document, reason, at })),
    };
  });

  route(app, calls.uploadDocuments, async ({ patient, body, files, countUses, locale, now }) => {
    if (files.length === 0) return refuse('noFileChosen');
    const upload = await countUses([[rates.uploads, patient.id]]);
    if (upload instanceof Refusal) return upload;
    const accepted = await acceptFiles(files, 'imagesAndPdf');
    if (accepted instanceof Refusal) return accepted;
    const isHealthCard = body.isHealthCard === 'true';
    const purpose = isHealthCard ? 'healthCard' : 'pictureId';
    const uploaded = isHealthCard ? { healthCardUploaded: true } : { pictureIdUploaded: true };
    await database.inTransaction(async (tx) => {
      database.afterCommit(upload.begun);
      const stored: string[] = [];
      for (const file of accepted)
        stored.push(
          await storeFile(platform, tx, { ...file, patientId: patient.id, purpose, now }),
        );
      const [first] = stored;
      // The files of a form are one document, such as the two sides of a card.
      if (first !== undefined) await enqueueUploaded(platform, tx, first, now);
      await updatePatient(tx, patient.id, uploaded);
    });
    return { success: true as const, message: text(locale, 'documentsUploaded') };
  });

  // A patient who agreed to an outdated text is asked to read the current one.
  route(app, calls.saveAgreement, async ({ body, patient, locale, now }) => {
    const { kind } = body;
    const agreed = await agreedText(database.db, kind, locale, body.version);
    const { version, textHash } = agreed;
    if (body.version !== version || body.hash !== textHash) return refuse('agreementOutdated');
    return database.inTransaction(async (tx) => {
      const { id: patientId } = patient;
      const retryAfter = await agreementsWait(tx, patientId, rates.agreements, now);
      if (retryAfter > 0) return refuse('tooManyRequests', { retryAfter });
      const id = ids.uuid();
      await insertAgreement(tx, { id, patientId, kind, ...agreed, at: now });
      const entry = ofPatient(patientId, 'agreement saved', now, { kind, version });
      await appendAudit(tx, { ...entry, subject: `agreement:${id}` });
      return { success: true as const };
    });
  });
}

/** The User of §3. Odd names and pairs of names are made here and nowhere else. */
function apiUser(
  row: OwnDetails,
  types: readonly TypeWithFee[],
  config: ServiceConfig,
  { isWatched, watchedUntil }: AddressStanding,
): ApiUser {
  const [year = 0, month = 0, day = 0] = row.birthDate.split('-').map(Number);
  if (!isEligibility(row.eligibility)) throw new Error('An eligibility nobody knows');
  return {
    id: row.id,
    demographicNo: row.recordId,
    firstName: row.firstName,
    lastName: row.lastName,
    address: row.address,
    city: row.city,
    province: row.province,
    postal: row.postal,
    phone: row.phone,
    mobilePhone: row.mobilePhone,
    internationalPhone: row.internationalPhone,
    e164: {
      phone: e164Of(row, 'phone'),
      mobilePhone: e164Of(row, 'mobilePhone'),
      internationalPhone: e164Of(row, 'internationalPhone'),
    },
    birthday: { year, month, day },
    careCard: {
      number: isWatched ? maskedCard(row.cardNumber) : row.cardNumber,
      province: row.cardProvince,
    },
    sex: row.sex,
    email: row.email,
    country: row.country,
    preferredPharmacy: row.preferredPharmacyId,
    eligibility: row.eligibility,
    shouldUpdate: row.shouldUpdate,
    appointmentType: types.map((type) => apiType(type, row.disabledTypes, config)),
    familyDoc: row.familyDoctor,
    blockedProviders: [...row.blockedProviders],
    isBlocked: accessOf({ ...row, closedAt: null }).booking !== null,
    blocked: row.blocked,
    appVisibility: [...row.visibility],
    isChanged: row.isChanged,
    role: row.role === 'staff' ? 'staff' : 'patient',
    language: row.language,
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
  return {
    code: type.code,
    description: type.description,
    ...(type.translations && { translations: type.translations }),
    status: offered ? 'enabled' : 'disabled',
    enforceMRP: type.enforceMrp,
    enforceNoPCP: type.enforceNoPcp,
    chargeAmount: dollarsOf(type.chargeCents),
    requiresDocumentUpload: type.requiresDocuments,
    minutes: type.minutes,
    mode: type.mode,
    form: type.form,
    instruction: type.instruction,
    isPrivate: type.isPrivate,
    byNursePractitioners: type.byNursePractitioners,
    resetsDoctor: type.resetsDoctor,
    ...(type.notice === null ? {} : { notice: type.notice }),
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
function profileForm(body: ProfileBody): ProfileForm {
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
const apiNameOf = (column: string) => API_NAMES[column] ?? column;
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
function profileColumns(
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
function overProfile(
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
const changedIn = (change: ProfileChange, row: PatientRow) =>
  keysOf(change).filter((key) => change[key] !== row[key] && !key.endsWith('E164'));

const keysOf = <T extends object>(value: T): (keyof T)[] => Object.keys(value) as (keyof T)[];

/** The fields that a client may not change and sent with another value. */
function ignoredOf(row: PatientRow, body: ProfileBody): string[] {
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
async function saveProfile(
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
