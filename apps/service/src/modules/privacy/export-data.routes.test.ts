import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { NOW } from '@clinic/domain/testing';

import {
  type PatientRow,
  type TestApp,
  aPatient,
  aPicture,
  ask,
  patientClinic,
  signIn,
} from '../../../testing/index.ts';
import { currentAgreement } from '@clinic/contract/agreements';
import { toInstant } from '@clinic/domain';
import { noteBesideMessage } from '../messages/index.ts';
import { aPublishedText, aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import { decideDocument, listDocuments } from '../patients/index.ts';
import { agreement } from '../../schema.ts';

let clinic: TestApp;
let patient: PatientRow;
let token: string;

beforeEach(async () => {
  ({ clinic, patient, token } = await patientClinic({
    firstName: 'Ottoline',
    cardNumber: '9876543218',
    healthCardUploaded: true,
    pictureIdUploaded: true,
  }));
});
afterEach(() => clinic.close());

async function download(as = token) {
  const response = await ask(clinic, 'exportData', { token: as });
  if (response.statusCode !== 200) return { response, entries: {} };
  return { response, entries: unzipSync(response.rawPayload) };
}
async function data(as = token): Promise<Record<string, unknown>> {
  const { entries } = await download(as);
  return JSON.parse(strFromU8(entries['my-data.json'] ?? new Uint8Array())) as never;
}
async function aAppointment(as: string, time: string, reason: string): Promise<void> {
  const start = toInstant('2026-11-25', time);
  const booked = await ask(clinic, 'createBooking', {
    token: as,
    body: { start, end: start + 300, doctor: '101', selectedType: 'O', reason },
  });
  expect(booked.statusCode).toBe(200);
}

describe('Download my data (S-15)', () => {
  // Shows: S-18
  test('says when staff looked, and what they are, not who by name', async () => {
    await aAppointment(token, '08:00', 'A cough');
    const robin = await aStaffMember(clinic, 'receptionist', { name: 'Robin Lee' });
    const cookie = await deskSession(clinic, robin);
    const looked = { cookie, params: { id: patient.id }, body: { lookReason: 'patientCalled' } };
    (await askDesk(clinic, 'deskFindPatients', { cookie, body: { text: 'ottoline' } })).answer();
    clinic.clock.advance(60);
    (await askDesk(clinic, 'deskOpenPatient', looked)).answer();
    (await askDesk(clinic, 'deskShowCard', looked)).answer();
    const elsewhere = { address: '2 Elm Street', phone: '6045550199' };
    const other = await aPatient(clinic.platform, elsewhere);
    (await askDesk(clinic, 'deskOpenPatient', { ...looked, params: { id: other.id } })).answer();
    const own = await data();
    const by = 'receptionist';
    expect(own['looksByStaff']).toMatchObject([
      { at: NOW, by, what: 'patients searched' },
      { at: NOW + 60, by, what: 'patient opened', clinicTime: 'Sat Nov 21 2026 09:01' },
      { at: NOW + 60, by, what: 'card number shown' },
    ]);
    expect(JSON.stringify(own)).not.toContain('Robin');
    expect(JSON.stringify(own)).not.toContain(robin.id);
    expect((await data(await signIn(clinic, other)))['looksByStaff']).toHaveLength(1);
  });

  // Shows: S-18
  test('says when staff looked at what the patient wrote, sent and suggested, and at who did', async () => {
    const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    const files = [aPicture()];
    const body = { message: 'My knee' };
    const written = await ask(clinic, 'startMessage', { token, body, files });
    const { id, entries } = written.answer().extras.message;
    const suggestion = { dataURL: '', message: 'Larger letters', isAppointment: false };
    await ask(clinic, 'reportProblem', { token, body: suggestion });
    (await askDesk(clinic, 'deskInbox', { cookie })).answer();
    (await askDesk(clinic, 'deskOpenMessage', { cookie, params: { id } })).answer();
    const file = { id: entries[0]?.files[0]?.id ?? '' };
    await askDesk(clinic, 'deskReadAttachment', { cookie, params: file });
    const listed = (await askDesk(clinic, 'deskSuggestions', { cookie })).answer().extras;
    const params = { id: listed.suggestions[0]?.id ?? '' };
    (await askDesk(clinic, 'deskOpenSuggestion', { cookie, params })).answer();
    const search = { patientId: patient.id };
    (await askDesk(clinic, 'deskAuditTrail', { cookie, body: search })).answer();
    (await askDesk(clinic, 'deskExportAudit', { cookie, body: search })).answer();
    const looks = (await data())['looksByStaff'] as { readonly what: string }[];
    expect(looks.map(({ what }) => what)).toEqual([
      'messages shown',
      'message read',
      'attachment opened',
      'suggestions shown',
      'suggestion read',
      'audit trail shown',
      'audit trail exported',
    ]);
  });

  // Shows: R-104
  test('holds what was agreed to as it was read, also after the clinic has published another', async () => {
    const french = { 'accept-language': 'fr' };
    const english = { locale: 'en', title: 'Our policy', text: 'Come early.' };
    const texts = [english, { locale: 'fr', title: 'Nos règles', text: 'Venez tôt.' }];
    await aPublishedText(clinic, 'general', { seen: '1.0', texts });
    const [own] = (await ask(clinic, 'getConfig')).answer().extras.agreements;
    const body = { kind: 'general', version: own?.version, hash: own?.hash };
    (await ask(clinic, 'saveAgreement', { token, body, headers: french })).answer();
    const newer = [{ ...english, text: 'Come on time.' }];
    await aPublishedText(clinic, 'general', { seen: '2', texts: newer });
    expect((await data())['agreements']).toMatchObject([
      { kind: 'general', version: '2', language: 'fr', text: ['Nos règles', 'Venez tôt.'] },
    ]);
  });

  // Shows: R-98
  test('says of what was agreed to whether the clinic read it out, and what they are who did', async () => {
    const { version, hash } = currentAgreement('general');
    const body = { kind: 'general', version, hash };
    await ask(clinic, 'saveAgreement', { token, body });
    const { id } = await aStaffMember(clinic, 'receptionist', { name: 'Robin Lee' });
    const agreed = { patientId: patient.id, kind: 'general', version, textHash: hash };
    await clinic.database.inTransaction((tx) =>
      tx
        .insert(agreement)
        .values({ ...agreed, id: crypto.randomUUID(), at: NOW + 60, readOutBy: id }),
    );
    expect((await data())['agreements']).toMatchObject([
      { at: NOW, readOutBy: null },
      { at: NOW + 60, readOutBy: 'receptionist' },
    ]);
  });

  // Shows: S-15
  test('holds what the service keeps about the patient, with files', async () => {
    await aAppointment(token, '08:00', 'A cough that stays');
    const files = [{ name: 'diary.json', bytes: Buffer.from('{"pain":7}') }];
    await ask(clinic, 'startMessage', { token, body: { message: 'My knee' }, files });
    const { version, hash } = currentAgreement('general');
    await ask(clinic, 'saveAgreement', { token, body: { kind: 'general', version, hash } });
    const { response, entries } = await download();
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="my-data-2026-11-21.zip"',
    );
    expect(response.headers['cache-control']).toBe('no-store');
    expect(Object.keys(entries).sort()).toEqual([
      'README.txt',
      'files/1-message.json',
      'my-data.json',
    ]);
    expect(strFromU8(entries['files/1-message.json'] ?? new Uint8Array())).toBe('{"pain":7}');
    expect(await data()).toMatchObject({
      exportedAt: { at: NOW },
      profile: { firstName: 'Ottoline', email: patient.email, cardNumber: '9876543218' },
      appointments: [
        {
          description: 'In-person visit',
          state: 'booked',
          doctorLastName: 'Stone',
          start: { clinicTime: 'Wed Nov 25 2026 08:00' },
          answers: { reason: 'A cough that stays' },
        },
      ],
      messages: [{ state: 'sent', texts: [{ from: 'patient', message: 'My knee' }] }],
      agreements: [{ kind: 'general', version, textHash: hash, language: 'en' }],
      files: [{ purpose: 'message', name: 'diary.json', path: 'files/1-message.json', size: 10 }],
      sessions: [{ endedAt: null }],
      payments: [],
    });
  });

  test('names no secret of the service: no hash, no index, no why of a block', async () => {
    await clinic.database.db.execute(sql`update patient set blocked_reason = 'an agency'`);
    const said = JSON.stringify(await data());
    expect(said).not.toMatch(/hash|passw|index|agency|sealed/i);
  });

  // Shows: S-15
  test('says of a document that the clinic refused when and why', async () => {
    const body = { isHealthCard: 'true' };
    await ask(clinic, 'uploadDocuments', { token, body, files: [aPicture()] });
    const who = { actor: 'clinic:desk', now: NOW + 60 };
    const search = { waiting: true, limit: 1, after: null };
    const [document] = (await listDocuments(clinic.platform, search)).documents;
    const reason = 'The number on it cannot be read.';
    await decideDocument(clinic.platform, document?.id ?? '', { kind: 'refused', reason }, who);
    expect((await data()).files).toMatchObject([
      { purpose: 'healthCard', refusedAt: { at: NOW + 60 }, refusedBecause: reason },
    ]);
  });

  // Shows: S-15, S-18
  test('holds what the clinic answered, and what it noted beside a message', async () => {
    const sent = await ask(clinic, 'startMessage', { token, body: { message: 'My knee' } });
    const { id } = sent.answer().extras.message;
    const [noteId, staffId] = [crypto.randomUUID(), crypto.randomUUID()];
    const who = { actor: `staff:${staffId}`, now: NOW + 60, ofProvider: null };
    const note = { id: noteId, staffId, text: 'Asked Dr. Stone' };
    await noteBesideMessage(clinic.platform, id, note, who);
    const exported = await data();
    expect(exported.messages).toMatchObject([
      { texts: [{ message: 'My knee' }], notes: [{ at: NOW + 60, note: 'Asked Dr. Stone' }] },
    ]);
    expect(JSON.stringify(exported)).not.toContain(staffId);
  });

  // Shows: S-15
  test('holds nothing of anybody else (S-1)', async () => {
    const other = await aPatient(clinic.platform, {
      firstName: 'Zebediah',
      cardNumber: '9123456782',
    });
    const theirs = await signIn(clinic, other);
    await aAppointment(theirs, '08:30', 'Saturnine rash');
    const files = [{ name: 'zebra.json', bytes: Buffer.from('{"zebra":1}') }];
    await ask(clinic, 'startMessage', { token: theirs, body: { message: 'Lighthouse' }, files });
    const { version, hash } = currentAgreement('icbc');
    await ask(clinic, 'saveAgreement', {
      token: theirs,
      body: { kind: 'icbc', version, hash },
    });
    const suggestion = { dataURL: '', message: 'Larger letters', isAppointment: false };
    await ask(clinic, 'reportProblem', { token: theirs, body: suggestion });
    expect(await data()).toMatchObject({
      appointments: [],
      payments: [],
      messages: [],
      agreements: [],
      suggestions: [],
      files: [],
      immigrationExamProfile: null,
    });
    expect((await data()).sessions).toHaveLength(1);
    const { entries } = await download();
    const all = Object.values(entries)
      .map((bytes) => strFromU8(bytes))
      .join('\n');
    for (const word of ['Zebediah', 'Saturnine', 'Lighthouse', 'zebra', other.id, '9123456782'])
      expect(all).not.toContain(word);
    expect(JSON.stringify(await data(theirs))).toContain('Saturnine');
  });

  test('is put together in turn, and costs nothing of the limit where the queue is full (S-5)', async () => {
    const theirs = await signIn(clinic, await aPatient(clinic.platform));
    const both = [token, theirs];
    const asked = Array.from({ length: 10 }, (_, at) => download(both[at % 2]));
    const statuses = (await Promise.all(asked)).map(({ response }) => response.statusCode);
    // How many find the queue full depends on how fast the first is; who is sent away is told so.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    // Who was sent away has not used up a download: five each, in all.
    let given = statuses.filter((status) => status === 200).length;
    for (const one of both) while ((await download(one)).response.statusCode === 200) given++;
    expect(given).toBe(10);
  });

  test('stands in the trail, and is limited (S-5, S-14)', async () => {
    for (let times = 0; times < 5; times++)
      expect((await download()).response.statusCode).toBe(200);
    expect((await download()).response.statusCode).toBe(429);
    const { rows } = await clinic.database.db.execute<{ count: number }>(
      sql`select count(*)::int as count from audit where action = 'data exported'`,
    );
    expect(rows[0]?.count).toBe(5);
  });
});
