import { describe, expect, test } from 'vitest';
import { StartRefused, readInstant, readStart } from './environment.ts';
import { demandEnvironment, productionConfig } from './production-config.ts';

const complete = {
  DATABASE_URL: 'postgres://clinic@db/clinic',
  KEYRING: '{}',
  PUBLIC_URL: 'https://booking.harbourview.ca',
  SMTP_URL: 'smtps://mail.harbourview.ca',
  MAIL_FROM: 'Harbour View <booking@harbourview.ca>',
  CLINIC_NAME: 'Harbour View',
  CLINIC_EMAIL: 'booking@harbourview.ca',
  CLINIC_PHONE: '604-555-0100',
  CLINIC_ADDRESS: '1200 Burrard Street',
  NO_SHOW_FEE: '50.00',
};

describe('Production starts', () => {
  test('with everything it must be told', () => {
    const config = productionConfig(demandEnvironment(complete), complete.PUBLIC_URL, '/web');
    expect(config).toMatchObject({
      practice: false,
      noShowFeeCents: 5_000,
      bookingFeeCents: 1_000,
      payments: null,
      strictAnswers: false,
    });
  });

  test.each(Object.keys(complete))('not without %s, and says what it is for (S-16)', (name) => {
    expect(() => demandEnvironment({ ...complete, [name]: '' })).toThrow(
      new RegExp(`cannot open without:\\n  ${name}: `),
    );
  });

  test.each([
    ['SMTP_URL', 'smtp://mail.example.com'],
    ['KEYRING', 'changeme'],
    ['CLINIC_NAME', 'Practice clinic'],
  ])('not with the default value of %s', (name, value) => {
    expect(() => demandEnvironment({ ...complete, [name]: value })).toThrow(
      `${name} still has a default value`,
    );
  });

  test.each([
    ['PUBLIC_URL', 'http://booking.harbourview.ca', 'https://'],
    ['DATABASE_URL', 'mysql://db', 'postgres://'],
    ['SMTP_URL', 'http://mail.harbourview.ca', 'smtp://'],
    ['PRACTICE_NOW', '2026-12-15T20:00:00Z', 'belongs to the practice clinic'],
    ['DATA_DIR', './data', 'belongs to the practice clinic'],
    ['PRACTICE_DASHBOARD', 'on', 'belongs to the practice clinic'],
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

  test.each(['x', '5,00', '-1'])('not with a No Show fee of %s', (fee) => {
    const env = demandEnvironment({ ...complete, NO_SHOW_FEE: fee });
    expect(() => productionConfig(env, complete.PUBLIC_URL, '/web')).toThrow(StartRefused);
  });
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
