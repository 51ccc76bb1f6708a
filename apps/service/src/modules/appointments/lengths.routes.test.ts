import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { formatTime, stepOfTime, dayTemplate, toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { violations } from '../../../testing/invariants.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import {
  appointmentType,
  providerPolicy,
  providerType,
  scheduleDay,
  slotCode,
} from '../../schema.ts';
import { appointment, appointmentStep } from './schema.ts';

const DAY = '2026-11-23';
const at = (time: string) => toInstant(DAY, time);

let clinic: TestApp;
let token: string;
let rival: string;

/** O lasts 15 minutes; 101 works from 8 to 9 and from 11 to 12. */
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
  await lasts(15);
  const newPatient = async () => signIn(clinic, { id: await aPatientRow(clinic.database) });
  [token, rival] = [await newPatient(), await newPatient()];
});
afterEach(() => clinic.close());

const write = (work: Parameters<TestApp['database']['inTransaction']>[0]) =>
  clinic.database.inTransaction(work);
const lasts = (minutes: number) =>
  write((tx) => tx.update(appointmentType).set({ minutes }).where(eq(appointmentType.code, 'O')));
const works = (from: string, to: string) =>
  write((tx) =>
    tx
      .update(scheduleDay)
      .set({ codes: dayTemplate([{ from: stepOfTime(from), to: stepOfTime(to), code: 'O' }]) })
      .where(eq(scheduleDay.clinicDate, DAY)),
  );
const slotAt = (time: string, over = {}) => ({
  start: at(time),
  end: at(time) + 300,
  doctor: '101',
  selectedType: 'O',
  ...over,
});
const hold = (time: string, by = token, over = {}) =>
  ask(clinic, 'placeHold', { token: by, body: slotAt(time, over) });
const book = (time: string, by = token, over = {}) =>
  ask(clinic, 'createBooking', { token: by, body: { ...slotAt(time), reason: 'Cough', ...over } });
const spanOf = ({ start, end }: { start: number; end: number }) =>
  `${formatTime(start)}-${formatTime(end)}`;
async function shown(by = token, query = {}) {
  const asked = { from: DAY, to: DAY, id: '101', type: 'O', ...query };
  const [day] = (await ask(clinic, 'doctorSchedule', { token: by, query: asked })).answer().extras;
  return day?.providers[0];
}
const startsOf = async (by = token) => ((await shown(by))?.schedule ?? []).map(spanOf);
const takenTimes = async () => {
  const rows = await clinic.database.db.select().from(appointmentStep);
  return rows.map(({ stepStart }) => formatTime(stepStart)).sort();
};
const MORNING = ['08:00-08:15', '08:15-08:30', '08:30-08:45', '08:45-09:00'];
const NOON = ['11:00-11:15', '11:15-11:30', '11:30-11:45', '11:45-12:00'];

describe('the schedule of a type (R-91)', () => {
  // Shows: R-91
  test('lists the starts of its length with their ends, and nothing as booked', async () => {
    await book('08:30', rival);
    const day = await shown();
    expect(day?.booked).toEqual([]);
    expect(day?.schedule[0]?.code).toBe('O');
    expect(day?.schedule.map(spanOf)).toEqual([...MORNING.slice(0, 2), MORNING[3], ...NOON]);
    const earliest = (await ask(clinic, 'earliestSlot', { token, query: { type: 'O' } })).answer();
    expect(earliest.extras.slot && spanOf(earliest.extras.slot)).toBe('11:00-11:15');
  });

  // Shows
  test('without a type lists 5-minute steps and each booked step', async () => {
    await book('08:30', rival);
    const day = await shown(token, { type: undefined });
    expect(day?.schedule.slice(0, 2).map(spanOf)).toEqual(['08:00-08:05', '08:05-08:10']);
    expect(day?.booked.map(({ start }) => formatTime(start)).sort()).toEqual([
      '08:30',
      '08:35',
      '08:40',
    ]);
  });

  // Shows: R-91
  test('shows the holder the hold with the start and end that it was made with', async () => {
    await hold('08:05');
    expect(await startsOf()).toEqual(['08:00-08:15', '08:05-08:20', ...MORNING.slice(1), ...NOON]);
    await lasts(30);
    expect(await startsOf()).toContain('08:05-08:20');
    expect(await startsOf(rival)).not.toContain('08:05-08:20');
  });

  // Shows: R-92
  test('keeps a code back until its release, as if it were booked', async () => {
    const release = { release: 'sameDay', releaseAt: '07:00' };
    await write((tx) => tx.update(slotCode).set(release).where(eq(slotCode.code, 'O')));
    expect(await startsOf()).toEqual([]);
    const steps = await shown(token, { type: undefined });
    const ofCode = steps?.schedule.filter(({ code }) => code === 'O');
    expect(steps?.booked.map(({ start }) => start)).toEqual(ofCode?.map(({ start }) => start));
    expect((await hold('08:00')).refusal().extras.code).toBe('slotNotOffered');
  });

  // Shows
  test('shows the holder no step as booked that they hold, kept back or not', async () => {
    await hold('08:05');
    const release = { release: 'sameDay', releaseAt: '07:00' };
    await write((tx) => tx.update(slotCode).set(release).where(eq(slotCode.code, 'O')));
    const bookedFor = async (by: string) => {
      const steps = (await shown(by, { type: undefined }))?.booked ?? [];
      return steps.slice(0, 5).map(({ start }) => formatTime(start));
    };
    expect(await bookedFor(token)).toEqual(['08:00', '08:20', '08:25', '08:30', '08:35']);
    expect(await bookedFor(rival)).toEqual(['08:00', '08:05', '08:10', '08:15', '08:20']);
  });

  // Shows: R-90
  test("goes at the provider's pace", async () => {
    const pace = { providerId: '101', type: 'O', offers: true, minutes: 30 };
    await write((tx) => tx.insert(providerType).values(pace));
    expect((await startsOf()).slice(0, 2)).toEqual(['08:00-08:30', '08:30-09:00']);
    await write((tx) => tx.update(providerType).set({ offers: false }));
    expect(await startsOf()).toEqual([]);
  });
});

describe('an appointment of several steps', () => {
  // Shows
  test('ends when the clinic says, takes its steps, and what the client sent is on the trail', async () => {
    const held = (await hold('08:15')).answer().extras.hold;
    expect(spanOf(held)).toBe('08:15-08:30');
    const booked = (await book('08:15')).answer().extras.appointment;
    expect(spanOf({ start: booked.startTime, end: booked.endTime })).toBe('08:15-08:30');
    expect(await takenTimes()).toEqual(['08:15', '08:20', '08:25']);
    const trail = await clinic.trail();
    const ignored = trail.filter(({ details }) => JSON.stringify(details).includes('"end"'));
    expect(ignored.map(({ action }) => action)).toEqual(['slot held', 'appointment booked']);
  });

  // Shows: R-91
  test('may be held at any step at which it fits, and nowhere that somebody has', async () => {
    expect((await hold('08:10', rival)).statusCode).toBe(200);
    expect((await hold('08:20')).refusal().extras.code).toBe('slotTaken');
    expect((await hold('08:50')).refusal().extras.code).toBe('slotNotOffered');
    expect((await hold('08:25')).statusCode).toBe(200);
    expect(await takenTimes()).toHaveLength(6);
  });

  test('takes the place of the hold that it overlaps of the same patient', async () => {
    await hold('08:00');
    expect(spanOf((await hold('08:10')).answer().extras.hold)).toBe('08:10-08:25');
    expect(await takenTimes()).toEqual(['08:10', '08:15', '08:20']);
    await hold('08:20', rival).then((refused) => expect(refused.statusCode).toBe(409));
    expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
  });

  test('leaves the hold as it was where a rival has the time', async () => {
    await hold('08:00');
    await hold('08:20', rival);
    expect((await hold('08:10')).refusal().extras.code).toBe('slotTaken');
    expect((await takenTimes()).slice(0, 3)).toEqual(['08:00', '08:05', '08:10']);
  });

  // Shows
  test('moves with the length of now, and its old time stays taken until then', async () => {
    const { id } = (await book('11:00')).answer().extras.appointment;
    await lasts(30);
    const move = { isReschedule: true, rescheduleOf: id };
    const overlapping = await book('11:10', token, move);
    expect(overlapping.refusal().extras.code).toBe('slotTaken');
    const moved = (await book('11:15', token, move)).answer().extras.appointment;
    expect(spanOf({ start: moved.startTime, end: moved.endTime })).toBe('11:15-11:45');
    expect(await takenTimes()).toEqual(['11:15', '11:20', '11:25', '11:30', '11:35', '11:40']);
    expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
  });
});

describe('a change of the schedule (R-93)', () => {
  // Shows: R-93
  test('leaves what is booked and held as it stands', async () => {
    await book('08:45', rival);
    const held = (await hold('11:00')).answer().extras.hold;
    await lasts(40);
    await works('13:00', '14:00');
    const booked = (await book('11:00')).answer().extras.appointment;
    expect(booked.endTime).toBe(held.end);
    const rows = await clinic.database.db.select().from(appointment).orderBy(appointment.start);
    expect(rows.map(({ state, start, end }) => [state, spanOf({ start, end })])).toEqual([
      ['booked', '08:45-09:00'],
      ['booked', '11:00-11:15'],
    ]);
    expect(await startsOf()).toEqual(['13:00-13:40']);
  });

  // Shows
  test('takes no time from a patient who holds it when its doctor is hidden', async () => {
    await hold('08:00');
    await write((tx) => tx.insert(providerPolicy).values({ providerId: '101', hidden: true }));
    expect(await shown()).toBeUndefined();
    expect((await hold('08:15', rival)).refusal().extras.code).toBe('doctorNotAvailable');
    const booked = (await book('08:00')).answer().extras.appointment;
    expect(spanOf({ start: booked.startTime, end: booked.endTime })).toBe('08:00-08:15');
  });
});
