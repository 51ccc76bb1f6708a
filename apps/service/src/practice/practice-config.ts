import type { ServiceConfig } from '../platform/config.ts';
import { PASSWORD_COST } from '../platform/password-hash.ts';

/** one figure in every text. */
export const BOOKING_FEE_CENTS = 1_000;

/** S-5. */
export const RATES = {
  loginPerAccount: { name: 'login-account', count: 10, seconds: 15 * 60 },
  loginPerAddress: { name: 'login-address', count: 100, seconds: 15 * 60 },
  registerPerAddress: { name: 'register-address', count: 30, seconds: 60 * 60 },
  mailsPerAccount: { name: 'mails-account', count: 5, seconds: 60 * 60 },
  recoveryPerAccount: { name: 'recovery-account', count: 10, seconds: 15 * 60 },
  recoveryPerAddress: { name: 'recovery-address', count: 100, seconds: 15 * 60 },
  linksPerAddress: { name: 'links-address', count: 30, seconds: 15 * 60 },
  uploads: { name: 'uploads', count: 30, seconds: 15 * 60 },
  writeMessages: { name: 'write-messages', count: 20, seconds: 60 * 60 },
  reportProblems: { name: 'report-problems', count: 10, seconds: 60 * 60 },
  saveErrors: { name: 'save-errors', count: 100, seconds: 15 * 60 },
  exportData: { name: 'export-data', count: 5, seconds: 24 * 60 * 60 },
} as const;

/** The practice clinic as its patients see it; everything about it is invented. */
export function practiceConfig(publicUrl: string, webRoot: string | null): ServiceConfig {
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
    dashboardUrl: null,
    dashboardLogoutUrl: null,
    dashboardSecret: null,
    staffDashboardUrl: null,
    medicationSiteUrl: 'https://medication.example/',
    preferredPharmacyPrompt: false,
    captcha: { kind: 'altcha', siteKey: null },
    bookingFeeCents: BOOKING_FEE_CENTS,
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
