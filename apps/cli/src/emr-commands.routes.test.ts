import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { formatAppointment } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { type FakeOscar, bookByStaff, credentials, startFakeOscar } from '@clinic/oscar/fake';
import {
  appointmentType,
  emrConnection,
  providerPolicy,
  slotCode,
} from '@clinic/service/schema.ts';
import { watchKeys } from '@clinic/service/modules/emr/index.ts';
import { availabilityNow } from '@clinic/service/modules/operations/index.ts';
import { correctEmail } from '@clinic/service/modules/accounts/index.ts';
import { keepConnection, waitUnclear } from '@clinic/service/modules/records/index.ts';
import type { Platform } from '@clinic/service/platform.ts';
import { openEmr } from '@clinic/service/open-emr.ts';
import { aClinic } from '@clinic/service/testing/a-clinic.ts';
import type { RecordId } from '@clinic/service/modules/records/emr.ts';
import { type TestApp, aPatient, testApp } from '@clinic/service/testing/index.ts';
import { operate } from '@clinic/service/testing/operator.ts';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let fake: FakeOscar;
let clinic: TestApp;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clinic-emr-'));
  const clock = { now: () => NOW };
  fake = await startFakeOscar({
    profile: 'classic',
    today: '2026-11-21',
    now: () => clock.now() * 1000,
  });
  clinic = await testApp({ config: { emrAddresses: [fake.base] } });
  clock.now = () => clinic.clock.now();
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
});
afterEach(async () => {
  await clinic.close();
  await fake.stop();
  await rm(folder, { recursive: true });
});

const run = (...typed: string[]) => operate(clinic.platform, ...typed);
const access = {
  client: credentials.consumer,
  login: credentials.soap,
  programId: 10_034,
  hidden: ['200'],
};

function fileWith(said: unknown): string {
  const file = join(folder, 'access.json');
  writeFileSync(file, JSON.stringify(said));
  return file;
}

/** What a provider does in the browser; the text that OSCAR shows. */
async function consent(lines: readonly string[]): Promise<string> {
  const address = /^Open (\S+)$/.exec(lines[0] ?? '')?.[1] ?? '';
  const [, token = ''] =
    /name="oauth_token" value="(\w+)"/.exec(await (await fetch(address)).text()) ?? [];
  const answer = await fetch(address.replace(/\?.*/, ''), {
    method: 'POST',
    body: new URLSearchParams({ oauth_token: token }),
  });
  return /oauth_verifier=(\S+)/.exec(await answer.text())?.[1] ?? '';
}

const bindTypes = (emrName: string) =>
  clinic.database.inTransaction((tx) => tx.update(appointmentType).set({ emrName }));

async function connect(said: object = access) {
  const asked = await run('emr', 'connect', '--file', fileWith(said));
  return run('emr', 'connect', '--verifier', await consent(asked.lines));
}

describe('npm run clinic -- emr', () => {
  test('connect leads from the file through consent to an EMR that answers', async () => {
    const connected = await connect();
    expect(connected).toMatchObject({ code: 0, refused: '' });
    expect(connected.lines.slice(2)).toEqual([
      "  C Clinic Appointment, 270 a week: offered to nobody. Say what it serves: Set-up, Tables, 'What a slot code serves'.",
      '  P Phone, 80 a week: P',
    ]);
    const emr = await openEmr(clinic.platform, clinic.platform.config);
    expect((await emr?.providers())?.map(({ id }) => id)).toEqual(['101', '102', '103', '104']);
  });

  test.each([
    ['the whole line', (verifier: string) => `oauth_verifier=${verifier}`],
    ['the line in quotes', (verifier: string) => ` "oauth_verifier=${verifier}" `],
    ['the text with a curly quote', (verifier: string) => `“${verifier}”`],
    [
      'the address',
      (verifier: string) => `https://a.example/?oauth_verifier=${verifier}&oauth_token=1`,
    ],
  ])('connect takes %s that OSCAR shows', async (_, copied) => {
    const asked = await run('emr', 'connect', '--file', fileWith(access));
    const done = await run('emr', 'connect', '--verifier', copied(await consent(asked.lines)));
    expect(done).toMatchObject({ code: 0, refused: '' });
  });

  test('connect keeps no credential in the open, nor says one', async () => {
    const asked = await run('emr', 'connect', '--file', fileWith(access));
    const done = await run('emr', 'connect', '--verifier', await consent(asked.lines));
    const kept = await clinic.database.db.select().from(emrConnection);
    const open = [
      ...kept.map((row) => Buffer.from(row.credentials).toString('latin1')),
      ...asked.lines,
      ...done.lines,
    ].join('\n');
    expect(kept).toHaveLength(2);
    for (const secret of [credentials.consumer.secret, credentials.soap.password])
      expect(open).not.toContain(secret);
  });

  test.each([
    ['a file that lacks what it must have', { client: access.client }, /login, programId/],
    [
      'a client that OSCAR does not know',
      { ...access, client: { key: 'x', secret: 'y' } },
      /refused: it does not take what the REST client signs\. Copy the secret/,
    ],
  ])('connect refuses %s', async (_, said, why) => {
    const refused = await run('emr', 'connect', '--file', fileWith(said));
    expect([refused.code, refused.refused]).toEqual([1, expect.stringMatching(why)]);
  });

  test.each([
    ['a firewall lets no SOAP through', 'kai', access, /without SOAP: .* firewall/],
    [
      'OSCAR does not take the login',
      'openo',
      { ...access, login: { ...access.login, password: 'wrong' } },
      /without SOAP: login2 was refused/,
    ],
    ['the file has no login', 'openo', { ...access, login: null }, /not as docs.*login/],
  ] as const)('connect refuses where %s', async (_, profile, said, why) => {
    const other = await startFakeOscar({ profile, today: '2026-11-21' });
    const elsewhere = { ...clinic.platform.config, emrAddresses: [other.base] };
    const file = fileWith(said);
    const platform = { ...clinic.platform, config: elsewhere };
    const refused = await operate(platform, 'emr', 'connect', '--file', file);
    expect([refused.code, refused.refused]).toEqual([1, expect.stringMatching(why)]);
    await other.stop();
  });

  test('check says that a token was given for less than is asked of it', async () => {
    const other = await startFakeOscar({ profile: 'carlos', today: '2026-11-21' });
    const config = { ...clinic.platform.config, emrAddresses: [other.base] };
    const elsewhere = { ...clinic.platform, config };
    const asked = await operate(elsewhere, 'emr', 'connect', '--file', fileWith(access));
    await operate(elsewhere, 'emr', 'connect', '--verifier', await consent(asked.lines));
    const { access: tokens } = other.consents;
    for (const [key, token] of tokens) tokens.set(key, { ...token, scopes: [] });
    const { lines } = await operate(elsewhere, 'emr', 'check');
    expect(lines.join('\n')).toMatch(/look +token +REST takes it, and holds it to less/);
    await other.stop();
  });

  test.each([
    ['carlos', access, 3_600],
    ['openo', { ...access, tokenSeconds: 31_536_000 }, 31_536_000],
    ['openo', access, null],
  ] as const)('connect says when the token of %s ends', async (profile, file, lives) => {
    const other = await startFakeOscar({ profile, today: '2026-11-21' });
    const config = { ...clinic.platform.config, emrAddresses: [other.base] };
    const elsewhere = { ...clinic.platform, config };
    const asked = await operate(elsewhere, 'emr', 'connect', '--file', fileWith(file));
    const verifier = await consent(asked.lines);
    const { lines } = await operate(elsewhere, 'emr', 'connect', '--verifier', verifier);
    const said = lines.join('\n');
    const ends = lives === null ? null : formatAppointment(clinic.clock.now() + lives);
    if (ends === null) expect(said).not.toContain('token');
    else expect(said).toContain(`takes its token until ${ends}, and nothing renews it`);
    expect(said.includes('A clinic cannot run on that')).toBe(lives === 3_600);
    await other.stop();
  });

  test('what an earlier version kept without a login for SOAP does not open', async () => {
    const { consumer: client, token } = credentials;
    const kept = { client, token, login: null, programId: 1, hidden: [] };
    const who = { actor: 'clinic:test', now: clinic.clock.now() };
    await keepConnection(clinic.platform, { id: 'oscar', credentials: kept }, who);
    const opening = openEmr(clinic.platform, clinic.platform.config);
    await expect(opening).rejects.toThrow('not connected with a login for SOAP');
  });

  test('a service from which a firewall keeps SOAP says so when it starts', async () => {
    await connect();
    const other = await startFakeOscar({ profile: 'kai', today: '2026-11-21' });
    const said: string[] = [];
    const heard = Promise.withResolvers<void>();
    const log = {
      ...clinic.platform.log,
      error(event: string, error: unknown) {
        said.push(`${event}: ${String(error)}`);
        heard.resolve();
      },
    };
    await openEmr({ ...clinic.platform, log }, { emrAddresses: [other.base] });
    await heard.promise;
    expect(said).toEqual([
      expect.stringMatching(/^emr-without-soap: OscarRefused: Nothing can be/),
    ]);
    await other.stop();
  });

  test('a service whose OSCAR is not connected does not open, and says how', async () => {
    const opening = openEmr(clinic.platform, clinic.platform.config);
    await expect(opening).rejects.toThrow('npm run clinic -- emr connect');
  });

  test('check finds what the service needs, and leaves no test appointment standing', async () => {
    await connect();
    await bindTypes('Office Visit');
    const { code, lines } = await run('emr', 'check', '--book', '1');
    const states = lines
      .slice(1)
      .filter((line) => !line.includes('→'))
      .map((line) => line.trim().split(/\s+/).slice(0, 2).join(' '));
    expect(states).toEqual([
      'right login',
      'right token',
      'right clock',
      // The stand-in has zone data from before BC gave up the change of clocks.
      'look clock',
      ...Array.from({ length: 5 }, () => 'right rights'),
      'right programme',
      'right providers',
      'right ticklers',
      'right sites',
      'right templates',
      'look codes',
      'right codes',
      ...Array.from({ length: 7 }, () => 'right types'),
      'right appointment',
    ]);
    expect(code).toBe(0);
    expect(fake.memory.appointments).toEqual([]);
  });

  const checkedBy = async (platform: Platform, ...whats: readonly string[]) => {
    const { code, lines } = await operate(platform, 'emr', 'check');
    const said = lines.map((line) => line.trim().replaceAll(/ {2,}/g, ' '));
    return { code, said: said.filter((line) => whats.includes(line.split(' ')[1] ?? '')) };
  };
  const checked = (...whats: readonly string[]) => checkedBy(clinic.platform, ...whats);

  test('check says who gets the ticklers, and that OSCAR has no such provider', async () => {
    await connect();
    await bindTypes('Office Visit');
    const { platform } = clinic;
    const reception = { ...platform, config: { ...platform.config, ticklersTo: '300' } };
    expect(await checkedBy(reception, 'ticklers')).toEqual({
      code: 1,
      said: ['wrong ticklers they go to 300, whom OSCAR lacks or calls inactive'],
    });
    fake.memory.providers.push({
      providerNo: '300',
      firstName: 'Front',
      lastName: 'Desk',
      status: '1',
      providerType: 'receptionist',
    });
    expect(await checkedBy(reception, 'ticklers')).toEqual({
      code: 0,
      said: ['right ticklers they go to 300 Desk'],
    });
  });

  test('check says where OSCAR has sites who is offered to nobody, and what stands on no day sheet', async () => {
    await connect();
    await bindTypes('Office Visit');
    fake.memory.sites.push('Main Clinic');
    const at = { date: '2026-11-23', minutes: 10, demographicNo: 2 };
    bookByStaff(fake.memory, { ...at, providerNo: '102', start: 600 });
    const ours = bookByStaff(fake.memory, { ...at, providerNo: '101', start: 600, location: '' });
    fake.memory.change(ours, { notes: 'Booked online, leave this: [claim:1]' });
    await clinic.database.inTransaction((tx) =>
      tx.insert(providerPolicy).values([
        { providerId: '101', location: 'Elsewhere' },
        { providerId: '103', hidden: true },
      ]),
    );
    expect(await checked('sites')).toEqual({
      code: 1,
      said: [
        'right sites OSCAR has Main Clinic',
        'look sites 101 Marchetti: Elsewhere, which no row of staff is of',
        'wrong sites 102 Iwu has none here and is offered to nobody (most of their rows are of Main Clinic)',
        'wrong sites what was booked online for 2026-11-23 10:00 with 101 is of no site',
      ],
    });
  });

  test('check lists each code in use with what it serves, and each type by its name in OSCAR', async () => {
    await connect();
    await bindTypes('Office Visit');
    fake.memory.templates.set('102 2026-11-23', 'X'.repeat(288));
    await clinic.database.inTransaction(async (tx) => {
      await tx
        .update(appointmentType)
        .set({ emrName: 'Call' })
        .where(eq(appointmentType.code, 'P'));
      await tx
        .insert(slotCode)
        .values({ code: 'C', description: '', types: ['O', 'V'], bound: true });
      await tx.update(slotCode).set({ bound: false }).where(eq(slotCode.code, 'P'));
    });
    const { code, said } = await checked('codes', 'types');
    expect(code).toBe(1);
    expect(said).toEqual([
      'right codes C Clinic Appointment, 240 a week: O V',
      'look codes P Phone, 80 a week: offered to nobody',
      'wrong codes X without a name, 288 a week: OSCAR has no such code',
      'right types OSCAR has Office Visit, Phone',
      'right types O is Office Visit',
      "wrong types P is Call, which OSCAR lacks, and staff's next save empties",
      ...['PP', 'V', 'I', 'D'].map((type) => `right types ${type} is Office Visit`),
    ]);
  });

  test('check says what is wrong and ends with 1', async () => {
    await connect();
    fake.memory.templates.set('101 2026-11-23', 'C'.repeat(720));
    const odd = await run('emr', 'check');
    expect(odd.lines.join('\n')).toContain('steps of 2 minutes: such a day is shown without work');
    fake.expireToken();
    const refused = await run('emr', 'check');
    expect(refused.lines.join('\n')).toMatch(
      /wrong +token +REST does not take it: it ended, or was taken back\n +→ Connect/,
    );
    expect([odd.code, refused.code]).toEqual([1, 1]);
  });

  test('patients match says which record of OSCAR is a patient’s, once and of nobody else', async () => {
    await connect();
    const emr = await openEmr(clinic.platform, clinic.platform.config);
    const born = { birthDate: '1988-09-21' };
    const [one, other] = [await aPatient(clinic, born), await aPatient(clinic, born)];
    const match = async (id: string, record: string, ...more: string[]) => {
      const { refused, lines } = await run('patients', 'match', id, '--record', record, ...more);
      return refused || lines.join('\n');
    };
    expect(await match(one.id, '999')).toMatch(/no chart 999/);
    expect(await match(one.id, '2')).toMatch(/has record 2 of OSCAR: ZOË OKAFOR\./);
    expect(await emr?.findPatient({ id: one.recordId as RecordId })).toMatchObject({ kind: 'one' });
    expect(await match(other.id, '2')).toMatch(/another account/);
    expect(await match(one.id, '3')).toMatch(/has record 2 of the EMR/);
    expect(await match(one.id, '3', '--appointments', 'elsewhere')).toMatch(/move or stay/);
    const hers = { email: 'new@test.example', checked: 'calledBack' } as const;
    const who = { actor: 'staff:robin', now: clinic.clock.now() };
    expect(await correctEmail(clinic.platform, other, hers, who)).toBeNull();
    expect(await match(other.id, '4')).toMatch(/being or was changed.*Nothing is joined/);
    const stranger = await aPatient(clinic, { birthDate: '1990-01-01' });
    expect(await match(stranger.id, '4')).toMatch(/another birth date/);
  });

  test('patients match shows both, follows a merged chart, and gives another one in its place', async () => {
    await connect();
    const own = await aPatient(clinic, { birthDate: '1988-09-21', cardNumber: '9876543218' });
    const [second, third] = [fake.memory.demographic(2), fake.memory.demographic(3)];
    if (!second || !third) throw new Error('There are patients');
    const born = { dobYear: '1988', dobMonth: '09', dobDay: '21' };
    Object.assign(third, { ...born, headRecord: 2 });
    Object.assign(second, { ...born, hin: '9000000003', hcType: 'BC', phone: '604-555-0142' });
    const match = (...typed: string[]) => run('patients', 'match', own.id, ...typed);
    const { lines } = await match('--record', '3');
    expect(lines.join('\n')).toMatch(
      /^account .*1988-09-21 {2}BC \*{7}218 .*\nrecord 2 .*1988-09-21 {2}BC \*{7}003 {2}604-555-0142/,
    );
    expect(lines.slice(-2)).toEqual([
      expect.stringContaining('has record 2 of OSCAR'),
      'Record 3 was merged into it.',
    ]);
    expect(lines.join()).not.toMatch(/9876543218|9000000003/);
    expect(await clinic.trail('charts in the EMR shown')).toMatchObject([
      { details: { found: [own.recordId], charts: ['2'] } },
    ]);
    Object.assign(fake.memory.demographic(4) ?? {}, born);
    const other = await match('--record', '4', '--appointments', 'stay');
    expect(other.lines.at(-1)).toMatch(/has record 4 of OSCAR/);
    expect((await match('--none')).refused).toMatch(/has record 4/);
  });

  test('status says whose chart was merged into another account’s, and what to do', async () => {
    const { id, recordId } = await aPatient(clinic, {});
    await clinic.database.inTransaction((tx) => waitUnclear(tx, recordId, 'merged', NOW));
    const { lines } = await run('status');
    expect(lines).toContainEqual(expect.stringMatching(/^charts: .* 1 account into another/));
    expect(lines).toContainEqual(expect.stringMatching(`${id}  close the account`));
    expect(lines.join()).not.toContain('cannot book until');
  });

  test('status, emr status and what patients are told say the same of a token that is refused', async () => {
    await connect();
    const emr = await openEmr(clinic.platform, clinic.platform.config);
    fake.expireToken();
    await watchKeys({ ...clinic.platform, emr }, clinic.clock.now());
    const [status] = (await run('status')).lines;
    expect(status).toMatch(/^paused: the EMR refuses us\..* cannot book\.$/);
    const said = /refuses the REST token since .*\(401.*emr connect/;
    expect((await run('status')).lines).toContainEqual(expect.stringMatching(said));
    const { lines } = await run('emr', 'status');
    expect(lines).toContainEqual(expect.stringMatching(said));
    expect(lines).toContain('Patients cannot book.');
    expect(lines.join()).not.toContain('does not answer');
    expect(await availabilityNow(clinic.platform)).toMatchObject({ why: 'refused' });
  });

  test('status says when the EMR was read, and that none was', async () => {
    expect((await run('emr', 'status')).lines).toEqual(['No EMR was read yet.']);
  });
});
