import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  demandEnvironment,
  productionConfig,
  readInstant,
  readStart,
  readStripe,
  StartRefused,
} from './environment.ts';
import { practiceConfig } from '@clinic/practice/practice-config.ts';

const complete = {
  DATABASE_URL: 'postgres://clinic@db/clinic',
  KEYRING: '{}',
  PUBLIC_URL: 'https://booking.harbourview.ca',
  SMTP_URL: 'smtps://mail.harbourview.ca',
  MAIL_FROM: 'Harbour View <booking@harbourview.ca>',
  CLINIC_NAME: 'Harbour View',
  CLINIC_EMAIL: 'booking@harbourview.ca',
  CLINIC_PHONE: '604-555-0142',
  CLINIC_ADDRESS: '1210 Burrard Street',
  WALK_IN_HOURS: 'Saturday: 10:00 to 13:00',
  BOOKING_FEE: '12.00',
  NO_SHOW_FEE: '50.00',
};

describe('Production starts', () => {
  test('with everything it must be told', () => {
    const config = productionConfig(demandEnvironment(complete), complete.PUBLIC_URL, '/web');
    expect(config).toMatchObject({
      practice: false,
      noShowFeeCents: 5_000,
      bookingFeeCents: 1_200,
      clinic: { walkInHours: [{ days: 'Saturday', hours: '10:00 to 13:00' }] },
      payments: null,
      strictAnswers: false,
      languages: ['en'],
    });
  });

  // Shows: R-99
  test('with the languages that it offers, English among them', () => {
    const offering = (LANGUAGES: string) =>
      productionConfig(demandEnvironment({ ...complete, LANGUAGES }), complete.PUBLIC_URL, '/web');
    expect(offering('en, fr').languages).toEqual(['en', 'fr']);
    expect(() => offering('en,xx')).toThrow("LANGUAGES has 'xx', which is none of: en, fr.");
    expect(() => offering('fr')).toThrow('LANGUAGES must name en');
  });

  // Shows: R-38, S-16
  test.each(Object.keys(complete))('not without %s, and says what it is for (S-16)', (name) => {
    expect(() => demandEnvironment({ ...complete, [name]: '' })).toThrow(
      new RegExp(`cannot open without:\\n  ${name}: `),
    );
  });

  // Shows: S-16
  test.each([
    ['SMTP_URL', 'smtp://mail.example.com'],
    ['KEYRING', 'changeme'],
    ['CLINIC_NAME', 'Practice clinic'],
    ['PUBLIC_URL', 'https://booking.harbourview.example'],
    ['SMTP_URL', 'smtps://clinic:change-me@mail.harbourview.ca'],
    ['CLINIC_EMAIL', 'office@example.org'],
  ])('not with the default value of %s', (name, value) => {
    expect(() => demandEnvironment({ ...complete, [name]: value })).toThrow(
      `${name} still has a default value`,
    );
  });

  // Shows: S-16
  test.each(['name', 'email', 'phone', 'address'] as const)(
    'not with the %s of the practice clinic',
    (fact) => {
      const name = `CLINIC_${fact.toUpperCase()}`;
      const value = practiceConfig('', null).clinic[fact];
      expect(() => demandEnvironment({ ...complete, [name]: value })).toThrow(
        `${name} still has a default value`,
      );
    },
  );

  // Shows: S-16
  test.each([
    ['CLINIC_NAME', 'Kerrisdale Family Practice'],
    ['CLINIC_NAME', 'Test of Time Medical, the Example. Clinic'],
    ['PUBLIC_URL', 'https://oakfamilypractice.ca'],
    ['PUBLIC_URL', 'https://example.harbourview.ca'],
    ['CLINIC_EMAIL', 'practice@good-example.com'],
    ['CLINIC_ADDRESS', '2 Practice Lane'],
    ['SMTP_URL', 'smtps://practice:changemethod@mail.testing.ca'],
  ])('with the real %s %s', (name, value) => {
    expect(demandEnvironment({ ...complete, [name]: value })).toMatchObject({ [name]: value });
  });

  test('with walk-in hours in lines, and not with some that cannot be read', () => {
    const hours = (WALK_IN_HOURS: string) =>
      productionConfig({ ...demandEnvironment(complete), WALK_IN_HOURS }, '', '/web').clinic
        .walkInHours;
    expect(hours('Monday to Friday: 9am to noon; Saturday : 10:00 to 13:00 ')).toEqual([
      { days: 'Monday to Friday', hours: '9am to noon' },
      { days: 'Saturday', hours: '10:00 to 13:00' },
    ]);
    for (const wrong of ['9am to noon', 'Monday:', ': 9am', 'Monday: 9am;', ' '])
      expect(() => hours(wrong)).toThrow('WALK_IN_HOURS must be written as');
  });

  // Shows: S-16
  test.each([
    ['PUBLIC_URL', 'http://booking.harbourview.ca', 'https://'],
    ['DATABASE_URL', 'mysql://db', 'postgres://'],
    ['DATABASE_DIRECT_URL', 'db:5432', 'postgres://'],
    ['SMTP_URL', 'http://mail.harbourview.ca', 'smtp://'],
    ['PRACTICE_NOW', '2026-12-15T20:00:00Z', 'belongs to the practice clinic'],
    ['DATA_DIR', './data', 'belongs to the practice clinic'],
    ['PRACTICE_DASHBOARD', 'on', 'belongs to the practice clinic'],
    ['PRACTICE_EMR', 'on', 'belongs to the practice clinic'],
  ])('not with %s=%s', (name, value, sentence) => {
    expect(() => demandEnvironment({ ...complete, [name]: value })).toThrow(sentence);
  });

  test('not with a dashboard secret that can be guessed', () => {
    const config = (DASHBOARD_SECRET: string) =>
      productionConfig({ ...demandEnvironment(complete), DASHBOARD_SECRET }, '', '/web');
    expect(() => config('x'.repeat(31))).toThrow('at least 32 characters');
    expect(config('x'.repeat(32)).dashboardSecret).toHaveLength(32);
    expect(config('').dashboardSecret).toBeNull();
  });

  test('with Google’s captcha when it is given both keys, and not with one', () => {
    const config = (keys: Record<string, string>) =>
      productionConfig({ ...demandEnvironment(complete), ...keys }, '', '/web').captcha;
    expect(config({})).toEqual({ kind: 'altcha', siteKey: null });
    expect(config({ RECAPTCHA_SECRET: 's', RECAPTCHA_SITE_KEY: 'k' })).toEqual({
      kind: 'recaptcha',
      siteKey: 'k',
    });
    for (const name of ['RECAPTCHA_SECRET', 'RECAPTCHA_SITE_KEY'])
      expect(() => config({ [name]: 'x' })).toThrow('belong together');
  });

  test.each(['x', '5,00', '-1'])('not with a fee of %s', (fee) => {
    for (const name of ['NO_SHOW_FEE', 'BOOKING_FEE']) {
      const env = demandEnvironment({ ...complete, [name]: fee });
      expect(() => productionConfig(env, complete.PUBLIC_URL, '/web')).toThrow(
        `${name} must be an amount in dollars`,
      );
    }
  });
});

// Shows: S-16
test('Every setting stands in a table of docs/operating.md', () => {
  const asked = new Set<string>();
  const env = new Proxy<Record<string, string>>(complete, {
    get(settings, name: string) {
      asked.add(name);
      return settings[name];
    },
  });
  productionConfig(demandEnvironment(env), readStart(env).publicUrl, '/web');
  readStripe(env);
  const ofPracticeAlone = (name: string) => /^PRACTICE_|^DATA_DIR$/.test(name);
  const told = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .join();
  const untold = [...asked].filter((name) => !told.includes(`\`${name}\``));
  expect(untold.filter((name) => !ofPracticeAlone(name))).toEqual([]);
});

test('Host, port and address have defaults and are checked', () => {
  expect(readStart({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
  });
  expect(() => readStart({ PORT: 'x' })).toThrow(StartRefused);
  expect(() => readStart({ PUBLIC_URL: 'ftp://x' })).toThrow(StartRefused);
});

test('An instant is read with Z or an offset only', () => {
  expect(readInstant('PRACTICE_NOW', '2026-12-15T20:00:00Z')).toBe(1_797_364_800);
  expect(readInstant('PRACTICE_NOW', '2026-12-15T13:00-07:00')).toBe(1_797_364_800);
  expect(() => readInstant('PRACTICE_NOW', '2026-12-15T20:00:00')).toThrow(StartRefused);
  expect(() => readInstant('PRACTICE_NOW', 'now')).toThrow(StartRefused);
});
