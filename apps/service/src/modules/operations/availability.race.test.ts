import { once } from 'node:events';

import { toInstant } from '@clinic/domain';
import { eq, sql } from 'drizzle-orm';
import type { Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { freePort } from '../../../testing/free-port.ts';
import { listensAt } from '../../../testing/live-socket.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { type TestApp, testApp } from '../../../testing/test-app.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { patient } from '../../schema.ts';
import { announceMaintenance, endMaintenance } from './availability.ts';

const MANY = 300;
/** a browser says that the connection is lost after this; a figure for a quiet machine. */
const PATIENCE_MS = 15_000;
/** A page tries at least every four seconds. */
const TRIES_AT_MOST = 3;
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
  test('tell one patient alone of what anybody committed, at whichever service the socket is', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const [mine, theirs] = [await aPatientRow(here.database), await aPatientRow(here.database)];
    const [token, tokenOfOther] = [
      await signIn(here, { id: mine }),
      await signIn(here, { id: theirs }),
    ];
    const [page, other] = [await pageAt(url, token), await pageAt(url, tokenOfOther)];
    const overheard: string[] = [];
    other.onAny((event: string) => event !== 'slots' && overheard.push(event));
    const start = toInstant('2026-11-23', '08:00');
    const body = { doctor: '101', start, end: start + 300, selectedType: 'O' };

    for (const service of [here, there]) {
      const held = hears(page, 'appointments');
      expect((await ask(service, 'placeHold', { token, body })).statusCode).toBe(200);
      expect(await held).toEqual([]);
    }
    const written = hears(page, 'messages');
    await ask(here, 'startMessage', { token, body: { message: 'My knee' } });
    expect(await written).toEqual([]);
    // As another version of the service would, or a person at the database.
    const stranger = openPostgres({ url: databaseUrl, poolSize: 1, waits: patientWaits });
    const told = hears(page, 'account');
    await stranger.db.execute(sql`update patient set phone = '6045550111' where id = ${mine}`);
    expect(await told).toEqual([]);
    await stranger.close();
    expect(overheard).toEqual([]);
  });

  test('tell nobody of what was rolled back', async () => {
    const url = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const mine = await aPatientRow(here.database);
    const page = await pageAt(url, await signIn(here, { id: mine }));
    const heard: string[] = [];
    page.onAny((event: string) => heard.push(event));
    const change = (phone: string, keeps: boolean) =>
      here.database.inTransaction<void>(async (tx, rollBack) => {
        await tx.update(patient).set({ phone }).where(eq(patient.id, mine));
        return keeps ? undefined : rollBack(undefined);
      });
    await change('6045550111', false);
    await there.platform.realtime.lookAtPatients();
    expect(heard).toEqual([]);
    const told = hears(page, 'account');
    await change('6045550112', true);
    await told;
  });

  // Shows: S-12
  test(`have all of ${MANY} patients back after a restart in time, and nobody signed out`, async () => {
    const port = await freePort();
    const url = await there.app.listen({ host: '127.0.0.1', port });
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
    await again.app.listen({ host: '127.0.0.1', port });
    const since = performance.now();
    const tries = listening.map((socket) => {
      let count = 0;
      socket.io.on('reconnect_attempt', () => (count += 1));
      return () => count;
    });
    await Promise.all(back);
    const took = performance.now() - since;
    process.stdout.write(`${MANY} pages back ${Math.round(took)} ms after a restart\n`);
    if (process.env.LONG === '1') expect(took).toBeLessThan(PATIENCE_MS);
    expect(Math.max(...tries.map((count) => count()))).toBeLessThanOrEqual(TRIES_AT_MOST);
    expect(refused).toEqual([]);
    expect((await ask(again, 'getMe', { token })).statusCode).toBe(200);
  });
});
