import { afterEach, beforeEach, expect, test } from 'vitest';

import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { addDays, dayTemplate, datesOf, stepOfTime, toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../../testing/a-clinic.ts';
import { ask } from '../../../../testing/ask.ts';
import { aStaffMember, askDesk, deskSession } from '../../../../testing/desk.ts';
import { signIn } from '../../../../testing/sign-in.ts';
import { type TestApp, testApp } from '../../../../testing/test-app.ts';
import type { EmrDay, ProviderId } from '../../records/emr.ts';
import { appointmentsOutside } from './schedule-changes.ts';
import { appointments } from '../../appointments/store.ts';
import { syncFromEmr } from './sync.ts';
import { emrBook } from '../emr-book.ts';

const TODAY = '2026-11-21';
const DAY = '2026-11-23';
const LATER = '2026-11-30';
const MORNING = dayTemplate([{ from: stepOfTime('08:00'), to: stepOfTime('12:00'), code: 'O' }]);
const WHOLE = dayTemplate([{ from: stepOfTime('08:00'), to: stepOfTime('17:00'), code: 'O' }]);

let doctors: readonly ProviderId[];
let clinic: TestApp;
let emr: FakeEmr;
/** What the EMR says of each day, as staff may change it. */
let days: EmrDay[];
/** The days of single providers that were asked for, each with the second. */
let read: { readonly at: number; readonly day: string }[];
let token: string;
let events: string[];

beforeEach(() => open(2));
afterEach(() => clinic.close());

async function open(many: number) {
  doctors = Array.from({ length: many }, (_, at) => String(101 + at) as ProviderId);
  days = datesOf({ from: TODAY, to: addDays(TODAY, 91) }).flatMap((date) =>
    doctors.map((providerId) => ({ providerId, date, codes: WHOLE })),
  );
  const fake = fakeEmr({
    providers: doctors.map((id) => ({ id, firstName: 'Doctor', lastName: id, status: '1' })),
    slotCodes: [{ code: 'O', description: 'In person', minutes: null }],
    days,
  });
  read = [];
  events = [];
  emr = {
    ...fake,
    dayNow(date, providers) {
      for (const each of providers) read.push({ at: now(), day: `${each} ${date}` });
      return fake.dayNow(date, providers);
    },
  };
  clinic = await testApp({ emr });
  await aClinic(clinic.database, { providers: doctors.map((id) => ({ id })) });
  token = await signIn(clinic, { id: await aPatientRow(clinic.database) });
  await sync();
}

const now = () => clinic.clock.now();
const log = () => ({ ...clinic.log, event: (code: string) => void events.push(code) });
/** Ten minutes of syncs. */
async function tenMinutes() {
  for (let seconds = 0; seconds < 600; seconds += 60) await sync(60);
}
async function sync(after = 20) {
  clinic.clock.advance(after);
  await syncFromEmr({ ...clinic.platform, appointments, emrBook, emr, log: log() }, now());
}
/** Staff set what a doctor does on a day; null for a day off. */
function staffSay(date: string, codes: string | null, who: readonly string[] = doctors) {
  const isMeant = (day: EmrDay) => day.date === date && who.includes(day.providerId);
  const said = days.filter((day) => !isMeant(day));
  if (codes !== null)
    said.push(...who.map((id) => ({ providerId: id as ProviderId, date, codes })));
  days.splice(0, days.length, ...said);
}
const slotAt = (date: string, time: string) => {
  const start = toInstant(date, time);
  return { start, end: start + 300, doctor: '101', selectedType: 'O' };
};
const book = (date: string, time: string) =>
  ask(clinic, 'createBooking', { token, body: { ...slotAt(date, time), reason: 'Cough' } });
test.each([
  ['a day off', null],
  ['half a day', MORNING],
])('%s within two weeks is followed within ten minutes', async (_, codes) => {
  staffSay(LATER, codes);
  await tenMinutes();
  // A hold asks our own tables alone; a booking would be refused by the EMR in any case.
  const hold = await ask(clinic, 'placeHold', { token, body: slotAt(LATER, '14:00') });
  expect(hold.refusal().extras.code).toBe('slotNotOffered');
});

test('the days of 20 doctors are read again within ten minutes each, with a call a second at most', async () => {
  await clinic.close();
  await open(20);
  await tenMinutes();
  read = [];
  for (let seconds = 0; seconds < 600; seconds += 20) await sync();
  const perSync = Map.groupBy(read, ({ at }) => at);
  expect(Math.max(...[...perSync.values()].map(({ length }) => length))).toBeLessThanOrEqual(20);
  expect(new Set(read.map(({ day }) => day)).size).toBe(20 * 14);
  expect(read.length).toBeLessThanOrEqual(400);
});

test('a time that the EMR refuses is not offered again, and its day is read at the next sync', async () => {
  await tenMinutes();
  staffSay(DAY, MORNING);
  expect((await book(DAY, '14:00')).refusal().extras.code).toBe('slotNotOffered');
  const hold = await ask(clinic, 'placeHold', { token, body: slotAt(DAY, '14:00') });
  expect(hold.refusal().extras.code).toBe('slotNotOffered');
  read = [];
  await sync();
  expect(read[0]?.day).toBe(`101 ${DAY}`);
  const other = await ask(clinic, 'placeHold', { token, body: slotAt(DAY, '15:00') });
  expect(other.refusal().extras.code).toBe('slotNotOffered');
  expect((await book(DAY, '09:00')).statusCode).toBe(200);
});

test('what is refused for a moment only is offered again once its day was read', async () => {
  await tenMinutes();
  staffSay(DAY, MORNING);
  await book(DAY, '14:00');
  staffSay(DAY, WHOLE);
  await sync();
  expect((await book(DAY, '14:00')).statusCode).toBe(200);
});

test('staff who press Read now have the next two weeks read by the next sync, and a second press reads nothing more', async () => {
  await tenMinutes();
  staffSay(LATER, null);
  clinic.clock.advance(60);
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
  const press = async () => (await askDesk(clinic, 'deskReadEmr', { cookie })).answer().extras;
  expect((await press()).days).toBeGreaterThan(2 * 13);
  read = [];
  await sync();
  expect((await book(LATER, '14:00')).refusal().extras.code).toBe('slotNotOffered');
  const { length } = read;
  expect(length).toBeGreaterThan(2 * 13);
  expect(await press()).toEqual({ days: 0 });
  await sync(1);
  expect(read).toHaveLength(length);
});

test('a day that closes over a booking names it once, and nothing is cancelled by itself', async () => {
  await tenMinutes();
  expect((await book(DAY, '14:00')).statusCode).toBe(200);
  // It ends as the morning does.
  expect((await book(LATER, '11:55')).statusCode).toBe(200);
  for (const date of [DAY, LATER]) staffSay(date, MORNING);
  await tenMinutes();
  const outside = await appointmentsOutside(clinic.database.db, now());
  expect(outside).toMatchObject([{ providerId: '101', start: toInstant(DAY, '14:00') }]);
  expect(events.filter((code) => code === 'emr-closed-over-appointment')).toHaveLength(1);
  expect(emr.busy()).toHaveLength(2);
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
  const told = (await askDesk(clinic, 'deskEmr', { cookie })).answer();
  expect(told.extras.emr).toMatchObject({ kind: 'answers', outside: 1 });
  const toCall = (await askDesk(clinic, 'deskOutsideEmr', { cookie })).answer();
  expect(toCall.extras.outside).toMatchObject([
    { patient: expect.stringMatching(/\w+, \w+/) as string, date: DAY, providerId: '101' },
  ]);
  const { answer } = await ask(clinic, 'listAppointments', { token });
  expect(answer().appointments.map(({ status }) => status)).toEqual(['booked', 'booked']);
  staffSay(DAY, WHOLE);
  await tenMinutes();
  expect(await appointmentsOutside(clinic.database.db, now())).toEqual([]);
});

test('what staff book over, and what they delete, is listed at the desk with both times, and marked on the day sheet', async () => {
  await tenMinutes();
  for (const date of [DAY, LATER]) expect((await book(date, '09:00')).statusCode).toBe(200);
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
  const desk = async () => {
    const { emr: stands } = (await askDesk(clinic, 'deskEmr', { cookie })).answer().extras;
    const listed = (await askDesk(clinic, 'deskOutsideEmr', { cookie })).answer().extras;
    return { count: stands?.differs, listed: listed.differs };
  };
  expect(await desk()).toEqual({ count: 0, listed: [] });

  const [over] = doctors;
  emr.staff.book({ providerId: over as ProviderId, date: DAY, start: '08:30', end: '09:30' });
  const [, deleted] = emr.busy();
  emr.staff.remove(deleted?.key ?? '');
  await sync(60);
  await sync(20);
  const other = { start: toInstant(DAY, '08:30'), end: toInstant(DAY, '09:30') };
  const patient = expect.stringMatching(/\w+, \w+/) as string;
  expect(await desk()).toMatchObject({
    count: 2,
    listed: [
      { patient, date: DAY, start: toInstant(DAY, '09:00'), why: 'overlapped', other },
      { patient, date: LATER, start: toInstant(LATER, '09:00'), why: 'lacking', other: null },
    ],
  });
  const sheet = async (date: string) =>
    (await askDesk(clinic, 'deskDay', { cookie, params: { date } }))
      .answer()
      .extras.providers.flatMap(({ appointments: shown }) => shown.map((each) => each.overlap));
  expect(await sheet(DAY)).toEqual([other]);
  expect(await sheet(LATER)).toEqual([null]);
});

test('a time on which staff booked outside of working hours is none of those', async () => {
  await tenMinutes();
  await book(DAY, '14:00');
  const [entry] = emr.busy();
  if (entry === undefined) throw new Error('It stands there');
  emr.staff.move(entry.key, { ...entry, start: '19:00', end: '19:05' });
  await sync();
  staffSay(DAY, MORNING);
  await tenMinutes();
  expect(await appointmentsOutside(clinic.database.db, now())).toEqual([]);
});
