import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { NOW } from '@clinic/domain/testing';
import { type FakeOscar, bookByStaff, credentials, startFakeOscar } from '@clinic/oscar/fake';
import { emrHealth, watchKeys } from '@clinic/service/modules/emr/index.ts';
import { keepConnection } from '@clinic/service/modules/records/index.ts';
import { openEmr } from '@clinic/service/open-emr.ts';
import { appointmentType, provider, providerPolicy } from '@clinic/service/schema.ts';
import { aClinic } from '@clinic/service/testing/a-clinic.ts';
import { type TestApp, testApp } from '@clinic/service/testing/index.ts';
import { operate } from '@clinic/service/testing/operator.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { surroundings } from './doctor-surroundings.ts';
import { examine } from './doctor.ts';

interface SetUp {
  readonly fake: FakeOscar;
  readonly clinic: TestApp;
  /** What the clinic connects with. */
  readonly access: {
    client: { key: string; secret: string };
    token: { key: string; secret: string };
    login: { userName: string; password: string };
    programId: number;
    hidden: string[];
  };
  /** As EMR_URL has it. */
  readonly addresses: string[];
}

interface WrongSetUp {
  readonly set: (setUp: SetUp) => unknown;
  /** What `emr check` says, and the cure beneath. */
  readonly check: readonly [says: RegExp, cure: RegExp];
  /** Why `emr connect` does not lead on, where it does not. */
  readonly connect?: RegExp;
  /** What `status` says of a key that is refused, once both were tried; the doctor then says which. */
  readonly refuses?: 'SOAP login' | 'REST token';
  /** As the cure says. */
  readonly mend: (setUp: SetUp) => unknown;
}

const TODAY = '2026-11-21';
const MONDAY = '2026-11-23';
let setUp: SetUp;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wrong-set-up-'));
  const fake = await startFakeOscar({ profile: 'openo', today: TODAY, now: () => NOW * 1000 });
  const addresses = [fake.base];
  const clinic = await testApp({ config: { emrAddresses: addresses } });
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
  await clinic.database.inTransaction((tx) =>
    tx.update(appointmentType).set({ emrName: 'Office Visit' }),
  );
  const { consumer, token, soap } = credentials;
  const access = {
    client: { ...consumer },
    token: { ...token },
    login: { ...soap },
    programId: 10_034,
    hidden: ['200'],
  };
  setUp = { fake, clinic, access, addresses };
});
afterEach(async () => {
  await setUp.clinic.close();
  await setUp.fake.stop();
  rmSync(folder, { recursive: true });
});

/** As `emr connect` keeps it at its end. */
const keep = () =>
  keepConnection(
    setUp.clinic.platform,
    { id: 'oscar', credentials: setUp.access },
    { actor: 'clinic:test', now: NOW },
  );

/** Each line that is wrong, with its cure. */
async function wrongLines() {
  await keep();
  const { lines } = await operate(setUp.clinic.platform, 'emr', 'check', '--book', '1');
  return lines.flatMap((line, at) =>
    line.startsWith('  wrong') ? [{ says: line, cure: lines[at + 1] ?? '' }] : [],
  );
}

/** Why `emr connect` is refused, or ''. */
async function whyNotConnected() {
  const { client, login, programId, hidden } = setUp.access;
  const file = join(folder, 'access.json');
  writeFileSync(file, JSON.stringify({ client, login, programId, hidden }));
  return (await operate(setUp.clinic.platform, 'emr', 'connect', '--file', file)).refused;
}

/** What `status` and the doctor say once a service has tried both keys. */
async function whatTheySay() {
  const { platform } = setUp.clinic;
  const { log: _none, ...quiet } = platform;
  const emr = await openEmr(quiet, platform.config);
  await watchKeys({ ...platform, emr }, NOW);
  const { lines } = await operate(platform, 'status');
  const health = await emrHealth(platform.database.db, NOW);
  const standing = { answeredAt: NOW, overlapped: 0, lacking: 0, waiting: [], health };
  const found = await examine(
    { DATABASE_URL: 'postgres://clinic@db/clinic' },
    {
      ...surroundings(folder),
      now: () => NOW * 1000,
      isPooled: async () => false,
      database: async () => ({
        version: 150_018,
        aheadMs: 0,
        schema: 'public',
        open: [],
        standing: { kind: 'ready' },
        clinic: {
          settled: false,
          heard: false,
          emr: standing,
          signUps: { unclear: [], merged: [], refused: [] },
          jobs: new Map(),
          drill: null,
        },
      }),
    },
  );
  const doctor = found.find(({ what }) => what === 'EMR');
  return { status: lines.join('\n'), doctor: `${doctor?.says} → ${doctor?.cure}` };
}

const keyed = { client: { ...credentials.consumer }, login: { ...credentials.soap } };
const proxy = (seenAs: (fake: FakeOscar) => string, cure: RegExp): WrongSetUp => ({
  set: ({ fake }) => (fake.switches.seenAs = seenAs(fake)),
  check: [/token +it believes to be asked at https?:/, cure],
  connect: /The handshake was refused: it believes to be asked at .* RemoteIpValve/,
  refuses: 'REST token',
  mend: ({ fake }) => (fake.switches.seenAs = null),
});
const lacking = (object: string, what: RegExp): WrongSetUp => ({
  set: ({ fake }) => fake.switches.lacks.add(object),
  check: [what, new RegExp(`a role with ${object} to read and to write`)],
  mend: ({ fake }) => fake.switches.lacks.delete(object),
});
const templatesOf = ({ fake }: SetUp, template: string) => {
  for (const day of fake.memory.templates.keys())
    if (day.startsWith('103 ')) fake.memory.templates.set(day, template);
};

const WRONG: Readonly<Record<string, WrongSetUp>> = {
  'the password of the login is wrong': {
    set: ({ access }) => (access.login.password = 'wrong'),
    check: [/login +login2 was refused/, /set the password/],
    connect: /without SOAP: login2 was refused/,
    refuses: 'SOAP login',
    mend: ({ access }) => (access.login.password = keyed.login.password),
  },
  'the login has expired': {
    set: ({ fake }) => (fake.switches.isExpired = true),
    check: [/login +login2 was refused/, /a date of expiry that is ahead/],
    connect: /without SOAP: login2 was refused: .* its expiry/,
    refuses: 'SOAP login',
    mend: ({ fake }) => (fake.switches.isExpired = false),
  },
  'the role of the login lacks the patients': {
    set: ({ fake }) => (fake.switches.hasRole = false),
    check: [/rights +the login may not look for patients/, /a role with _demographic/],
    mend: ({ fake }) => (fake.switches.hasRole = true),
  },
  'the token was taken back': {
    set: ({ fake }) => fake.expireToken(),
    check: [/token +REST does not take it: it ended/, /Connect it again/],
    refuses: 'REST token',
    mend: ({ fake, access }) => {
      fake.consents.access.set('new', {
        secret: 'new-secret',
        providerNo: '101',
        scopes: [],
        issuedAt: NOW * 1000,
      });
      access.token = { key: 'new', secret: 'new-secret' };
    },
  },
  'the key of the REST client is mistyped': {
    set: ({ access }) => (access.client.key = 'fake-costumer'),
    check: [/token +it has no REST client with this key/, /Copy the key again/],
    connect: /refused: it has no REST client with this key\. Copy the key again/,
    refuses: 'REST token',
    mend: ({ access }) => (access.client.key = keyed.client.key),
  },
  'the secret of the REST client is mistyped': {
    set: ({ access }) => (access.client.secret = 'fake-secret'),
    check: [/token +it does not take what the REST client signs/, /Copy the secret/],
    connect: /refused: it does not take what the REST client signs\. Copy the secret/,
    refuses: 'REST token',
    mend: ({ access }) => (access.client.secret = keyed.client.secret),
  },
  'a proxy hides the port': proxy(
    () => 'http://127.0.0.1:8080',
    /send X-Forwarded-Port, .*RemoteIpValve/,
  ),
  'a proxy hides the host': proxy(
    () => 'http://localhost:8080',
    /send Host and X-Forwarded-Port, .*RemoteIpValve/,
  ),
  'a proxy hides the scheme': proxy(
    ({ base }) => new URL(base).origin.replace('http:', 'https:'),
    /send X-Forwarded-Proto, .*RemoteIpValve/,
  ),
  'its clock is 20 minutes off': {
    set: ({ fake }) => (fake.switches.aheadSeconds = 1_200),
    check: [/token +its clock is 1200 s from ours/, /time server/],
    connect: /refused: its clock is 1200 s from ours.* time server/,
    refuses: 'REST token',
    mend: ({ fake }) => (fake.switches.aheadSeconds = 0),
  },
  'REST is off': {
    set: ({ fake }) => (fake.switches.hasRest = false),
    check: [/token .*REST is off/, /REST into ModuleNames/],
    connect: /ModuleNames in oscar.properties has to contain REST/,
    refuses: 'REST token',
    mend: ({ fake }) => (fake.switches.hasRest = true),
  },
  'the token may open no chart': lacking('_demographic', /rights .* no chart is opened/),
  'the token may write no tickler': lacking('_tickler', /rights .* no tickler is written/),
  'the token may file no document': lacking('_edoc', /rights .* no document is filed/),
  'the programme is another one': {
    set: ({ access }) => (access.programId = 5),
    check: [/programme +OSCAR has no programme 5/, /programId .*: 10034 OSCAR/],
    mend: ({ access }) => (access.programId = 10_034),
  },
  'the programme is not active': {
    set({ fake, access }) {
      fake.memory.programs.push({ id: 5, name: 'Closed', programStatus: 'inactive' });
      access.programId = 5;
    },
    check: [/programme +5 Closed is not active/, /programId .*: 10034 OSCAR/],
    mend: ({ access }) => (access.programId = 10_034),
  },
  'a doctor of ours is unknown there': {
    set: ({ clinic }) =>
      clinic.database.inTransaction((tx) =>
        tx.insert(provider).values({ id: '777', firstName: 'Ann', lastName: 'Gone', status: '1' }),
      ),
    check: [/providers +777 Gone is shown here/, /Hide them/],
    mend: ({ clinic }) =>
      clinic.database.inTransaction((tx) =>
        tx.insert(providerPolicy).values({ providerId: '777', hidden: true }),
      ),
  },
  'nobody stands for a doctor elsewhere': {
    set: ({ fake }) => fake.memory.providers.splice(6, 1),
    check: [/providers +OSCAR has no provider 1998/, /Add a provider with the number 1998/],
    mend: ({ fake }) =>
      fake.memory.providers.push({
        providerNo: '1998',
        firstName: 'Doctor',
        lastName: 'Elsewhere',
        status: '1',
      }),
  },
  'nobody is a doctor': {
    set({ fake }) {
      for (const each of fake.memory.providers) each.providerType = 'receptionist';
    },
    check: [/providers +nobody is a doctor/, /set the type of each doctor/],
    mend({ fake }) {
      for (const each of fake.memory.providers) each.providerType = 'doctor';
    },
  },
  'a template was saved blank': {
    set: (each) => templatesOf(each, '_'.repeat(96)),
    check: [/templates +103 Bergström .* without any time/, /give the template its codes/],
    mend: (each) => templatesOf(each, 'C'.repeat(96)),
  },
  'a template has steps of two minutes': {
    set: (each) => templatesOf(each, 'C'.repeat(720)),
    check: [/templates +steps of 2 minutes/, /steps of 5, 10, 15/],
    mend: (each) => templatesOf(each, 'C'.repeat(96)),
  },
  'a letter has no name': {
    set: (each) => templatesOf(each, 'X'.repeat(96)),
    check: [/codes +X without a name/, /Template Code Setting/],
    mend: ({ fake }) =>
      fake.memory.codes.push({
        id: 99,
        code: 'X',
        description: 'Extra',
        duration: '15',
        confirm: 'N',
        bookinglimit: 1,
      }),
  },
  'a type has a name that it lacks': {
    set: ({ fake }) => fake.memory.types.splice(0, 1),
    check: [/types +O is Office Visit, which OSCAR lacks/, /What a type is called in the EMR/],
    mend: ({ clinic }) =>
      clinic.database.inTransaction((tx) => tx.update(appointmentType).set({ emrName: 'Phone' })),
  },
  'it has sites, and doctors have none': {
    set({ fake }) {
      fake.memory.sites.push('Main Clinic');
      const at = { date: MONDAY, minutes: 10, demographicNo: 2, start: 600 };
      bookByStaff(fake.memory, { ...at, providerNo: '102' });
    },
    check: [/sites +101 Marchetti has none here/, /Where a doctor works/],
    mend: ({ clinic }) =>
      clinic.database.inTransaction((tx) =>
        tx
          .insert(providerPolicy)
          .values(
            ['101', '102', '103'].map((providerId) => ({ providerId, location: 'Main Clinic' })),
          ),
      ),
  },
  'EMR_URL has another path': {
    set: ({ addresses, fake }) => (addresses[0] = `${new URL(fake.base).origin}/elsewhere`),
    check: [/login +.*404: no OSCAR at this path/, /EMR_URL with the path/],
    connect: /404: no OSCAR at this path/,
    mend: ({ addresses, fake }) => (addresses[0] = fake.base),
  },
  'it is down': {
    set: ({ fake }) => (fake.switches.isDown = true),
    check: [/login +.* was not answered \(503\)/, /See that OSCAR runs/],
    connect: /was not answered \(503\)/,
    mend: ({ fake }) => (fake.switches.isDown = false),
  },
  'its database is down': {
    set: ({ fake }) => (fake.switches.database = 'down'),
    check: [/login +.*its database is down/, /look at its database/],
    connect: /its database is down/,
    mend: ({ fake }) => (fake.switches.database = 'up'),
  },
};

describe('emr check names what is set up wrong and how it is mended, and that mends it:', () => {
  test.each(Object.entries(WRONG))('%s', async (_, { set, check, connect, refuses, mend }) => {
    await set(setUp);
    const wrong = await wrongLines();
    expect(wrong.map(({ says }) => says).join('\n')).toMatch(check[0]);
    expect(wrong.find(({ says }) => check[0].test(says))?.cure).toMatch(check[1]);
    for (const { cure } of wrong) expect(cure).toMatch(/^ +→ [A-Z].*[^.]\.$/);
    expect(await whyNotConnected()).toMatch(connect ?? /^$/);
    const { status, doctor } = await whatTheySay();
    if (refuses === undefined) expect(status + doctor).not.toMatch(/refuses/);
    else {
      expect(status).toMatch(new RegExp(`refuses the ${refuses} since .* emr connect`));
      expect(doctor).toMatch(new RegExp(`refuses the ${refuses.split(' ')[1]} .*emr connect`));
    }
    await mend(setUp);
    const { appointments } = setUp.fake.memory;
    const before = [...appointments];
    expect(await wrongLines()).toEqual([]);
    expect(appointments).toEqual(before);
    expect(await whyNotConnected()).toBe('');
  });

  test('what cannot be reached is said in one line', async () => {
    setUp.fake.switches.isDown = true;
    expect(await wrongLines()).toHaveLength(1);
  });
});
