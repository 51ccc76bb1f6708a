import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EmrHealth } from '@clinic/service/modules/emr/index.ts';
import { newKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import {
  type ClinicFacts,
  type DatabaseFacts,
  type Surroundings,
  surroundings,
} from './doctor-surroundings.ts';
import { examine, table } from './doctor.ts';

const NOW = Date.parse('2026-12-15T20:00:00Z');
const HOUR = 3_600_000;
const DKIM_KEY = String(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }),
);
let folder: string;
let smtpPort: number;
// A mail server that greets and goes: all that is asked of it.
const smtp = createServer((socket) => {
  socket.write('220 mail\r\n');
  socket.on('data', (said) =>
    socket.write(/^QUIT/i.test(String(said)) ? '221 bye\r\n' : '250 ok\r\n'),
  );
  socket.on('error', () => socket.destroy());
});
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const address = smtp.address();
  smtpPort = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => {
  smtp.close();
  rmSync(folder, { recursive: true });
});

type Changed<T> = { -readonly [Name in keyof T]: T[Name] };
let env: Record<string, string>;
/** What a test plants a fault in; a complete and healthy clinic before. */
let planted: {
  facts: Changed<Omit<DatabaseFacts, 'clinic'>>;
  clinic: Changed<ClinicFacts>;
  pooled: string[];
  replica: Awaited<ReturnType<Surroundings['replica']>>;
  texts: Record<string, string[]>;
  zone: ReturnType<Surroundings['zone']>;
  inUse: number;
  whyKeysRefused: string | null;
  outside: Awaited<ReturnType<Surroundings['outside']>>;
};
beforeEach(() => {
  const [keys, marker] = [join(folder, 'keyring.json'), join(folder, 'backup-done')];
  writeFileSync(keys, JSON.stringify(newKeyMaterial()));
  chmodSync(keys, 0o600);
  chmodSync(folder, 0o700);
  rmSync(`${keys}.archive`, { force: true });
  writeFileSync(marker, '');
  utimesSync(marker, NOW / 1000 - 7_200, NOW / 1000 - 7_200);
  env = {
    DATABASE_URL: 'postgres://clinic@db/clinic',
    KEYRING_FILE: keys,
    PUBLIC_URL: 'https://booking.harbourview.ca',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'Harbour View <booking@harbourview.ca>',
    MAIL_DKIM_SELECTOR: 'mail',
    CLINIC_NAME: 'Harbour View',
    CLINIC_EMAIL: 'booking@harbourview.ca',
    CLINIC_PHONE: '604-261-4500',
    CLINIC_ADDRESS: '1210 Burrard Street',
    WALK_IN_HOURS: 'Saturday: 10:00 to 13:00',
    BOOKING_FEE: '12.00',
    NO_SHOW_FEE: '50.00',
    STRIPE_SECRET_KEY: 'sk',
    STRIPE_PUBLISHABLE_KEY: 'pk',
    STRIPE_WEBHOOK_SECRET: 'wh',
    BACKUP_MARKER_FILE: marker,
  };
  planted = {
    facts: {
      version: 150_018,
      aheadMs: 40,
      schema: 'public',
      open: [],
      standing: { kind: 'ready' },
    },
    clinic: {
      settled: true,
      heard: true,
      emr: null,
      signUps: { unclear: [], merged: [], refused: [] },
      jobs: new Map([['outbox', { everySeconds: 1, endedAt: NOW / 1000 - 70, since: 0 }]]),
      drill: { at: NOW / 1000 - 9 * 86_400, of: NOW / 1000 - 10 * 86_400 },
    },
    pooled: [],
    replica: { standing: 'caught-up', lacksBytes: 0 },
    texts: {
      'harbourview.ca': ['google-site-verification=x', 'v=spf1 mx -all'],
      'mail._domainkey.harbourview.ca': ['v=DKIM1; k=rsa; p=MIIB'],
    },
    zone: { release: '2026b', runtime: 'agrees' },
    inUse: 0.94,
    whyKeysRefused: null,
    outside: { why: null, certificateEndsAt: NOW + 14 * 24 * HOUR, isLive: true, version: '0.3.0' },
  };
});

const health: EmrHealth = {
  kind: 'answers',
  isFollowed: true,
  isBookingPaused: false,
  keys: [],
  refused: [],
  ending: [],
  since: NOW / 1000,
  asOf: NOW / 1000 - 30,
};
const emr = { answeredAt: NOW / 1000 - 30, overlapped: 1, lacking: 0, waiting: [], health };
const refused = { state: 'refused', why: null, since: NOW / 1000 - 180 } as const;
const noEnd = { endsAt: null, livesSeconds: null };

const examined = () =>
  examine(env, {
    ...surroundings(folder),
    now: () => NOW,
    database: async () => ({ ...planted.facts, clinic: planted.clinic }),
    replica: async () => planted.replica,
    isPooled: async (url) => planted.pooled.includes(url),
    zone: () => planted.zone,
    dnsTexts: async (name) => planted.texts[name] ?? [],
    diskInUse: async () => planted.inUse,
    whyKeysRefused: async () => planted.whyKeysRefused,
    outside: async () => planted.outside,
  });

describe('The doctor', () => {
  test('finds a clinic well in which nothing is wrong', async () => {
    const found = await examined();
    expect(found.filter(({ state }) => state !== 'right')).toEqual([]);
    expect(found.map(({ what }) => what)).toEqual([
      'settings',
      'keys',
      'database',
      'schema',
      'pooler',
      'replica',
      'outside',
      'clock',
      'zone data',
      'mail server',
      'SPF',
      'DKIM',
      'webhooks',
      'EMR',
      'sign-ups',
      'jobs',
      'backup',
      'drill',
      'disk',
    ]);
  });

  test.each<[string, () => unknown, string, RegExp, RegExp]>([
    [
      'a missing setting',
      () => delete env.CLINIC_PHONE,
      'settings',
      /^CLINIC_PHONE is missing/,
      /Set it, such as CLINIC_PHONE=/,
    ],
    [
      'a weak secret',
      () => (env.DASHBOARD_SECRET = 'short'),
      'settings',
      /^DASHBOARD_SECRET must have at least 32/,
      /openssl rand/,
    ],
    [
      'a keyring that is not the database’s',
      () => (planted.whyKeysRefused = "The key 'k1' has sealed values of this database."),
      'keys',
      /^The key 'k1' has sealed values of this database$/,
      /Put back the keyring that was kept with this database/,
    ],
    [
      'an old database',
      () => (planted.facts = { ...planted.facts, version: 140_011 }),
      'database',
      /PostgreSQL 14\.11/,
      /Upgrade PostgreSQL to 15/,
    ],
    [
      'a role that may use what is another clinic’s',
      () => (planted.facts = { ...planted.facts, schema: 'kerrisdale', open: ['burnaby'] }),
      'schema',
      /kerrisdale, and the role may use what is burnaby’s/,
      /clinics add/,
    ],
    [
      'a role without a schema',
      () => (planted.facts = { ...planted.facts, schema: null }),
      'schema',
      /search_path of the role names none/,
      /docs\/operating\.md, Growing/,
    ],
    [
      'half a restore',
      () => (planted.facts.standing = { kind: 'half', why: 'This database is half a restore.' }),
      'schema',
      /half a restore/,
      /Restore the backup again/,
    ],
    [
      'a kind of job that is not done any more',
      () => {
        const run = { everySeconds: 60, endedAt: NOW / 1000 - 7_200, since: NOW / 1000 - 9_000 };
        planted.clinic.jobs = new Map([...planted.clinic.jobs, ['names', run]]);
      },
      'jobs',
      /1 kind of 2 late: names \(2 hours ago\)/,
      /job-failed/,
    ],
    [
      'a backup that was tried 36 days ago',
      () => (planted.clinic.drill = { at: NOW / 1000 - 36 * 86_400, of: NOW / 1000 - 37 * 86_400 }),
      'drill',
      /was restored 36 days ago/,
      /clinic -- drill/,
    ],
    [
      'a pooler that is not declared',
      () => planted.pooled.push(env.DATABASE_URL ?? ''),
      'pooler',
      /leads to a pooler/,
      /Set DATABASE_DIRECT_URL/,
    ],
    [
      'a replica that lags',
      () => {
        env.DATABASE_REPLICA_URL = 'postgres://clinic@replica/clinic';
        planted.replica = { standing: 'behind', lacksBytes: 2_500_000 };
      },
      'replica',
      /lacks 2\.5 MB of the log/,
      /A replica to read from/,
    ],
    [
      'a service that patients do not reach',
      () => (planted.outside = { ...planted.outside, why: 'https://x.ca answers 502' }),
      'outside',
      /patients are not served: https:\/\/x\.ca answers 502/,
      /Start the service/,
    ],
    [
      'a certificate that ends soon',
      () => (planted.outside = { ...planted.outside, certificateEndsAt: NOW + 14 * 24 * HOUR - 1 }),
      'outside',
      /ends in 13 days/,
      /Renew it/,
    ],
    [
      'a proxy that passes no upgrade',
      () => (planted.outside = { ...planted.outside, isLive: false }),
      'outside',
      /no live connection/,
      /WebSocket upgrades/,
    ],
    [
      'a clock that is off',
      () => (planted.facts = { ...planted.facts, aheadMs: -2_500 }),
      'clock',
      /2\.5 s from/,
      /timedatectl set-ntp true/,
    ],
    [
      'old zone data',
      () => (planted.zone = { release: '2024b', runtime: 'agrees' }),
      'zone data',
      /2024b.*two years old/,
      /Upgrade the service/,
    ],
    [
      'newer zone data that disagrees',
      () => (planted.zone = { release: '2026b', runtime: 'newerDisagrees' }),
      'zone data',
      /newer data says other hours/,
      /Upgrade the service/,
    ],
    [
      'a mail server that refuses',
      () => (env.SMTP_URL = 'smtp://127.0.0.1:1'),
      'mail server',
      /ECONNREFUSED/,
      /Mend SMTP_URL/,
    ],
    [
      'a sender without SPF',
      () => (planted.texts['harbourview.ca'] = []),
      'SPF',
      /harbourview\.ca has no SPF record/,
      /v=spf1 mx -all/,
    ],
    [
      'a sender with two SPF records',
      () => planted.texts['harbourview.ca']?.push('v=spf1 -all'),
      'SPF',
      /has 2 SPF records/,
      /Publish one TXT/,
    ],
    [
      'a sender without DKIM',
      () => (planted.texts['mail._domainkey.harbourview.ca'] = ['v=DKIM1; p=']),
      'DKIM',
      /has no key/,
      /TXT record at mail\._domainkey/,
    ],
    [
      'a DKIM key in DNS that is not ours',
      () => (env.MAIL_DKIM_KEY = DKIM_KEY),
      'DKIM',
      /another key than MAIL_DKIM_KEY's/,
      /"v=DKIM1; k=rsa; p=MIIBIjANBg/,
    ],
    [
      'sign-ups that have waited for staff for more than a day',
      () =>
        (planted.clinic = {
          ...planted.clinic,
          signUps: {
            unclear: [{ id: '1', at: NOW / 1000 - 90_000, why: 'several' }],
            merged: [{ id: '2', at: NOW / 1000 - 60, why: 'merged' }],
            refused: [{ at: NOW / 1000 - 60 }],
          },
        }),
      'sign-ups',
      /1 cannot book until staff say which chart is theirs, 1 have a chart that was merged into another account’s, 1 got no account; 1 of them/,
      /Front desk, Patients/,
    ],
    [
      'no webhook in a day with payments',
      () => (planted.clinic = { ...planted.clinic, heard: false }),
      'webhooks',
      /Stripe told us of none/,
      /https:\/\/booking\.harbourview\.ca\/webhooks\/stripe/,
    ],
    [
      'an EMR that does not answer',
      () => (planted.clinic = { ...planted.clinic, emr: { ...emr, answeredAt: NOW / 1000 - 660 } }),
      'EMR',
      /not answered for 11 minutes/,
      /the EMR takes its calls/,
    ],
    [
      'an EMR that refuses the token',
      () => {
        const token = { key: 'token', ...refused, ...noEnd } as const;
        const refuses = { ...health, kind: 'refused', isBookingPaused: true } as const;
        const since = NOW / 1000 - 180;
        planted.clinic = {
          ...planted.clinic,
          emr: { ...emr, health: { ...refuses, refused: [token], since } },
        };
      },
      'EMR',
      /refuses the token since 3 minutes: patients cannot book/,
      /emr connect/,
    ],
    [
      'an EMR that was silent for a minute',
      () => {
        const silent = { ...health, kind: 'silent', since: NOW / 1000 - 60 } as const;
        planted.clinic = { ...planted.clinic, emr: { ...emr, health: silent } };
      },
      'EMR',
      /not answered for 1 minutes: patients cannot book/,
      /the EMR runs/,
    ],
    [
      'a token that ends soon',
      () => {
        const ending = [{ key: 'token', endsAt: NOW / 1000 + 600 }] as const;
        planted.clinic = { ...planted.clinic, emr: { ...emr, health: { ...health, ending } } };
      },
      'EMR',
      /the token by which it lets the service in ends in 10 minutes/,
      /emr connect/,
    ],
    [
      'an EMR that never answered',
      () => (planted.clinic = { ...planted.clinic, emr: { ...emr, answeredAt: null } }),
      'EMR',
      /never answered/,
      /the EMR takes its calls/,
    ],
    [
      'a booking that the EMR does not confirm',
      () =>
        (planted.clinic = {
          ...planted.clinic,
          emr: { ...emr, waiting: [{ what: 'booking', appointments: 1, oldestSeconds: 1_860 }] },
        }),
      'EMR',
      /a booking has waited for 31 minutes/,
      /what the EMR has at that time/,
    ],
    [
      'a booked appointment that the EMR does not know',
      () => (planted.clinic = { ...planted.clinic, emr: { ...emr, lacking: 2 } }),
      'EMR',
      /does not know 2 of the appointments/,
      /The audit trail names each/,
    ],
    [
      'a key file that others can read',
      () => chmodSync(env.KEYRING_FILE ?? '', 0o644),
      'keys',
      /KEYRING_FILE names a file that others can read/,
      /chmod 600/,
    ],
    [
      'a folder of keys that others can write to',
      () => chmodSync(folder, 0o770),
      'keys',
      /others can put keys into/,
      /chmod 700/,
    ],
    [
      'an archive of keys that others can read',
      () => writeFileSync(`${env.KEYRING_FILE}.archive`, '{}', { mode: 0o640 }),
      'keys',
      /others can read .*keyring\.json\.archive/,
      /chmod 600/,
    ],
    [
      'an archive of keys that is cut off',
      () => writeFileSync(`${env.KEYRING_FILE}.archive`, '{"old":"', { mode: 0o600 }),
      'keys',
      /keyring\.json\.archive is not whole/,
      /Put it back/,
    ],
    [
      'a backup of more than 26 hours ago',
      () => utimesSync(env.BACKUP_MARKER_FILE ?? '', 0, (NOW - 26.1 * HOUR) / 1000),
      'backup',
      /26 hours old/,
      /make one now/,
    ],
    [
      'a backup that nobody knows of',
      () => delete env.BACKUP_MARKER_FILE,
      'backup',
      /nothing says/,
      /Set BACKUP_MARKER_FILE/,
    ],
    [
      'a disk that is full to 95 %',
      () => (planted.inUse = 0.95),
      'disk',
      /95 % in use/,
      /Make room/,
    ],
  ])(
    'finds %s, says what mends it, and finds nothing else wrong',
    async (_, plant, row, says, cure) => {
      plant();
      const found = await examined();
      expect(found.filter(({ state }) => state !== 'right').map(({ what }) => what)).toEqual([row]);
      const [sick] = found.filter(({ state }) => state === 'wrong');
      expect(sick?.says).toMatch(says);
      expect(sick?.cure).toMatch(cure);
      expect(table(found).filter((line) => line.startsWith('WRONG'))).toHaveLength(1);
    },
  );

  test('finds the key of our DKIM signatures in DNS, with white space in it or not', async () => {
    env.MAIL_DKIM_KEY = DKIM_KEY;
    const own = createPublicKey(DKIM_KEY).export({ type: 'spki', format: 'der' });
    const [half, rest] = [own.toString('base64', 0, 120), own.toString('base64', 120)];
    planted.texts['mail._domainkey.harbourview.ca'] = [`v=DKIM1; k=rsa; p=${half} ${rest}`];
    expect((await examined()).filter(({ state }) => state !== 'right')).toEqual([]);
  });

  test('is content with an EMR that answers, and says what staff have booked over there', async () => {
    planted.clinic = { ...planted.clinic, emr };
    const found = (await examined()).find(({ what }) => what === 'EMR');
    expect([found?.state, found?.says]).toEqual(['right', expect.stringContaining('over 1 there')]);
  });

  test('finds a secret file that others can read', async () => {
    const file = join(folder, 'smtp');
    writeFileSync(file, env.SMTP_URL ?? '');
    chmodSync(file, 0o640);
    const { SMTP_URL: _, ...others } = env;
    env = { ...others, SMTP_URL_FILE: file };
    const [sick] = (await examined()).filter(({ state }) => state !== 'right');
    expect([sick?.what, sick?.cure]).toEqual(['keys', `chmod 600 ${file}`]);
  });

  test('calls unknown what it cannot look at, and wrong what does not answer', async () => {
    env.DATABASE_URL = '';
    env.MAIL_DKIM_SELECTOR = '';
    const found = await examined();
    const of = (state: string) =>
      found.filter((each) => each.state === state).map(({ what }) => what);
    expect(of('unknown')).toEqual([
      'database',
      'schema',
      'pooler',
      'clock',
      'DKIM',
      'webhooks',
      'EMR',
      'sign-ups',
      'jobs',
      'drill',
    ]);
    expect(of('wrong')).toEqual(['settings']);
  });
});
