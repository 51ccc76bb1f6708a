import { afterEach, beforeEach, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';
import {
  type FakeOscar,
  bookByStaff,
  credentials,
  moveByStaff,
  startFakeOscar,
} from '@clinic/oscar/fake';

import { aClinic } from '../testing/a-clinic.ts';
import { aPatient, ask, signIn, testApp } from '../testing/index.ts';
import type { TestApp } from '../testing/index.ts';
import { violations } from '../testing/invariants.ts';
import {
  appointments,
  emrStanding,
  settleUnknown,
  syncFromEmr,
} from './modules/appointments/index.ts';
import type { Emr } from './modules/records/emr.ts';
import { keepConnection } from './modules/records/index.ts';
import { openEmr } from './open-emr.ts';

const DAY = '2026-11-23';
const start = toInstant(DAY, '08:00');

let fake: FakeOscar;
let clinic: TestApp;
let token: string;

/** The service on an OSCAR that answers by HTTP: a patient whose record it has opened there. */
beforeEach(async () => {
  fake = await startFakeOscar({ profile: 'oscar19', today: DAY });
  fake.memory.codes.length = 0;
  for (const [key] of fake.memory.templates) fake.memory.templates.set(key, 'O'.repeat(288));
  const emr: { current: Emr | null } = { current: null };
  const later = new Proxy({} as Emr, {
    get: (_, name) => Reflect.get(emr.current ?? {}, name) as unknown,
  });
  clinic = await testApp({ emr: later, config: { emrAddresses: [fake.base] } });
  const { consumer: client, token: access, soap: login } = credentials;
  const spoken = { client, token: access, login, programId: 1, hidden: ['200'] };
  const who = { actor: 'clinic:test', now: clinic.clock.now() };
  await keepConnection(clinic.platform, { id: 'oscar', credentials: spoken }, who);
  emr.current = await openEmr(clinic.platform, clinic.platform.config);
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
  const patient = await aPatient(clinic, { primaryDoctor: false });
  token = await signIn(clinic, patient);
  const body = { id: patient.id, familyDoc: '1998', hasFamilyDoc: true };
  (await ask(clinic, 'createDemographics', { token, body })).answer();
  await sync();
});
afterEach(async () => {
  await clinic.close();
  await fake.stop();
});

/** A sync that OSCAR did not answer in time ends without an error: it would be seen as a time that is not offered. */
async function sync() {
  clinic.clock.advance(1);
  const now = clinic.clock.now();
  await syncFromEmr({ ...clinic.platform, appointments }, now);
  expect((await emrStanding(clinic.database.db))?.answeredAt).toBe(now);
}
async function book(at = start) {
  const body = { doctor: '101', start: at, end: at + 300, selectedType: 'O', reason: 'A cough' };
  return ask(clinic, 'createBooking', { token, body });
}
const listed = async () =>
  (await ask(clinic, 'listAppointments', { token }))
    .answer()
    .appointments.map(({ status, startTime }) => [status, startTime]);
const live = () => fake.memory.appointments.filter(({ status }) => status !== 'C');
const staffAt = (minutes: number) =>
  bookByStaff(fake.memory, {
    providerNo: '101',
    date: DAY,
    start: minutes,
    minutes: 10,
    demographicNo: 2,
  });

test('a new patient’s record is opened in OSCAR, and their appointment stands there', async () => {
  expect((await book()).statusCode).toBe(200);
  expect(fake.memory.demographics.at(-1)).toMatchObject({ providerNo: '1998' });
  expect(live()).toMatchObject([
    {
      providerNo: '101',
      date: DAY,
      start: 8 * 3_600,
      status: 't',
      demographicNo: fake.memory.demographics.at(-1)?.demographicNo,
    },
  ]);
  expect(await listed()).toEqual([['booked', start]]);
});

test('what staff move, then cancel in OSCAR, the patient reads here', async () => {
  await book();
  const [row] = live();
  if (!row) throw new Error('It does not stand');
  moveByStaff(fake.memory, row, { providerNo: '101', date: DAY, start: 9 * 60 });
  await sync();
  expect(await listed()).toEqual([['booked', start + 3_600]]);
  fake.memory.change(row, { status: 'C' });
  await sync();
  await sync();
  expect(await listed()).toEqual([['cancelled', start + 3_600]]);
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
});

test('what staff copy to another day stands there once they cancel the first one', async () => {
  await book();
  const [row] = live();
  if (!row) throw new Error('It does not stand');
  const copied = bookByStaff(fake.memory, {
    providerNo: '101',
    date: '2026-11-25',
    start: 9 * 60,
    minutes: 5,
    demographicNo: row.demographicNo,
  });
  fake.memory.change(copied, { notes: row.notes });
  await sync();
  expect(await listed()).toEqual([['booked', start]]);
  fake.memory.change(row, { status: 'C' });
  await sync();
  expect(await listed()).toEqual([['booked', toInstant('2026-11-25', '09:00')]]);
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
});

test('time from which staff move theirs to a day that is not read is free at the next sync', async () => {
  const theirs = staffAt(8 * 60);
  await sync();
  expect((await book()).refusal().extras.code).toBe('slotTaken');
  moveByStaff(fake.memory, theirs, { providerNo: '101', date: '2027-06-01', start: 8 * 60 });
  await sync();
  expect((await book()).statusCode).toBe(200);
});

test('what staff took since the last sync is refused, and nothing of ours is left there', async () => {
  staffAt(8 * 60);
  const refused = await book();
  expect(refused.refusal().extras.code).toBe('slotTaken');
  expect(live()).toHaveLength(1);
});

test('a booking whose answer was lost ends as not booked where staff came first', async () => {
  fake.switches.nextWrite = 'cutAfter';
  expect((await book()).refusal().extras.code).toBe('clinicConfirming');
  staffAt(8 * 60);
  clinic.clock.advance(60);
  await settleUnknown({ ...clinic.platform, appointments }, clinic.clock.now());
  await clinic.platform.outbox.drain();
  expect(await listed()).toEqual([]);
  expect(live()).toMatchObject([{ creator: 'reception' }]);
  expect(clinic.mail.sent.at(-1)?.subject).toContain('not booked');
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
});
