import { z } from 'zod';
import { call } from './call.ts';
import { appointmentTypeCode, dollars, eligibility } from './api-types.ts';

/** what the browser must know of this clinic before anybody signs in. */
export const clinicConfig = z.object({
  clinicName: z.string(),
  clinicEmail: z.string(),
  clinicPhone: z.string(),
  clinicAddress: z.string(),
  /** True when the practice adapters run: the banner says that nothing is real. */
  practice: z.boolean(),
  flags: z.object({ dashboard: z.boolean(), preferredPharmacy: z.boolean() }),
  dashboardUrl: z.string().nullable(),
  /** Where 'Logout' leads with the dashboard in use. */
  dashboardLogoutUrl: z.string().nullable(),
  /** where staff go when their session ends; null sends them to sign-in. */
  staffDashboardUrl: z.string().nullable(),
  medicationSiteUrl: z.string().nullable(),
  captcha: z.object({ kind: z.enum(['altcha', 'recaptcha']), siteKey: z.string().nullable() }),
  /** Which card form the payment step shows; null where no card can be charged. */
  payments: z
    .object({ kind: z.enum(['stripe', 'practice']), publishableKey: z.string().nullable() })
    .nullable(),
  /** the one ordinary booking fee, in CAD. */
  bookingFee: dollars,
  /** in CAD; null while the clinic has set none (practice only). */
  noShowFee: dollars.nullable(),
  /** §9: the ids that stand for 'yes' and 'no' to the family-doctor question. */
  familyDoctorIds: z.object({ yes: z.string(), no: z.string() }),
  walkInHours: z.array(z.object({ days: z.string(), hours: z.string() })),
});

export const appState = call('appState', {
  summary:
    'What an appointment of this type costs the caller, in CAD. The eligibility sent is not believed.',
  section: '§7, R-8, R-32',
  limit: 'reads',
  idempotency: 'natural',
  query: z.object({ eligibility: eligibility.optional(), selectedType: appointmentTypeCode }),
  answer: z.object({
    success: z.literal(true),
    extras: z.object({ chargeAmount: dollars, code: appointmentTypeCode }),
  }),
});

export const recordsStatus = call('recordsStatus', {
  summary: "Whether the clinic's records answer; false shows the maintenance message.",
  section: '§7, R-70',
  limit: 'reads',
  idempotency: 'natural',
  answer: z.object({
    success: z.boolean(),
    status: z.boolean(),
    /** A sentence that the clinic added to the maintenance message. */
    extras: z.object({ message: z.string() }).optional(),
  }),
});

export const getConfig = call('getConfig', {
  summary: "The clinic's name, contacts, flags and public keys.",
  section: 'R-85 (ours)',
  limit: 'reads',
  idempotency: 'natural',
  answer: z.object({ success: z.literal(true), extras: clinicConfig }),
});
