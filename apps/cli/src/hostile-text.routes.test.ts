import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type TestApp, aPatient, testApp } from '@clinic/service/testing/index.ts';
import { heldPayments } from '@clinic/service/modules/payments/index.ts';
import { operate } from '@clinic/service/testing/operator.ts';
import { announceMaintenance } from '@clinic/service/modules/operations/index.ts';
import { messageContext } from '@clinic/service/modules/feedback/index.ts';
import { shownName } from '@clinic/service/modules/documents/store.ts';
import { writeMessage } from '@clinic/service/modules/messages/thread.ts';
import { blockPatient } from '@clinic/service/modules/patients/index.ts';
import { agreement, problemReport, provider, recordsTemplate } from '@clinic/service/schema.ts';
import { printable } from './command-line.ts';

/** Each does something to a terminal, or to the eye of who reads it, that is not to show a text. */
const STEERING = [
  ['\u001b[2J', '\u001b[31m', '\u001b[1;1H', '\u001b[8m', '\u001b[?1049h', '\u001bc'],
  ['\u001b]52;c;cm0gLXJmIC8=\u0007', '\u001b]0;root\u0007', '\u001b]8;;http://x.example\u001b\\'],
  ['\u001bP1$r\u001b\\', '\u001b[6n', '\u001b[20t', '\u009b2J', '\u009d52;c;AAAA\u009c'],
  ['\u0007', '\b\b\b\bok', '\r0 messages.', '\u000b', '\u000c', '\u000e', '\u0005', '\u007f'],
  ['\u0085', '\u0090', '\u0000', '\u0018', '\u001a', '\u0084', '\u008d', '\u0098'],
  ['\u202egpj.exe', '\u202dabc', '\u2066x', '\u2067x', '\u2068x', '\u2069x', '\u200f', '\u200e'],
  ['\u061c', '\u2028forged line'],
].flat();
const PAYLOADS = STEERING.map((each, at) => `p${at + 10}${each}q${at + 10}`);
const HARMFUL = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/u;

let clinic: TestApp;
const run = (...typed: string[]) => operate(clinic.platform, ...typed);

/** As rows from before the contract refused such a text. */
beforeAll(async () => {
  clinic = await testApp();
  const { platform, database, keyring } = clinic;
  const now = clinic.clock.now();
  for (const [at, text] of PAYLOADS.entries()) {
    // PostgreSQL itself has no NUL; sealed texts may.
    const plain = text.replace('\0', '');
    const patient = await aPatient(platform, { firstName: plain, lastName: plain });
    await blockPatient(
      { ...platform, heldPayments: heldPayments(platform) },
      patient.id,
      { reason: plain, bookingOnly: true },
      { actor: 'x', now },
    );
    const file = {
      name: shownName(`${text}.json`, 'application/json'),
      mediaType: 'application/json',
      bytes: Buffer.from('{}'),
    };
    const written = { text: `${text}\n\tline ${text}`, files: [file] };
    await writeMessage(platform, { patientId: patient.id }, written, now + at);
    const { id: patientId } = patient;
    const id = platform.ids.uuid();
    await database.inTransaction(async (tx) => {
      const messageSealed = keyring.seal(messageContext(id), text);
      await tx
        .insert(problemReport)
        .values({ id, patientId, at: now + at, messageSealed, isAppointment: false });
      await tx
        .insert(agreement)
        .values({ id, patientId, kind: 'general', version: plain, textHash: plain, at: now });
    });
  }
});
afterAll(() => clinic.close());

describe(`${PAYLOADS.length} texts that steer a terminal (S-17)`, () => {
  // Shows: S-17
  test.each([
    [['messages', 'list', '--limit', '100']],
    [['suggestions', 'list', '--limit', '100']],
    [['patients', 'list', '--limit', '100']],
    [['consents', 'list', '--limit', '100']],
  ])('are shown by %j, each on a line of its own, and none is obeyed', async (typed) => {
    const { lines } = await run(...typed);
    expect(lines).toHaveLength(PAYLOADS.length + 1);
    for (const line of lines) expect(line).not.toMatch(HARMFUL);
    for (let at = 10; at < 10 + PAYLOADS.length; at++)
      expect(
        lines.filter((line) => line.includes(`p${at}`) && line.includes(`q${at}`)),
      ).toHaveLength(1);
  });

  // Shows: S-17
  test.each([
    ['messages', 2],
    ['suggestions', 1],
  ])('are shown by %s read, with the lines and tabs of what was written', async (what, told) => {
    const { lines: listed } = await run(what, 'list', '--limit', '100');
    for (const line of listed.slice(0, -1)) {
      const id = line.split(' ')[0] ?? '';
      const at = /p(\d+)/.exec(line)?.[1];
      const { lines } = await run(what, 'read', id);
      for (const each of lines) expect(each).not.toMatch(HARMFUL);
      const own = lines.filter((each) => each.startsWith(`  p${at}`) || /^ {2}\tline p/.test(each));
      expect(own).toHaveLength(told);
      if (what === 'messages') expect(lines.at(-1)).toMatch(/^ {2}\[.*, 2 bytes\]$/);
    }
  });

  test('are not obeyed when they are a word of the clinic’s own, or were typed', async () => {
    for (const text of PAYLOADS) {
      const plain = text.replace('\0', '');
      await announceMaintenance(clinic.platform, {
        actor: 'x',
        now: clinic.clock.now(),
        message: plain,
      });
      const said = [
        await run('status'),
        await run('patients', 'unblock', plain),
        await run('messages', 'read', plain),
        await run('import', 'fees', '--file', '/nowhere').catch((error: Error) => ({
          lines: [printable(error.message)],
          refused: '',
        })),
      ];
      for (const { lines, refused } of said)
        for (const line of [...lines, refused]) expect(line).not.toMatch(HARMFUL);
    }
  });
});

// Shows: S-17
test('a CSV file holds no formula, whatever a text begins with, and nothing that steers (S-17)', async () => {
  const leads = ['=', '+', '-', '@', '\t=', ' @', '\u200f='];
  const ids = [...PAYLOADS, ...leads.map((lead) => `${lead}HYPERLINK("http://x",1)`)];
  const rows = ids.map((id) => ({
    providerId: id.replace('\0', ''),
    weekday: 1,
    validFrom: '2026-01-01',
    codes: 'O'.repeat(288),
  }));
  await clinic.database.inTransaction(async (tx) => {
    await tx.insert(recordsTemplate).values(rows);
    const providers = rows.map(({ providerId: id }) => ({
      id,
      firstName: '',
      lastName: '',
      status: '1',
    }));
    await tx.insert(provider).values(providers);
  });
  const { files } = await run('statistics', '--from', '2026-11-01', '--to', '2026-11-30');
  const csv = [...files.values()][0]?.toString('utf8') ?? '';
  const records = parse(csv);
  expect(records.length).toBeGreaterThan(ids.length);
  for (const fields of records) {
    expect(fields).toHaveLength(12);
    for (const field of fields)
      expect(field).not.toMatch(/^\s*[=+\-@]|[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/u);
  }
});

test('what steers stands in a line as its number, and tabs stay tabs', () => {
  const line = 'a\u001b[2Jb\tc\u202Ed\u2028e\u009f\nf';
  expect(printable(line)).toBe('a\\u001b[2Jb\tc\\u202ed\\u2028e\\u009f\\u000af');
});

test('words from right to left stay where they stand in a line', () => {
  expect(printable('id  כהן דוד  may not book')).toBe('id  \u2068כהן דוד\u2069  may not book');
});
