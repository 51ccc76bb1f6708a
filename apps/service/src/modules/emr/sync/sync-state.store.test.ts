import { afterEach, beforeEach, expect, test } from 'vitest';

import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../../testing/a-clinic.ts';
import { ask } from '../../../../testing/ask.ts';
import { signIn } from '../../../../testing/sign-in.ts';
import { type TestApp, testApp } from '../../../../testing/test-app.ts';
import { writeFact } from '../../../database/installation.store.ts';
import { type Emr, EmrOffline, EmrRefused, type ProviderId } from '../../records/emr.ts';
import { placeInEmr } from '../entry.ts';
import { appointment } from '../../appointments/schema.ts';
import { appointments } from '../../appointments/store.ts';
import { lastSync } from './sync-state.ts';
import { type SyncPorts, syncFromEmr, syncWhenDue } from './sync.ts';
import { emrBook } from '../emr-book.ts';

const start = toInstant('2026-11-23', '08:00');

let clinic: TestApp;
let emr: FakeEmr;

beforeEach(async () => {
  emr = fakeEmr({ days: null });
  clinic = await testApp({ emr });
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
});
afterEach(() => clinic.close());

/** A process beside the others, to which the EMR answers in its own way. */
const process = (answers: Partial<Emr> = {}): SyncPorts => ({
  ...clinic.platform,
  appointments,
  emrBook,
  emr: { ...emr, ...answers },
});
const now = () => clinic.clock.now();

async function booked() {
  const token = await signIn(clinic, { id: await aPatientRow(clinic.database) });
  const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
  await ask(clinic, 'createBooking', { token, body: { ...slot, reason: 'Cough' } });
  return standing();
}
async function standing() {
  const [row] = await clinic.database.db.select().from(appointment);
  if (!row) throw new Error('Nothing was booked');
  return row;
}

test('however many processes look, the EMR is asked once in 20 seconds', async () => {
  let asked = 0;
  const processes = [1, 2, 3].map(() =>
    process({
      changedSince: (cursor) => {
        asked += 1;
        return emr.changedSince(cursor);
      },
    }),
  );
  const counts: number[] = [];
  for (const seconds of [0, 2, 17, 1, 19, 1]) {
    clinic.clock.advance(seconds);
    await Promise.all(processes.map((each) => syncWhenDue(each, now())));
    counts.push(asked);
  }
  // After 0, 2, 19, 20, 39 and 40 seconds.
  expect(counts).toEqual([1, 1, 1, 2, 2, 3]);
});

test.each([
  ['does not answer', new EmrOffline('Not now'), [0, 20, 23, 26, 29, 32, 35, 38]],
  ['refuses', new EmrRefused('No role'), [0, 20, 40]],
] as const)('an EMR that %s twice is asked again after so long', async (_, failure, seconds) => {
  const began = now();
  const asked: number[] = [];
  const ports = process({
    changedSince: () => {
      asked.push(now() - began);
      return Promise.reject(failure);
    },
  });
  for (let second = 0; second <= 40; second += 1) {
    await syncWhenDue(ports, now()).catch((error: unknown) => expect(error).toBe(failure));
    clinic.clock.advance(1);
  }
  expect(asked).toEqual(seconds);
});

test('what staff cancelled is looked at again once no request is at it any more', async () => {
  const ports = process();
  await syncWhenDue(ports, now());
  const { id } = await booked();
  emr.staff.cancel(placeInEmr({ id, providerId: '101', start, end: start + 300 }).key);
  clinic.clock.advance(20);
  await syncWhenDue(ports, now());
  clinic.clock.advance(9);
  await syncWhenDue(ports, now());
  expect((await standing()).state).toBe('booked');
  clinic.clock.advance(1);
  await syncWhenDue(ports, now());
  expect((await standing()).state).toBe('cancelled');
});

test('what a version before was to read again is read with the whole window', async () => {
  const asked: unknown[] = [];
  const ports = process({
    entries: async (dates, of) => {
      asked.push([dates.from, of]);
      return emr.entries(dates, of);
    },
  });
  await syncFromEmr(ports, now());
  const whole = [...asked];
  const { reread: _, ...kept } = await lastSync(clinic.database.db);
  const before = { ...kept, again: ['2026-11-23'] };
  await clinic.database.inTransaction((tx) => writeFact(tx, 'emr-sync', JSON.stringify(before)));
  await syncFromEmr(ports, now());
  await syncFromEmr(ports, now());
  expect(asked).toEqual([...whole, ...whole]);
});

test('a process that died in its turn is replaced in time', async () => {
  const died = Promise.withResolvers<never>();
  const began = Promise.withResolvers<void>();
  const dead = process({
    changedSince: () => {
      began.resolve();
      return died.promise;
    },
  });
  const never = syncWhenDue(dead, now());
  await began.promise;
  let asked = 0;
  const ports = process({
    changedSince: (cursor) => {
      asked += 1;
      return emr.changedSince(cursor);
    },
  });
  clinic.clock.advance(14);
  await syncWhenDue(ports, now());
  expect(asked).toBe(0);
  clinic.clock.advance(6);
  await syncWhenDue(ports, now());
  expect(asked).toBe(1);
  died.reject(new Error('Over'));
  await expect(never).rejects.toThrow('Over');
});

test('a turn that lasts is kept, and nobody else takes it', async () => {
  let others = 0;
  const other = process({
    changedSince: (cursor) => {
      others += 1;
      return emr.changedSince(cursor);
    },
  });
  await syncFromEmr(
    process({
      entries: async (dates, of) => {
        clinic.clock.advance(10);
        await syncWhenDue(other, now());
        return emr.entries(dates, of);
      },
    }),
    now(),
  );
  expect(others).toBe(0);
});

test('a process that was away too long leaves what it read: staff have moved it since', async () => {
  const { id } = await booked();
  const { key } = placeInEmr({ id, providerId: '101', start, end: start + 300 });
  const to = (time: string, end: string) =>
    emr.staff.move(key, { providerId: '101' as ProviderId, date: '2026-11-23', start: time, end });
  to('09:00', '09:05');
  let wasAway = false;
  await syncFromEmr(
    process({
      entries: async (dates, of) => {
        const old = await emr.entries(dates, of);
        if (wasAway) return old;
        wasAway = true;
        clinic.clock.advance(30);
        to('10:00', '10:05');
        await syncWhenDue(process(), now());
        return old;
      },
    }),
    now(),
  );
  expect((await standing()).start).toBe(start + 7_200);
});

test.each(['moved', 'cancelled'] as const)(
  'what staff have %s before we call it booked is followed, although that day was read meanwhile',
  async (what) => {
    const ports = process();
    await syncFromEmr(ports, now());
    const book = emr.book.bind(emr);
    emr.book = async (request, reached) => {
      const answer = await book(request, reached);
      const to = {
        providerId: '101' as ProviderId,
        date: '2026-11-23',
        start: '09:00',
        end: '09:05',
      };
      if (what === 'moved') emr.staff.move(request.key, to);
      else emr.staff.cancel(request.key);
      await syncFromEmr(ports, now());
      return answer;
    };
    await booked();
    for (let turn = 0; turn < 2; turn += 1) {
      clinic.clock.advance(20);
      await syncFromEmr(ports, now());
    }
    expect(await standing()).toMatchObject(
      what === 'moved' ? { state: 'booked', start: start + 3_600 } : { state: 'cancelled' },
    );
  },
);
