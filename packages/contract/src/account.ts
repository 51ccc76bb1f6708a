import {
  APPOINTMENT_FORMS,
  APPOINTMENT_MODES,
  INSTRUCTIONS,
  hasDirectionOverride,
} from '@clinic/domain';
import { z } from 'zod';
import { call } from './call.ts';
import { formHeaders, formVersion } from './older-forms.ts';
import {
  appointmentTypeCode,
  dollars,
  done,
  doneWithMessage,
  eligibility,
  envelope,
  epochSeconds,
  id,
  asStored,
  text,
  translations,
  typedPhone,
  wholeNumber,
} from './shapes.ts';

/** §3: one of the user's appointment types. Types with `status` 'enabled' are shown. */
const appointmentTypeEntry = z.object({
  code: appointmentTypeCode,
  description: z.string(),
  translations,
  status: z.enum(['enabled', 'disabled']),
  enforceMRP: z.boolean(),
  enforceNoPCP: z.boolean(),
  chargeAmount: dollars,
  requiresDocumentUpload: z.boolean(),
  /** Ours: the length, how the patient is seen, which questions are asked, and. */
  minutes: z.int().min(5),
  mode: z.enum(APPOINTMENT_MODES),
  form: z.enum(APPOINTMENT_FORMS),
  instruction: z.enum(INSTRUCTIONS).nullable(),
  isPrivate: z.boolean(),
  byNursePractitioners: z.boolean(),
  resetsDoctor: z.boolean(),
  /** Ours: the Important Notice for this type and patient. */
  notice: z.string().optional(),
});

/** §3 User. Ours are `role`, and `token`, the session of a token sign-in. */
const user = z.object({
  id,
  demographicNo: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  address: z.string(),
  city: z.string(),
  province: z.string(),
  postal: z.string(),
  phone: z.string(),
  mobilePhone: z.string(),
  internationalPhone: z.string(),
  /** Ours: the numbers above in E.164; null for one that is empty or cannot be right. */
  e164: z
    .object({
      phone: z.string().nullable(),
      mobilePhone: z.string().nullable(),
      internationalPhone: z.string().nullable(),
    })
    .optional(),
  birthday: z.object({
    year: z.int().min(1900).max(9999),
    month: z.int().min(1).max(12),
    day: z.int().min(1).max(31),
  }),
  careCard: z.object({ number: z.string(), province: z.string() }),
  sex: z.string(),
  email: z.string(),
  country: z.string(),
  preferredPharmacy: z.string().nullable(),
  eligibility,
  shouldUpdate: z.boolean(),
  appointmentType: z.array(appointmentTypeEntry),
  familyDoc: z.boolean(),
  blockedProviders: z.array(id),
  isBlocked: z.boolean(),
  blocked: z.boolean(),
  appVisibility: z.array(z.string()),
  isChanged: z.boolean(),
  role: z.enum(['patient', 'staff']),
  /** the language of the emails to the patient. */
  language: z.string(),
  /** Ours: when an email to this address bounced; null when none did, as far as we know. */
  emailReturnedAt: epochSeconds.nullish(),
  /**
   * Ours: the account's address or password was changed lately, so its card is masked, and nothing but
   * bookings is changed; until when, or null until the clinic has decided. Null in other times.
   */
  watched: z.object({ until: epochSeconds.nullable() }).nullish(),
  /** Ours: of what a form of the account is made of. */
  formVersion: formVersion.optional(),
  token: z.string().optional(),
});

/** Read by nobody: the service keeps its own. */
const nameAsStored = asStored(100).refine((name) => !hasDirectionOverride(name));

/** Yes or no, as a boolean or as one of the two ids configured for the answers. */
const familyDoc = z.union([z.boolean(), id, z.number()]).nullish();
const familyDoctor = { familyDoc, hasFamilyDoc: z.boolean().nullish() };

export type ApiUser = z.infer<typeof user>;
export type ApiAppointmentType = z.infer<typeof appointmentTypeEntry>;

export const accountCalls = {
  getMe: call('getMe', {
    summary: 'The signed-in patient.',
    section: '§3 User, §7',
    limit: 'reads',
    idempotency: 'natural',
    answer: user,
  }),
  checkNoPcp: call('checkNoPcp', {
    summary: 'Whether the patient has a family doctor of their own; failure is silent.',
    section: '§7, R-23',
    limit: 'reads',
    idempotency: 'natural',
    answer: z.object({ success: z.literal(true), noPCP: z.boolean() }),
  }),
  updateMe: call('updateMe', {
    summary: 'Update the profile. Name and birth date are accepted and not believed.',
    section: '§5 Account edit, §7, R-6, R-8, R-72',
    limit: 'changes',
    idempotency: 'natural',
    headers: formHeaders,
    refusals: [409],
    body: z.strictObject({
      firstName: nameAsStored.nullish(),
      lastName: nameAsStored.nullish(),
      address: asStored(200),
      city: asStored(100),
      province: asStored(100),
      postal: asStored(20),
      phone: typedPhone.nullish(),
      mobile: typedPhone.nullish(),
      internationalPhone: typedPhone.nullish(),
      birthYear: z.int().nullish(),
      birthMonth: z.int().nullish(),
      birthDay: z.int().nullish(),
      sex: text(20),
      country: asStored(100),
      ...familyDoctor,
      shouldUpdate: z.boolean().nullish(),
      preferredPharmacy: text(64).nullish(),
    }),
    answer: user,
  }),
  confirmInformation: call('confirmInformation', {
    summary:
      'The patient answered the family-doctor question, confirmed their information or chose a language.',
    section: '§4 Account, §7, R-72, R-99',
    limit: 'changes',
    idempotency: 'natural',
    headers: formHeaders,
    refusals: [409],
    body: z.strictObject({
      shouldUpdate: z.boolean(),
      ...familyDoctor,
      /** one of the languages that the clinic offers. */
      language: text(20).nullish(),
    }),
    answer: user,
  }),
  listSessions: call('listSessions', {
    summary: 'Where the patient is signed in.',
    section: 'ASVS 7.5 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({
      sessions: z.array(
        z.object({
          signedInAt: epochSeconds,
          lastActiveAt: epochSeconds,
          /** Such as 'Chrome, Android', from what the browser sends. */
          device: z.string(),
          current: z.boolean(),
        }),
      ),
    }),
  }),
  endSessions: call('endSessions', {
    summary: 'Log out everywhere, this session too.',
    section: 'ASVS 7.5 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    answer: done,
  }),
  changePassword: call('changePassword', {
    summary: 'Change the password; every other session ends.',
    section: 'ASVS 6.2 (ours)',
    limit: 'shared',
    idempotency: 'natural',
    body: z.strictObject({ currentPassword: text(128).min(1), newPassword: text(128) }),
    answer: doneWithMessage,
    refusals: [409],
  }),
  exportData: call('exportData', {
    summary:
      "Everything the clinic's booking service keeps about the patient: JSON and files, as one ZIP.",
    section: 'S-15 (ours)',
    limit: 'shared',
    idempotency: 'natural',
    download: ['application/zip'],
    answer: z.never(),
    refusals: [409],
  }),
  findDemographics: call('findDemographics', {
    summary: 'Whether the EMR has a record of the caller.',
    section: '§7, §8, R-7, R-36',
    limit: 'reads',
    idempotency: 'natural',
    headers: z.object({
      id: text(64),
      hin: text(64).default(''),
      province: text(64).default(''),
      year: wholeNumber(1, 9999),
      month: wholeNumber(1, 12),
      day: wholeNumber(1, 31),
    }),
    answer: z.object({
      success: z.boolean(),
      extras: z.object({ code: z.enum(['entryFound', 'noEntryFound']) }),
    }),
  }),
  createDemographics: call('createDemographics', {
    summary:
      "Open the caller's record in the EMR. `familyDoc` is a yes or no or one of the two configured ids (§9); the service reads `hasFamilyDoc`.",
    section: '§4 Next on confirm, §7, §9, R-7, R-36',
    refusals: [409],
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({
      /** The caller's own account id or demographic number; any other is a 403. */
      id,
      familyDoc,
      hasFamilyDoc: z.boolean(),
    }),
    answer: done,
  }),
  getPatientRecord: call('getPatientRecord', {
    summary: "The caller's own record: primary doctor, and whether that doctor is active.",
    section: '§3 Patient demographic, §7, R-7',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ demographicNo: id }),
    answer: z.object({
      success: z.literal(true),
      demographic: z.object({ providerNo: z.string() }),
      provider: z.object({ enabled: z.boolean() }),
    }),
  }),
};
