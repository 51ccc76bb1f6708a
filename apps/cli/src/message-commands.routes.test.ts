import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { currentAgreement } from '@clinic/contract/agreements';
import { toInstant } from '@clinic/domain';
import { agreement, patientRecord } from '@clinic/service/schema.ts';
import { type TestApp, aPatient, ask, signIn, testApp } from '@clinic/service/testing/index.ts';
import { operate } from '@clinic/service/testing/operator.ts';

let clinic: TestApp;
let token: string;
const run = (...typed: string[]) => operate(clinic.platform, ...typed);

beforeEach(async () => {
  clinic = await testApp();
  token = await signIn(clinic, await aPatient(clinic.platform));
});
afterEach(() => clinic.close());

const write = async (message: string) =>
  (await ask(clinic, 'startMessage', { token, body: { message } })).answer().extras.message.id;
const lastAudits = async (count: number) => {
  const { rows } = await clinic.database.db.execute<{ said: string }>(
    sql`select actor || ' ' || action as said from audit order by id desc limit ${count}`,
  );
  return rows.map(({ said }) => said);
};

describe('npm run clinic -- messages', () => {
  test('lists who waits, reads, answers, and all of it is in the trail', async () => {
    const id = await write('My knee\nhurts');
    const listed = await run('messages', 'list', '--waiting');
    expect(listed.lines[0]).toMatch(new RegExp(`^${id}  .* waiting, new  My knee hurts$`));
    expect(listed.lines[1]).toBe('1 message.');
    const read = await run('messages', 'read', id);
    expect(read.lines.join('\n')).toContain('  My knee\n  hurts');
    expect((await run('messages', 'answer', id, '--text', ' Please come in. ')).lines).toEqual([
      'Answered.',
    ]);
    expect((await run('messages', 'list', '--waiting')).lines).toEqual(['No messages.']);
    expect(await lastAudits(7)).toEqual([
      'clinic:operator messages shown',
      'clinic:operator command run',
      'clinic:operator message answered',
      'clinic:operator command run',
      'clinic:operator message read',
      'clinic:operator command run',
      'clinic:operator messages shown',
    ]);
    const page = (await ask(clinic, 'readMessage', { token, params: { id } })).answer();
    expect(page.extras.message.entries[1]).toMatchObject({ message: 'Please come in.' });
  });

  test('answers from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'answer-'));
    const file = join(folder, 'answer.txt');
    writeFileSync(file, 'Two\r\nlines\n');
    const id = await write('Hello');
    await run('messages', 'answer', id, '--file', file);
    rmSync(folder, { recursive: true });
    const page = (await ask(clinic, 'readMessage', { token, params: { id } })).answer();
    expect(page.extras.message.entries[1]?.message).toBe('Two\nlines');
  });

  test.each([
    [['messages', 'read', randomUUID()], 'There is no such message.'],
    [['messages', 'read', 'x'], "'x' is no id of a message."],
    [['messages', 'answer', randomUUID(), '--text', 'Hi'], 'There is no such message.'],
    [['messages', 'answer', randomUUID()], 'Give the answer with --text or --file.'],
    [['messages', 'list', '--limit', '0'], '--limit must be a number from 1 to 1000.'],
    [['suggestions', 'read', randomUUID()], 'There is no such suggestion.'],
  ])('refuses %j', async (typed, why) => {
    expect(await run(...typed)).toMatchObject({ code: 1, refused: why, lines: [] });
  });
});

test('npm run clinic -- suggestions lists and reads what patients suggested', async () => {
  const body = { message: 'Bigger buttons', dataURL: '', isAppointment: true };
  await ask(clinic, 'reportProblem', { token, body });
  const [line = ''] = (await run('suggestions', 'list', '--unread')).lines;
  expect(line).toContain('new  Bigger buttons');
  const id = line.split(' ')[0] ?? '';
  expect((await run('suggestions', 'read', id)).lines).toContain('  Bigger buttons');
  expect((await run('suggestions', 'list', '--unread')).lines).toEqual(['No suggestions.']);
});

describe('npm run clinic -- verify-audit, consents, retention, rotate-keys', () => {
  test('says that the trail is as it was written, or what is wrong with it', async () => {
    await write('Hello');
    expect(await run('verify-audit')).toMatchObject({ code: 0 });
    await clinic.database.inTransaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`update audit set actor = 'nobody' where action = 'message started'`);
    });
    const found = await run('verify-audit');
    expect(found.refused).toBe('The audit trail is not as it was written.');
    expect(found.lines[0]).toMatch(/^Row \d+ was changed after it was written\.$/);
  });

  test('lists no agreement where there is none', async () => {
    expect((await run('consents', 'list')).lines).toEqual(['0 agreements.']);
    expect((await run('consents', 'list', '--patient', 'x')).code).toBe(1);
  });

  test('lists an agreement with who read it out, where the patient did not read it themselves', async () => {
    const { version, hash: textHash } = currentAgreement('general');
    const [patientId, readOutBy] = [randomUUID(), randomUUID()];
    const row = { id: randomUUID(), patientId, kind: 'general', version, textHash };
    const at = clinic.clock.now();
    await clinic.database.inTransaction((tx) =>
      tx.insert(agreement).values({ ...row, shownHash: textHash, at, readOutBy }),
    );
    const { lines } = await run('consents', 'list', '--patient', patientId);
    expect(lines[0]).toMatch(new RegExp(`${textHash}  read out by staff:${readOutBy}$`));
  });

  // Shows: R-104
  test('says the words of a hash that somebody agreed to', async () => {
    const { hash, title } = currentAgreement('general');
    expect((await run('consents', 'text', hash)).lines[0]).toBe(title);
    expect((await run('consents', 'text', '0'.repeat(64))).code).toBe(1);
  });

  test('erases nobody before their time', async () => {
    expect((await run('retention', '--apply', '--yes')).lines).toEqual(['0 of 1 patient erased.']);
    expect((await run('retention')).lines).toEqual(['0 of 1 patient could be erased.']);
    expect(await run('retention', '--apply')).toMatchObject({ code: 1, lines: [] });
  });

  // Shows: S-15
  test('names who need not be kept, without an account by the number of their record', async () => {
    const ola = { firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02', cardProvince: 'BC' };
    const writtenAt = toInstant('1999-03-02', '12:00');
    await clinic.database.inTransaction((tx) =>
      tx.insert(patientRecord).values({ ...ola, id: 'R7', writtenAt }),
    );
    expect((await run('retention')).lines).toEqual([
      'R7  last entry 1999-03-02, kept until 2015-03-02',
      '1 of 2 patients could be erased.',
      'Nothing was touched. --apply erases them.',
    ]);
  });

  test('cannot change keys that stand in the environment', async () => {
    expect((await run('rotate-keys')).refused).toContain('KEYRING_FILE');
  });
});
