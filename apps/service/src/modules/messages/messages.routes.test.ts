import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { text } from '@clinic/contract/texts';
import { NOW } from '@clinic/domain/testing';

import {
  type AskOptions,
  type TestApp,
  aPatient,
  aPicture,
  ask,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { whoIsTold } from '../../../testing/live-socket.ts';
import { answerMessage, messagesForClinic, readForClinic } from './index.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const JSON_FILE = { name: 'email.json', bytes: Buffer.from('{"a":1}'), type: 'application/json' };

let clinic: TestApp;
let token: string;

beforeEach(async () => {
  clinic = await testApp();
  token = await signIn(clinic, await aPatient(clinic.platform, { email: 'pat@test.example' }));
});
afterEach(() => clinic.close());

const asClinic = { actor: 'clinic:desk', now: NOW };
const list = async (query: AskOptions['query'] = {}, as = token) =>
  (await ask(clinic, 'listMessages', { token: as, query })).answer();
const start = async (message: string, files?: AskOptions['files'], as = token) =>
  (
    await ask(clinic, 'startMessage', { token: as, body: { message }, ...(files && { files }) })
  ).answer().extras.message;
const read = async (id: string, as = token) =>
  (await ask(clinic, 'readMessage', { token: as, params: { id } })).answer().extras.message;
const change = (id: string, message: string, files?: AskOptions['files'], as = token) =>
  ask(clinic, 'changeMessage', {
    token: as,
    params: { id },
    body: { message },
    ...(files && { files }),
  });
const answer = (id: string, said = 'Please come in.') => {
  const written = { text: said, files: [], staffId: null, requestKey: null, seen: null };
  return answerMessage(clinic.platform, id, written, asClinic);
};
const audited = async () => {
  const { rows } = await clinic.database.db.execute<{ action: string }>(
    sql`select action from audit order by id`,
  );
  return rows.map(({ action }) => action);
};

describe('Starting a message (R-86)', () => {
  // Shows: 3.message.1, R-86
  test('shows it as sent, trimmed, and as editable', async () => {
    expect(await list()).toEqual({ success: true, messages: [], total: 0, unread: 0 });
    const started = await start('  My knee hurts.\r\nStill.  ');
    expect(started).toMatchObject({
      state: 'sent',
      message: 'My knee hurts. Still.',
      startedAt: NOW,
      unread: false,
      fileCount: 0,
      entries: [
        { from: 'patient', message: 'My knee hurts.\nStill.', isEditable: true, editedAt: null },
      ],
    });
    expect(await list()).toMatchObject({ total: 1, messages: [{ id: started.id }] });
    expect(await audited()).toEqual(['message started']);
  });

  test.each(['', '   ', '\n\t'])('refuses %j', async (message) => {
    const refused = await ask(clinic, 'startMessage', { token, body: { message } });
    expect(refused.statusCode).toBe(422);
    expect(refused.refusal().errors).toEqual([
      { field: 'message', message: text('en', 'messageEmpty') },
    ]);
    expect((await list()).total).toBe(0);
  });

  test('is once, though it is sent again after a lost answer or from a second form', async () => {
    const [first, second] = await Promise.all([start('My knee hurts'), start('My knee hurts')]);
    expect(second.id).toBe(first.id);
    expect((await start('My knee hurts', [JSON_FILE])).id).not.toBe(first.id);
    expect((await start('My back hurts')).id).not.toBe(first.id);
    for (let times = 0; times < 2; times += 1) (await change(first.id, 'And swells', [])).answer();
    expect((await read(first.id)).entries.map(({ message }) => message)).toContain('And swells');
    expect((await list()).total).toBe(3);
    clinic.clock.advance(600);
    expect((await start('My back hurts')).id).not.toBe(first.id);
    expect((await list()).total).toBe(4);
  });

  // Shows: S-13
  test('keeps nothing that it says readable in the database (S-13)', async () => {
    await start('Quincunx of the knee', [JSON_FILE]);
    const { rows } = await clinic.database.db.execute<{ row: string }>(sql`
      select row_to_json(e)::text as row from message_entry e
      union all select row_to_json(f)::text from stored_file f
      union all select row_to_json(a)::text from audit a`);
    expect(rows).toHaveLength(4);
    for (const { row } of rows) expect(row).not.toMatch(/Quincunx|letter/);
  });

  test('is limited, and says when to try again (S-5)', async () => {
    for (let sent = 0; sent < 20; sent++) await start(`Message ${sent}`);
    const refused = await ask(clinic, 'startMessage', { token, body: { message: 'One more' } });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('The list of messages', () => {
  // Shows: 7.message.1
  test('comes in pages, the newest first', async () => {
    for (const said of ['first', 'second', 'third']) {
      await start(said);
      clinic.clock.advance(1);
    }
    const page = await list({ limit: 2, skip: 1 });
    expect(page.messages.map(({ message }) => message)).toEqual(['second', 'first']);
    expect(page.total).toBe(3);
  });

  // Shows: 7.message.1
  test('has the address of section 7 too, with a slash and names without a value', async () => {
    await start('first');
    const { json } = await clinic.app.inject({
      url: '/api/message/?limit&skip',
      headers: { 'x-access-token': token },
    });
    expect(json()).toEqual(await list());
  });

  test('shows the beginning of a long text, in whole characters', async () => {
    await start('🩺'.repeat(500));
    const [first] = (await list()).messages;
    expect(first?.message).toBe(`${'🩺'.repeat(139)}…`);
  });
});

describe('Files of a message (R-80)', () => {
  // Shows: 1.can.6, 3.message.1, R-80
  test('hang on the text that they came with, and are downloaded', async () => {
    const { entries, fileCount } = await start('See this', [
      JSON_FILE,
      { ...JSON_FILE, name: 'b.json' },
    ]);
    expect(fileCount).toBe(2);
    expect(entries[0]?.files).toMatchObject([
      { name: 'email.json', mediaType: 'application/json', size: 7 },
      { name: 'b.json' },
    ]);
    const params = { id: entries[0]?.files[0]?.id ?? '' };
    const file = await ask(clinic, 'readAttachment', { token, params });
    expect(file.statusCode).toBe(200);
    expect(file.body).toBe('{"a":1}');
    expect(file.headers['content-disposition']).toBe('attachment; filename="attachment.json"');
  });

  test('are all that is downloaded there: a health card is none of them', async () => {
    const files = [aPicture()];
    await ask(clinic, 'uploadDocuments', { token, body: { isHealthCard: 'true' }, files });
    const { rows } = await clinic.database.db.execute<{ id: string }>(
      sql`select id from stored_file`,
    );
    expect(rows).toHaveLength(1);
    const params = { id: rows[0]?.id ?? '' };
    expect((await ask(clinic, 'readAttachment', { token, params })).statusCode).toBe(404);
  });

  // Shows: S-17
  test('are never refused for a name: its controls are dropped (S-17)', async () => {
    const names = ['a\u001B[2J\u0007b.json', 'a\r\nb\0.json', 'ab\u202Enosj\u2066\u009B.json'];
    for (const name of names) {
      const { entries } = await start('See this', [{ ...JSON_FILE, name }]);
      expect(entries[0]?.files[0]?.name).toMatch(/^(a\[2Jb|ab|abnosj|a%0D%0Ab)\.json$/);
    }
  });

  // Shows: 5.files.1, 9.lengths.1, R-80
  test('are at most three, and refused ones leave no message', async () => {
    const four = await ask(clinic, 'startMessage', {
      token,
      body: { message: 'See' },
      files: [JSON_FILE, JSON_FILE, JSON_FILE, JSON_FILE],
    });
    expect(four.statusCode).toBe(422);
    const html = {
      name: 'a.png',
      bytes: Buffer.from('<script>1</script>'),
      mediaType: 'image/png',
    };
    const refused = await ask(clinic, 'startMessage', {
      token,
      body: { message: 'See' },
      files: [JSON_FILE, html],
    });
    expect(refused.statusCode).toBe(422);
    expect((await list()).total).toBe(0);
  });
});

describe('Editing one’s own text', () => {
  // Shows: 7.message.4
  test('replaces it, keeps what it said, and says when', async () => {
    const { id } = await start('My knee');
    clinic.clock.advance(60);
    const edited = (await change(id, ' My left knee ')).answer().extras.message;
    expect(edited.entries).toMatchObject([{ message: 'My left knee', editedAt: NOW + 60 }]);
    clinic.clock.advance(60);
    await change(id, 'My right knee');
    const { rows } = await clinic.database.db.execute<{
      at: number;
      version: number;
      id: string;
      text_sealed: Uint8Array;
    }>(
      sql`select id::text, version, at_s::int4 as at, text_sealed from message_version order by version`,
    );
    expect(
      rows.map(({ version, at, id: kept, text_sealed }) => [
        version,
        at,
        clinic.keyring.open(`message_version.text:${kept}`, text_sealed),
      ]),
    ).toEqual([
      [1, NOW, 'My knee'],
      [2, NOW + 60, 'My left knee'],
    ]);
  });

  test('keeps no version when nothing changed', async () => {
    const { id } = await start('My knee');
    expect((await change(id, 'My knee ')).answer().extras.message.entries[0]?.editedAt).toBeNull();
  });

  // Shows: 7.message.4
  test('ends with the clinic’s answer', async () => {
    const { id } = await start('My knee');
    await answer(id);
    const refused = await change(id, 'My elbow');
    expect(refused.statusCode).toBe(409);
    expect(refused.refusal().extras.code).toBe('messageAnswered');
    expect((await read(id)).entries[0]).toMatchObject({ message: 'My knee', isEditable: false });
  });

  // Shows: 7.message.4
  test('is of the last text only', async () => {
    const { id } = await start('One');
    await change(id, 'Two', []);
    const { entries } = (await change(id, 'Two, again')).answer().extras.message;
    expect(entries.map(({ message, isEditable }) => [message, isEditable])).toEqual([
      ['One', false],
      ['Two, again', true],
    ]);
  });
});

describe('Replying', () => {
  // Shows: 1.can.6, 7.message.5, R-86
  test('with text alone is valid, and with files (R-86)', async () => {
    const { id } = await start('My knee');
    await answer(id);
    const replied = (await change(id, 'Thank you', [])).answer().extras.message;
    expect(replied).toMatchObject({ state: 'sent', message: 'Thank you' });
    expect(replied.entries.map(({ from }) => from)).toEqual(['patient', 'clinic', 'patient']);
    const again = (await change(id, 'And this', [JSON_FILE])).answer().extras.message;
    expect(again.entries[3]?.files).toHaveLength(1);
    expect(await audited()).toEqual([
      'message started',
      'message answered',
      'message replied',
      'file stored',
      'message replied',
    ]);
  });
});

describe('The clinic', () => {
  test('sees what waits first, and its reading is in the trail', async () => {
    const waiting = await start('Waiting');
    const answered = await start('Answered');
    await answer(answered.id);
    const listed = await messagesForClinic(clinic.platform, { limit: 10, waiting: false });
    expect(listed.map(({ id, isNew }) => [id, isNew])).toEqual([
      [waiting.id, true],
      [answered.id, false],
    ]);
    expect(await messagesForClinic(clinic.platform, { limit: 10, waiting: true })).toHaveLength(1);
    await readForClinic(clinic.platform, waiting.id, asClinic);
    const [first] = await messagesForClinic(clinic.platform, { limit: 10, waiting: true });
    expect(first?.isNew).toBe(false);
    expect((await audited()).at(-1)).toBe('message read');
    expect(await readForClinic(clinic.platform, UNKNOWN, asClinic)).toBeNull();
  });

  // Shows: 3.message.1, 7.message.1, 7.message.3
  test('answers: unread until opened, told on the socket, and by a mail without its words', async () => {
    const { id } = await start('My knee');
    const told = await whoIsTold(clinic.database);
    expect(await answer(id, 'Take Ibuprofen')).toBe('answered');
    expect(await told()).toEqual([expect.stringMatching(/ messages$/)]);
    expect(await list()).toMatchObject({
      unread: 1,
      messages: [{ state: 'replied', unread: true, message: 'Take Ibuprofen' }],
    });
    const [email] = await clinic.mails();
    expect(email).toMatchObject({
      to: 'pat@test.example',
      subject: 'The clinic has replied to your message - Test Clinic',
    });
    expect(email?.text).not.toMatch(/knee|Ibuprofen/);
    const request = { token, params: { id }, headers: { 'x-background': '1' } };
    const { extras } = (await ask(clinic, 'readMessage', request)).answer();
    expect(extras.message.unread).toBe(true);
    expect((await list()).unread).toBe(1);
    expect((await read(id)).unread).toBe(false);
    expect((await list()).unread).toBe(0);
    expect(await answer(UNKNOWN)).toBe('notFound');
  });
});

describe('Somebody else’s message (R-7)', () => {
  // Shows: 7.message.3
  test('is as unknown as one that never was', async () => {
    const { id, entries } = await start('My knee', [JSON_FILE]);
    const other = await signIn(clinic, await aPatient(clinic.platform));
    const file = entries[0]?.files[0]?.id ?? '';
    const refusals = [];
    for (const each of [id, UNKNOWN, 'not-an-id']) {
      refusals.push(await ask(clinic, 'readMessage', { token: other, params: { id: each } }));
      refusals.push(await change(each, 'Mine now', undefined, other));
      refusals.push(await change(each, 'Mine now', [JSON_FILE], other));
    }
    for (const each of [file, UNKNOWN, id])
      refusals.push(await ask(clinic, 'readAttachment', { token: other, params: { id: each } }));
    for (const refused of refusals) {
      expect(refused.statusCode).toBe(404);
      expect(refused.body).toBe(refusals[0]?.body);
    }
    expect((await list({}, other)).total).toBe(0);
    expect((await read(id)).entries).toHaveLength(1);
  });
});
