import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type FakeOscar, credentials, startFakeOscar } from '@clinic/oscar/fake';
import { emrConnection } from '@clinic/service/schema.ts';
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
  fake = await startFakeOscar({ profile: 'oscar19', today: '2026-11-21' });
  clinic = await testApp({ config: { emrAddresses: [fake.base] } });
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
  return /<code>(\w+)<\/code>/.exec(await answer.text())?.[1] ?? '';
}

async function connect(said: object = access) {
  const asked = await run('emr', 'connect', '--file', fileWith(said));
  return run('emr', 'connect', '--verifier', await consent(asked.lines));
}

describe('npm run clinic -- emr', () => {
  test('connect leads from the file through consent to an EMR that answers', async () => {
    expect(await connect()).toMatchObject({ code: 0, refused: '' });
    const emr = await openEmr(clinic.platform, clinic.platform.config);
    expect((await emr?.providers())?.map(({ id }) => id)).toEqual(['101', '102', '103', '104']);
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
      /refused \(401\)/,
    ],
  ])('connect refuses %s', async (_, said, why) => {
    const refused = await run('emr', 'connect', '--file', fileWith(said));
    expect([refused.code, refused.refused]).toEqual([1, expect.stringMatching(why)]);
  });

  test('a service whose OSCAR is not connected does not open, and says how', async () => {
    const opening = openEmr(clinic.platform, clinic.platform.config);
    await expect(opening).rejects.toThrow('npm run clinic -- emr connect');
  });

  test('check finds what the service needs, and leaves no test appointment standing', async () => {
    await connect();
    const { code, lines } = await run('emr', 'check', '--patient', '1');
    const states = lines.slice(1).map((line) => line.trim().split(/\s+/).slice(0, 2).join(' '));
    expect(states).toEqual([
      'right reachable',
      'right credentials',
      'look clock',
      'right providers',
      'right templates',
      'look codes',
      'right types',
      'right appointment',
    ]);
    expect(code).toBe(0);
    expect(fake.memory.appointments.map(({ status }) => status)).toEqual(['C']);
  });

  test('check says what is wrong and ends with 1', async () => {
    await connect();
    fake.memory.templates.set('101 2026-11-23', 'C'.repeat(720));
    const odd = await run('emr', 'check');
    expect(odd.lines.join('\n')).toContain('steps of 2 minutes: such a day is shown without work');
    fake.expireToken();
    const refused = await run('emr', 'check');
    expect(refused.lines.join('\n')).toContain('it does not take them');
    expect([odd.code, refused.code]).toEqual([1, 1]);
  });

  test('patients match says which record of OSCAR is a patient’s, once and of nobody else', async () => {
    await connect();
    const emr = await openEmr(clinic.platform, clinic.platform.config);
    const born = { birthDate: '1988-09-21' };
    const [one, other] = [await aPatient(clinic, born), await aPatient(clinic, born)];
    const match = async (id: string, record: string) => {
      const { refused, lines } = await run('patients', 'match', id, '--record', record);
      return refused || lines.join('\n');
    };
    expect(await match(one.id, '999')).toMatch(/no record 999/);
    expect(await match(one.id, '2')).toMatch(/has record 2 of OSCAR: ZOË OKAFOR\./);
    expect(await emr?.findPatient({ id: one.recordId as RecordId })).toMatchObject({ kind: 'one' });
    expect(await match(other.id, '2')).toMatch(/another account/);
    expect(await match(one.id, '3')).toMatch(/has record 2 of the EMR/);
    const stranger = await aPatient(clinic, { birthDate: '1990-01-01' });
    expect(await match(stranger.id, '4')).toMatch(/born on 1988-09-21.*born on 1990-01-01/);
  });

  test('status says when the EMR was read, and that none was', async () => {
    expect((await run('emr', 'status')).lines).toEqual(['No EMR was read yet.']);
  });
});
