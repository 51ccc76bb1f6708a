import { AGREEMENT_KINDS } from '@clinic/domain';
import { z } from 'zod';
import { call } from './call.ts';
import { dollars, done, envelope, epochSeconds, text } from './shapes.ts';

/** the text that the clinic has published in place of the product's for patients to agree to. */
const publishedAgreement = z.object({
  kind: z.enum(AGREEMENT_KINDS),
  version: z.string(),
  /** The hash of the English text. A patient's agreement refers to it. */
  hash: z.string(),
  /** The English text and its translations, with placeholders such as `{fee}` unfilled. */
  texts: z.array(
    z.object({ locale: z.string(), title: z.string(), paragraphs: z.array(z.string()) }),
  ),
});

/** what the browser must know about this clinic before sign-in. */
const clinicConfig = z.object({
  clinicName: z.string(),
  clinicEmail: z.string(),
  clinicPhone: z.string(),
  clinicAddress: z.string(),
  /** True in the practice clinic: the banner then says that nothing is real. */
  practice: z.boolean(),
  /** the languages that the clinic offers. */
  languages: z.array(z.object({ id: z.string(), name: z.string(), dir: z.enum(['ltr', 'rtl']) })),
  flags: z.object({ dashboard: z.boolean(), preferredPharmacy: z.boolean() }),
  dashboardUrl: z.string().nullable(),
  /** Where 'Logout' leads when the dashboard is in use. */
  dashboardLogoutUrl: z.string().nullable(),
  /** where staff go when their session ends; null means sign-in. */
  staffDashboardUrl: z.string().nullable(),
  medicationSiteUrl: z.string().nullable(),
  captcha: z.object({ kind: z.enum(['altcha', 'recaptcha']), siteKey: z.string().nullable() }),
  /** Which card form the payment step shows; null when cards cannot be charged. */
  payments: z
    .object({ kind: z.enum(['stripe', 'practice']), publishableKey: z.string().nullable() })
    .nullable(),
  /** the ordinary booking fee, in CAD. */
  bookingFee: dollars,
  /** in CAD; null when the clinic has set none (practice only). */
  noShowFee: dollars.nullable(),
  /** §9: the ids that mean 'yes' and 'no' in the family-doctor question. */
  familyDoctorIds: z.object({ yes: z.string(), no: z.string() }),
  walkInHours: z.array(z.object({ days: z.string(), hours: z.string() })),
  /** At most one of each kind. For other kinds the product's text holds. */
  agreements: z.array(publishedAgreement),
});

/** The part of the app in which an error occurred. */
const appPage = z.enum([
  'home',
  'login',
  'register',
  'resetPassword',
  'account',
  'appointments',
  'walkin',
  'success',
  'auth',
  'other',
]);

export type ClinicConfig = z.infer<typeof clinicConfig>;

export const clinicCalls = {
  recordsStatus: call('recordsStatus', {
    summary: "Whether the clinic's records answer; false shows the maintenance message.",
    section: '§7, R-70',
    limit: 'reads',
    idempotency: 'natural',
    answer: z.object({
      success: z.boolean(),
      status: z.boolean(),
      extras: z
        .object({
          /** A sentence that the clinic added to the maintenance message. */
          message: z.string().optional(),
          /** Set when nothing can be booked: what is shown is as of then. */
          asOf: epochSeconds.optional(),
          /** True when the clinic's records answer and do not let the service in. */
          refused: z.boolean().optional(),
        })
        .optional(),
    }),
  }),
  getConfig: call('getConfig', {
    summary:
      "The clinic's name, contacts, flags and public keys, and the texts of its own that patients agree to.",
    section: 'R-85, R-104 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope(clinicConfig.shape),
  }),
  reportProblem: call('reportProblem', {
    summary: 'A suggestion, with a masked screenshot. Nobody replies to it.',
    section: '§2 Suggest an improvement, §7, R-81',
    limit: 'suggestions',
    idempotency: 'none',
    bodyLimit: 4 * 1024 * 1024,
    body: z.strictObject({
      /** `data:image/png;base64,…` or JPEG; empty when the patient left the screenshot out. */
      dataURL: z
        .string()
        .max(4 * 1024 * 1024)
        .regex(/^(?:data:image\/(?:png|jpeg);base64,[A-Za-z0-9+/]+={0,2})?$/),
      message: text(4000),
      isAppointment: z.boolean(),
    }),
    answer: done,
  }),
  /**
   * Nothing that a person typed can be kept: of `err` only the error name at its start ('TypeError: …'), of
   * `details` only the known fields. A `details` text is ignored.
   */
  saveError: call('saveError', {
    summary: 'A failure in the browser; only what the allowlist of error reports knows is kept.',
    section: '§7, S-8',
    limit: 'failures',
    idempotency: 'none',
    body: z.strictObject({
      err: text(2000),
      date: z.union([text(40), z.number()]).nullish(),
      details: z
        .union([
          text(8000),
          z.strictObject({
            page: appPage.nullish(),
            status: z.int().min(0).max(999).nullish(),
            /** The reference from an answer with the code 'bug'. */
            requestId: z.uuid().nullish(),
          }),
        ])
        .nullish(),
    }),
    answer: done,
  }),
};
