import { eq, sql } from 'drizzle-orm';
import { type MockInstance, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import {
  addDays,
  formatAppointment,
  formatTime,
  startOfDay,
  toClinic,
  toInstant,
} from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../../testing/a-clinic.ts';
import { whatChanged } from '../../../../testing/schedule-answer.ts';
import { ask } from '../../../../testing/ask.ts';
import { readFact } from '../../../database/installation.store.ts';
import { violations } from '../../../../testing/invariants.ts';
import { whoIsTold } from '../../../../testing/live-socket.ts';
import { signIn } from '../../../../testing/sign-in.ts';
import { testApp } from '../../../../testing/test-app.ts';
import type { TestApp } from '../../../../testing/test-app.ts';
import { outbox, provider, providerPolicy, scheduleDay, slotCode } from '../../../schema.ts';
import {
  type EmrAppointmentId,
  type EmrDay,
  type EmrEntry,
  EmrOffline,
  EmrOutcomeUnknown,
  EmrRefused,
  type ProviderId,
  type RecordId,
} from '../../records/emr.ts';
import type { PatientId } from '../../../security/sessions.store.ts';
import { closeSchedule, expandSchedule, keepEmrSchedule } from '../../records/index.ts';
import { overlappedAppointments } from '../../appointments/in-emr/busy.store.ts';
import { cancelByClinic } from '../../appointments/cancel.ts';
import { appointment, appointmentStep, busySpan } from '../../appointments/schema.ts';
import { appointments } from '../../appointments/store.ts';
import { syncFromEmr } from './sync.ts';
import { type SyncState, emrStanding, writeSyncState } from './sync-state.ts';
import { emrBook } from '../emr-book.ts';

const DAY = '2026-11-23';
const SYNC_SECONDS = 20;
const at = (time: string, day = DAY) => toInstant(day, time);
const doctor = '101' as ProviderId;
const time = (start: string, end: string, date = DAY) => ({ providerId: doctor, date, start, end });

let clinic: TestApp;
let emr: FakeEmr;
let token: string;

beforeEach(() => open(fakeEmr({ days: null })));
afterEach(() => clinic.close());

async function open(connected: FakeEmr) {
  emr = connected;
  clinic = await testApp({ emr });
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
  token = await newPatient();
}
const newPatient = async () => signIn(clinic, { id: await aPatientRow(clinic.database) });
const sync = () => syncFromEmr({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
async function book(start: string, by = token): Promise<string> {
  const slot = { start: at(start), end: at(start) + 300, doctor: '101', selectedType: 'O' };
  const response = await ask(clinic, 'createBooking', {
    token: by,
    body: { ...slot, reason: 'Cough' },
  });
  return response.answer().extras.appointment.id;
}
async function rowOf(id: string) {
  const [row] = await clinic.database.db.select().from(appointment).where(eq(appointment.id, id));
  if (!row) throw new Error('No such appointment');
  return row;
}
async function takenTimes() {
  const steps = await clinic.database.db.select().from(appointmentStep);
  return steps.map(({ stepStart }) => formatTime(stepStart)).sort();
}
async function emails(): Promise<string[]> {
  await clinic.platform.outbox.drain();
  return clinic.mail.sent.map(({ subject, text }) => `${subject}\n${text}`);
}
const keyOf = (id: string) => `claim:${id}`;
const healthy = async () =>
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);

describe('The schedule of an EMR', () => {
  const codes = 'O'.repeat(288);
  const day = (over: Partial<EmrDay> = {}) => ({ providerId: doctor, date: DAY, codes, ...over });
  const stone = { id: doctor, firstName: 'Amelia', lastName: 'Stone', status: '1' };
  const keeping = (over: Parameters<typeof fakeEmr>[0] = {}) =>
    fakeEmr({
      providers: [stone],
      slotCodes: [{ code: 'O', description: 'Office', minutes: 10 }],
      days: [day()],
      ...over,
    });
  const daysOf = () =>
    clinic.database.db
      .select()
      .from(scheduleDay)
      .where(eq(scheduleDay.providerId, '101'))
      .orderBy(scheduleDay.clinicDate);
  const reopen = async (connected: FakeEmr) => {
    await clinic.close();
    await open(connected);
  };

  test('comes into our tables, with the time at which it was said', async () => {
    await reopen(keeping());
    await sync();
    const { db } = clinic.database;
    expect(await db.select().from(provider)).toMatchObject([{ id: '101', lastName: 'Stone' }]);
    const [code] = await db.select().from(slotCode).where(eq(slotCode.code, 'O'));
    expect(code).toMatchObject({ description: 'Office', minutes: 10, types: ['O'] });
    const days = await daysOf();
    expect(new Set(days.map(({ fetchedAt }) => fetchedAt))).toEqual(new Set([clinic.clock.now()]));
    const working = days.filter((each) => each.codes === codes);
    expect(working.map(({ clinicDate }) => clinicDate)).toEqual([DAY]);
  });

  test('has codes that serve nothing until a person has said what, whatever our presets are', async () => {
    const { database } = clinic;
    const said = [
      { code: 'D', description: 'Do not book', minutes: null },
      { code: 'V', description: 'Visits', minutes: null },
    ];
    await database.inTransaction((tx) =>
      tx.update(slotCode).set({ bound: sql`code in ('V', 'A')` }),
    );
    await keepEmrSchedule(
      database,
      { providers: [], slotCodes: said, days: [day({ codes: 'M'.repeat(288) })] },
      { from: DAY, to: DAY },
      clinic.clock.now(),
    );
    const kept = await database.db.select().from(slotCode).orderBy(slotCode.code);
    expect(kept.map(({ code, types }) => `${code} ${types.join()}`)).toEqual([
      'A PP,V,I,D,M,G',
      'D ',
      'V V',
    ]);
    const { snapshot } = await whatChanged(database.db, null);
    await keepEmrSchedule(
      database,
      { providers: [], slotCodes: said, days: [day({ codes: 'M'.repeat(288) })] },
      { from: DAY, to: DAY },
      clinic.clock.now(),
    );
    expect((await whatChanged(database.db, snapshot)).everything).toBe(false);
  });

  test('is written only where it differs', async () => {
    await reopen(keeping());
    await sync();
    const { db } = clinic.database;
    const { snapshot } = await whatChanged(db, null);
    clinic.clock.advance(1_800);
    await sync();
    expect(await whatChanged(db, snapshot)).toMatchObject({
      days: [],
      everything: false,
    });
    expect((await daysOf())[0]?.fetchedAt).toBe(clinic.clock.now());
  });

  test('stays with its time while the EMR does not answer, and goes on after it', async () => {
    await reopen(keeping());
    await sync();
    const before = await daysOf();
    emr.faults.offline = true;
    clinic.clock.advance(1_800);
    await sync();
    expect(await daysOf()).toEqual(before);
    emr.faults.offline = false;
    await sync();
    expect((await daysOf())[0]?.fetchedAt).toBe(clinic.clock.now());
  });

  test('is read as far as the EMR says at once, and goes on with the next sync', async () => {
    await reopen(keeping());
    const asked: string[] = [];
    emr.dayTemplates = async ({ from, to }) => {
      asked.push(from);
      return from === DAY
        ? { days: [], through: from }
        : { days: [day({ date: from })], through: to };
    };
    clinic.clock.advance(at('12:00') - clinic.clock.now());
    await sync();
    await sync();
    await sync();
    expect(asked).toEqual([DAY, '2026-11-24']);
    const working = (await daysOf()).filter((each) => each.codes === codes);
    expect(working.map(({ clinicDate }) => clinicDate)).toEqual(['2026-11-24']);
  });

  test('is laid over by what the clinic closes here, and neither writes over the other', async () => {
    const next = '2026-11-24';
    await reopen(keeping({ days: [day(), day({ date: next })] }));
    await sync();
    const { database, clock } = clinic;
    const closed = { providerIds: ['101'], from: startOfDay(DAY), to: startOfDay(next) };
    await database.inTransaction((tx) => closeSchedule(tx, closed, async () => []));
    const worked = async () =>
      (await daysOf()).filter((each) => each.codes === codes).map(({ clinicDate }) => clinicDate);
    await expandSchedule(database, DAY);
    expect(await worked()).toEqual([next]);
    clock.advance(1_800);
    await sync();
    expect(await worked()).toEqual([next]);
    const kept = (await daysOf()).find(({ clinicDate }) => clinicDate === DAY);
    expect(kept?.fetchedAt).toBe(clock.now());
  });

  // Shows: R-22
  test('names somebody new, who stays hidden until the desk shows them', async () => {
    const fresh = { id: '777' as ProviderId, firstName: 'New', lastName: 'Comer', status: '1' };
    await reopen(
      keeping({ providers: [stone, fresh], days: [day(), day({ providerId: fresh.id })] }),
    );
    const policies = () => clinic.database.db.select().from(providerPolicy);
    const before = await policies();
    await sync();
    const after = await policies();
    expect(
      after.filter((row) => !before.some((old) => old.providerId === row.providerId)),
    ).toMatchObject([{ providerId: '777', hidden: true, disabled: false }]);
    const db = clinic.database.db;
    await db
      .update(providerPolicy)
      .set({ hidden: false })
      .where(eq(providerPolicy.providerId, '777'));
    clinic.clock.advance(1_800);
    await sync();
    expect((await policies()).find(({ providerId }) => providerId === '777')?.hidden).toBe(false);
  });

  test('that is given up leaves the days to our templates', async () => {
    await reopen(keeping());
    await sync();
    await keepEmrSchedule(
      clinic.database,
      { providers: [], slotCodes: [], days: null },
      { from: DAY, to: DAY },
      clinic.clock.now(),
    );
    await expandSchedule(clinic.database, toClinic(clinic.clock.now()).date);
    const days = await daysOf();
    expect(days.filter((each) => each.codes === codes)).toEqual([]);
    expect(new Set(days.map(({ fetchedAt }) => fetchedAt))).toEqual(new Set([null]));
  });

  test('that keeps none leaves our templates as they are', async () => {
    const before = await daysOf();
    await sync();
    expect(await daysOf()).toEqual(before);
  });
});

describe('What staff book in an EMR', () => {
  test('is taken here as soon as it is told of, and free again when it is gone', async () => {
    await sync();
    emr.staff.book(time('08:02', '08:08'));
    await sync();
    expect(await takenTimes()).toEqual(['08:00', '08:05']);
    const [entry] = emr.busy();
    emr.staff.cancel(entry?.key ?? '');
    await sync();
    expect(await takenTimes()).toEqual([]);
    await healthy();
  });

  test('over a hold is taken as soon as that is let go, whatever the EMR tells meanwhile', async () => {
    const body = { doctor: '101', start: at('08:00'), end: at('08:05'), selectedType: 'O' };
    await ask(clinic, 'placeHold', { token, body });
    emr.staff.book(time('08:00', '08:05'));
    await sync();
    await ask(clinic, 'releaseHold', { token });
    expect(await takenTimes()).toEqual([]);
    emr.faults.offline = true;
    await sync();
    expect(await takenTimes()).toEqual(['08:00']);
  });

  test('is taken on the last day that is kept too, as soon as it is told of', async () => {
    const last = addDays(toClinic(clinic.clock.now()).date, 91);
    await sync();
    emr.staff.book(time('08:00', '08:05', last));
    await sync();
    expect(await takenTimes()).toEqual(['08:00']);
  });

  test('is found on the first sync too, and to the last minute of a day', async () => {
    emr.staff.book(time('23:50', '24:00'));
    await sync();
    expect(await takenTimes()).toEqual(['23:50', '23:55']);
  });

  test('is read of the provider alone whose day it is, and of the one it came from', async () => {
    const other = { id: '102', firstName: 'Tom', lastName: 'Baker', status: '1' };
    await clinic.database.db.insert(provider).values(other);
    await sync();
    const asked: unknown[] = [];
    const entries = emr.entries.bind(emr);
    emr.entries = async (dates, of) => {
      asked.push([dates.from, dates.to, of]);
      return entries(dates, of);
    };
    emr.staff.book(time('08:00', '08:05'));
    await sync();
    const [theirs] = emr.busy();
    const there = { providerId: '102' as ProviderId, date: '2026-11-24' };
    emr.staff.move(theirs?.key ?? '', { ...there, start: '09:00', end: '09:05' });
    await sync();
    await sync();
    expect(asked).toEqual([
      [DAY, DAY, ['101']],
      [there.date, there.date, ['102']],
      [DAY, DAY, ['101']],
    ]);
    expect(await takenTimes()).toEqual(['09:00']);
  });

  test('on very many days at once is read as the whole window is', async () => {
    await sync();
    const entries = vi.spyOn(emr, 'entries');
    for (let days = 0; days < 90; days += 1)
      emr.staff.book(time('08:00', '08:05', addDays(DAY, days)));
    await sync();
    expect(entries.mock.calls.length).toBeLessThan(5);
    expect(await takenTimes()).toHaveLength(90);
  });

  test('is no busy span where it is an appointment of ours', async () => {
    await book('08:00');
    await sync();
    expect(await clinic.database.db.$count(busySpan)).toBe(0);
    expect(await takenTimes()).toEqual(['08:00']);
  });
});

describe('What stands over an appointment of ours', () => {
  const overlapped = async () =>
    (await overlappedAppointments(clinic.database.db, clinic.clock.now())).map(({ id }) => id);
  const told = async () => {
    const trail = await clinic.trail();
    const found = trail.filter(({ action }) => action === 'appointment overlapped');
    const logged = events.mock.calls.filter(([code]) => code === 'emr-overlap');
    return [found.map(({ subject }) => subject), logged.length];
  };
  let events: MockInstance<TestApp['log']['event']>;
  beforeEach(() => {
    events = vi.spyOn(clinic.platform.log, 'event');
  });

  test('is told of once, and again once the appointment stands elsewhere', async () => {
    const id = await book('08:00');
    await sync();
    expect(await told()).toEqual([[], 0]);
    emr.staff.book(time('07:55', '08:03'));
    await sync();
    emr.staff.book(time('08:03', '08:05'));
    await sync();
    expect(await overlapped()).toEqual([id]);
    expect(await told()).toEqual([[`appointment:${id}`], 1]);
    emr.staff.move(keyOf(id), time('07:50', '08:00'));
    await sync();
    expect(await overlapped()).toEqual([id]);
    expect(await told()).toEqual([[`appointment:${id}`, `appointment:${id}`], 2]);
    await healthy();
  });

  describe('is told to the provider', () => {
    const turn = async () =>
      JSON.parse((await readFact(clinic.database.db, 'emr-sync')) ?? '') as SyncState;
    const lost = () => events.mock.calls.filter(([code]) => code === 'emr-addition-unknown').length;
    const drain = () => clinic.platform.outbox.drain();
    async function overlap(): Promise<string> {
      const id = await book('08:00');
      await sync();
      emr.staff.book(time('08:00', '08:05'));
      await sync();
      return id;
    }

    test('once, by a tickler that names the time', async () => {
      const id = await overlap();
      expect(emr.ticklers()).toEqual([]);
      for (let turns = 0; turns < 3; turns += 1) {
        await sync();
        await drain();
      }
      const text = `Another appointment overlaps the one that was booked online for ${formatAppointment(at('08:00'))} with Amelia Stone101.`;
      const { recordId } = await rowOf(id);
      const date = toClinic(clinic.clock.now()).date;
      expect(emr.ticklers()).toEqual([{ providerId: doctor, recordId, text, date }]);
    });

    test('not where it is over by then', async () => {
      await overlap();
      const theirs = emr.busy().find(({ key }) => key.startsWith('staff:'));
      emr.staff.cancel(theirs?.key ?? '');
      await sync();
      await drain();
      expect(emr.ticklers()).toEqual([]);
    });

    test('again where the EMR was offline, and wrote nothing', async () => {
      await overlap();
      const addTickler = emr.addTickler.bind(emr);
      emr.addTickler = () => Promise.reject(new EmrOffline('Not now'));
      await drain();
      emr.addTickler = addTickler;
      clinic.clock.advance(60);
      await drain();
      expect([emr.ticklers().length, lost()]).toEqual([1, 0]);
    });

    test.each(['written', 'notWritten'] as const)(
      'never again where nobody knows whether it was %s',
      async (what) => {
        await overlap();
        emr.faults.loseNextAnswer = what;
        await drain();
        await sync();
        await drain();
        expect([emr.ticklers().length, lost()]).toEqual([what === 'written' ? 1 : 0, 1]);
      },
    );

    test('also where version 0.2.0 has found it, and not told', async () => {
      const id = await overlap();
      const untold = { ...(await turn()), untold: [`${id} ${at('08:00')}`] };
      await clinic.database.inTransaction(async (tx) => {
        await tx.delete(outbox);
        await writeSyncState(tx, untold);
      });
      await sync();
      await drain();
      expect([emr.ticklers().length, (await turn()).untold]).toEqual([1, []]);
    });
  });

  test('is found of both where staff have put one of ours over another', async () => {
    const [first, second] = [await book('08:00'), await book('08:30', await newPatient())];
    await sync();
    emr.staff.move(keyOf(second), time('07:55', '08:05'));
    await sync();
    expect(await overlapped()).toEqual([second, first]);
    expect((await told())[1]).toBe(2);
  });

  test('is nothing that ends or begins as one does that staff have moved', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.move(keyOf(id), time('09:00', '09:05'));
    emr.staff.book(time('08:55', '09:00'));
    emr.staff.book(time('09:05', '09:10'));
    await sync();
    expect(await overlapped()).toEqual([]);
  });

  test('is nothing that begins as it ends, nor what stands over a hold or over what has begun', async () => {
    await book('08:00');
    const body = { doctor: '101', start: at('08:30'), end: at('08:35'), selectedType: 'O' };
    await ask(clinic, 'placeHold', { token: await newPatient(), body });
    emr.staff.book(time('07:50', '08:00'));
    emr.staff.book(time('08:05', '08:10'));
    emr.staff.book(time('08:30', '08:35'));
    await sync();
    expect(await overlapped()).toEqual([]);
    emr.staff.book(time('08:00', '08:05'));
    await sync();
    expect(await overlapped()).toHaveLength(1);
    clinic.clock.advance(at('08:00') - clinic.clock.now());
    expect(await overlapped()).toEqual([]);
  });
});

describe('What staff do in an EMR to an appointment of ours', () => {
  // Shows
  test('cancelled there is cancelled here, and its patient is told so', async () => {
    const id = await book('08:00');
    await sync();
    const told = await whoIsTold(clinic.database);
    emr.staff.cancel(keyOf(id));
    await sync();
    await sync();
    const { state, patientId } = await rowOf(id);
    expect(state).toBe('cancelled');
    expect(await told()).toEqual([`${patientId} appointments`]);
    expect(await takenTimes()).toEqual([]);
    expect((await emails()).join('\n')).toContain('the clinic had to cancel your appointment');
    const trail = await clinic.trail();
    expect(trail.at(-1)).toMatchObject({ actor: 'clinic:emr', action: 'appointment cancelled' });
  });

  // Shows
  test('made longer there keeps its time, so the clinic has not moved it', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.move(keyOf(id), time('08:00', '08:20'));
    await sync();
    expect(await rowOf(id)).toMatchObject({ end: at('08:20'), movedByClinic: false });
  });

  // Shows: R-94
  test('moved there stands there, on another day too, and its patient reads both times', async () => {
    const id = await book('08:00');
    await sync();
    const { snapshot } = await whatChanged(clinic.database.db, null);
    emr.staff.move(keyOf(id), time('09:00', '09:10', '2026-11-24'));
    await sync();
    const { days } = await whatChanged(clinic.database.db, snapshot);
    expect([...days].sort()).toEqual([DAY, '2026-11-24']);
    expect(await rowOf(id)).toMatchObject({
      state: 'booked',
      clinicDate: '2026-11-24',
      start: at('09:00', '2026-11-24'),
      end: at('09:10', '2026-11-24'),
    });
    expect(await takenTimes()).toEqual(['09:00', '09:05']);
    const told = (await emails()).find((each) => each.includes('rescheduled'));
    expect(told).toContain('The clinic had to move your appointment.');
    expect((await rowOf(id)).movedByClinic).toBe(true);
    expect(told).toMatch(/Previous time: .*8:00/);
    await sync();
    expect((await rowOf(id)).sequence).toBe(1);
    await healthy();
  });

  // Shows: R-94
  test.each([
    ['to whom no list of the EMR has', '999', DAY],
    ['beyond what is read of it', '101', '2027-04-01'],
  ])('moved %s it stands there at the next sync', async (_, providerId, date) => {
    const id = await book('08:00');
    await sync();
    const entries = emr.entries.bind(emr);
    emr.entries = async (dates, of) =>
      (await entries(dates, of)).filter((each) => each.providerId === doctor);
    const there = { ...time('09:00', '09:05', date), providerId: providerId as ProviderId };
    emr.staff.move(keyOf(id), there);
    await sync();
    expect(await rowOf(id)).toMatchObject({ providerId, clinicDate: date, state: 'booked' });
  });

  // Shows: R-94
  test('moved and cancelled between two looks is cancelled here', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.move(keyOf(id), time('09:00', '09:05', '2026-11-24'));
    emr.staff.cancel(keyOf(id));
    for (const _ of ['seen', 'followed']) await sync();
    expect((await rowOf(id)).state).toBe('cancelled');
  });

  test('noted a week later is noted here', async () => {
    const [came, missed] = [await book('08:00'), await book('08:30', await newPatient())];
    clinic.clock.set(at('23:50', '2026-11-30'));
    await sync();
    emr.staff.note(keyOf(came), 'arrived');
    emr.staff.note(keyOf(missed), 'noShow');
    await sync();
    expect([(await rowOf(came)).state, (await rowOf(missed)).state]).toEqual([
      'registered',
      'no-show',
    ]);
  });

  // Shows: R-94
  test('moved onto another one both stand, and off the grid it stands as it was put', async () => {
    const [first, second] = [await book('08:00'), await book('08:30', await newPatient())];
    await sync();
    emr.staff.move(keyOf(second), time('08:00', '08:12'));
    await sync();
    expect(await rowOf(first)).toMatchObject({ state: 'booked', start: at('08:00') });
    expect(await rowOf(second)).toMatchObject({ start: at('08:00'), end: at('08:12') });
    expect(await takenTimes()).toEqual(['08:00', '08:05', '08:10']);
    await healthy();
  });

  test('who arrived is registered, and who did not come is a no-show', async () => {
    const [came, missed] = [await book('08:00'), await book('08:30', await newPatient())];
    await sync();
    emr.staff.note(keyOf(came), 'arrived');
    emr.staff.note(keyOf(missed), 'noShow');
    await sync();
    expect((await rowOf(came)).state).toBe('registered');
    expect((await rowOf(missed)).state).toBe('no-show');
    await healthy();
  });

  test('noted as missed before it began keeps its time for as long as the EMR has it there', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.note(keyOf(id), 'noShow');
    await sync();
    expect([(await rowOf(id)).state, await takenTimes()]).toEqual(['no-show', ['08:00']]);
    emr.staff.cancel(keyOf(id));
    await sync();
    expect([(await rowOf(id)).state, await takenTimes()]).toEqual(['no-show', []]);
  });

  // Shows: R-94
  test.each([
    [
      'moved',
      (key: string) => emr.staff.move(key, time('08:30', '08:35')),
      { start: at('08:30') },
      2,
    ],
    ['cancelled', (key: string) => emr.staff.cancel(key), { state: 'cancelled' }, 2],
    ['noted', (key: string) => emr.staff.note(key, 'arrived'), { state: 'registered' }, 1],
  ] as const)(
    'right after it was booked is followed within a minute: %s',
    async (_, act, there, mails) => {
      await sync();
      const id = await book('08:00');
      await clinic.platform.outbox.drain();
      act(keyOf(id));
      for (const turn of [1, 2]) {
        clinic.clock.advance(SYNC_SECONDS);
        await sync();
        expect(turn * SYNC_SECONDS).toBeLessThan(60);
      }
      expect(await rowOf(id)).toMatchObject(there);
      expect(await emails()).toHaveLength(mails);
    },
  );

  test('moved onto another one it takes that one’s time once it is free', async () => {
    const rival = await newPatient();
    const [first, second] = [await book('08:00'), await book('08:30', rival)];
    await sync();
    emr.staff.move(keyOf(second), time('08:00', '08:05'));
    await sync();
    await ask(clinic, 'cancelAppointment', { token, params: { id: first } });
    expect(await takenTimes()).toEqual([]);
    await sync();
    expect(await takenTimes()).toEqual(['08:00']);
    await healthy();
  });

  // Shows: R-44
  test('is not what its patient does: a cancel that is under way stays theirs', async () => {
    const id = await book('08:00');
    await sync();
    emr.faults.loseNextAnswer = 'written';
    await ask(clinic, 'cancelAppointment', { token, params: { id } });
    await sync();
    expect((await rowOf(id)).state).toBe('booked');
    await sync();
    expect((await rowOf(id)).state).toBe('cancelled');
    expect((await emails()).join('\n')).not.toContain('the clinic had to cancel');
  });

  test('is left alone where the EMR does not know its key, and named once', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    const lacking = async () => (await emrStanding(clinic.database.db))?.lacking;
    for (const seconds of [60, 20, 580]) {
      clinic.clock.advance(seconds);
      await sync();
      expect([(await rowOf(id)).state, await lacking()]).toEqual(['booked', 1]);
    }
    const trail = await clinic.trail();
    const named = trail.filter(({ action }) => action === 'appointment lacking in the EMR');
    expect(named).toMatchObject([{ subject: `appointment:${id}` }]);
    emr.staff.book(time('08:00', '08:05'), keyOf(id));
    await sync();
    expect(await lacking()).toBe(0);
  });
});

describe('A row of the EMR that carries our key', () => {
  const late = (id: string) =>
    emr.book({
      ...time('08:00', '08:05'),
      key: keyOf(id),
      recordId: 'T1' as RecordId,
      type: 'O',
      reason: 'Cough',
    });

  const kept = async () => {
    const trail = await clinic.trail();
    return trail
      .filter(({ action }) => action === 'ended appointment kept in the EMR')
      .map(({ subject }) => subject);
  };
  const syncsAWhile = async () => {
    for (const seconds of [SYNC_SECONDS, SYNC_SECONDS, 1_800, 1_800]) {
      clinic.clock.advance(seconds);
      await sync();
      await clinic.platform.outbox.drain();
    }
  };

  test('and was written late, never called booked here, is cancelled there', async () => {
    const id = await book('08:00');
    await clinic.database.inTransaction(async (tx) => {
      await tx.update(appointment).set({ state: 'released' });
      await tx.delete(appointmentStep);
    });
    await sync();
    await clinic.platform.outbox.drain();
    expect([emr.busy(), await kept()]).toEqual([[], []]);
    expect(await rowOf(id)).toMatchObject({ state: 'released' });
    await syncsAWhile();
    expect(await takenTimes()).toEqual([]);
  });

  // Shows: R-94
  test('and was given up while it was being written ends with the next sync, and staff may put it back after that', async () => {
    const body = { start: at('08:00'), end: at('08:05'), doctor: '101', selectedType: 'O' };
    emr.faults.loseNextAnswer = 'notWritten';
    await ask(clinic, 'createBooking', { token, body: { ...body, reason: 'Cough' } });
    const [held] = await clinic.database.db.select().from(appointment);
    const id = held?.id ?? '';
    await ask(clinic, 'releaseHold', { token, query: { confirming: 'true' } });
    await clinic.platform.outbox.drain();
    await late(id);
    clinic.clock.advance(SYNC_SECONDS);
    await sync();
    expect([emr.busy(), (await rowOf(id)).state]).toEqual([[], 'released']);
    emr.staff.book(time('08:00', '08:05'), keyOf(id));
    await syncsAWhile();
    await syncsAWhile();
    expect([emr.busy().length, await takenTimes()]).toEqual([1, ['08:00']]);
    expect(await kept()).toEqual([`appointment:${id}`]);
    await healthy();
  });

  // Shows: R-94
  test.each([
    [
      'its patient has cancelled',
      'cancelled',
      (id: string) => ask(clinic, 'cancelAppointment', { token, params: { id } }),
    ],
    [
      'was noted as missed',
      'no-show',
      async (id: string) => {
        emr.staff.note(keyOf(id), 'noShow');
        await sync();
        emr.staff.cancel(keyOf(id));
      },
    ],
  ] as const)('and %s stands where staff have put it back: they win', async (_, state, end) => {
    const id = await book('08:00');
    await sync();
    await end(id);
    emr.staff.book(time('08:00', '08:05'), keyOf(id));
    const cancel = vi.spyOn(emr, 'cancel');
    await syncsAWhile();
    // The EMR is silent about it at one reading of the whole window: it is named once all the same.
    const silence = vi.spyOn(emr, 'findByKey').mockImplementation((key) => {
      silence.mockRestore();
      return Promise.reject(new EmrOutcomeUnknown(key));
    });
    await syncsAWhile();
    expect(emr.busy()).toHaveLength(1);
    expect(cancel).not.toHaveBeenCalled();
    expect([(await rowOf(id)).state, await takenTimes()]).toEqual([state, ['08:00']]);
    expect(await kept()).toEqual([`appointment:${id}`]);
    await healthy();
  });

  test('and was missed, and put back once its time had come, is not named', async () => {
    const id = await book('08:00');
    clinic.clock.set(at('08:00'));
    await sync();
    for (const state of ['noShow', 'booked'] as const) {
      emr.staff.note(keyOf(id), state);
      await sync();
    }
    expect([(await rowOf(id)).state, await kept()]).toEqual(['no-show', []]);
  });

  test('and ended here while it was read is not named, and its time is free', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.note(keyOf(id), 'booked');
    const entries = emr.entries.bind(emr);
    emr.entries = async (dates, of) => {
      const read = await entries(dates, of);
      await ask(clinic, 'cancelAppointment', { token, params: { id } });
      return read;
    };
    await sync();
    expect([emr.busy(), await takenTimes(), await kept()]).toEqual([[], [], []]);
  });

  test('and that the outbox is still to cancel there is left to that: it takes time until then', async () => {
    const id = await book('08:00');
    await sync();
    emr.faults.offline = true;
    const own = { id, patientId: (await rowOf(id)).patientId as PatientId, recordId: '' };
    const who = { actor: 'clinic:test', now: clinic.clock.now() };
    const ports = { ...clinic.platform, appointments, emrBook };
    expect(await cancelByClinic(ports, own, who)).toBe('cancelSent');
    emr.faults.offline = false;
    clinic.clock.advance(1_800);
    await sync();
    expect([emr.busy().length, await takenTimes(), await kept()]).toEqual([1, ['08:00'], []]);
    await syncsAWhile();
    expect([emr.busy(), await takenTimes(), await kept()]).toEqual([[], [], []]);
  });

  test('and is unknown here is only taken time: nobody here gave it up', async () => {
    await late(crypto.randomUUID());
    await sync();
    expect(emr.busy()).toHaveLength(1);
    expect(await takenTimes()).toEqual(['08:00']);
  });

  test('and is a copy that staff made of ours is theirs: it takes time, and ours stays where it is', async () => {
    const id = await book('08:00');
    const [before] = emr.busy();
    const copy: EmrEntry = {
      ...time('09:00', '09:05', '2026-11-24'),
      id: 'copy' as EmrAppointmentId,
      key: keyOf(id),
      state: 'booked',
    };
    const entries = emr.entries.bind(emr);
    emr.entries = async (dates, of) => {
      const asked = dates.from <= copy.date && copy.date <= dates.to;
      return [...(await entries(dates, of)), ...(asked ? [copy] : [])];
    };
    const said = await emails();
    await sync();
    expect(await rowOf(id)).toMatchObject({ start: at('08:00'), state: 'booked' });
    expect(emr.busy()).toEqual([before]);
    expect(await clinic.database.db.select().from(busySpan)).toMatchObject([
      { sourceId: 'copy', start: at('09:00', '2026-11-24') },
    ]);
    expect(await emails()).toEqual(said);
  });
});

describe('One entry that nothing can be done with', () => {
  const failing = (id: string, failure: Error) => {
    const findByKey = emr.findByKey.bind(emr);
    emr.findByKey = async (key) => {
      if (key === keyOf(id)) throw failure;
      return findByKey(key);
    };
    return () => Object.assign(emr, { findByKey });
  };
  // Shows: R-94
  test.each([
    ['does not say what it has of it', new EmrOutcomeUnknown('claim')],
    ['does not let it be read', new EmrRefused('Not allowed')],
    ['cannot be understood about it', new Error('An answer that nobody can read')],
  ])('keeps no other waiting, and does not close the clinic: the EMR %s', async (_, failure) => {
    const [broken, moved] = [await book('08:00'), await book('08:30', await newPatient())];
    await sync();
    const mended = failing(broken, failure);
    emr.staff.move(keyOf(broken), time('10:00', '10:05'));
    emr.staff.move(keyOf(moved), time('09:00', '09:05'));
    for (let turn = 0; turn < 2; turn += 1) {
      clinic.clock.advance(SYNC_SECONDS);
      await sync();
    }
    expect((await rowOf(moved)).start).toBe(at('09:00'));
    expect((await ask(clinic, 'recordsStatus')).answer()).toEqual({ success: true, status: true });
    mended();
    await sync();
    expect((await rowOf(broken)).start).toBe(at('10:00'));
  });

  test('and that ended here takes its time, and is asked for with the whole window alone', async () => {
    const id = await book('08:00');
    await sync();
    await ask(clinic, 'cancelAppointment', { token, params: { id } });
    emr.staff.book(time('08:00', '08:05'), keyOf(id));
    failing(id, new EmrOutcomeUnknown('claim'));
    const looks = vi.spyOn(emr, 'findByKey');
    for (const [seconds, asked] of [
      [SYNC_SECONDS, 1],
      [SYNC_SECONDS, 1],
      [1_800, 2],
    ] as const) {
      clinic.clock.advance(seconds);
      await sync();
      expect([looks.mock.calls.length, await takenTimes()]).toEqual([asked, ['08:00']]);
    }
  });

  test('keeps no other waiting: staff have moved it to where it would not last', async () => {
    const [broken, moved] = [await book('08:00'), await book('08:30', await newPatient())];
    await sync();
    emr.staff.move(keyOf(broken), time('10:00', '10:00'));
    emr.staff.move(keyOf(moved), time('09:00', '09:05'));
    await sync();
    expect((await rowOf(broken)).start).toBe(at('08:00'));
    expect((await rowOf(moved)).start).toBe(at('09:00'));
    emr.staff.move(keyOf(broken), time('10:00', '10:05'));
    await sync();
    expect((await rowOf(broken)).start).toBe(at('10:00'));
  });
});

test('what staff moved twice stands where they put it last, although the first was read before', async () => {
  const id = await book('08:00');
  await sync();
  emr.staff.move(keyOf(id), time('09:00', '09:05'));
  const inTransaction = clinic.database.inTransactionOrConflict.bind(clinic.database);
  const entries = emr.entries.bind(emr);
  emr.entries = async (dates, of) => {
    const read = await entries(dates, of);
    emr.entries = entries;
    // Its patient presses between what is read and what is followed.
    clinic.platform.database.inTransactionOrConflict = async (work) => {
      clinic.platform.database.inTransactionOrConflict = inTransaction;
      emr.staff.move(keyOf(id), time('10:00', '10:05'));
      await ask(clinic, 'cancelAppointment', { token, params: { id } });
      return inTransaction(work);
    };
    return read;
  };
  await sync();
  expect((await rowOf(id)).start).toBe(at('10:00'));
  await sync();
  expect(await rowOf(id)).toMatchObject({ start: at('10:00'), sequence: 1 });
});

describe('An EMR that does not answer', () => {
  const status = async () => (await ask(clinic, 'recordsStatus')).answer();
  const missed = async () => {
    clinic.clock.advance(SYNC_SECONDS);
    await sync();
  };

  // Shows: R-94
  test('is offline after two syncs in a row, and online after one that it answers', async () => {
    await sync();
    const asOf = clinic.clock.now();
    emr.faults.offline = true;
    await missed();
    emr.faults.offline = false;
    await missed();
    emr.faults.offline = true;
    await missed();
    expect(await status()).toEqual({ success: true, status: true });
    await missed();
    expect(await status()).toEqual({
      success: true,
      status: true,
      extras: { asOf: asOf + 2 * SYNC_SECONDS },
    });
    emr.faults.offline = false;
    await missed();
    expect(await status()).toEqual({ success: true, status: true });
  });

  // Shows: R-70, 7.services.2
  test('closes the clinic to patients after an hour, and not before', async () => {
    emr.faults.offline = true;
    await sync();
    await missed();
    clinic.clock.advance(3_600 - 2 * SYNC_SECONDS);
    await sync();
    expect((await status()).status).toBe(true);
    await missed();
    expect(await status()).toEqual({ success: false, status: false });
  });

  test('is not known to be offline where nobody asks it any more', async () => {
    emr.faults.offline = true;
    await sync();
    await missed();
    clinic.clock.advance(601);
    expect(await status()).toEqual({ success: true, status: true });
  });

  test.each(['changedSince', 'providers', 'slotCodes', 'dayTemplates', 'entries'] as const)(
    'and is silent is waited for 8 seconds: %s',
    async (question) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        for (let turn = 0; turn < 2; turn += 1) {
          const asked = Promise.withResolvers<void>();
          emr[question] = () => {
            asked.resolve();
            return new Promise<never>(() => undefined);
          };
          const syncing = sync();
          await asked.promise;
          await vi.advanceTimersByTimeAsync(8_000);
          await syncing;
        }
      } finally {
        vi.useRealTimers();
      }
      expect((await status()).extras?.asOf).toBe(clinic.clock.now());
    },
  );
});

describe('Two processes', () => {
  test('do not sync at once; one that died is replaced', async () => {
    await sync();
    emr.staff.book(time('08:00', '08:05'));
    const changedSince = emr.changedSince.bind(emr);
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    emr.changedSince = async (cursor) => {
      asked.resolve();
      await answered.promise;
      return changedSince(cursor);
    };
    const first = sync();
    await asked.promise;
    emr.changedSince = changedSince;
    await sync();
    expect(await takenTimes()).toEqual([]);
    clinic.clock.advance(16);
    await sync();
    expect(await takenTimes()).toEqual(['08:00']);
    answered.resolve();
    await first;
    expect(await clinic.database.db.$count(busySpan)).toBe(1);
  });
});
