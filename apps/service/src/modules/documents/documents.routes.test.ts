import { toInstant } from '@clinic/domain';
import { and, eq } from 'drizzle-orm';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type FormFile,
  type PatientOptions,
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  aPicture,
  ask,
  requestOf,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { storedFile } from './schema.ts';
import { audit, feePolicy, patient } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { readStoredFile } from './index.ts';

let clinic: TestApp;
let riley: PatientRow;
let token: string;
const open = async (over: PatientOptions = { eligibility: 'R' }) => {
  clinic = await testApp();
  await aClinic(clinic);
  riley = await aPatient(clinic, over);
  token = await signIn(clinic, riley);
};
beforeEach(() => open());
afterEach(() => clinic.close());

const upload = (files: readonly FormFile[], isHealthCard = 'true', as = token) =>
  ask(clinic, 'uploadDocuments', { token: as, body: { isHealthCard }, files });
const uploaded = async () => (await ask(clinic, 'shouldUploadDocument', { token })).answer();
const stored = () => clinic.database.db.select().from(storedFile);
const codeOf = (response: Pick<Awaited<ReturnType<typeof upload>>, 'statusCode' | 'refusal'>) => [
  response.statusCode,
  response.refusal().extras.code,
  response.refusal().extras.message,
];

describe('POST /message/upload', () => {
  // Shows: 7.me.4, 7.message.2
  test('keeps a health card, then a picture ID, and says so afterwards (R-34)', async () => {
    expect(await uploaded()).toEqual({
      success: true,
      healthcardUploaded: false,
      pictureIdUploaded: false,
      refused: [],
    });
    expect((await upload([aPicture()])).answer()).toEqual({
      success: true,
      message: 'Your files were uploaded.',
    });
    expect(await uploaded()).toMatchObject({ healthcardUploaded: true, pictureIdUploaded: false });
    await upload([aPicture(), aPicture(), aPicture()], 'false');
    expect(await uploaded()).toMatchObject({ healthcardUploaded: true, pictureIdUploaded: true });
    expect((await stored()).map(({ purpose }) => purpose)).toEqual([
      'healthCard',
      'pictureId',
      'pictureId',
      'pictureId',
    ]);
  });

  // Shows: S-4
  test('seals name and content, and tells the trail neither (S-4, S-14)', async () => {
    await upload([aPicture({ name: 'Riley-and-her-card.png' })]);
    const [row] = await stored();
    const bytes = Buffer.concat([
      Buffer.from(row?.contentSealed ?? []),
      Buffer.from(row?.nameSealed ?? []),
      Buffer.from(row?.keySealed ?? []),
    ]).toString('latin1');
    expect(bytes).not.toContain('PNG');
    expect(bytes).not.toContain('Riley');
    const trail = await clinic.database.db
      .select()
      .from(audit)
      .where(eq(audit.action, 'file stored'));
    expect(trail).toMatchObject([
      {
        actor: `patient:${riley.id}`,
        subject: `file:${row?.id}`,
        details: { purpose: 'healthCard', mediaType: 'image/png', size: row?.size },
      },
    ]);
    expect(JSON.stringify(trail)).not.toContain('Riley');
  });

  test('gives a file back to its owner alone (S-1)', async () => {
    await upload([aPicture({ name: '../Karte\u202E.exe' })]);
    const [row] = await stored();
    const read = (id: string) =>
      readStoredFile(clinic, clinic.database.db, id as PatientId, row?.id ?? '');
    expect(await read(riley.id)).toMatchObject({ name: 'Karte.png', mediaType: 'image/png' });
    expect((await read(riley.id))?.bytes.toString('latin1', 1, 4)).toBe('PNG');
    expect(await read((await aPatient(clinic)).id)).toBeNull();
  });

  test('keeps the quotes of a name', async () => {
    await upload([aPicture({ name: 'my "card".png' })]);
    const [row] = await stored();
    const read = await readStoredFile(clinic, clinic.database.db, riley.id, row?.id ?? '');
    expect(read?.name).toBe('my "card".png');
  });

  test('says which file of a form it refuses', async () => {
    const page = { name: 'card.png', bytes: Buffer.from('<html>') };
    const refusal = (await upload([aPicture(), page])).refusal();
    const { code, message } = refusal.extras;
    expect(code).toBe('fileNotAccepted');
    expect(refusal.errors).toEqual([{ field: 'file2', message }]);
    expect(await stored()).toEqual([]);
  });

  // Shows: S-4
  test('does not open a file whose bytes were changed or moved', async () => {
    await upload([aPicture(), aPicture()]);
    const [one, other] = await stored();
    await clinic.database.inTransaction((tx) =>
      tx
        .update(storedFile)
        .set({ contentSealed: other?.contentSealed ?? new Uint8Array() })
        .where(eq(storedFile.id, one?.id ?? '')),
    );
    await expect(
      readStoredFile(clinic, clinic.database.db, riley.id, one?.id ?? ''),
    ).rejects.toThrow();
  });

  // Shows: 5.files.1, 5.files.2, 5.files.3, R-80
  test.each([
    ['no file', [], 422, 'noFileChosen', 'Pleae choose your file to upload'],
    [
      'a nameless file of no bytes, as an empty form sends it',
      [aPicture({ name: '', bytes: Buffer.alloc(0) })],
      422,
      'noFileChosen',
      'Pleae choose your file to upload',
    ],
    [
      'four files',
      [aPicture(), aPicture(), aPicture(), aPicture()],
      422,
      'tooManyFiles',
      'You can only attach maximum of 3 files',
    ],
    [
      'HEIC called .jpg',
      [aPicture({ name: 'x.jpg', bytes: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic') })],
      422,
      'imageNotReadable',
      'Please upload another type of image such as JPEG, JPG or PNG',
    ],
    [
      'a table, which is no document of identity',
      [aPicture({ bytes: Buffer.from('a,b\n1,2') })],
      422,
      'fileNotAccepted',
      "We can't accept this file. Please choose a picture (JPEG or PNG) or a PDF without a password.",
    ],
    [
      '11 MB',
      [aPicture({ bytes: Buffer.alloc(11 * 1024 * 1024, 1) })],
      413,
      'tooLarge',
      'This is too large to send.',
    ],
  ])('refuses %s and keeps nothing', async (_name, files, status, code, message) => {
    expect(codeOf(await upload(files))).toEqual([status, code, message]);
    expect(await stored()).toEqual([]);
    expect(await uploaded()).toMatchObject({ healthcardUploaded: false });
  });

  test('keeps none of three files when the last is refused', async () => {
    const response = await upload([
      aPicture(),
      aPicture(),
      aPicture({ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }),
    ]);
    expect(response.statusCode).toBe(422);
    expect(await stored()).toEqual([]);
  });

  // Shows: S-11
  test('takes no JSON (S-11)', async () => {
    const response = await clinic.app.inject({
      ...requestOf('uploadDocuments', { token }),
      headers: { 'x-access-token': token, 'content-type': 'application/json' },
      payload: '{"isHealthCard":"true"}',
    });
    expect(response.statusCode).toBe(415);
  });

  // Shows: S-5
  test('counts forms of one account: 30 in 15 minutes (S-5)', async () => {
    const table = aPicture({ bytes: Buffer.from('a,b\n1,2') });
    for (let sent = 0; sent < 30; sent++) expect((await upload([table])).statusCode).toBe(422);
    const late = await upload([aPicture()]);
    expect([late.statusCode, late.headers['retry-after']]).toEqual([429, '900']);
    clinic.clock.advance(901);
    expect((await upload([aPicture()])).statusCode).toBe(200);
  });

  // Shows: 7.message.2
  test('of which a connection brings only half leaves nothing', async () => {
    await clinic.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = clinic.app.server.address() as AddressInfo;
    const { headers = {}, payload } = requestOf('uploadDocuments', {
      token,
      body: { isHealthCard: 'true' },
      files: [aPicture({ bytes: Buffer.alloc(500_000, 1) })],
    });
    const form = payload as Buffer;
    const head = Object.entries({ ...headers, 'content-length': form.length, host: 'clinic' })
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join('\r\n');
    const answered = new Promise<void>((resolve) => {
      clinic.app.server.once('request', (_request, response) =>
        response.once('close', () => resolve()),
      );
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST /api/message/upload HTTP/1.1\r\n${head}\r\n\r\n`);
    socket.write(form.subarray(0, form.length / 2), () => socket.destroy());
    await answered;
    expect(await stored()).toEqual([]);
    expect(clinic.log.failures).toEqual([]);
    expect((await upload([aPicture()])).statusCode).toBe(200);
  });
});

describe('The documents that an appointment asks for (R-34)', () => {
  const slot = (time = '08:00') => {
    const start = toInstant('2026-11-26', time);
    return { start, end: start + 300, doctor: '101', selectedType: 'O' as const };
  };
  const book = (over: object = {}) =>
    ask(clinic, 'createBooking', { token, body: { ...slot(), reason: 'A cough', ...over } });
  /** So that the appointment is booked rather than paid. */
  const costsNothing = (eligibility: string) =>
    clinic.database.inTransaction((tx) =>
      tx
        .update(feePolicy)
        .set({ chargeCents: 0 })
        .where(and(eq(feePolicy.eligibility, eligibility), eq(feePolicy.type, 'O'))),
    );

  // Shows: 6.eligibility.2, R-34
  test.each(['R', 'NR', 'NE'])('of %s are asked for until both are there', async (eligibility) => {
    await clinic.close();
    await open({ eligibility });
    await costsNothing(eligibility);
    const missing = [422, 'documentsMissing'];
    expect(codeOf(await book()).slice(0, 2)).toEqual(missing);
    await upload([aPicture()]);
    expect(codeOf(await book()).slice(0, 2)).toEqual(missing);
    await upload([aPicture()], 'false');
    expect((await book()).statusCode).toBe(200);
  });

  // Shows: 6.eligibility.2
  test('of E are not asked for', async () => {
    await clinic.close();
    await open({ eligibility: 'E' });
    expect((await book()).statusCode).toBe(200);
  });

  // Shows: R-34
  test('are not asked for by a hold', async () => {
    expect((await ask(clinic, 'placeHold', { token, body: slot() })).statusCode).toBe(200);
  });

  // Shows: R-34
  test('are not asked for again to reschedule', async () => {
    await costsNothing('R');
    await upload([aPicture()]);
    await upload([aPicture()], 'false');
    const booked = (await book()).answer();
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ healthCardUploaded: false }).where(eq(patient.id, riley.id)),
    );
    const moved = await book({
      ...slot('08:30'),
      rescheduleOf: booked.extras.appointment?.id,
    });
    expect(moved.answer().extras.code).toBe('rescheduled');
  });
});
