import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { practiceConfig } from '@clinic/practice/practice-settings.ts';
import { serviceConfig } from './configure.ts';
import { judgeSettings, readSettings } from './read-settings.ts';
import { newKeyMaterial } from './security/keyring-file.ts';
import { about } from './setting-kinds.ts';
import { productionSettings } from './settings.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const MAIL_DKIM_KEY = String(privateKey.export({ type: 'pkcs8', format: 'pem' })).trim();
const KEYS = JSON.stringify(newKeyMaterial());
const complete = {
  DATABASE_URL: 'postgres://clinic@db/clinic',
  KEYRING: KEYS,
  PUBLIC_URL: 'https://booking.harbourview.ca',
  SMTP_URL: 'smtps://mail.harbourview.ca',
  MAIL_FROM: 'Harbour View <booking@harbourview.ca>',
  CLINIC_NAME: 'Harbour View',
  CLINIC_EMAIL: 'booking@harbourview.ca',
  CLINIC_PHONE: '604-261-4500',
  CLINIC_ADDRESS: '1210 Burrard Street',
  WALK_IN_HOURS: 'Saturday: 10:00 to 13:00',
  BOOKING_FEE: '12.00',
  NO_SHOW_FEE: '50.00',
};
const configOf = (env: Record<string, string>) =>
  serviceConfig(readSettings({ ...complete, ...env }), '/web');

/** The lines of the refusal, without the two spaces before each. */
function refusal(env: Record<string, string>): string[] {
  const { problems } = judgeSettings({ ...complete, ...env });
  if (problems.length === 0) return [];
  expect(() => readSettings({ ...complete, ...env })).toThrow(
    'The clinic cannot open as it is set up (docs/configuration.md):',
  );
  return problems.map(({ name, why, cure }) => `${name} ${why}. ${cure}.`);
}

describe('Production starts', () => {
  test('with everything it must be told', () => {
    expect(configOf({ PUBLIC_URL: 'https://booking.harbourview.ca/' })).toMatchObject({
      publicUrl: 'https://booking.harbourview.ca',
      practice: false,
      noShowFeeCents: 5_000,
      bookingFeeCents: 1_200,
      clinic: { walkInHours: [{ days: 'Saturday', hours: '10:00 to 13:00' }] },
      payments: null,
      trustProxy: false,
      strictAnswers: false,
      languages: ['en'],
      captcha: { kind: 'altcha', siteKey: null },
    });
  });

  // The origin that browsers name is written like this.
  test.each([
    'https://booking.harbourview.ca//',
    'https://Booking.HarbourView.ca',
    'https://booking.harbourview.ca:443',
    ' https://booking.harbourview.ca ',
  ])('with the address %j, as browsers write it', (PUBLIC_URL) => {
    expect(configOf({ PUBLIC_URL }).publicUrl).toBe('https://booking.harbourview.ca');
  });

  // Shows: R-99
  test('with the languages that it offers, English among them', () => {
    expect(configOf({ LANGUAGES: 'en, fr' }).languages).toEqual(['en', 'fr']);
    expect(refusal({ LANGUAGES: 'en,xx' })[0]).toContain('LANGUAGES must name none but en, fr');
    expect(refusal({ LANGUAGES: 'fr' })[0]).toContain('LANGUAGES must name en');
  });

  test('with walk-in hours in lines', () => {
    const hours = 'Monday to Friday: 9am to noon; Saturday : 10:00 to 13:00 ';
    expect(configOf({ WALK_IN_HOURS: hours }).clinic.walkInHours).toEqual([
      { days: 'Monday to Friday', hours: '9am to noon' },
      { days: 'Saturday', hours: '10:00 to 13:00' },
    ]);
  });

  test('with Google’s captcha when it is given both keys', () => {
    const keys = { RECAPTCHA_SECRET: 's', RECAPTCHA_SITE_KEY: 'k' };
    expect(configOf(keys).captcha).toEqual({ kind: 'recaptcha', siteKey: 'k' });
  });

  // Shows: S-16
  test('with the name and address of any of 200 clinics', () => {
    const file = readFileSync(join(import.meta.dirname, '../testing/bc-clinics.csv'));
    const clinics: Record<string, string>[] = parse(file, { columns: true });
    expect(clinics).toHaveLength(200);
    const refused = clinics.flatMap(({ name = '', address = '' }) =>
      refusal({ CLINIC_NAME: name, CLINIC_ADDRESS: address, MAIL_FROM: `${name} <a@clinic.ca>` }),
    );
    expect(refused).toEqual([]);
  });

  // Shows: S-16
  test.each([
    ['PUBLIC_URL', 'https://oakfamilypractice.ca'],
    ['PUBLIC_URL', 'https://example.harbourview.ca'],
    ['CLINIC_EMAIL', 'practice@good-example.com'],
    ['CLINIC_PHONE', '250-555-1234'],
    ['SMTP_URL', 'smtps://practice:changemethod@mail.testing.ca'],
  ])('with the real %s %s', (name, value) => {
    expect(refusal({ [name]: value })).toEqual([]);
  });
});

describe('Production does not start', () => {
  // Shows: R-38, S-16
  test.each(Object.keys(complete))('without %s, and says what it is for (S-16)', (name) => {
    const [line = '', ...others] = refusal({ [name]: ' ' });
    expect(others).toEqual([]);
    const said = about.get(productionSettings[name as keyof typeof complete]);
    expect(line.startsWith(`${name} is missing: ${said?.means}. `)).toBe(true);
    expect(line).toMatch(new RegExp(`Set it, such as ${name}=\\S|Make them: `));
  });

  test('on several faults, and names each of them at once', () => {
    const lines = refusal({
      CLINIC_NAME: '',
      PORT: 'x',
      DASHBOARD_SECRET: 'short',
      BOOKING_FEE: '',
    });
    expect(new Set(lines.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['BOOKING_FEE', 'CLINIC_NAME', 'DASHBOARD_SECRET', 'PORT']),
    );
  });

  // Shows: S-16
  test.each([
    ['CLINIC_NAME', 'Practice clinic', 'still has the value of an example'],
    ['CLINIC_NAME', 'Change-me', 'still has the value of an example'],
    ['CLINIC_EMAIL', 'office@example.org', 'still has the value of an example'],
    ['CLINIC_EMAIL', 'office', 'must be an e-mail address'],
    ['CLINIC_EMAIL', 'a@harbourview.ca, b@harbourview.ca', 'must be an e-mail address'],
    ['CLINIC_EMAIL', 'réception@harbourview.ca', 'must be an e-mail address'],
    ['MAIL_FROM', 'Harbour\u202E View <a@harbourview.ca>', 'must be an e-mail address'],
    ['MAIL_FROM', 'Harbour View <a@harbourview.ca,b@harbourview.ca>', 'must be an e-mail address'],
    ['MAIL_BOUNCES_TO', 'bounces\u200B@harbourview.ca', 'must be an e-mail address'],
    ['CLINIC_NAME', 'Harbour\nView', 'holds a character that cannot be seen'],
    ['CLINIC_NAME', '\u200B', 'holds a character that cannot be seen'],
    ['CLINIC_ADDRESS', '1210\u202E Burrard Street', 'holds a character that cannot be seen'],
    ['CLINIC_PHONE', '(604) 555-0142', 'still has the value of an example'],
    ['MAIL_FROM', 'Clinic <booking@clinic.example>', 'still has the value of an example'],
    ['PUBLIC_URL', 'https://booking.harbourview.example', 'still has the value of an example'],
    ['PUBLIC_URL', 'http://booking.harbourview.ca', 'must be an address that begins with https://'],
    ['PUBLIC_URL', 'https://harbourview.ca/booking', 'must be the address of a site alone'],
    ['PUBLIC_URL', 'https://harbourview.ca/?lang=fr', 'must be the address of a site alone'],
    ['PUBLIC_URL', 'https://harbourview.ca?', 'must be the address of a site alone'],
    ['PUBLIC_URL', 'https://harbourview.ca/#top', 'must be the address of a site alone'],
    ['PUBLIC_URL', 'https://a:b1@harbourview.ca', 'must not have a user name or password'],
    ['EMR_URL', 'https://oscar.harbourview.ca/oscar?x=1', 'must end with its path'],
    ['EMR_URL', 'https://oscar.harbourview.ca/oscar#', 'must end with its path'],
    ['EMR_URL', 'https://a:b1@oscar.harbourview.ca', 'must not have a user name or password'],
    ['EMR_TICKLERS_TO', 'the reception', 'must be a provider number of the EMR'],
    ['DASHBOARD_URL', 'https://a@harbourview.ca', 'must not have a user name or password'],
    ['DASHBOARD_LOGOUT_URL', 'https://a@harbourview.ca', 'must not have a user name or'],
    ['STAFF_DASHBOARD_URL', 'https://a@harbourview.ca', 'must not have a user name or password'],
    ['MEDICATION_SITE_URL', 'https://a@harbourview.ca', 'must not have a user name or password'],
    ['DATABASE_URL', 'mysql://db', 'must be an address that begins with postgres://'],
    ['DATABASE_URL', 'postgres://clinic:clinic@db/clinic', 'has a password that anybody would'],
    ['DATABASE_DIRECT_URL', 'db:5432', 'must be an address that begins with postgres://'],
    ['DATABASE_REPLICA_URL', 'db:5432', 'must be an address that begins with postgres://'],
    ['SMTP_URL', 'http://mail.harbourview.ca', 'must be an address that begins with smtp://'],
    ['MAIL_DKIM_KEY', '-----BEGIN PRIVATE KEY-----', 'must be a private RSA key of 2048 bits'],
    ['MAIL_BOUNCES_TO', 'Bounces <bounces@harbourview.ca>', 'must be a bare e-mail address'],
    ['MAIL_BOUNCES_TO', 'a+b@harbourview.ca', 'must be a bare e-mail address'],
    ['SMTP_URL', 'smtp://mail.example.com', 'still has the value of an example'],
    ['SMTP_URL', 'smtps://clinic:change-me@mail.harbourview.ca', 'still has the value of an'],
    ['SMTP_URL', 'smtps://clinic:Password@mail.harbourview.ca', 'has a password that anybody'],
    ['KEYRING', 'changeme', 'cannot be used'],
    ['KEYRING', '{"current":"a","index":"a","keys":{"a":"c2hvcnQ="}}', 'cannot be used'],
    ['WALK_IN_HOURS', '9am to noon', 'must have days and hours apart by a colon'],
    ['WALK_IN_HOURS', 'Monday:', 'must have days and hours'],
    ['WALK_IN_HOURS', ': 9am', 'must have days and hours'],
    ['WALK_IN_HOURS', 'Monday: 9am;', 'must have days and hours'],
    ['BOOKING_FEE', '5,00', 'must be an amount in dollars'],
    ['NO_SHOW_FEE', '-1', 'must be an amount in dollars'],
    ['PORT', '65536', 'must be a port'],
    ['TRUST_PROXY', 'true', 'must be on or off'],
    ['PREFERRED_PHARMACY_PROMPT', '1', 'must be on or off'],
    ['LOG_LEVEL', 'loud', 'must be info or warn'],
    ['DASHBOARD_URL', 'http://harbourview.ca', 'must be an address that begins with https://'],
    ['DASHBOARD_SECRET', 'x'.repeat(31), 'must have at least 32 characters'],
    ['SENTRY_DSN', 'sentry.io/1', 'must be an address that begins with https://'],
    ['STRIPE_API_PORT', 'x', 'must be a port'],
    ['STRIPE_API_PROTOCOL', 'ftp', 'must be http or https'],
    ['PRACTICE_NOW', '2026-12-15T20:00:00Z', 'belongs to the practice clinic'],
    ['DATA_DIR', './data', 'belongs to the practice clinic'],
    ['PRACTICE_EMR', 'on', 'belongs to the practice clinic'],
    ['DATABASE_ADMIN_URL', 'postgres://a@b/c', 'belongs to `npm run clinic -- clinics` alone'],
    ['DATABASE_ADMIN_URL_FILE', '/etc/admin', 'belongs to `npm run clinic -- clinics` alone'],
  ])('with %s=%s, and says what mends it', (name, value, why) => {
    const lines = refusal({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\w+ .*\. (Set it, such as|Make|Take) .*\.$/);
    expect(lines[0]?.startsWith(`${name} ${why}`)).toBe(true);
  });

  // Shows: S-16
  test.each(['email', 'phone'] as const)('with the %s of the practice clinic', (fact) => {
    const name = `CLINIC_${fact.toUpperCase()}`;
    const value = practiceConfig('', null).clinic[fact];
    expect(refusal({ [name]: value })).toEqual([
      expect.stringContaining(`${name} still has the value of an example`),
    ]);
  });

  test.each([
    'STRIPE_SECRET_KEY STRIPE_PUBLISHABLE_KEY STRIPE_WEBHOOK_SECRET',
    'RECAPTCHA_SECRET RECAPTCHA_SITE_KEY',
  ])('with some of %s and not the others', (together) => {
    const names = together.split(' ');
    for (const name of names)
      expect(refusal({ [name]: 'x' }).map((line) => line.split(' ')[0])).toEqual(
        names.filter((each) => each !== name),
      );
  });

  test('with a DKIM key without the name under which it stands in DNS', () => {
    expect(refusal({ MAIL_DKIM_KEY })).toEqual([
      expect.stringMatching(/^MAIL_DKIM_SELECTOR is missing: MAIL_DKIM_KEY is of no use without/),
    ]);
    expect(refusal({ MAIL_DKIM_KEY, MAIL_DKIM_SELECTOR: 'mail2026' })).toEqual([]);
  });

  test('and never quotes a secret', () => {
    const secrets = {
      DATABASE_URL: 'mysql://clinic:tell-nobody@db',
      SMTP_URL: 'http://clinic:tell-nobody@mail',
      KEYRING: 'tell-nobody',
      DASHBOARD_SECRET: 'tell-nobody',
      SENTRY_DSN: 'http://tell-nobody@sentry.io/1',
    };
    const lines = refusal(secrets);
    expect(lines).toHaveLength(5);
    expect(lines.join()).not.toContain('tell-nobody');
  });
});

test('Each setting has a meaning of its own', () => {
  const meanings = Object.values(productionSettings).map((schema) => about.get(schema)?.means);
  expect(new Set(meanings).size).toBe(Object.keys(productionSettings).length);
});

describe('A secret in a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const secrets = Object.entries(productionSettings).flatMap(([name, schema]) =>
    about.get(schema)?.isSecret ? [name] : [],
  );

  test.each(secrets)('is read for %s_FILE, without the newline at its end', (name) => {
    const values: Record<string, string> = {
      ...complete,
      DATABASE_DIRECT_URL: 'postgres://clinic@other/clinic',
      DATABASE_REPLICA_URL: 'postgres://clinic@replica/clinic',
      DASHBOARD_SECRET: 'x'.repeat(32),
      SENTRY_DSN: 'https://key@o1.ingest.sentry.io/1',
      STRIPE_SECRET_KEY: 'sk',
      STRIPE_PUBLISHABLE_KEY: 'pk',
      STRIPE_WEBHOOK_SECRET: 'wh',
      RECAPTCHA_SECRET: 's',
      RECAPTCHA_SITE_KEY: 'k',
      MAIL_DKIM_SELECTOR: 'mail2026',
      MAIL_DKIM_KEY,
    };
    const file = fileWith(name, `${values[name]}\n`);
    const found = readSettings({ ...values, [name]: undefined, [`${name}_FILE`]: file });
    const { KEYRING_FILE: _, ...settings } = found;
    expect(settings).toEqual(readSettings(values));
  });

  test('is looked for in one place only, and its file must be there', () => {
    const file = fileWith('short', 'short');
    expect(refusal({ SMTP_URL_FILE: file })[0]).toMatch(
      /^SMTP_URL_FILE and SMTP_URL are both set\. Take one/,
    );
    expect(refusal({ SMTP_URL: '', SMTP_URL_FILE: join(folder, 'none') })).toEqual([
      expect.stringMatching(/^SMTP_URL_FILE names a file that cannot be read \(ENOENT\)\. Put /),
    ]);
    expect(refusal({ DASHBOARD_SECRET_FILE: file })[0]).toMatch(
      /^DASHBOARD_SECRET must have at least 32 characters\. Make one/,
    );
  });

  test('that holds the keys is its owner’s alone', () => {
    const file = fileWith('keys', KEYS);
    expect(refusal({ KEYRING: '', KEYRING_FILE: file })).toEqual([]);
    chmodSync(file, 0o640);
    expect(refusal({ KEYRING: '', KEYRING_FILE: file })).toEqual([
      'KEYRING_FILE names a file that others can read. Make it its owner’s alone: chmod 600.',
    ]);
  });
});
