import type { ServiceConfig } from '../src/server/config.ts';
import { RATES, type RateRule, type Rates } from '../src/server/rates.ts';

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
    languages: ['en', 'fr'],
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
    passwordCost: { memory: 8, passes: 1 },
    webRoot: null,
    trustProxy: false,
    strictAnswers: true,
    ...over,
  };
}

/** Every limit of S-5 so many times as high. */
export function ratesTimes(factor: number): Rates {
  const times = (count: number) => Math.max(1, Math.round(count * factor));
  const rules = Object.entries(RATES).map(([name, { waitsFrom, ...rule }]: [string, RateRule]) => [
    name,
    {
      ...rule,
      count: times(rule.count),
      ...(waitsFrom === undefined ? {} : { waitsFrom: times(waitsFrom) }),
    },
  ]);
  return Object.fromEntries(rules) as Rates;
}

/** So many tries of everything for everybody, of which the third makes wait; an address is never in the way. */
export function ratesOf(tries: number): Rates {
  const rules = Object.entries(unlimitedRates()).map(([name, rule]: [string, RateRule]) => [
    name,
    rule.ofAddress
      ? rule
      : { ...rule, count: tries, ...(rule.waitsFrom !== undefined && { waitsFrom: 3 }) },
  ]);
  return Object.fromEntries(rules) as Rates;
}

/** Every limit out of the way, for tests that ask the same call many times. */
export const unlimitedRates = (): Rates => ratesTimes(1_000_000);
