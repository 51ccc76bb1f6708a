import { once } from 'node:events';
import { io } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { type KeptReports, keptReports } from '../../testing/kept-reports.ts';
import { type TestApp, aPatient, ask, signIn, testApp } from '../../testing/index.ts';

let clinic: TestApp;
let reports: KeptReports;
beforeEach(async () => {
  reports = keptReports();
  const emr = {
    ...fakeEmr(),
    responsibleProvider: () =>
      Promise.reject(new RangeError('params: Casey Morgan\n    at home (file:///Casey:1:1)')),
  };
  clinic = await testApp({ emr, reports, expectBugs: true });
});
afterEach(() => clinic.close());

const errors = async () =>
  (await clinic.app.inject('/readyz')).json<{ readonly errors: number }>().errors;

// Shows: S-8
describe('An error that nobody expected', () => {
  test('is a 500 without detail, and is logged, counted and reported under its request id', async () => {
    const patient = await aPatient(clinic);
    const token = await signIn(clinic, patient);
    expect(await errors()).toBe(0);
    const params = { demographicNo: patient.recordId };
    const answer = await ask(clinic, 'getPatientRecord', { token, params });
    expect(answer.statusCode).toBe(500);
    const { reference } = answer.json<{ readonly extras: { readonly reference: string } }>().extras;
    expect(clinic.log.failures).toMatchObject([{ code: 'bug', error: { name: 'RangeError' } }]);
    expect(clinic.log.lines.at(-1)).toMatchObject({ requestId: reference, status: 500 });
    expect(await errors()).toBe(1);
    expect(reports.last).toMatchObject([
      {
        kind: 'service',
        code: 'bug',
        requestId: reference,
        call: 'getPatientRecord',
        error: 'RangeError',
      },
    ]);
    expect(reports.last[0]?.frames?.[0]).toContain('errors.routes.test.ts');
    expect(JSON.stringify([answer.body, reports.last])).not.toMatch(/casey|at home/i);
  });

  test('is told of the outbox too, whose row is tried again', async () => {
    clinic.platform.outbox.handle('planted', () => Promise.reject(new TypeError('Casey Morgan')));
    await clinic.database.inTransaction((tx) =>
      clinic.platform.outbox.enqueue(tx, 'planted', {}, clinic.clock.now()),
    );
    await clinic.platform.outbox.drain();
    expect(await errors()).toBe(1);
    expect(reports.last).toMatchObject([{ code: 'outbox-failed', error: 'TypeError' }]);
  });

  test('is told of a socket too, which is not let in', async () => {
    const url = await clinic.app.listen({ host: '127.0.0.1', port: 0 });
    Object.assign(clinic.platform.sessions, {
      find: () => Promise.reject(new TypeError('Casey Morgan')),
    });
    const socket = io(url, {
      transports: ['websocket'],
      reconnection: false,
      auth: { token: 'a-token' },
      extraHeaders: { origin: 'http://127.0.0.1:3000' },
    });
    const [refused] = (await once(socket as never, 'connect_error')) as [Error];
    expect([refused.message, await errors()]).toEqual(['serviceBusy', 1]);
    expect(reports.last).toMatchObject([{ code: 'sockets-not-checked', error: 'TypeError' }]);
  });

  test('is none where a call is refused', async () => {
    expect((await ask(clinic, 'listDoctors', {})).statusCode).toBe(401);
    expect([await errors(), reports.last]).toEqual([0, []]);
  });
});
