import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { SlotChange } from '@clinic/contract';
import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import { listensAt } from '../../../testing/live-socket.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { patientWaits, untilSomeWait } from '../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn, sql } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';

const MANY = 300;
const start = toInstant('2026-11-23', '08:00');
const eight = { doctor: '101', start, end: start + 300, selectedType: 'O' };

let here: TestApp;
let there: TestApp;
let closing: TestApp[];

/** Two services on one database, each as a process of its own would be. */
beforeEach(async () => {
  const url = await testDatabaseUrl();
  const service = () =>
    testApp({ database: databaseOn(openPostgres({ url, poolSize: 8, waits: patientWaits })) });
  [here, there] = [await service(), await service()];
  closing = [here, there];
  await aClinic(here.database);
});
afterEach(async () => {
  for (const each of closing) await each.close();
});

const newPatient = async () => signIn(here, { id: await aPatientRow(here.database) });

/** No look at the schedule ends until the answer is called. */
async function keepFromLooking(): Promise<() => Promise<void>> {
  const [locked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = here.database.inTransaction(async (tx) => {
    await sql(tx)`lock table schedule_day in access exclusive mode`;
    locked.resolve();
    await mayCommit.promise;
  });
  await locked.promise;
  return () => {
    mayCommit.resolve();
    return locking;
  };
}

describe('Two services on one database (S-12)', () => {
  // Shows: S-12
  test('tell their patients what was taken at the other one', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const socket = await listensAt(url, await newPatient());
    const heard = once(socket as never, 'slots') as Promise<[SlotChange[]]>;
    await ask(here, 'placeHold', { token: await newPatient(), body: eight });
    expect((await heard)[0]).toEqual([{ doctor: '101', start, end: start + 300, state: 'taken' }]);
    socket.close();
  });

  test('let no page in before they know what it has not seen', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const token = await newPatient();
    const mayLook = await keepFromLooking();
    let isIn = false;
    const coming = listensAt(url, token).finally(() => (isIn = true));
    await untilSomeWait(here.database);
    // Whatever was sent to the page before has arrived with this answer.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const wasIn = isIn;
    await mayLook();
    (await coming).close();
    expect(wasIn).toBe(false);
  });

  test('let no page in whose session ended while it waited for that', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const token = await newPatient();
    const mayLook = await keepFromLooking();
    const coming = listensAt(url, token);
    await untilSomeWait(here.database);
    await ask(here, 'logout', { token });
    await mayLook();
    await expect(coming).rejects.toThrow('tokenNotValid');
  });

  // Shows: S-12
  test('close the sockets of a session that ended at the other one', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const token = await newPatient();
    const socket = await listensAt(url, token);
    const closed = once(socket as never, 'disconnect');
    // A word that comes before the other process listens is lost.
    const heard = once(socket as never, 'slots');
    await ask(here, 'placeHold', { token: await newPatient(), body: eight });
    await heard;
    await ask(here, 'logout', { token });
    expect(await closed).toContain('io server disconnect');
  });

  // Shows: S-18
  test('close the sockets of the front desk whose session ended or was locked at the other one', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const robin = await aStaffMember(here, 'receptionist');
    const [counter, office] = [await deskSession(here, robin), await deskSession(here, robin)];
    const origin = 'http://127.0.0.1:3000';
    const listens = (cookie: string) =>
      listensAt(`${url}/desk`, '', { reconnection: false, extraHeaders: { origin, cookie } });
    const [atCounter, inOffice] = [await listens(counter), await listens(office)];
    const ended = [atCounter, inOffice].map((socket) => once(socket as never, 'disconnect'));
    // A word that comes before the other process listens is lost.
    const heard = once(inOffice as never, 'desk');
    here.platform.realtime.sayToDesk();
    await heard;
    await askDesk(here, 'deskLock', { cookie: counter });
    expect(await ended[0]).toContain('io server disconnect');
    expect(inOffice.connected).toBe(true);
    await askDesk(here, 'deskSignOut', { cookie: office });
    expect(await ended[1]).toContain('io server disconnect');
  });

  // Shows: R-5
  test('offer nothing that was taken at the other one, once that has answered', async () => {
    for (const { clock } of [here, there]) clock.set(toInstant('2026-11-23', '07:00'));
    const viewer = await newPatient();
    const query = { from: '2026-11-23', to: '2026-11-24', id: '-1', type: 'O' };
    const firstAt = async (service: TestApp) => {
      const searched = await ask(service, 'doctorSchedule', { token: viewer, query });
      const found = await ask(service, 'earliestSlot', {
        token: viewer,
        query: { type: 'O', id: '-1' },
      });
      const listed = searched.answer().extras[0]?.providers[0]?.schedule[0]?.start;
      return [listed, found.answer().extras.slot?.start];
    };
    for (let first = start; first < start + 1_200; first += 300) {
      const [holding, asked] = first % 600 === 0 ? [here, there] : [there, here];
      expect(await firstAt(asked)).toEqual([first, first]);
      const body = { ...eight, start: first, end: first + 300 };
      expect(
        (await ask(holding, 'placeHold', { token: await newPatient(), body })).statusCode,
      ).toBe(200);
      expect(await firstAt(asked)).toEqual([first + 300, first + 300]);
    }
  });

  // Shows: R-3
  test('refuse a session that ended at the other one, the very next time', async () => {
    const other = await newPatient();
    const query = { from: '2026-11-23', to: '2026-11-24', id: '-1', type: 'O' };
    for (const [ending, asked] of [
      [here, there],
      [there, here],
    ] as const) {
      const search = async (token: string) =>
        (await ask(asked, 'doctorSchedule', { token, query })).statusCode;
      const token = await newPatient();
      expect(await search(token)).toBe(200);
      // Their statements are under way when the session ends.
      const searches = Array.from({ length: 8 }, () => search(other));
      await ask(ending, 'logout', { token });
      expect(await search(token)).toBe(401);
      expect(new Set(await Promise.all(searches))).toEqual(new Set([200]));
    }
  });

  test(`sign nobody out when one of them restarts under ${MANY} sockets`, async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const token = await newPatient();
    const sockets = await Promise.all(Array.from({ length: MANY }, () => listensAt(url, token)));
    const gone = sockets.map((socket) => once(socket as never, 'disconnect'));
    closing = [here];
    await there.close();
    await Promise.all(gone);
    expect((await ask(here, 'getMe', { token })).statusCode).toBe(200);
  });
});
