import { describe, expect, test } from 'vitest';

import { credentials } from '../fake/index.ts';
import {
  OscarFault,
  OscarOffline,
  OscarRefused,
  appointmentNo,
  beginConnecting,
  createOscar,
  finishConnecting,
} from '../src/index.ts';
import { signer } from '../src/oauth.ts';
import { avery, draft, openCanned, openClinic, tickler } from './clinic.ts';

const { consumer } = credentials;

/** What a provider does in the browser: opens the address, logs in, approves, copies the verifier. */
async function approve(authorizeAt: string): Promise<string> {
  const question = await (await fetch(authorizeAt)).text();
  const [, token = ''] = /name="oauth_token" value="(\w+)"/.exec(question) ?? [];
  const answer = await fetch(authorizeAt.replace(/\?.*/, ''), {
    method: 'POST',
    body: new URLSearchParams({ oauth_token: token }),
  });
  return /oauth_verifier=(\S+)/.exec(await answer.text())?.[1] ?? '';
}

test('a clinic is connected by a provider’s consent in the browser', async () => {
  const { fake } = await openClinic('classic');
  const { base } = fake;
  const { requestToken, authorizeAt } = await beginConnecting({ base, consumer });
  const verifier = await approve(authorizeAt);
  const token = await finishConnecting({ base, consumer, requestToken, verifier });
  const oscar = createOscar({ base, rest: { consumer, token }, soap: credentials.soap });
  await expect(oscar.checkToken()).resolves.toBe(true);
});

test('a wrong secret, a wrong verifier and a second use are refused', async () => {
  const { fake } = await openClinic('classic');
  const { base } = fake;
  const wrong = { ...consumer, secret: 'wrong' };
  await expect(beginConnecting({ base, consumer: wrong })).rejects.toThrow(OscarRefused);
  const { requestToken, authorizeAt } = await beginConnecting({ base, consumer });
  const verifier = await approve(authorizeAt);
  const finish = (given: string) =>
    finishConnecting({ base, consumer, requestToken, verifier: given });
  await expect(finish('wrong')).rejects.toThrow(OscarRefused);
  await finish(verifier);
  await expect(finish(verifier)).rejects.toThrow(OscarRefused);
});

const HTTP = { type: 'text/plain' } as const;

describe('scopes', () => {
  test('are asked for at the start, so that a token of CARLOS may do all that is asked of it', async () => {
    const { fake } = await openClinic('carlos');
    fake.expireToken();
    const { base } = fake;
    const { requestToken, authorizeAt } = await beginConnecting({ base, consumer });
    const verifier = await approve(authorizeAt);
    const token = await finishConnecting({ base, consumer, requestToken, verifier });
    const oscar = createOscar({ base, rest: { consumer, token }, soap: credentials.soap });
    expect(await oscar.checkToken()).toBe(true);
    await oscar.addTickler(tickler);
    await oscar.book(draft());
    const [row] = fake.memory.appointments;
    await oscar.cancelAppointment(appointmentNo(String(row?.id)));
    expect(oscar.counts().has('updateAppointment')).toBe(false);
  });

  test('that an OSCAR does not understand are left out', async () => {
    const asked: string[] = [];
    let base = '';
    await openCanned(
      (_path, body) => {
        asked.push(body);
        return body === ''
          ? { ...HTTP, body: 'oauth_token=a&oauth_token_secret=b' }
          : { ...HTTP, status: 500, body: '' };
      },
      {},
      (at) => (base = at),
    );
    const { requestToken } = await beginConnecting({ base, consumer });
    expect(requestToken).toEqual({ key: 'a', secret: 'b' });
    expect(asked).toEqual([expect.stringContaining('scope=demographic.write+'), '']);
  });
});

describe('CARLOS', () => {
  async function withoutScopes() {
    const clinic = await openClinic('carlos');
    const { access } = clinic.fake.consents;
    for (const [key, token] of access) access.set(key, { ...token, scopes: [] });
    return clinic;
  }

  test('takes patients, bookings and cancellations by a token without scopes, and says what it lacks', async () => {
    const { oscar, fake } = await withoutScopes();
    expect(await oscar.checkToken()).toBe(false);
    const wanted = { name: 'OscarRefused', word: 'restricted_endpoint' };
    await expect(oscar.addTickler(tickler)).rejects.toMatchObject(wanted);
    await expect(oscar.addTickler(tickler)).rejects.toThrow('without scopes: connect again');
    const answer = await oscar.book(draft());
    if (answer.kind !== 'booked') throw new Error('It is not booked');
    expect(await oscar.cancelAppointment(answer.no)).toBe(true);
    expect(fake.memory.appointments).toMatchObject([{ status: 'C', notes: '[key-1]' }]);
  });

  test('names a scope that the token lacks', async () => {
    const { oscar, fake } = await openClinic('carlos');
    const { access } = fake.consents;
    for (const [key, token] of access) access.set(key, { ...token, scopes: ['document.write'] });
    expect(await oscar.checkToken()).toBe(false);
    await expect(oscar.addTickler(tickler)).rejects.toThrow('lacks a scope');
  });

  test('ends each token after an hour: what goes by SOAP goes on, the rest says so', async () => {
    let now = Date.parse('2026-11-21T18:00:00Z');
    const { oscar, fake } = await openClinic('carlos', {}, { now: () => now });
    now += 3_599_000;
    expect(await oscar.checkToken()).toBe(true);
    now += 1000;
    await expect(oscar.checkToken()).rejects.toThrow('the token has ended');
    await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarRefused);
    const answer = await oscar.book(draft());
    if (answer.kind !== 'booked') throw new Error('It is not booked');
    expect(await oscar.cancelAppointment(answer.no)).toBe(true);
    expect(fake.memory.ticklers).toEqual([]);
  });

  test('answers a wrong login with a page, and that is a refusal', async () => {
    const soap = { userName: 'booking', password: 'wrong' };
    const { oscar } = await openClinic('carlos', { soap });
    const asked = oscar.checkLogin();
    await expect(asked).rejects.toThrow(OscarRefused);
    await expect(asked).rejects.toThrow('login2 was refused');
  });

  test('whose database is down is offline, by REST, too', async () => {
    const { oscar, fake } = await openClinic('carlos');
    fake.switches.database = 'down';
    await expect(oscar.checkToken()).rejects.toThrow(OscarOffline);
    await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarOffline);
  });

  test('says in JSON that the provider lacks a role', async () => {
    const { oscar, fake } = await openClinic('carlos');
    fake.switches.hasRole = false;
    await expect(oscar.addTickler(tickler)).rejects.toThrow('lacks a role');
  });

  test('takes no request twice', async () => {
    const { fake } = await openClinic('carlos');
    const url = `${fake.base}/ws/services/status/checkIfAuthed`;
    const authorization = signer(consumer, credentials.token)({ method: 'GET', url });
    const ask = async () => (await fetch(url, { headers: { authorization } })).status;
    expect([await ask(), await ask()]).toEqual([200, 401]);
  });
});

describe('a refusal says what to do', () => {
  test.each([
    [403, 'blocked_endpoint', 'do it there by hand'],
    [401, 'invalid_consumer', 'copy the key again'],
    [401, 'nonce_replayed', 'a proxy repeats'],
    [401, 'unknown_provider', 'connect again, as another one'],
    [401, '', 'connect again'],
    [403, '', 'lacks a role'],
    [404, '<html><body>No service was found.</body></html>', 'has to contain REST'],
  ])('%i %s', async (status, body, says) => {
    const type = body.startsWith('<') ? 'text/html' : 'text/plain';
    const oscar = await openCanned(() => ({ status, type, body }));
    const added = oscar.addTickler(tickler);
    await expect(added).rejects.toThrow(OscarRefused);
    await expect(added).rejects.toThrow(says);
  });

  test('400 in JSON: nothing was written', async () => {
    const oscar = await openCanned(() => ({ status: 400, body: '{"code":"VALIDATION_ERROR"}' }));
    const added = oscar.addTickler({ ...tickler, demographicNo: avery });
    await expect(added).rejects.toThrow(OscarFault);
    await expect(added).rejects.toThrow('calls what was sent invalid');
  });

  test.each(['classic', 'carlos'] as const)('a callback that %s does not take', async (profile) => {
    const { fake } = await openClinic(profile);
    fake.consents.clientUri = 'https://clinic.example/back';
    const beginning = beginConnecting({ base: fake.base, consumer });
    await expect(beginning).rejects.toThrow(OscarRefused);
    await expect(beginning).rejects.toThrow('has to be oob');
  });

  test('REST that is off, already when a clinic is connected', async () => {
    const { fake } = await openClinic('classic');
    fake.switches.hasRest = false;
    const beginning = beginConnecting({ base: fake.base, consumer });
    await expect(beginning).rejects.toThrow('ModuleNames in oscar.properties');
  });

  test('a path at which there is no OSCAR', async () => {
    const page = { status: 404, type: 'text/html', body: '<html><body>404</body></html>' };
    const oscar = await openCanned(() => page);
    await expect(oscar.checkLogin()).rejects.toThrow('such as /oscar or /carlos');
  });
});
