import { currentAgreement } from '@clinic/contract/agreements';
import { addDays, toInstant } from '@clinic/domain';
import type { StaffRole } from '@clinic/domain';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskClinic, deskSession } from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aPatient,
  aProvider,
  ask,
  datesFromToday,
  scheduleFor,
  signIn,
} from '../../../../testing/index.ts';
import { appointment } from '../../../schema.ts';

const TODAY = '2026-11-21';
let clinic: TestApp;
let casey: PatientRow;
let bea: PatientRow;
/** Dr. Stone is provider 101. */
let stone: string;
let robin: string;

beforeEach(async () => {
  ({ clinic, casey, cookie: robin } = await deskClinic());
  bea = await aPatient(clinic, { firstName: 'Bea', lastName: 'Roy', recordId: 'B7' });
  stone = await as('clinician', { providerId: '101' });
  await aProvider(clinic, { id: '102', firstName: 'Noah', lastName: 'Reyes' });
  await scheduleFor(clinic, '102', datesFromToday(10), { O: ['10:00-11:00'] });
});
afterEach(() => clinic.close());

const as = async (role: StaffRole, over = {}) =>
  deskSession(clinic, await aStaffMember(clinic, role, over));
const own = async (date = TODAY, headers = {}) =>
  (await askDesk(clinic, 'deskOwnDay', { cookie: stone, params: { date }, headers })).answer()
    .extras;
const sayLate = (minutes: number, cookie = stone) =>
  askDesk(clinic, 'deskSayLate', { cookie, body: { minutes } });
const sheetOf = async (date = TODAY) =>
  (await askDesk(clinic, 'deskDay', { cookie: robin, params: { date } })).answer().extras.providers;

async function booked(patient: PatientRow, doctor: string, date: string, time: string) {
  const start = toInstant(date, time);
  const token = await signIn(clinic, patient);
  const slot = { start, end: start + 300, doctor, selectedType: 'O' };
  await ask(clinic, 'placeHold', { token, body: slot });
  (await ask(clinic, 'createBooking', { token, body: { ...slot, reason: 'A cough' } })).answer();
  const [row] = await clinic.database.db
    .select()
    .from(appointment)
    .where(and(eq(appointment.start, start), eq(appointment.providerId, doctor)));
  return row?.id ?? '';
}

describe('The own day of a clinician (S-18)', () => {
  // Shows: S-18, R-135
  test('has their own patients alone, in order, with how far they have come', async () => {
    const later = await booked(casey, '101', TODAY, '11:30');
    const first = await booked(bea, '101', TODAY, '11:00');
    await booked(await aPatient(clinic), '102', TODAY, '10:00');
    const now = clinic.clock.now();
    const noted = { cookie: robin, params: { id: later }, body: { to: 'arrived' } };
    (await askDesk(clinic, 'deskNoteAttendance', noted)).answer();
    const { providerId, appointments, lateMinutes } = await own();
    expect({ providerId, lateMinutes }).toEqual({ providerId: '101', lateMinutes: 0 });
    const start = toInstant(TODAY, '11:00');
    expect(appointments).toEqual([
      {
        id: first,
        patient: 'Roy, Bea',
        type: 'O',
        description: 'In-person visit',
        start,
        end: start + 300,
        attendance: 'expected',
        arrivedAt: null,
        inRoomAt: null,
        next: ['arrived'],
      },
      expect.objectContaining({
        id: later,
        patient: 'Morgan, Casey',
        attendance: 'arrived',
        arrivedAt: now,
        next: ['inRoom', 'expected'],
      }),
    ]);
  });

  // Shows: S-18, R-135
  test('is one row of the trail for each look, and a refresh one for whom it shows newly', async () => {
    await booked(casey, '101', TODAY, '11:30');
    await booked(await aPatient(clinic), '101', addDays(TODAY, 1), '11:00');
    await own();
    await booked(bea, '101', TODAY, '11:00');
    await own(TODAY, { 'x-background': '1' });
    await own(TODAY, { 'x-background': '1' });
    expect(await clinic.trail('own days shown')).toMatchObject([
      { subject: `day:${TODAY}`, details: { found: [casey.recordId] } },
      { details: { found: ['B7'] } },
    ]);
  });
});

describe('Running late (S-18)', () => {
  // Shows: S-18, R-135
  test('is said by the clinician, stands on the day sheet, and ends with the day or when they say so', async () => {
    const late = async () => (await sheetOf()).map(({ id, lateMinutes }) => [id, lateMinutes]);
    const before = await late();
    expect(before).toEqual([
      ['102', undefined],
      ['101', undefined],
    ]);
    (await sayLate(45)).answer();
    (await sayLate(20)).answer();
    expect(await late()).toEqual([before[0], ['101', 20]]);
    expect((await own()).lateMinutes).toBe(20);
    expect((await sheetOf(addDays(TODAY, 1))).every((each) => !each.lateMinutes)).toBe(true);
    (await sayLate(0)).answer();
    expect(await late()).toEqual(before);
    (await sayLate(30)).answer();
    clinic.clock.advance(86_400);
    stone = await as('clinician', { providerId: '101' });
    robin = await as('receptionist');
    expect((await own(addDays(TODAY, 1))).lateMinutes).toBe(0);
    expect((await sheetOf(addDays(TODAY, 1))).every((each) => !each.lateMinutes)).toBe(true);
    expect((await clinic.trail('running late said')).map(({ details }) => details)).toEqual([
      { minutes: 45 },
      { minutes: 20 },
      { minutes: 0 },
      { minutes: 30 },
    ]);
    expect((await sayLate(241)).statusCode).toBe(422);
    expect((await sayLate(20, robin)).code()).toBe('notAllowed');
  });
});

describe('A clinician books (S-18)', () => {
  const options = (id: string) =>
    askDesk(clinic, 'deskBookingOptions', { cookie: stone, params: { id } });
  const times = (id: string, over = {}) =>
    askDesk(clinic, 'deskFreeTimes', {
      cookie: stone,
      params: { id },
      body: { type: 'O', from: TODAY, ...over },
    });
  const book = (id: string, providerId = '101', time = '12:00') =>
    askDesk(clinic, 'deskBook', {
      cookie: stone,
      params: { id },
      body: {
        type: 'O',
        providerId,
        start: toInstant(addDays(TODAY, 3), time),
        overrideReason: 'clinician',
      },
    });

  // Shows: S-18, R-135
  test('for their own patients in their own time, and undoes it', async () => {
    await booked(casey, '101', TODAY, '11:00');
    await booked(casey, '102', addDays(TODAY, 2), '10:00');
    const { providers, upcoming } = (await options(casey.id)).answer().extras;
    expect(providers).toEqual([{ id: '101', name: 'Dr. A. Stone' }]);
    expect(upcoming.map(({ provider }) => provider)).toEqual(['Dr. A. Stone']);
    const offered = (await times(casey.recordId)).answer().extras;
    expect(offered.times.length).toBeGreaterThan(0);
    const whose = [...offered.times, ...offered.walkIns].map(({ doctor }) => doctor);
    expect(new Set(whose)).toEqual(new Set(['101']));
    const made = (await book(casey.recordId)).answer().extras;
    const consents = { cookie: stone, params: { id: made.id } };
    (await askDesk(clinic, 'deskConsents', consents)).answer();
    const undo = { cookie: stone, params: { act: made.undo?.act ?? '' }, body: {} };
    (await askDesk(clinic, 'deskUndo', undo)).answer();
  });

  // Shows: S-18, R-135
  test('for nobody else, nor in the time of others: they are to them as a record that is not there', async () => {
    const theirs = await booked(bea, '102', TODAY, '10:00');
    await booked(casey, '101', TODAY, '11:00');
    const none: unknown = (await options('nobody')).json();
    for (const id of [bea.id, 'B7']) {
      const asked = [await options(id), await times(id), await book(id)];
      for (const each of asked) {
        expect(each.statusCode).toBe(404);
        expect(each.json()).toEqual(none);
      }
    }
    expect((await times(casey.id, { providerId: '102' })).json()).toEqual(none);
    expect((await book(casey.id, '102', '10:00')).json()).toEqual(none);
    const consents = { cookie: stone, params: { id: theirs } };
    expect((await askDesk(clinic, 'deskConsents', consents)).json()).toEqual(none);
    const { version, hash } = currentAgreement('general');
    const texts = { ...consents, body: { texts: [{ kind: 'general', version, hash }] } };
    expect((await askDesk(clinic, 'deskNoteConsents', texts)).json()).toEqual(none);
  });

  // Shows: S-18, R-135
  test('moves nothing and looks for nobody', async () => {
    const id = await booked(casey, '101', TODAY, '11:00');
    const start = toInstant(addDays(TODAY, 3), '12:00');
    const move = { cookie: stone, params: { id }, body: { providerId: '101', start } };
    expect((await askDesk(clinic, 'deskMoveAppointment', move)).code()).toBe('notAllowed');
    const find = { cookie: stone, body: { text: 'Morgan' } };
    expect((await askDesk(clinic, 'deskFindPatients', find)).code()).toBe('notAllowed');
  });
});
