import { gunzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { CallAnswer, CallId } from '@clinic/contract';
import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import type { AskOptions } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { feePolicy, providerPolicy } from './schema.ts';

let clinic: TestApp;
let token: string;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic.database, {
    providers: [
      { id: '101' },
      { id: '107', policy: { hidden: true } },
      { id: '108', policy: { disabled: true, comment: 'Away in the afternoons' } },
      { id: '109', status: '0' },
    ],
  });
  token = await signIn(clinic, { id: await aPatientRow(clinic.database) });
});
afterEach(() => clinic.close());

async function say<Id extends CallId>(id: Id, options: AskOptions = {}) {
  const response = await ask(clinic, id, { token, ...options });
  return { status: response.statusCode, body: response.json<CallAnswer<Id>>() };
}
const daysOf = async (...range: Parameters<typeof schedule>) =>
  (await schedule(...range)).body.extras;
const providersOf = async (day: string, id?: string) => (await daysOf(day, day, id))[0]?.providers;
const schedule = (from: string, to: string, id = '-1') =>
  say('doctorSchedule', { query: { from, to, id } });

describe('doctors (R-22)', () => {
  // Shows: 3.doctor.1, 7.doctors.1, R-22
  test('lists neither inactive nor hidden ones', async () => {
    const { body } = await say('listDoctors');
    expect(body.map(({ id }) => id)).toEqual(['101', '108']);
  });

  // Shows: 3.doctor-status.1, 7.doctors.3
  test('what the clinic says of each, by id', async () => {
    const { body } = await say('doctorStatus');
    expect(Object.keys(body)).toEqual(['101', '107', '108']);
    expect(body['108']).toMatchObject({
      scheduledisable: true,
      scheduledcomment: 'Away in the afternoons',
    });
    expect(body['107']).toMatchObject({ noscheduledisplay: true });
  });
});

describe('the schedule (R-5)', () => {
  // Shows: 3.schedule.1, 7.doctors.4, R-4
  test('has the slots of each day and listed provider, in epoch seconds', async () => {
    const days = await daysOf('2026-11-23', '2026-11-24');
    expect(days.map(({ date }) => date)).toEqual(['2026-11-23', '2026-11-24']);
    expect(days[0]?.providers.map(({ doctor }) => doctor)).toEqual(['101', '108']);
    const slots = days[0]?.providers[0]?.schedule;
    expect(slots).toHaveLength(108);
    const eight = toInstant('2026-11-23', '08:00');
    expect(slots?.[0]).toEqual({ code: 'O', start: eight, end: eight + 300 });
  });

  // Shows: 7.doctors.4
  test('of one doctor has that doctor alone, of an unlisted one nobody', async () => {
    expect(await providersOf('2026-11-23', '108')).toHaveLength(1);
    for (const id of ['107', '109', 'nobody'])
      expect(await providersOf('2026-11-23', id)).toEqual([]);
  });

  // Shows: 3.schedule.1, R-5
  test('never says by whom a slot is booked', async () => {
    const start = toInstant('2026-11-23', '08:00');
    const body = { start, end: start + 300, doctor: '101', selectedType: 'O', reason: 'A cough' };
    await say('createBooking', { body });
    const [provider] = (await providersOf('2026-11-23')) ?? [];
    expect(provider?.booked).toEqual([{ doctor: '101', start }]);
  });

  // Shows: 6.restrictions.1, R-91
  test('of a type is refused to whom it is not open, as hold refuses it', async () => {
    const start = toInstant('2026-11-23', '08:00');
    const body = { start, end: start + 300, doctor: '101', selectedType: 'O' };
    const query = { from: '2026-11-23', to: '2026-11-23', id: '-1', type: 'O' };
    const codesFor = async (as: string) => {
      const asked = await ask(clinic, 'doctorSchedule', { token: as, query });
      const held = await ask(clinic, 'placeHold', { token: as, body });
      return [asked, held].map((each) => each.statusCode === 200 || each.refusal().extras.code);
    };
    const id = await aPatientRow(clinic.database, { disabledTypes: ['O'] });
    const closed = ['typeNotOffered', 'typeNotOffered'];
    expect(await codesFor(await signIn(clinic, { id }))).toEqual(closed);
    expect(await codesFor(token)).toEqual([true, true]);
    await clinic.database.inTransaction((tx) => tx.delete(feePolicy));
    expect(await codesFor(token)).toEqual(closed);
  });

  test('of a type tells each of many who ask at once by what is open to them', async () => {
    const id = await aPatientRow(clinic.database, { disabledTypes: ['O'] });
    const closed = await signIn(clinic, { id });
    const search = async (as: string, type: string) => {
      const query = { from: '2026-11-23', to: '2026-11-23', id: '-1', type };
      return (await ask(clinic, 'doctorSchedule', { token: as, query })).statusCode;
    };
    const asked = [token, closed, closed, token, closed, token].map((as, at) =>
      search(as, at < 4 ? 'O' : 'P'),
    );
    expect(await Promise.all(asked)).toEqual([200, 422, 422, 200, 200, 200]);
  });

  test('changes with a doctor who is hidden from now on', async () => {
    await schedule('2026-11-23', '2026-11-23');
    await clinic.database.inTransaction((tx) =>
      tx.insert(providerPolicy).values({ providerId: '101', hidden: true }),
    );
    expect(await providersOf('2026-11-23')).toHaveLength(1);
  });

  // Shows: R-3
  test('is shown to no session that has ended, though it is ready', async () => {
    const ask = () => schedule('2026-11-23', '2026-11-23');
    expect((await ask()).status).toBe(200);
    await say('logout');
    expect((await ask()).status).toBe(401);
    const [ended, other] = [
      token,
      await signIn(clinic, { id: await aPatientRow(clinic.database) }),
    ];
    const answers = await Promise.all(
      [ended, other, ended, other].map((each) =>
        say('doctorSchedule', {
          token: each,
          query: { from: '2026-11-23', to: '2026-11-23', id: '-1' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 401, 200]);
  });

  test('asks at once whose the sessions are and what has changed, for all who wait', async () => {
    const { $client } = clinic.database.db;
    const query = $client.query.bind($client);
    const asked: string[] = [];
    const spy = vi.spyOn($client, 'query').mockImplementation((...given) => {
      asked.push(given[0].name);
      return query(...given);
    });
    const search = (type: string) =>
      say('doctorSchedule', {
        query: { from: '2026-11-23', to: '2026-11-23', id: '-1', type },
      });
    await Promise.all([search('O'), search('P')]);
    asked.length = 0;
    await Promise.all(['O', 'P', 'O', 'P', 'O'].map(search));
    // The next test of this process may be lent the same connections.
    spy.mockRestore();
    // The first goes out alone, the others together. Others are told of the commits of before meanwhile.
    const [first, second, ...others] = asked.filter((name) => name !== 'notify');
    expect([first, second]).toEqual(['schedule-changes', 'session-find']);
    expect(others.toSorted()).toEqual(['schedule-changes', 'session-find']);
  });

  test('comes compressed to those who take it, byte for byte the same', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const query = { from: '2026-11-23', to: '2026-11-23' };
    const { method, url } = { method: 'GET' as const, url: '/api/doctors/schedule' };
    const [packed, plain] = await Promise.all([
      clinic.app.inject({ method, url, query, headers: { ...headers, 'x-access-token': token } }),
      clinic.app.inject({ method, url, query, headers: { 'x-access-token': token } }),
    ]);
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  });

  test.each([
    ['2026-11-24', '2026-11-23', 'from', 'The first day must not come after the last day.'],
    ['2026-11-23', '2026-11-29', 'to', 'Please ask for six days at most.'],
    ['0000-01-01', '2026-11-23', 'from', 'This date is not valid.'],
    ['2027-11-23', '2027-11-23', 'from', 'This date is not valid.'],
    ['2026-11-20', '2026-11-20', 'to', 'This date is not valid.'],
  ])('%s to %s: the field %s is refused', async (from, to, field, message) => {
    expect(await schedule(from, to)).toMatchObject({
      status: 422,
      body: { errors: [{ field, message }] },
    });
  });
});

describe('what an appointment costs (R-8, R-32)', () => {
  const costOf = (selectedType: string, options: AskOptions = {}) =>
    say('appState', { query: { selectedType, eligibility: 'NE' }, ...options });

  // Shows: 6.eligibility.3, 7.services.1, 9.charges.1
  test("goes by the caller's own eligibility, not by the one sent", async () => {
    expect((await costOf('O')).body.extras).toEqual({ chargeAmount: 0, code: 'O' });
    const nora = await signIn(clinic, {
      id: await aPatientRow(clinic.database, { eligibility: 'NR' }),
    });
    expect((await costOf('O', { token: nora })).body.extras.chargeAmount).toBe(10);
    expect((await costOf('PP')).body.extras.chargeAmount).toBe(75);
  });

  test('a type that is not open to the caller has no price', async () => {
    const dee = await signIn(clinic, {
      id: await aPatientRow(clinic.database, { disabledTypes: ['D'] }),
    });
    expect(await costOf('D', { token: dee })).toMatchObject({ status: 422 });
    expect(await costOf('M')).toMatchObject({ status: 422 });
  });
});
