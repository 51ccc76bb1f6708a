import { deflateSync, crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, aPatient, ask, signIn, testApp } from '../../../testing/index.ts';
import { type KeptReports, keptReports } from '../../../testing/kept-reports.ts';
import { problemReport } from './schema.ts';
import { messageContext, screenshotContext } from './store.ts';

let clinic: TestApp;
let token: string;
let reports: KeptReports;
beforeEach(async () => {
  reports = keptReports();
  clinic = await testApp({ reports });
  token = await signIn(clinic, await aPatient(clinic));
});
afterEach(() => clinic.close());

/** A grey PNG of that size, with words of its own beside the picture. */
function png(width: number, height: number, comment = ''): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const lines = Buffer.alloc((width + 1) * height, 128);
  for (let line = 0; line < height; line++) lines[line * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...(comment === '' ? [] : [chunk('tEXt', Buffer.from(`Comment\0${comment}`))]),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
const dataUrl = (bytes: Buffer, type = 'image/png') =>
  `data:${type};base64,${bytes.toString('base64')}`;

const suggest = (over: object = {}) =>
  ask(clinic, 'reportProblem', {
    token,
    body: { dataURL: '', message: 'Larger letters, please', isAppointment: true, ...over },
  });
const rows = () => clinic.database.db.select().from(problemReport);

describe('A suggestion (§2, R-81)', () => {
  // Shows: 3.problem.1, 7.services.5, R-81
  test('is kept sealed with its picture drawn anew, and nothing else of the picture', async () => {
    const picture = dataUrl(png(40, 30, 'Casey Morgan was here'));
    expect((await suggest({ dataURL: picture, message: ' Larger letters ' })).answer()).toEqual({
      success: true,
    });
    const [row] = await rows();
    if (!row?.screenshotSealed) throw new Error('No picture was kept');
    expect(row).toMatchObject({ isAppointment: true, isRead: false });
    const bytes = Buffer.concat([row.messageSealed, row.screenshotSealed]).toString('latin1');
    expect(bytes).not.toMatch(/Larger|Casey/);
    expect(clinic.keyring.open(messageContext(row.id), row.messageSealed)).toBe('Larger letters');
    const kept = clinic.keyring.open(screenshotContext(row.id), row.screenshotSealed);
    expect(kept).toMatch(/^data:image\/(png|jpeg);base64,/);
    expect(Buffer.from(kept.split(',')[1] ?? '', 'base64').toString('latin1')).not.toContain(
      'Casey',
    );
    expect((await clinic.trail()).at(-1)).toMatchObject({
      action: 'suggestion sent',
      subject: `problem:${row.id}`,
    });
  });

  // Shows: 7.services.5
  test('needs no picture', async () => {
    expect((await suggest()).statusCode).toBe(200);
    expect((await rows())[0]?.screenshotSealed).toBeNull();
  });

  test('of spaces alone is refused in the words of §5', async () => {
    const refused = await suggest({ message: ' \n ' });
    expect(refused.statusCode).toBe(422);
    expect(refused.refusal().errors).toEqual([
      {
        field: 'message',
        message:
          'Please enter text in the text box below to explain the suggestion you have for us. Then click the Submit button. Thanks.',
      },
    ]);
  });

  const html = Buffer.from('<html><script>alert(1)</script></html>');
  test.each([
    ['an SVG', dataUrl(Buffer.from('<svg onload="alert(1)"/>'), 'image/svg+xml')],
    ['a page that says it is a PNG', dataUrl(html)],
    ['half a PNG', dataUrl(png(40, 30).subarray(0, 60))],
    ['an address', 'https://evil.example/pixel.png'],
    ['base64 that is none', 'data:image/png;base64,***'],
    ['more after the picture', `${dataUrl(png(2, 2))}" onload="alert(1)`],
  ])('with %s in place of a picture is refused and not kept', async (_, picture) => {
    const { statusCode } = await suggest({ dataURL: picture });
    expect(statusCode).toBe(422);
    expect(await rows()).toEqual([]);
  });

  test('of more than 4 MB is a 413', async () => {
    const refused = await suggest({ dataURL: `data:image/png;base64,${'A'.repeat(4_300_000)}` });
    expect(refused.statusCode).toBe(413);
  });

  // Shows: S-5
  test('more than ten times in an hour is a 429 (S-5)', async () => {
    for (let sent = 0; sent < 10; sent++) expect((await suggest()).statusCode).toBe(200);
    const refused = await suggest();
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(await rows()).toHaveLength(10);
  });
});

describe('A failure in the browser (§7)', () => {
  const save = (body: object) => ask(clinic, 'saveError', { body });

  // Shows: 7.services.6
  test('is reported without a session, and without what anybody wrote (S-8)', async () => {
    const answer = await save({
      err: 'TypeError: Casey Morgan 9876543218 is undefined',
      date: '2026-11-21T09:00:00Z',
      details: { page: 'home', status: 500 },
    });
    expect(answer.answer()).toEqual({ success: true });
    expect(reports.last).toEqual([
      { kind: 'client', code: 'TypeError', state: 'home', status: 500 },
    ]);
  });

  // Shows: 7.services.6
  test('with words for details is a failure and no more', async () => {
    await save({ err: 'Casey', details: 'A cough since Monday' });
    expect(reports.last).toEqual([{ kind: 'client', code: 'failure' }]);
  });

  test('with a field that nobody knows is refused by its name', async () => {
    const refused = await save({ err: 'TypeError', details: { page: 'home', reason: 'A cough' } });
    expect([refused.statusCode, refused.refusal().errors?.[0]?.field]).toEqual([
      422,
      'details.reason',
    ]);
    expect(reports.last).toEqual([]);
  });

  test('is not taken more than a hundred times in a quarter of an hour (S-5)', async () => {
    const statuses = [];
    for (let sent = 0; sent < 101; sent++) statuses.push((await save({ err: 'x' })).statusCode);
    expect([statuses.filter((each) => each === 200).length, statuses.at(-1)]).toEqual([100, 429]);
  });
});
