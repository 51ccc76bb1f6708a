import { once } from 'node:events';

import { eq } from 'drizzle-orm';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { slotChange } from '@clinic/contract';
import type { SlotChange } from '@clinic/contract';
import { toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { appointmentType, scheduleDay } from '../../schema.ts';
import { closeSchedule } from '../records/index.ts';
import { newDeviceToken } from '../../security/known-devices.store.ts';
import { IDLE_LIMIT } from '../../security/sessions.store.ts';
import { randomIds } from '../../server/ports.ts';

const OURS = 'http://127.0.0.1:3000';
const start = toInstant('2026-11-23', '08:00');
const eight = { doctor: '101', start, end: start + 300, selectedType: 'O' };

const ALL_DAY = 'O'.repeat(288);

let clinic: TestApp;
let url: string;
let token: string;
let rival: string;
let sockets: Socket[];

beforeEach(async () => {
  clinic = await testApp({ config: { socketsPerAddress: 3, trustProxy: true } });
  await aClinic(clinic.database);
  url = await clinic.app.listen({ host: '127.0.0.1', port: 0 });
  token = await newPatient();
  rival = await newPatient();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.close();
  await clinic.close();
});

const newPatient = async () => signIn(clinic, { id: await aPatientRow(clinic.database) });

interface Opening {
  readonly token?: string;
  readonly origin?: string | null;
  readonly transports?: string[];
  readonly forwarded?: string;
  readonly cookie?: string;
}

function openSocket(over: Opening = {}): Socket {
  const origin = over.origin === undefined ? OURS : over.origin;
  const socket = io(url, {
    transports: over.transports ?? ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { token: over.token ?? token },
    extraHeaders: {
      ...(origin === null ? {} : { origin }),
      ...(over.forwarded === undefined ? {} : { 'x-forwarded-for': over.forwarded }),
      ...(over.cookie === undefined ? {} : { cookie: over.cookie }),
    },
  });
  sockets.push(socket);
  return socket;
}

async function outcome(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve('open'));
    socket.once('connect_error', (error) => resolve(error.message));
  });
}

/** A listener that hears until what it waits for was said. */
async function listener(over: Opening = {}) {
  const socket = openSocket(over);
  const heard: SlotChange[] = [];
  socket.on('slots', (changes: SlotChange[]) => heard.push(...changes));
  expect(await outcome(socket)).toBe('open');
  return {
    heard,
    async until(what: SlotChange['state'] | number) {
      const isHeard = () =>
        typeof what === 'number' ? heard.length >= what : heard.at(-1)?.state === what;
      while (!isHeard()) await once(socket as never, 'slots');
    },
  };
}

const hold = (as = rival) => ask(clinic, 'placeHold', { token: as, body: eight });

describe('an open socket (S-12)', () => {
  test('hears of a time that is taken and freed, after the commit', async () => {
    const patient = await listener();
    await hold();
    await patient.until('taken');
    expect(patient.heard).toEqual([{ doctor: '101', start, end: start + 300, state: 'taken' }]);
    await ask(clinic, 'releaseHold', { token: rival });
    await patient.until('freed');
  });

  test('hears that an appointment was booked and cancelled', async () => {
    const patient = await listener();
    const booked = await ask(clinic, 'createBooking', {
      token: rival,
      body: { ...eight, reason: 'A cough' },
    });
    await patient.until('taken');
    const { id } = booked.answer().extras.appointment;
    await ask(clinic, 'cancelAppointment', { token: rival, params: { id } });
    await patient.until('freed');
    expect(patient.heard.map(({ state }) => state)).toEqual(['taken', 'freed']);
  });

  test('hears nothing of a booking that was refused', async () => {
    await hold();
    const patient = await listener();
    expect((await hold(token)).statusCode).toBe(409);
    await ask(clinic, 'releaseHold', { token: rival });
    await patient.until('freed');
    expect(patient.heard.map(({ state }) => state)).toEqual(['freed']);
  });

  test('hears what of the schedule is closed, and not that anything of it is freed', async () => {
    const patient = await listener();
    await hold();
    await patient.until('taken');
    await clinic.database.inTransaction((tx) =>
      closeSchedule(tx, { providerIds: ['101'], from: start, to: start + 3_600 }, async () => []),
    );
    await patient.until(2);
    await ask(clinic, 'releaseHold', { token: rival });
    const later = { ...eight, start: start + 10_800, end: start + 11_100 };
    (await ask(clinic, 'placeHold', { token: rival, body: later })).answer();
    await patient.until(3);
    expect(patient.heard).toEqual([
      { doctor: '101', start, end: start + 300, state: 'taken' },
      { doctor: '101', start, end: start + 3_600, state: 'taken' },
      { doctor: '101', start: later.start, end: later.end, state: 'taken' },
    ]);
  });

  test('hears what of the schedule is opened', async () => {
    const patient = await listener();
    // What is heard says that the days were read which the change is held against.
    await hold();
    await patient.until('taken');
    await clinic.database.inTransaction((tx) =>
      tx
        .update(scheduleDay)
        .set({ codes: ALL_DAY })
        .where(eq(scheduleDay.clinicDate, '2026-11-23')),
    );
    await patient.until('freed');
    expect(patient.heard).toContainEqual({
      doctor: '101',
      start: toInstant('2026-11-23', '12:00'),
      end: toInstant('2026-11-23', '13:00'),
      state: 'freed',
    });
  });

  // Shows: R-91
  test('hears of each step of a longer appointment, also of those that its hold gave up', async () => {
    await clinic.database.inTransaction((tx) => tx.update(appointmentType).set({ minutes: 15 }));
    const patient = await listener();
    const steps = (from: number, count: number, state: SlotChange['state']) =>
      Array.from({ length: count }, (_, at) => ({
        doctor: '101',
        start: start + (from + at) * 300,
        end: start + (from + at + 1) * 300,
        state,
      }));
    await hold();
    await patient.until(3);
    expect(patient.heard).toEqual(steps(0, 3, 'taken'));
    const tenPast = { ...eight, start: start + 600, end: start + 900 };
    await ask(clinic, 'placeHold', { token: rival, body: tenPast });
    await patient.until(8);
    expect(patient.heard.slice(3)).toEqual([...steps(0, 2, 'freed'), ...steps(2, 3, 'taken')]);
  });

  // Shows: S-12
  test('hears nothing but doctor, time and state', async () => {
    const patient = await listener();
    await ask(clinic, 'createBooking', { token: rival, body: { ...eight, reason: 'A cough' } });
    await patient.until('taken');
    for (const change of patient.heard) expect(slotChange.safeParse(change).success).toBe(true);
  });

  test('is closed when the service closes, and keeps no shutdown waiting', async () => {
    const socket = openSocket();
    await outcome(socket);
    const closed = once(socket as never, 'disconnect');
    await clinic.app.close();
    expect(await closed).not.toEqual([]);
  });

  // Shows: S-12
  test('is for whoever listens: who speaks on it is put out', async () => {
    const socket = openSocket();
    await outcome(socket);
    const closed = once(socket as never, 'disconnect');
    socket.emit('slots', [{ doctor: '101', start, end: start + 300, state: 'freed' }]);
    expect(await closed).toContain('io server disconnect');
  });

  // Shows: S-12
  test('never prolongs the session (R-3)', async () => {
    clinic.clock.set(NOW + IDLE_LIMIT - 1);
    expect(await outcome(openSocket())).toBe('open');
    clinic.clock.set(NOW + IDLE_LIMIT);
    expect((await ask(clinic, 'getMe', { token })).statusCode).toBe(401);
    expect(await outcome(openSocket())).toBe('tokenNotValid');
  });
});

describe('a socket whose session ends is closed at once (S-12, R-3)', () => {
  const opened = async (as: string) => {
    const socket = openSocket({ token: as });
    expect(await outcome(socket)).toBe('open');
    return { socket, closed: once(socket as never, 'disconnect') };
  };

  // Shows: S-12
  test('by logout, and no other of the same patient', async () => {
    const id = await aPatientRow(clinic.database);
    const [leaves, stays] = [await signIn(clinic, { id }), await signIn(clinic, { id })];
    const other = await opened(stays);
    const { closed } = await opened(leaves);
    await ask(clinic, 'logout', { token: leaves });
    expect(await closed).toContain('io server disconnect');
    expect(other.socket.connected).toBe(true);
  });

  test('by what ends every session of a patient', async () => {
    const { closed } = await opened(token);
    await ask(clinic, 'endSessions', { token });
    expect(await closed).toContain('io server disconnect');
  });

  test('not by what was given up before its commit', async () => {
    const { socket } = await opened(token);
    const found = await clinic.platform.sessions.find(token, NOW);
    if (found.kind !== 'signedIn') throw new Error('Not signed in');
    await clinic.database.inTransaction(async (tx, rollBack) => {
      await clinic.platform.sessions.end(tx, found.patient, NOW);
      return rollBack(null);
    });
    expect((await ask(clinic, 'getMe', { token })).statusCode).toBe(200);
    expect(socket.connected).toBe(true);
  });

  test('not while maintenance is announced, whose end it waits for', async () => {
    const { socket } = await opened(token);
    clinic.platform.realtime.say('oscarOffline');
    await ask(clinic, 'logout', { token });
    const online = once(socket as never, 'oscarOnline');
    clinic.platform.realtime.say('oscarOnline');
    expect(await online).toEqual([]);
  });
});

describe('a socket is not opened (S-12)', () => {
  // Shows: S-12
  test.each([['https://evil.example'], ['null'], [null]])('from the page %s', async (origin) => {
    expect(await outcome(openSocket({ origin }))).toBe('websocket error');
  });

  // Shows: S-12
  test('from a page of another host, though it is the one that is asked', async () => {
    // As a name does that an attacker lets resolve to this machine.
    expect(await outcome(openSocket({ origin: url }))).toBe('websocket error');
    expect(await outcome(openSocket({ origin: 'http://localhost:3000' }))).toBe('open');
  });

  test('without a valid token', async () => {
    expect(await outcome(openSocket({ token: 'x' }))).toBe('tokenNotValid');
  });

  test('over plain requests', async () => {
    expect(await outcome(openSocket({ transports: ['polling'] }))).toBe('xhr poll error');
  });

  // Shows: S-12
  test('beyond the cap of an address, until one of its sockets closes', async () => {
    const three = [openSocket(), openSocket(), openSocket()];
    expect(await Promise.all(three.map(outcome))).toEqual(['open', 'open', 'open']);
    expect(await outcome(openSocket())).toBe('websocket error');
    // A browser that somebody signed in from is counted for itself.
    const cookie = `device=${newDeviceToken(clinic.keyring, randomIds)}`;
    expect(await outcome(openSocket({ cookie }))).toBe('open');
    expect(await outcome(openSocket({ cookie: `${cookie.slice(0, -3)}AAA` }))).toBe(
      'websocket error',
    );
    three[0]?.close();
    while ((await outcome(openSocket())) !== 'open');
  });

  test('by making up addresses in front of the one that a proxy saw', async () => {
    const opened = [1, 2, 3, 4].map((made) =>
      outcome(openSocket({ forwarded: `198.51.100.${made}, 203.0.113.7` })),
    );
    expect((await Promise.all(opened)).sort()).toEqual(['open', 'open', 'open', 'websocket error']);
    expect(await outcome(openSocket({ forwarded: '203.0.113.8' }))).toBe('open');
  });
});
