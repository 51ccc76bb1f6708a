import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { toInstant } from '@clinic/domain';
import { blockByStaff, startFakeOscar } from '@clinic/oscar/fake';
import { lastSync } from '@clinic/service/modules/emr/index.ts';
import { ask } from '@clinic/service/testing/index.ts';
import { type PracticeOptions, openPracticeClinic } from '../open-practice-clinic.ts';

const DAY = '2026-12-16';
const folder = mkdtempSync(join(tmpdir(), 'practice-'));
const otherFolder = mkdtempSync(join(tmpdir(), 'practice-'));
const open = (options: Partial<PracticeOptions> = {}) =>
  openPracticeClinic({
    dataDir: folder,
    clinic: 'fake-oscar',
    publicUrl: 'http://127.0.0.1:3000',
    startsAt: Date.parse('2026-12-15T20:00:00Z') / 1000,
    webRoot: null,
    logLevel: 'silent',
    ...options,
  });
afterAll(() => {
  for (const each of [folder, otherFolder]) rmSync(each, { recursive: true });
});

test('The first booking of a new patient opens a record in the fake OSCAR, which ends with the clinic', async () => {
  const { app, close, daySheet } = await open();
  const { database, sessions, clock } = app.platform;
  const sheet = async () => (await fetch(`${daySheet}?date=${DAY}`)).text();
  expect((await app.inject('/practice/mail')).body).toContain(`href="${daySheet}"`);
  const { rows } = await database.db.execute<{ id: string }>(
    `select id from patient where email = 'new1@practice.example'`,
  );
  const [patient] = rows;
  if (!patient) throw new Error('There is no new1');
  const token = await database.inTransaction((tx) => sessions.start(tx, patient.id, clock.now()));
  const clinic = { app };
  expect(await sheet()).not.toContain('NEWCOMER');

  const said = { id: patient.id, familyDoc: '1998', hasFamilyDoc: true };
  (await ask(clinic, 'createDemographics', { token, body: said })).answer();
  const start = toInstant(DAY, '09:00');
  const time = { doctor: '101', start, end: start + 900, selectedType: 'O', reason: 'A cough' };
  (await ask(clinic, 'createBooking', { token, body: time })).answer();
  expect(await sheet()).toMatch(
    /<strong>09:00–09:15 NEWCOMER,ARI \(\d+\), In-person visit, To do<\/strong>/,
  );

  await app.close();
  await close();
  await expect(sheet()).rejects.toThrow('fetch failed');
  await expect(open()).rejects.toThrow('has forgotten its book');
});

test('One row that OSCAR cannot read closes its day of its doctor, and the practice clinic opens', async () => {
  const { app, close } = await open({
    dataDir: otherFolder,
    async startOscar(today) {
      const fake = await startFakeOscar({ profile: 'openo', port: 0, today });
      const at = { providerNo: '101', date: DAY, start: 10 * 60, minutes: 15 };
      blockByStaff(fake.memory, { ...at, name: 'An old import', patient: null });
      return fake;
    },
  });
  expect((await lastSync(app.platform.database.db)).unread).toEqual([`101 ${DAY}`]);
  await app.close();
  await close();
});
