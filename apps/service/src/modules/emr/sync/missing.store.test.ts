import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { addDays, toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../../testing/a-clinic.ts';
import { ask } from '../../../../testing/ask.ts';
import { violations } from '../../../../testing/invariants.ts';
import { signIn } from '../../../../testing/sign-in.ts';
import { type TestApp, testApp } from '../../../../testing/test-app.ts';
import { sql as named } from '../../../database/db.ts';
import {
  type EmrAppointmentId,
  EmrOffline,
  EmrOutcomeUnknown,
  EmrRefused,
  type ProviderId,
} from '../../records/emr.ts';
import { resolveUnknown } from '../confirm.ts';
import { decideMissing } from './missing.ts';
import { undecidedMissing } from './missing.store.ts';
import { appointment } from '../../appointments/schema.ts';
import { appointments } from '../../appointments/store.ts';
import { syncFromEmr } from './sync.ts';
import { emrStanding } from './sync-state.ts';
import { emrBook } from '../emr-book.ts';

const DAY = '2026-11-23';
const FAR = '2026-12-07';
const doctor = '101' as ProviderId;
const SYNC_SECONDS = 20;
const STAFF = '00000000-0000-4000-8000-00000000000a';

let clinic: TestApp;
let emr: FakeEmr;
let token: string;

beforeEach(async () => {
  emr = fakeEmr({ days: null });
  clinic = await testApp({ emr });
  await aClinic(clinic.database, { providers: [{ id: '101' }, { id: '102' }], days: 40 });
  token = await newPatient();
  await sync();
});
afterEach(() => clinic.close());

const newPatient = async () => signIn(clinic, { id: await aPatientRow(clinic.database) });
const ports = () => ({ ...clinic.platform, appointments, emrBook });
const now = () => clinic.clock.now();
const sync = () => syncFromEmr(ports(), now());
const keyOf = (id: string) => `claim:${id}`;

async function book(start: string, { date = DAY, by = token } = {}): Promise<string> {
  const at = toInstant(date, start);
  const body = { start: at, end: at + 300, doctor: '101', selectedType: 'O', reason: 'Cough' };
  return (await ask(clinic, 'createBooking', { token: by, body })).answer().extras.appointment.id;
}
/** Turns of the sync for so many seconds. */
async function passes(seconds: number, everySeconds = SYNC_SECONDS): Promise<void> {
  for (let passed = 0; passed < seconds; passed += everySeconds) {
    clinic.clock.advance(everySeconds);
    await sync();
  }
}
async function rowOf(id: string) {
  const [row] = await clinic.database.db.select().from(appointment).where(eq(appointment.id, id));
  if (!row) throw new Error('No such appointment');
  return row;
}
const ownOf = async (id: string) => {
  const { patientId, providerId, start, end, state } = await rowOf(id);
  return { id, patientId, providerId, start, end, state } as Parameters<typeof decideMissing>[1];
};
const decide = async (id: string, is: 'kept' | 'cancelled') =>
  decideMissing(ports(), await ownOf(id), is, { by: STAFF, now: now() });
const stateOf = async (id: string) => (await rowOf(id)).state;
async function listed(): Promise<string[]> {
  const rows = await named<{ id: string }>(clinic.database.db)`
    select id from ${undecidedMissing(now())} g order by listed_at_s, id`;
  return rows.map(({ id }) => id);
}
async function emails(): Promise<string[]> {
  await clinic.platform.outbox.drain();
  return clinic.mail.sent.map(({ subject, text }) => `${subject}\n${text}`);
}
const byClinic = async () =>
  (await emails()).filter((mail) => mail.includes('the clinic had to cancel'));
const actions = async () => (await clinic.trail()).map(({ action }) => action);
const healthy = async () => expect(await violations(clinic.database.db, now())).toEqual([]);

describe('A row of ours that staff delete in the EMR', () => {
  // Shows: R-120
  test('is missed within a minute, and stands on the desk’s list once two looks have missed it', async () => {
    const id = await book('08:00');
    await sync();
    const said = vi.spyOn(clinic.platform.realtime, 'sayToDesk');
    emr.staff.remove(keyOf(id));
    await passes(60);
    // Two looks within a second are one.
    await sync();
    expect(await listed()).toEqual([]);
    expect(said).not.toHaveBeenCalled();
    await passes(20);
    expect(await listed()).toEqual([id]);
    expect(said).toHaveBeenCalledTimes(1);
    expect([await stateOf(id), await byClinic()]).toEqual(['booked', []]);
  });

  // Shows
  test('is cancelled after ten minutes in which nobody decides, told to its patient and paid back', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(80);
    await passes(580);
    expect([await stateOf(id), await listed()]).toEqual(['booked', [id]]);
    await passes(20);
    expect([await stateOf(id), await listed()]).toEqual(['cancelled', []]);
    expect(await byClinic()).toHaveLength(1);
    await passes(120);
    expect(await byClinic()).toHaveLength(1);
    await healthy();
  });

  // Shows: R-120
  test('weeks ahead is told within the hour', async () => {
    const id = await book('08:00', { date: FAR });
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(3_600);
    expect([await stateOf(id), (await byClinic()).length]).toEqual(['cancelled', 1]);
  });

  test('weeks ahead, its day is not read each minute', async () => {
    await book('08:00', { date: FAR });
    await sync();
    const entries = vi.spyOn(emr, 'entries');
    await passes(300);
    expect(entries).not.toHaveBeenCalled();
  });

  test.each([
    ['on another day', { providerId: doctor, date: '2026-11-24' }],
    ['with another doctor', { providerId: '102' as ProviderId, date: DAY }],
  ])('and paste %s was moved', async (_, there) => {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(200);
    emr.staff.book({ ...there, start: '09:00', end: '09:05' }, keyOf(id));
    await passes(20);
    expect(await rowOf(id)).toMatchObject({
      state: 'booked',
      providerId: there.providerId,
      start: toInstant(there.date, '09:00'),
    });
    expect(await listed()).toEqual([]);
    await passes(900);
    expect([await stateOf(id), await byClinic()]).toEqual(['booked', []]);
  });

  test('and paste back where it stood leaves the desk’s list, and is missed anew when it goes again', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(300);
    const place = { providerId: doctor, date: DAY, start: '08:00', end: '08:05' };
    emr.staff.book(place, keyOf(id));
    await passes(20);
    expect(await listed()).toEqual([]);
    emr.staff.remove(keyOf(id));
    await passes(500);
    expect([await stateOf(id), await listed()]).toEqual(['booked', [id]]);
  });

  test('and paste after it was cancelled is theirs: its patient was told', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(700);
    const place = { providerId: doctor, date: DAY, start: '08:00', end: '08:05' };
    emr.staff.book(place, keyOf(id));
    await passes(60);
    expect(await stateOf(id)).toBe('cancelled');
    expect(await actions()).toContain('ended appointment kept in the EMR');
  });

  test('while it is being confirmed is found in the same way', async () => {
    const write = emr.book.bind(emr);
    emr.book = async (request, reached) => {
      const answer = await write(request, reached);
      emr.staff.remove(request.key);
      return answer;
    };
    const id = await book('08:00');
    await passes(800);
    expect([await stateOf(id), (await byClinic()).length]).toEqual(['cancelled', 1]);
  });

  test('before anybody was told that it is booked ends as not booked', async () => {
    emr.faults.loseNextAnswer = 'written';
    const at = toInstant(DAY, '08:00');
    const body = { start: at, end: at + 300, doctor: '101', selectedType: 'O', reason: 'Cough' };
    await ask(clinic, 'createBooking', { token, body });
    const [{ key } = { key: '' }] = emr.busy();
    emr.staff.remove(key);
    for (let minutes = 0; minutes < 32; minutes += 1) {
      await passes(60);
      await resolveUnknown(ports(), now());
    }
    expect(await stateOf(key.replace('claim:', ''))).toBe('released');
    expect(await byClinic()).toEqual([]);
    await healthy();
  });

  test('is not looked for once it has begun', async () => {
    const id = await book('08:00');
    clinic.clock.set(toInstant(DAY, '07:56'));
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(1_200);
    expect([await stateOf(id), await byClinic()]).toEqual(['booked', []]);
  });

  test('is not missed from the moment on in which it begins', async () => {
    const id = await book('08:00');
    clinic.clock.set(toInstant(DAY, '07:59'));
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(120, 60);
    expect((await emrStanding(clinic.database.db))?.lacking).toBe(0);
  });
});

describe('A row of ours without its key', () => {
  // Shows: R-120
  test('stays booked, and gets its key back', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.takeKey(keyOf(id));
    await passes(60);
    expect(emr.busy()).toMatchObject([{ key: keyOf(id) }]);
    expect(await actions()).toContain('key written back in the EMR');
    await passes(1_200);
    expect([await stateOf(id), await listed(), await byClinic()]).toEqual(['booked', [], []]);
    expect((await emrStanding(clinic.database.db))?.lacking).toBe(0);
  });

  test.each([
    ['is refused', () => Promise.reject(new EmrRefused('No role'))],
    ['does not fit', () => Promise.resolve(false)],
  ])('stays booked where writing it back %s, which is not tried each minute', async (_, answer) => {
    const id = await book('08:00');
    await sync();
    emr.staff.takeKey(keyOf(id));
    const write = vi.fn(answer);
    emr.writeKey = write;
    await passes(1_200);
    expect([await stateOf(id), await listed(), await byClinic()]).toEqual(['booked', [], []]);
    expect(write.mock.calls.length).toBeLessThanOrEqual(2);
    expect((await emrStanding(clinic.database.db))?.lacking).toBe(1);
  });

  test('and deleted later is missed with the whole window', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.takeKey(keyOf(id));
    emr.writeKey = () => Promise.resolve(false);
    await passes(120);
    const [{ key } = { key: '' }] = emr.busy();
    emr.staff.remove(key);
    await passes(3_600);
    expect([await stateOf(id), (await byClinic()).length]).toEqual(['cancelled', 1]);
  });
});

describe('What the EMR does not say is not gone', () => {
  test('while it is away, however long', async () => {
    const id = await book('08:00');
    await sync();
    emr.faults.offline = true;
    await passes(1_800);
    expect([await stateOf(id), await listed()]).toEqual(['booked', []]);
    emr.faults.offline = false;
    await passes(120);
    expect([await stateOf(id), await listed()]).toEqual(['booked', []]);
  });

  test('nor is the decision taken while it is away: it is asked once more first', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(100);
    emr.faults.offline = true;
    await passes(1_800);
    expect([await stateOf(id), await listed()]).toEqual(['booked', [id]]);
    const place = { providerId: doctor, date: DAY, start: '08:00', end: '08:05' };
    emr.staff.book(place, keyOf(id));
    emr.faults.offline = false;
    await passes(60);
    expect([await stateOf(id), await listed(), await byClinic()]).toEqual(['booked', [], []]);
  });

  test.each([
    ['findByKey', new EmrOutcomeUnknown('k')],
    ['findByKey', new EmrRefused('No')],
    ['findWithoutKey', new EmrOutcomeUnknown('k')],
    ['findWithoutKey', new EmrOffline('Not now')],
  ] as const)('where %s fails', async (call, error) => {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    emr[call] = () => Promise.reject(error);
    await passes(1_200);
    expect([await stateOf(id), await listed(), await byClinic()]).toEqual(['booked', [], []]);
  });

  test('on a day that it cannot read', async () => {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    const entries = emr.entries.bind(emr);
    emr.entries = async (dates, of) => [
      ...(await entries(dates, of)),
      {
        id: `unread:101:${DAY}` as EmrAppointmentId,
        providerId: doctor,
        key: null,
        date: DAY,
        start: '00:00',
        end: '24:00',
        state: 'unread',
      },
    ];
    await passes(1_200);
    expect([await stateOf(id), await listed()]).toEqual(['booked', []]);
    emr.entries = entries;
    await passes(800);
    expect(await stateOf(id)).toBe('cancelled');
  });
});

describe('What staff decide at the desk', () => {
  async function gone() {
    const id = await book('08:00');
    await sync();
    emr.staff.remove(keyOf(id));
    await passes(80);
    return id;
  }
  const place = { providerId: doctor, date: DAY, start: '08:00', end: '08:05' };

  // Shows: R-120
  test('keeps it for good, until the EMR has had it again', async () => {
    const id = await gone();
    expect(await decide(id, 'kept')).toBe(true);
    expect(await decide(id, 'kept')).toBe(true);
    expect(await decide(id, 'cancelled')).toBe(false);
    await passes(3_600);
    expect([await stateOf(id), await listed(), await byClinic()]).toEqual(['booked', [], []]);
    emr.staff.book(place, keyOf(id));
    await passes(60);
    emr.staff.remove(keyOf(id));
    await passes(100);
    expect(await listed()).toEqual([id]);
    expect(await actions()).toContain('appointment kept without the EMR');
  });

  // Shows
  test('cancels it at once', async () => {
    const id = await gone();
    expect(await decide(id, 'cancelled')).toBe(true);
    expect([await stateOf(id), (await byClinic()).length]).toEqual(['cancelled', 1]);
    expect(await decide(id, 'kept')).toBe(false);
    await healthy();
  });

  test('does not cancel what somebody has pasted meanwhile, and waits for an EMR that is away', async () => {
    const id = await gone();
    emr.faults.offline = true;
    await expect(decide(id, 'cancelled')).rejects.toThrow(EmrOffline);
    emr.faults.offline = false;
    emr.staff.book(place, keyOf(id));
    expect(await decide(id, 'cancelled')).toBe(false);
    expect(await stateOf(id)).toBe('booked');
  });

  test('is over once its patient has moved it or cancelled it', async () => {
    const id = await gone();
    await ask(clinic, 'cancelAppointment', { token, params: { id } });
    expect([await stateOf(id), await listed()]).toEqual(['cancelled', []]);
    expect(await decide(id, 'kept')).toBe(false);
    await passes(900);
    expect(await byClinic()).toEqual([]);
  });
});

// Shows: R-120
test('of more than 40 that went together none is cancelled without an answer', async () => {
  const people = await Promise.all(Array.from({ length: 41 }, newPatient));
  const ids: string[] = [];
  for (const [at, by] of people.entries()) {
    const date = addDays(DAY, Math.floor(at / 20));
    const start = `08:${String(Math.floor(at % 10) * 5).padStart(2, '0')}`;
    const doctorOf = at % 20 < 10 ? '101' : '102';
    const from = toInstant(date, start);
    const body = {
      start: from,
      end: from + 300,
      doctor: doctorOf,
      selectedType: 'O',
      reason: 'A cough',
    };
    const answer = (await ask(clinic, 'createBooking', { token: by, body })).answer();
    ids.push(answer.extras.appointment.id);
  }
  await sync();
  const looks = [vi.spyOn(emr, 'findByKey'), vi.spyOn(emr, 'findWithoutKey')];
  for (const id of ids) emr.staff.remove(keyOf(id));
  const asked = () => looks.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (let turn = 0; turn < 12; turn += 1) {
    const before = asked();
    await passes(20);
    // Each is two calls of an EMR, of at most two a second.
    expect(asked() - before).toBeLessThanOrEqual(20);
  }
  expect(await listed()).toHaveLength(41);
  await passes(1_200);
  expect([(await listed()).length, await byClinic()]).toEqual([41, []]);
  const [first = ''] = ids;
  expect(await decide(first, 'cancelled')).toBe(true);
  await passes(60);
  expect([(await listed()).length, (await byClinic()).length]).toEqual([40, 1]);
});

test('a row that is over is forgotten after a day', async () => {
  const id = await book('08:00');
  await sync();
  emr.staff.remove(keyOf(id));
  await passes(800);
  const count = async () =>
    (await clinic.database.db.execute(sql`select from emr_gone`)).rows.length;
  expect(await count()).toBe(1);
  await passes(90_000, 1_800);
  expect(await count()).toBe(0);
});

// Shows: R-120
test('what was booked before the clinic had the EMR is not gone from it', async () => {
  const id = await book('08:00');
  emr.staff.remove(keyOf(id));
  await clinic.database.db.execute(sql`
    update appointment set created_at_s = created_at_s - 3600`);
  await passes(3_600);
  expect([await stateOf(id), await listed(), await byClinic()]).toEqual(['booked', [], []]);
});
