import { z } from 'zod';
import { type Environment, readSome, StartRefused } from '@clinic/service/read-settings.ts';
import { onOff, site } from '@clinic/service/setting-kinds.ts';
import { startSettings, stripeSettings } from '@clinic/service/settings.ts';
import type { ServiceConfig } from '@clinic/service/server/config.ts';
import { PASSWORD_COST } from '@clinic/service/security/passwords.ts';
import { RATES } from '@clinic/service/server/rates.ts';
import { PSEUDO, PSEUDO_MIRRORED, addPseudoLocales } from '@clinic/texts/pseudo';
import { PRACTICE_CLINICS } from './seed.ts';

const AN_INSTANT = 'must be an instant such as 2026-12-15T20:00:00Z';
/** Parses an ISO instant with Z or an offset to epoch seconds. */
const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/, AN_INSTANT)
  .transform((text) => Math.floor(Date.parse(text) / 1000))
  .refine((seconds) => !Number.isNaN(seconds), AN_INSTANT);

const practiceSettings = {
  ...startSettings,
  ...stripeSettings,
  PUBLIC_URL: site(
    z.url({ protocol: /^https?$/, error: 'must be an http(s) address', abort: true }),
  ).optional(),
  DATABASE_URL: z.string().optional(),
  DATA_DIR: z.string().optional(),
  PRACTICE_NOW: instant.optional(),
  PRACTICE_CLOCK: z.enum(['running', 'stopped'], 'must be running or stopped').default('running'),
  PRACTICE_CLINIC: z
    .enum(PRACTICE_CLINICS, `must be ${PRACTICE_CLINICS.join(' or ')}`)
    .default('specified'),
  PRACTICE_DASHBOARD: onOff.default(false),
  PRACTICE_EMR: onOff.default(false),
  EMR: z.enum(['fake-oscar'], 'must be fake-oscar').optional(),
};

/** The settings of the practice clinic (docs/practice-clinic.md). */
export function readPracticeSettings(env: Environment) {
  const settings = readSome(practiceSettings, env);
  const { EMR, PRACTICE_CLINIC, PRACTICE_EMR } = settings;
  if (EMR !== undefined && (PRACTICE_EMR || PRACTICE_CLINIC !== 'specified'))
    throw new StartRefused(
      `EMR=${EMR} is a clinic of its own: leave out PRACTICE_EMR and PRACTICE_CLINIC.`,
    );
  const { HOST, PORT, PUBLIC_URL = `http://${HOST}:${PORT}` } = settings;
  return { ...settings, PUBLIC_URL };
}

/** The data folder for these settings, relative to the repository's root. */
export function practiceFolder({
  DATA_DIR,
  EMR,
  PRACTICE_CLINIC,
  PRACTICE_EMR,
}: Pick<
  ReturnType<typeof readPracticeSettings>,
  'DATA_DIR' | 'EMR' | 'PRACTICE_CLINIC' | 'PRACTICE_EMR'
>): string {
  if (DATA_DIR !== undefined) return DATA_DIR;
  if (EMR !== undefined) return `data-${EMR}`;
  return `data${PRACTICE_CLINIC === 'lengths' ? '-lengths' : ''}${PRACTICE_EMR ? '-emr' : ''}`;
}

/** Everything about the practice clinic is invented; its email and phone are nobody's, and production refuses them. */
export function practiceConfig(publicUrl: string, webRoot: string | null): ServiceConfig {
  addPseudoLocales();
  return {
    publicUrl,
    practice: true,
    clinic: {
      name: 'Harbour View Medical Clinic',
      email: 'booking@harbourview.example',
      phone: '604-555-0100',
      address: '1200 Burrard Street, Vancouver, BC V6Z 2C7',
      walkInHours: [
        { days: 'Monday to Friday', hours: '9am to noon' },
        { days: 'Tuesday and Thursday', hours: '2 to 4pm' },
      ],
    },
    languages: ['en', 'fr', PSEUDO, PSEUDO_MIRRORED],
    dashboardUrl: null,
    dashboardLogoutUrl: null,
    dashboardSecret: null,
    staffDashboardUrl: null,
    medicationSiteUrl: 'https://medication.example/',
    preferredPharmacyPrompt: false,
    captcha: { kind: 'altcha', siteKey: null },
    bookingFeeCents: 1_000,
    noShowFeeCents: null,
    familyDoctorIds: { yes: '1998', no: '1999' },
    payments: { kind: 'practice', publishableKey: null },
    rates: RATES,
    passwordCost: PASSWORD_COST,
    webRoot,
    trustProxy: false,
    strictAnswers: false,
  };
}
