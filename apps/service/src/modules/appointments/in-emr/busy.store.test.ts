import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { dayTemplate, formatTime, stepOfTime, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, aPatientRow } from '../../../../testing/a-clinic.ts';
import { whatChanged } from '../../../../testing/schedule-answer.ts';
import { ask } from '../../../../testing/ask.ts';
import { violations } from '../../../../testing/invariants.ts';
import { signIn } from '../../../../testing/sign-in.ts';
import { testApp } from '../../../../testing/test-app.ts';
import type { TestApp } from '../../../../testing/test-app.ts';
import { appointmentType, scheduleDay } from '../../../schema.ts';
import { slotChangesSince } from '../../schedule/store.ts';
import {
  type BusySpan,
  deleteBusySpans,
  replaceBusySpans,
  assignFreedTimeSteps,
} from './busy.store.ts';
import { takenTime } from '../listed.store.ts';
import { appointmentStep, busySpan } from '../schema.ts';

const DAY = '2026-11-23';
const at = (time: string) => toInstant(DAY, time);
const busy = (from: string, to: string, sourceId = 's1'): BusySpan => ({
  sourceId,
  providerId: '101',
  clinicDate: DAY,
  start: at(from),
  end: at(to),
});

let clinic: TestApp;
let token: string;

/** O lasts 15 minutes; 101 works from 8 to half past 9. */
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
  const codes = dayTemplate([{ from: stepOfTime('08:00'), to: stepOfTime('09:30'), code: 'O' }]);
  await clinic.database.inTransaction(async (tx) => {
    await tx.update(appointmentType).set({ minutes: 15 }).where(eq(appointmentType.code, 'O'));
    await tx.update(scheduleDay).set({ codes }).where(eq(scheduleDay.clinicDate, DAY));
  });
  token = await newPatient();
});
afterEach(() => clinic.close());

const newPatient = async () => signIn(clinic, { id: await aPatientRow(clinic.database) });
const keep = (...spans: BusySpan[]) =>
  clinic.database.inTransaction((tx) =>
    replaceBusySpans(tx, { providerId: '101', from: DAY, to: DAY }, spans, () =>
      crypto.randomUUID(),
    ),
  );
const takeFreed = () => clinic.database.inTransaction((tx) => assignFreedTimeSteps(tx, NOW));
async function startsOf() {
  const query = { from: DAY, to: DAY, id: '101', type: 'O' };
  const [day] = (await ask(clinic, 'doctorSchedule', { token, query })).answer().extras;
  return day?.providers[0]?.schedule.map(({ start }) => formatTime(start));
}
const slot = (time: string) => ({
  doctor: '101',
  start: at(time),
  end: at(time) + 900,
  selectedType: 'O',
});
async function hold(time: string, by = token) {
  const response = await ask(clinic, 'placeHold', { token: by, body: slot(time) });
  return response.statusCode === 200 ? 'held' : response.refusal().extras.code;
}
async function book(time: string, by = token) {
  const body = { ...slot(time), reason: 'Cough' };
  const response = await ask(clinic, 'createBooking', { token: by, body });
  return response.statusCode === 200
    ? response.answer().extras.appointment.id
    : response.refusal().extras.code;
}
const stepsOf = async (sourceId: string) => {
  const { db } = clinic.database;
  const rows = await db
    .select({ start: appointmentStep.stepStart })
    .from(appointmentStep)
    .innerJoin(busySpan, eq(busySpan.id, appointmentStep.appointmentId))
    .where(eq(busySpan.sourceId, sourceId));
  return rows.map(({ start }) => formatTime(start)).sort();
};

describe('what only the EMR knows to be taken', () => {
  // Shows: R-91
  test('hides starts and moves none; the first step after it is one', async () => {
    expect(await startsOf()).toEqual(['08:00', '08:15', '08:30', '08:45', '09:00', '09:15']);
    await keep(busy('08:30', '08:40'));
    expect(await startsOf()).toEqual(['08:00', '08:15', '08:40', '08:45', '09:00', '09:15']);
    await keep(busy('08:00', '08:05'));
    expect(await startsOf()).toEqual(['08:05', '08:15', '08:30', '08:45', '09:00', '09:15']);
  });

  // Shows: R-91
  test('is passed by in the search for the earliest time', async () => {
    await keep(busy('00:00', '09:20'));
    clinic.clock.set(at('07:00'));
    token = await newPatient();
    const query = { type: 'O', id: '101' };
    const { extras } = (await ask(clinic, 'earliestSlot', { token, query })).answer();
    expect(extras.slot?.start).not.toBe(at('09:20'));
    await keep(busy('00:00', '09:10'));
    const next = (await ask(clinic, 'earliestSlot', { token, query })).answer();
    expect(next.extras.slot?.start).toBe(at('09:10'));
  });

  test('is taken to whoever holds or books, however little of the time it has', async () => {
    await keep(busy('08:30', '08:35'));
    for (const time of ['08:20', '08:25', '08:30']) {
      expect(await hold(time)).toBe('slotTaken');
      expect(await book(time)).toBe('slotTaken');
    }
    expect(await hold('08:35')).toBe('held');
  });

  test('is heard of on its days, and in open grids, when it comes, moves and goes', async () => {
    const { db } = clinic.database;
    const heard = async (work: () => Promise<unknown>) => {
      const before = await whatChanged(db, null);
      await work();
      const { days, everything } = await whatChanged(db, before.snapshot);
      const { slots } = await slotChangesSince(db, takenTime, before.snapshot, NOW);
      return [days, everything, slots.map(({ start, state }) => `${formatTime(start)} ${state}`)];
    };
    expect(await heard(() => keep(busy('08:00', '08:05')))).toEqual([
      [DAY],
      false,
      ['08:00 taken'],
    ]);
    expect(await heard(() => keep(busy('08:05', '08:10')))).toEqual([
      [DAY],
      false,
      ['08:00 freed', '08:05 taken'],
    ]);
    expect(await heard(() => keep(busy('08:05', '08:10')))).toEqual([[], false, []]);
    expect(await heard(() => keep())).toEqual([[DAY], false, ['08:05 freed']]);
  });

  test('leaves an appointment of ours its time, and takes it once that ends, from lists too', async () => {
    const id = await book('08:15');
    await keep(busy('08:20', '08:35'));
    expect(await stepsOf('s1')).toEqual(['08:30']);
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
    await ask(clinic, 'cancelAppointment', { token, params: { id } });
    expect(await startsOf()).toContain('08:15');
    await takeFreed();
    expect(await stepsOf('s1')).toEqual(['08:20', '08:25', '08:30']);
    expect(await startsOf()).not.toContain('08:15');
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
  });

  test('gives what two have in common to the one that stays', async () => {
    await keep(busy('08:00', '08:10'));
    await keep(busy('08:00', '08:10'), busy('08:05', '08:15', 's2'));
    expect([await stepsOf('s1'), await stepsOf('s2')]).toEqual([['08:00', '08:05'], ['08:10']]);
    await keep(busy('08:05', '08:15', 's2'));
    await takeFreed();
    expect(await stepsOf('s2')).toEqual(['08:05', '08:10']);
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
  });

  test('is written only where it differs', async () => {
    expect(await keep(busy('08:00', '08:10'))).toBe(1);
    expect(await keep(busy('08:00', '08:10'))).toBe(0);
    expect(await keep(busy('08:00', '08:15'))).toBe(2);
    expect(await keep()).toBe(1);
  });

  test('is forgotten when its day is over', async () => {
    await keep(busy('08:00', '08:10'));
    await clinic.database.inTransaction((tx) => deleteBusySpans(tx, DAY));
    expect(await clinic.database.db.$count(busySpan)).toBe(1);
    await clinic.database.inTransaction((tx) => deleteBusySpans(tx, '2026-11-24'));
    expect(await clinic.database.db.$count(busySpan)).toBe(0);
    expect(await clinic.database.db.$count(appointmentStep)).toBe(0);
  });
});
