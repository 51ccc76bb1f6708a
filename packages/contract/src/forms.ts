import { z } from 'zod';
import { call } from './call.ts';
import { formHeaders, formVersion } from './older-forms.ts';
import { done, envelope, epochSeconds, line, nameInForm, text, threeFiles } from './shapes.ts';

export const agreementKind = z.enum(['feeWarning', 'icbc', 'general']);

/** Identifies the text that was agreed to. */
export const agreedText = z.strictObject({
  kind: agreementKind,
  version: text(40).min(1),
  /** SHA-256 of the English text, in hex; must be the text of that version. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

/** A date as its three parts, as in the form. */
const dateParts = z.strictObject({
  year: z.int().min(0).max(9999),
  month: z.int().min(0).max(99),
  day: z.int().min(0).max(99),
});

/** §3 Immigration medical profile. Lengths are caps of the API; the domain has the rules of §5. */
const medicalProfile = z.strictObject({
  passportNumber: text(40),
  firstName: nameInForm(100),
  lastName: nameInForm(100),
  address: line(200),
  city: line(100),
  postal: line(20),
  phone: text(30),
  gender: z.enum(['M', 'F', 'X', '']),
  dob: dateParts,
  /** ISO 3166 alpha-3 or a code of ICAO_EXTRAS. */
  countryOfBirth: text(3),
  issuingCountry: text(3),
  /** '01' by default. */
  identityDocument: text(10),
  /** '1201A' by default. */
  preferredLanguage: text(10),
  /** The visa option. */
  applicationDetails: z.enum(['FML', 'STD', 'VST', 'WRK', '']),
  hearAboutUs: line(200),
  dateOfIssue: dateParts,
  dateOfExpiry: dateParts,
});

/** `profile` is null until one is saved. */
const profileAnswer = envelope({
  message: z.string(),
  profile: medicalProfile.nullable(),
  /** Ours. */
  formVersion: formVersion.optional(),
});

export type AgreementKind = z.infer<typeof agreementKind>;
export type ApiMedicalProfile = z.infer<typeof medicalProfile>;

export const formCalls = {
  saveAgreement: call('saveAgreement', {
    summary: 'Record that the patient agreed to a text, by kind, version and hash. Append-only.',
    section: '§7, R-36',
    limit: 'agreements',
    idempotency: 'none',
    body: agreedText,
    answer: done,
    refusals: [409],
  }),
  saveMedicalProfile: call('saveMedicalProfile', {
    summary: 'Keep the immigration exam profile, sealed; the answer is the profile as kept.',
    section: '§3, §5 Immigration form, §7, R-82',
    limit: 'changes',
    idempotency: 'natural',
    headers: formHeaders,
    body: z.strictObject({ eMedProfile: medicalProfile }),
    answer: profileAnswer,
    refusals: [409],
  }),
  readMedicalProfile: call('readMedicalProfile', {
    summary: 'The profile kept last time, to fill the form with.',
    section: '§3, §7 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: profileAnswer,
  }),
  shouldUploadDocument: call('shouldUploadDocument', {
    summary:
      'Which documents the patient has uploaded; a browser that gets no answer assumes both.',
    section: '§4 Next on confirm, §7, R-34',
    limit: 'reads',
    idempotency: 'natural',
    answer: z.object({
      success: z.literal(true),
      pictureIdUploaded: z.boolean(),
      healthcardUploaded: z.boolean(),
      /** Ours: documents that were refused and not sent again since; `reason` is in the clinic's words. */
      refused: z
        .array(
          z.object({
            document: z.enum(['healthCard', 'pictureId']),
            reason: z.string(),
            at: epochSeconds,
          }),
        )
        .optional(),
    }),
  }),
  uploadDocuments: call('uploadDocuments', {
    summary: 'Upload the health card (`isHealthCard` true) or the picture ID, one to three files.',
    section: '§5 File picker, §7, R-80, S-4',
    limit: 'shared',
    idempotency: 'none',
    files: threeFiles,
    body: z.strictObject({ isHealthCard: z.enum(['true', 'false']) }),
    answer: z.object({ success: z.literal(true), message: z.string() }),
  }),
};
