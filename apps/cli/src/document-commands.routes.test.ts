import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type PatientRow,
  type TestApp,
  aPicture,
  ask,
  patientClinic,
} from '@clinic/service/testing/index.ts';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { writeFact } from '@clinic/service/database/installation.store.ts';
import { decideDocument } from '@clinic/service/modules/patients/index.ts';
import { emrAddition } from '@clinic/service/schema.ts';
import { operate } from '@clinic/service/testing/operator.ts';

let clinic: TestApp;
let patient: PatientRow;
let token: string;
const run = (...typed: string[]) => operate(clinic.platform, 'documents', ...typed);
beforeEach(async () => {
  ({ clinic, patient, token } = await patientClinic({
    eligibility: 'R',
    email: 'riley@test.example',
  }));
});
afterEach(() => clinic.close());

/** Sends one, and gives its id as the list shows it. */
async function sent(isHealthCard = 'true'): Promise<string> {
  await ask(clinic, 'uploadDocuments', { token, body: { isHealthCard }, files: [aPicture()] });
  clinic.clock.advance(1);
  return (await run('list')).lines.at(-2)?.split(' ')[0] ?? '';
}
const uploaded = async () => (await ask(clinic, 'shouldUploadDocument', { token })).answer();
const REASON = 'The number on it cannot be read.';
const refuse = (id: string) => run('refuse', id, '--reason', REASON);
const mails = async () => (await clinic.mails()).map(({ subject, text }) => `${subject}\n${text}`);
async function audited(id: string) {
  const { rows } = await clinic.database.db.execute<{ said: string }>(
    sql`select actor || ' ' || action as said from audit where subject = ${`file:${id}`}`,
  );
  return rows.map(({ said }) => said);
}

describe('npm run clinic -- documents', () => {
  test('lists what nobody has decided about, and everything with --all', async () => {
    const card = await sent();
    const picture = await sent('false');
    await run('accept', card);
    const [only, count] = (await run('list')).lines;
    expect(only).toMatch(new RegExp(`^${picture}  .*  pictureId  waiting  image/png, \\d+ bytes`));
    expect(only).toContain(`patient ${patient.id}`);
    expect(count).toBe('1 document; 1 waiting in all.');
    expect((await run('list', '--all')).lines).toEqual([
      only,
      expect.stringContaining('healthCard  accepted'),
      '2 documents; 1 waiting in all.',
    ]);
  });

  test('accepted before an EMR was connected, or that it never got, is counted by emr status', async () => {
    const [before, after] = [await sent(), await sent('false')];
    await run('accept', before);
    const now = clinic.clock.now();
    const { database, platform } = clinic;
    await database.inTransaction((tx) =>
      writeFact(tx, 'emr-sync', JSON.stringify({ reread: [], wholeAt: now })),
    );
    const status = async () => (await operate(platform, 'emr', 'status')).lines.slice(2);
    const never = ['It was never sent 1 document that staff accepted (docs/emr.md).'];
    expect(await status()).toEqual(never);
    const emr = fakeEmr();
    await decideDocument({ ...platform, emr }, after, { kind: 'accepted' }, { actor: 'test', now });
    expect(await status()).toEqual(never);
    const key = `document:${before}`;
    await database.db.insert(emrAddition).values({ key, askedAt: now, outcome: 'unknown' });
    expect(await status()).toEqual([]);
  });

  test('opens one as a file under a name of ours, and the trail says who did', async () => {
    const id = await sent();
    const { files } = await run('open', id);
    const [[name, bytes] = ['', Buffer.alloc(0)]] = files;
    expect(name).toBe(`${id}-healthCard.png`);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(await audited(id)).toContain('clinic:operator document opened');
  });

  test('refuses one with a reason that the patient reads on the page and in an email', async () => {
    const id = await sent();
    expect((await refuse(id)).lines).toEqual(['Refused; the patient reads why, and is mailed.']);
    const at = clinic.clock.now();
    expect(await uploaded()).toMatchObject({
      healthcardUploaded: false,
      refused: [{ document: 'healthCard', reason: REASON, at }],
    });
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatch(/^We need your document again/);
    expect(mail).toContain(`health card:\n\n${REASON}`);
    expect(await audited(id)).toContain('clinic:operator document refused');
  });

  test('keeps the reason sealed', async () => {
    const id = await sent();
    await refuse(id);
    const { rows } = await clinic.database.db.execute<{ row: string }>(
      sql`select stored_file::text || (select string_agg(details::text || subject, '') from audit) as row
            from stored_file where id = ${id}`,
    );
    expect(rows[0]?.row).not.toContain('cannot be read');
    expect(rows[0]?.row).not.toContain(Buffer.from('cannot be read').toString('hex'));
  });

  test('asks for no other while one of the kind stands', async () => {
    const first = await sent();
    await sent();
    await refuse(first);
    expect(await uploaded()).toMatchObject({ healthcardUploaded: true, refused: [] });
  });

  test('takes a refusal back: nothing is asked for, and no email goes out any more', async () => {
    const id = await sent();
    await refuse(id);
    expect((await run('accept', id)).lines).toEqual(['Accepted.']);
    expect(await uploaded()).toMatchObject({ healthcardUploaded: true, refused: [] });
    expect(await mails()).toEqual([]);
  });

  test('is over for the patient once another is sent', async () => {
    await refuse(await sent());
    await sent();
    expect(await uploaded()).toMatchObject({ healthcardUploaded: true, refused: [] });
  });

  test.each([
    ['a refusal without a reason', ['refuse'], 'Give the reason with --reason.'],
    ['a long reason', ['refuse', '--reason', 'x'.repeat(301)], 'at most 300 characters'],
    ['what is no document', ['accept', crypto.randomUUID()], 'There is no such document.'],
  ])('refuses %s', async (_, [command = '', ...rest], why) => {
    const id = rest[0]?.startsWith('--') === false ? [] : [await sent()];
    const { code, refused } = await run(command, ...id, ...rest);
    expect([code, refused]).toEqual([1, expect.stringContaining(why)]);
  });

  test('says so when it is decided already, and mails nobody twice', async () => {
    const id = await sent();
    await refuse(id);
    expect((await refuse(id)).refused).toBe('It is refused already.');
    expect(await mails()).toHaveLength(1);
  });
});
