import { afterEach, beforeEach, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';
import {
  type FakeOscar,
  bookByStaff,
  credentials,
  daySheetOf,
  moveByStaff,
  saveByStaff,
  startFakeOscar,
} from '@clinic/oscar/fake';

import { aClinic } from '../testing/a-clinic.ts';
import { aPatient, ask, signIn, testApp } from '../testing/index.ts';
import type { TestApp } from '../testing/index.ts';
import { violations } from '../testing/invariants.ts';
import { appointments } from './modules/appointments/index.ts';
import {
  emrBook,
  emrHealth,
  emrStanding,
  lastSync,
  resolveUnknown,
  syncFromEmr,
  watchKeys,
} from './modules/emr/index.ts';
import type { Emr } from './modules/records/emr.ts';
import { emrNames, keepConnection } from './modules/records/index.ts';
import { openEmr } from './open-emr.ts';
import { appointmentType, providerPolicy } from './schema.ts';

const DAY = '2026-11-23';
const start = toInstant(DAY, '08:00');

let fake: FakeOscar;
let clinic: TestApp;
let token: string;

/** The service on an OSCAR that answers by HTTP: a patient whose record it has opened there. */
beforeEach(async () => {
  fake = await startFakeOscar({ profile: 'classic', today: DAY });
  fake.memory.codes.length = 0;
  for (const [key] of fake.memory.templates) fake.memory.templates.set(key, 'O'.repeat(288));
  const emr: { current: Emr | null } = { current: null };
  const later = new Proxy({} as Emr, {
    get: (_, name) => Reflect.get(emr.current ?? {}, name) as unknown,
  });
  clinic = await testApp({ emr: later, config: { emrAddresses: [fake.base] } });
  await connect();
  emr.current = await openEmr(clinic.platform, clinic.platform.config);
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
  token = await newPatient();
  await sync();
});

/** Keeps what OSCAR is spoken to with, as `emr connect` does. */
async function connect(changes: object = {}) {
  const { consumer: client, token: access, soap: login } = credentials;
  const spoken = { client, token: access, login, programId: 1, hidden: ['200'], ...changes };
  const who = { actor: 'clinic:test', now: clinic.clock.now() };
  await keepConnection(clinic.platform, { id: 'oscar', credentials: spoken }, who);
}

async function newPatient(): Promise<string> {
  const { signedIn, opened } = await openRecord();
  opened.answer();
  return signedIn;
}

async function openRecord() {
  const patient = await aPatient(clinic, { primaryDoctor: false });
  const signedIn = await signIn(clinic, patient);
  const body = { id: patient.id, familyDoc: '1998', hasFamilyDoc: true };
  const opened = await ask(clinic, 'createDemographics', { token: signedIn, body });
  return { signedIn, opened };
}
afterEach(async () => {
  await clinic.close();
  await fake.stop();
});

/** A sync that OSCAR did not answer in time ends without an error: it would be seen as a time that is not offered. */
async function sync() {
  clinic.clock.advance(1);
  const now = clinic.clock.now();
  await syncFromEmr({ ...clinic.platform, appointments, emrBook }, now);
  expect((await emrStanding(clinic.database.db))?.answeredAt).toBe(now);
}
async function book(at = start, by = token) {
  const body = { doctor: '101', start: at, end: at + 300, selectedType: 'O', reason: 'A cough' };
  return ask(clinic, 'createBooking', { token: by, body });
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
    demographicNo: row.demographicNo ?? 0,
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

test('where OSCAR has sites nobody is offered who has none here, and what is booked stands on its day sheet', async () => {
  fake.memory.sites.push('Main Clinic', 'North');
  staffAt(10 * 60);
  clinic.clock.advance(1_800);
  await sync();
  const by = await newPatient();
  const doctors = async () =>
    (await ask(clinic, 'listDoctors', { token: by })).answer().map(({ id }) => id);
  expect(await doctors()).toEqual([]);
  expect((await book(start, by)).refusal().extras.code).toBe('doctorNotAvailable');
  const { db } = clinic.database;
  await clinic.database.inTransaction((tx) =>
    tx.insert(providerPolicy).values({ providerId: '101', location: 'North' }),
  );
  expect(await doctors()).toEqual(['101']);
  expect((await book(start, by)).statusCode).toBe(200);
  expect(daySheetOf(fake.memory, '101', DAY)).toMatchObject([
    { location: 'Main Clinic' },
    { location: 'North' },
  ]);
  // Rows of nobody but us say nothing of sites.
  fake.memory.appointments.splice(0, 1);
  clinic.clock.advance(1_800);
  await sync();
  expect(await emrNames(db, 'location')).toMatchObject([{ name: 'Main Clinic', entries: 1 }]);
});

test('a row of ours carries a name that OSCAR knows, which a save of staff keeps, and the type stays ours', async () => {
  await clinic.database.inTransaction((tx) =>
    tx.update(appointmentType).set({ emrName: 'Office Visit' }),
  );
  await book();
  const [row] = live();
  if (!row) throw new Error('It does not stand');
  expect(row.type).toBe('Office Visit');
  saveByStaff(fake.memory, row);
  expect(row.type).toBe('Office Visit');
  // A name that the clinic renames there since is emptied.
  fake.memory.types.length = 0;
  saveByStaff(fake.memory, row);
  expect(row.type).toBe('');
  await sync();
  const { appointments: own } = (await ask(clinic, 'listAppointments', { token })).answer();
  expect(own).toMatchObject([{ status: 'booked', startTime: start, code: 'O' }]);
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
  await resolveUnknown({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
  await clinic.platform.outbox.drain();
  expect(await listed()).toEqual([]);
  expect(live()).toMatchObject([{ creator: 'reception' }]);
  expect(clinic.mail.sent.at(-1)?.subject).toContain('not booked');
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
});

test('a row that OSCAR cannot read closes its day of its provider, and nothing else', async () => {
  await book();
  const bad = fake.memory.addAppointment({
    ...staffAt(10 * 60),
    demographicNo: null as unknown as number,
  });
  await sync();
  const { db } = clinic.database;
  expect((await lastSync(db)).unread).toEqual([`101 ${DAY}`]);
  expect(await listed()).toEqual([['booked', start]]);
  const other = await newPatient();
  expect((await book(start + 3_600, other)).refusal().extras.code).toBe('slotTaken');
  expect((await emrStanding(db))?.overlapped).toBe(0);
  expect((await book(toInstant('2026-11-24', '08:00'), other)).statusCode).toBe(200);
  fake.memory.appointments.splice(fake.memory.appointments.indexOf(bad), 1);
  clinic.clock.advance(1_800);
  await sync();
  expect((await lastSync(db)).unread).toEqual([]);
  expect(await violations(db, clinic.clock.now())).toEqual([]);
});

const watch = () => watchKeys(clinic.platform, clinic.clock.now());
const health = () => emrHealth(clinic.database.db, clinic.clock.now());
const calls = (name: string) => fake.calls.get(name) ?? 0;

test('a token that OSCAR revokes is refused, and a new one heals it in every process without a restart', async () => {
  const other = await openEmr(clinic.platform, clinic.platform.config);
  await watch();
  expect(await health()).toMatchObject({ kind: 'answers' });
  const [kept] = fake.consents.access;
  if (kept === undefined) throw new Error('It has a token');
  fake.expireToken();
  clinic.clock.advance(120);
  // What was taken a moment ago is not tried: this shows that it no longer is.
  expect((await openRecord()).opened.refusal().extras.code).toBe('clinicRefuses');
  await watch();
  expect(await health()).toMatchObject({
    kind: 'refused',
    isBookingPaused: true,
    refused: [{ key: 'token', why: expect.stringContaining('refused') as string }],
  });
  expect((await book()).refusal().extras.code).toBe('clinicRefuses');
  expect(live()).toEqual([]);
  const renewed = { key: 'renewed', secret: 'of the token' };
  fake.consents.access.set(renewed.key, { ...kept[1], secret: renewed.secret });
  await connect({ token: renewed });
  clinic.clock.advance(20);
  await watch();
  expect(await health()).toMatchObject({ kind: 'answers', isBookingPaused: false });
  expect((await book()).statusCode).toBe(200);
  // The other process finds out by what it is refused.
  expect(await other?.tryKeys(['token'], 0)).toMatchObject([{ state: 'taken' }]);
});

test('a password that OSCAR no longer takes is refused at once, and another heals it without a restart', async () => {
  const { userName } = credentials.soap;
  await connect({ login: { userName, password: 'an old one' } });
  await watch();
  expect(await health()).toMatchObject({
    kind: 'refused',
    refused: [
      { key: 'login', why: 'login2 was refused: look at the login, its PIN and its expiry' },
    ],
  });
  expect((await book()).refusal().extras.code).toBe('clinicRefuses');
  await connect();
  await watch();
  await sync();
  expect(await health()).toMatchObject({ kind: 'answers' });
  expect((await book()).statusCode).toBe(200);
});

test('when a token ends is known beside how OSCAR takes it, and told ahead', async () => {
  const endsAt = clinic.clock.now() + 3_600;
  await connect({ tokenSeconds: 3_600, tokenEndsAt: endsAt });
  await watch();
  const ends = { endsAt, livesSeconds: 3_600 };
  expect((await health()).keys).toMatchObject([
    { key: 'login', endsAt: null, livesSeconds: null },
    { key: 'token', state: 'taken', ...ends },
  ]);
  expect(await emrHealth(clinic.database.db, endsAt - 600)).toMatchObject({
    ending: [{ key: 'token', endsAt }],
  });
  fake.expireToken();
  expect(await clinic.platform.emr?.tryKeys(['token'], -1)).toMatchObject([
    { state: 'refused', ...ends },
  ]);
});

test('a key is not tried while what is asked anyway has just shown that OSCAR takes it', async () => {
  const rest = () => calls('GET /status/checkIfAuthed');
  const { emr } = clinic.platform;
  await emr?.tryKeys(['login', 'token'], 120);
  const [logins, tokens] = [calls('getAppointmentTypes'), rest()];
  await emr?.tryKeys(['login', 'token'], 120);
  expect([calls('getAppointmentTypes'), rest()]).toEqual([logins, tokens]);
  await emr?.tryKeys(['login', 'token'], -1);
  expect([calls('getAppointmentTypes'), rest()]).toEqual([logins + 1, tokens + 1]);
});
