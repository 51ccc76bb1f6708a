import { once } from 'node:events';

import type { Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { listensAt } from '../../../testing/live-socket.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { type TestApp, testApp } from '../../../testing/test-app.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { realtimeOfOthers } from '../../server/realtime.ts';
import { announceMaintenance, endMaintenance } from './availability.ts';

const MANY = 300;
/** a browser says that the connection is lost after this. */
const PATIENCE_MS = 15_000;
const by = { actor: 'clinic:test', now: 1_795_284_000 };

let databaseUrl: string;
let here: TestApp;
let there: TestApp;
let closing: TestApp[];
let sockets: Socket[];

const service = () =>
  testApp({
    database: databaseOn(openPostgres({ url: databaseUrl, poolSize: 8, waits: patientWaits })),
  });

/** Two services on one database, each as a process of its own would be. */
beforeEach(async () => {
  databaseUrl = await testDatabaseUrl();
  [here, there] = [await service(), await service()];
  closing = [here, there];
  sockets = [];
  await aClinic(here.database);
});
afterEach(async () => {
  for (const socket of sockets) socket.close();
  for (const each of closing) await each.close();
});

async function pageAt(url: string, token: string): Promise<Socket> {
  // It comes back as in a browser.
  const socket = await listensAt(url, token, {
    reconnectionDelay: 1_000,
    reconnectionDelayMax: 4_000,
  });
  sockets.push(socket);
  return socket;
}
const hears = (socket: Socket, event: string) => once(socket as never, event);

describe('Two services on one database (R-70)', () => {
  // Shows: 4.auth.8, 7.socket.1
  test('tell their patients of maintenance that was announced at the other one, and of its end', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const token = await signIn(here, { id: await aPatientRow(here.database) });
    const socket = await pageAt(url, token);
    const offline = hears(socket, 'oscarOffline');
    await announceMaintenance(here.platform, { ...by, message: 'Back at 14:00.' });
    await offline;
    expect((await ask(there, 'recordsStatus')).answer()).toEqual({
      success: false,
      status: false,
      extras: { message: 'Back at 14:00.' },
    });
    const online = hears(socket, 'oscarOnline');
    expect(await endMaintenance(here.platform, by)).toBe(true);
    await online;
    expect((await ask(there, 'recordsStatus')).answer()).toEqual({ success: true, status: true });
    expect(await endMaintenance(here.platform, by)).toBe(false);
  });

  // Shows: S-12
  test('tell one patient alone, at whichever service the socket is and whoever says it', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const [mine, theirs] = [await aPatientRow(here.database), await aPatientRow(here.database)];
    const socket = await pageAt(url, await signIn(here, { id: mine }));
    const other = await pageAt(url, await signIn(here, { id: theirs }));
    const overheard: string[] = [];
    other.onAny((event: string) => overheard.push(event));

    for (const { sayTo } of [
      here.platform.realtime,
      realtimeOfOthers(here.database),
      there.platform.realtime,
    ]) {
      for (const event of ['messages', 'appointments'] as const) {
        const said: unknown[][] = [];
        socket.once(event, (...words: unknown[]) => said.push(words));
        // A word that comes before the other process listens is lost, which is no harm.
        while (said.length === 0) {
          sayTo(mine, event);
          await ask(here, 'recordsStatus');
        }
        expect(said).toEqual([[]]);
      }
    }
    expect(overheard).toEqual([]);
  });

  // Shows: S-12
  test(`have all of ${MANY} patients back within 15 s of a restart, and nobody signed out`, async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const token = await signIn(here, { id: await aPatientRow(here.database) });
    const listening = await Promise.all(Array.from({ length: MANY }, () => pageAt(url, token)));
    const refused: string[] = [];
    for (const socket of listening)
      socket.on('connect_error', ({ message }) => {
        if (message === 'tokenNotValid') refused.push(message);
      });
    const back = listening.map((socket) => hears(socket, 'connect'));
    const gone = listening.map((socket) => hears(socket, 'disconnect'));
    closing = [here];
    await there.close();
    await Promise.all(gone);
    const again = await service();
    closing.push(again);
    await again.app.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
    const since = performance.now();
    await Promise.all(back);
    expect(performance.now() - since).toBeLessThan(PATIENCE_MS);
    expect(refused).toEqual([]);
    expect((await ask(again, 'getMe', { token })).statusCode).toBe(200);
  });
});
