import type { ServiceConfig } from '../src/platform/config.ts';
import type { RateRule } from '../src/platform/rate-limit.ts';

/** A practice-like clinic with everything cheap and every answer checked against the contract. */
export function testConfig(over: Partial<ServiceConfig> = {}): ServiceConfig {
  return {
    publicUrl: 'http://127.0.0.1:3000',
    practice: true,
    clinic: {
      name: 'Test Clinic',
      email: 'booking@clinic.example',
      phone: '604-555-0100',
      address: '1 Main Street, Vancouver, BC',
      walkInHours: [{ days: 'Monday to Friday', hours: '9am to noon' }],
    },
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
    rates: {
      loginPerAccount: { name: 'login-account', count: 10, seconds: 900 },
      loginPerAddress: { name: 'login-address', count: 100, seconds: 900 },
      registerPerAddress: { name: 'register-address', count: 30, seconds: 3_600 },
      mailsPerAccount: { name: 'mails-account', count: 5, seconds: 3_600 },
      recoveryPerAccount: { name: 'recovery-account', count: 10, seconds: 900 },
      recoveryPerAddress: { name: 'recovery-address', count: 100, seconds: 900 },
      linksPerAddress: { name: 'links-address', count: 30, seconds: 900 },
      uploads: { name: 'uploads', count: 30, seconds: 900 },
      writeMessages: { name: 'write-messages', count: 20, seconds: 3_600 },
      reportProblems: { name: 'report-problems', count: 10, seconds: 3_600 },
      saveErrors: { name: 'save-errors', count: 100, seconds: 900 },
      exportData: { name: 'export-data', count: 5, seconds: 86_400 },
    },
    passwordCost: { memory: 8, passes: 1 },
    webRoot: null,
    trustProxy: false,
    strictAnswers: true,
    ...over,
  };
}

/** Every limit out of the way, for tests that ask the same call many times. */
export function unlimitedRates(): ServiceConfig['rates'] {
  const rates: ServiceConfig['rates'] = testConfig().rates;
  const unlimited = Object.entries(rates).map(
    ([name, rule]: [string, RateRule]): [string, RateRule] => [name, { ...rule, count: 1_000_000 }],
  );
  return { ...rates, ...Object.fromEntries(unlimited) };
}
