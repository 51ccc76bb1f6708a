import { calls } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type TestApp,
  type TestAppOptions,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../testing/index.ts';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { DatabaseConflict } from '../database/db.ts';
import { newDeviceToken } from '../security/known-devices.store.ts';
import { randomIds } from './ports.ts';
import { RATES } from './rates.ts';
import { MOST_UNDER_WAY, openServer } from './requests.ts';

let clinic: TestApp;
const open = async (options: TestAppOptions = {}) => {
  clinic = await testApp(options);
  await aClinic(clinic);
};
afterEach(() => clinic.close());

const post = (payload: string, headers: Record<string, string> = {}) =>
  clinic.app.inject({
    method: 'POST',
    url: '/api/login',
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });
const codeOf = (response: { json: () => unknown }) =>
  (response.json() as { extras: { code: string } }).extras.code;
const loginWith = (over: object) =>
  ask(clinic, 'login', {
    body: { method: 'email', email: 'a@b.example', password: 'x', recaptcha: 'ok:1', ...over },
  });

describe('While as many calls are under way as are taken', () => {
  beforeEach(() => open());

  test.each<[string, () => Promise<Awaited<ReturnType<typeof post>>>]>([
    ['that bring nothing', () => ask(clinic, 'listDoctors', { token: 'a-token' })],
    ['that bring a body', () => ask(clinic, 'logout', { token: 'a-token', body: {} })],
  ])('%s, the next is told at once to come again, and is served after', async (_, call) => {
    const waiting: (() => void)[] = [];
    const find = vi
      .spyOn(clinic.platform.sessions, 'find')
      .mockImplementation(() => new Promise((go) => waiting.push(() => go({ kind: 'none' }))));
    const crowd = Array.from({ length: MOST_UNDER_WAY }, call);
    await expect.poll(() => waiting.length).toBe(MOST_UNDER_WAY);
    const refused = await call();
    expect([refused.statusCode, codeOf(refused), refused.headers['retry-after']]).toEqual([
      503,
      'serviceBusy',
      '2',
    ]);
    expect((await clinic.app.inject('/readyz')).statusCode).toBe(200);
    // Of a browser that somebody signed in from.
    const cookie = `device=${newDeviceToken(clinic.keyring, randomIds)}`;
    expect((await ask(clinic, 'getConfig', { headers: { cookie } })).statusCode).toBe(200);
    expect((await ask(clinic, 'getConfig')).statusCode).toBe(503);
    for (const go of waiting) go();
    for (const answer of await Promise.all(crowd)) expect(answer.statusCode).toBe(401);
    find.mockRestore();
    expect((await call()).statusCode).toBe(401);
  });

  test.each(['GET', 'POST'] as const)(
    'a %s without a body is one of them until it is answered',
    async (method) => {
      const app = openServer(clinic.platform);
      const waiting: (() => void)[] = [];
      const handler = () =>
        waiting.length < MOST_UNDER_WAY && new Promise((go) => waiting.push(() => go('')));
      app.route({ method, url: '/api/slow', config: { call: calls.listDoctors }, handler });
      const slow = async () => (await app.inject({ method, url: '/api/slow' })).statusCode;
      const crowd = Array.from({ length: MOST_UNDER_WAY }, slow);
      await expect.poll(() => waiting.length).toBe(MOST_UNDER_WAY);
      expect(await slow()).toBe(503);
      for (const go of waiting) go();
      expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]));
      expect(await slow()).toBe(200);
    },
  );
});

describe('What cannot be read is refused with the envelope of R-2', () => {
  beforeEach(() => open());

  test.each([
    // Shows: R-2
    ['malformed JSON', '{"a":', 400],
    ['an empty body', '', 422],
    ['a body that is no object', '[]', 422],
    ['a body that is nothing', 'null', 422],
    // Shows: S-11
    ['JSON 21 levels deep', `${'['.repeat(21)}${']'.repeat(21)}`, 400],
  ])('%s', async (_, payload, status) => {
    const response = await post(payload);
    expect([response.statusCode, codeOf(response)]).toEqual([status, 'invalidInput']);
  });

  // Shows: R-2, S-11
  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/jsonp',
    'multipart/form-data; boundary=x',
  ])('the content type %s is a 415', async (type) => {
    const response = await post('{}', { 'content-type': type });
    expect([response.statusCode, codeOf(response)]).toEqual([415, 'wrongMediaType']);
  });

  // Shows: R-2, S-11
  test.each(['br', 'gzip', 'zstd', 'gzip, identity', 'nonsense'])(
    'a body that is packed with %s is a 415, whatever it holds',
    async (encoding) => {
      const packed = await post('{"method":"email"}', { 'content-encoding': encoding });
      expect([packed.statusCode, codeOf(packed)]).toEqual([415, 'wrongMediaType']);
      expect(packed.headers['accept-encoding']).toBe('identity');
    },
  );

  // Shows: R-2, S-11
  test('packed uploads and packed nothings are a 415 too', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const headers = { 'x-access-token': token, 'content-encoding': 'gzip' };
    const type = 'multipart/form-data; boundary=x';
    const upload = await clinic.app.inject({
      method: 'POST',
      url: '/api/message/upload',
      headers: { ...headers, 'content-type': type },
      payload: '--x--\r\n',
    });
    const nothing = await clinic.app.inject({ url: '/api/me', headers });
    expect([upload.statusCode, nothing.statusCode]).toEqual([415, 415]);
  });

  test.each(['identity', 'IDENTITY', ''])(
    'a body that says it is not packed (%o) is read',
    async (encoding) => {
      expect((await post('{}', { 'content-encoding': encoding })).statusCode).toBe(422);
    },
  );

  // Shows: R-2, S-11
  test('64 KiB and more is a 413', async () => {
    const response = await post(JSON.stringify({ email: 'x'.repeat(70_000) }));
    expect([response.statusCode, codeOf(response)]).toEqual([413, 'tooLarge']);
  });

  test.each([
    ['GET', '/api/nothing'],
    ['GET', '/api'],
    ['PROPFIND', '/api/nothing'],
    ['POST', '/nothing'],
  ] as const)('%s %s is a 404', async (method, url) => {
    const response = await clinic.app.inject({ method: method as 'GET', url });
    expect([response.statusCode, codeOf(response)]).toEqual([404, 'notFound']);
  });

  // Shows: R-2
  test.each([
    ['DELETE', '/api/me', 'GET, HEAD, POST'],
    ['GET', '/api/login', 'POST'],
    ['POST', '/api/doctors', 'GET, HEAD'],
    ['PUT', '/api/message', 'GET, HEAD, POST'],
    ['QUERY', '/api/me', 'GET, HEAD, POST'],
    ['PROPFIND', '/api/doctors/provider/101', 'GET, HEAD'],
    ['TRACE', '/api/login', 'POST'],
    ['OPTIONS', '/webhooks/stripe', 'POST'],
    ['PATCH', '/healthz', 'GET, HEAD'],
    ['QUERY', '/', 'GET, HEAD'],
    ['POST', '/login', 'GET, HEAD'],
  ])('%s %s is a 405 that names %s', async (method, url, allow) => {
    const response = await clinic.app.inject({ method: method as 'GET', url });
    expect([response.statusCode, codeOf(response), response.headers.allow]).toEqual([
      405,
      'methodNotAllowed',
      allow,
    ]);
  });

  test('an address that cannot be decoded is a 400', async () => {
    const response = await clinic.app.inject({ method: 'GET', url: '/api/doctors/provider/%zz' });
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'invalidInput']);
  });

  test('an id of any length is an answer within the contract', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    for (const length of [65, 300, 3_000]) {
      const id = 'x'.repeat(length);
      const { statusCode } = await ask(clinic, 'getProvider', { token, params: { id } });
      expect([404, 422]).toContain(statusCode);
    }
  });
});

describe('Fields that cannot be accepted', () => {
  beforeEach(() => open());

  test('are all named at once', async () => {
    const { errors } = (await loginWith({ email: 7, password: '' })).refusal();
    expect(errors?.map(({ field }) => field).sort()).toEqual(['email', 'password']);
  });

  // Shows: R-2
  test('are named together, whether they stand in the path or in the body', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const refused = await clinic.app.inject({
      method: 'PUT',
      url: `/api/message/${'x'.repeat(65)}`,
      headers: { 'x-access-token': token },
      payload: { message: 7 },
    });
    const { errors } = refused.json<{ errors: { field: string }[] }>();
    expect(errors.map(({ field }) => field).sort()).toEqual(['id', 'message']);
  });

  // Shows: R-2
  test('are told apart from unknown ones', async () => {
    const { errors } = (await loginWith({ isAdmin: true })).refusal();
    expect(errors).toEqual([{ field: 'isAdmin', message: 'This field is not known here.' }]);
  });

  test.each([
    ['NUL', 'a\0b'],
    ['half a character', '\ud800'],
  ])('%s is one of them, because the database cannot keep it', async (_, email) => {
    const { errors } = (await loginWith({ email })).refusal();
    expect(errors?.map(({ field }) => field)).toEqual(['email']);
  });

  test('__proto__ is an unknown field like any other', async () => {
    const response = await post('{"__proto__":{"isAdmin":true},"method":"email"}');
    expect(response.statusCode).toBe(422);
  });

  // Shows: R-2
  test('a value that is empty is one of them in calls of ours, and none in the specification’s', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const asked = (url: string) => clinic.app.inject({ url, headers: { 'x-access-token': token } });
    expect((await asked('/api/message?limit&skip=')).statusCode).toBe(200);
    const refused = await asked('/api/doctors/earliest?type=O&id=');
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { errors: [{ field: 'id' }] },
    ]);
  });

  test('a body of nothing is refused where a body without fields is taken', async () => {
    const send = (payload: string) =>
      clinic.app.inject({
        method: 'POST',
        url: '/api/services/charge',
        headers: { 'x-access-token': token, 'content-type': 'application/json' },
        payload,
      });
    const token = await signIn(clinic, await aPatient(clinic));
    expect((await send('null')).json()).toMatchObject({ errors: [{ field: 'body' }] });
  });

  test('a body where none belongs is named too', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const refused = await ask(clinic, 'logout', { token, body: { all: true } });
    expect([refused.statusCode, refused.refusal().errors?.[0]?.field]).toEqual([422, 'all']);
  });
});

describe('The key of a request that must not be done twice (R-95)', () => {
  beforeEach(() => open());

  test.each(['createBooking', 'charge'] as const)(
    'is asked of our own pages for %s, and of nobody else',
    async (id) => {
      const token = await signIn(clinic, await aPatient(clinic));
      const fieldsFrom = async (site: string, key?: string) => {
        const headers = { 'sec-fetch-site': site, ...(key && { 'idempotency-key': key }) };
        const refused = await ask(clinic, id, { token, headers, body: { nothing: 1 } });
        return refused.refusal().errors?.map(({ field }) => field);
      };
      expect(await fieldsFrom('same-origin')).toContain('idempotency-key');
      expect(await fieldsFrom('same-origin', 'a-key-of-ours')).not.toContain('idempotency-key');
      expect(await fieldsFrom('none')).not.toContain('idempotency-key');
    },
  );
});

describe('A door', () => {
  beforeEach(() => open());

  test('is closed to strangers on every call but the public ones', async () => {
    for (const call of Object.values(calls).filter(({ access }) => access === 'patient')) {
      const refused = await ask(clinic, call.id, { body: {} });
      expect([call.id, refused.statusCode, refused.refusal().type]).toEqual([
        call.id,
        401,
        'tokenNotValid',
      ]);
    }
  });
});

describe('When a neighbour fails', () => {
  test('a bug is a 500 that says nothing but its reference', async () => {
    await open({ expectBugs: true });
    clinic.captcha.challenge = () => Promise.reject(new Error('secret detail'));
    const failed = await ask(clinic, 'captchaChallenge');
    const { extras } = failed.refusal();
    expect([failed.statusCode, extras.code]).toEqual([500, 'bug']);
    expect(extras.reference).toMatch(/^[0-9a-f-]{36}$/);
    expect(failed.body).not.toContain('secret');
  });

  test('records that do not answer are a 503 that says to try again later or to call', async () => {
    const emr = fakeEmr();
    await open({ emr });
    const patient = await aPatient(clinic);
    const token = await signIn(clinic, patient);
    emr.faults.offline = true;
    const params = { demographicNo: patient.recordId };
    const refused = await ask(clinic, 'getPatientRecord', { token, params });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
    expect(refused.refusal().extras.message).toContain('Please try again later or call the clinic');
  });

  test.each([
    ['waits too long', '57014'],
    ['has no connection left', '53300'],
    ['has no memory left', '53200'],
    ['cannot read its disk', '58030'],
  ])('a database that %s is a 503 with Retry-After', async (_, code) => {
    await open();
    clinic.captcha.challenge = () =>
      Promise.reject(Object.assign(new Error('The database says so'), { code }));
    const refused = await ask(clinic, 'captchaChallenge');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  });
});

describe('HEAD (R-2)', () => {
  beforeEach(() => open());

  const both = async (url: string, headers: Record<string, string> = {}) => {
    const [get, head] = [
      await clinic.app.inject({ url, headers }),
      await clinic.app.inject({ method: 'HEAD', url, headers }),
    ];
    const told = ({ statusCode, headers: all }: typeof get) => ({ ...all, statusCode });
    return { get: told(get), head: told(head), body: head.body };
  };

  test.each([
    ['/api/services/config', 200],
    ['/api/me', 401],
    ['/api/openapi.json', 200],
    ['/api/docs', 200],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/api/nothing', 404],
    ['/api/pharmacy/all', 200],
  ])('of %s is answered as GET is, without the content', async (url, status) => {
    const { get, head, body } = await both(url);
    expect([get.statusCode, head, body]).toEqual([status, get, '']);
  });

  test('of what the client has already is a 304, as GET is', async () => {
    const { headers } = await clinic.app.inject('/api/pharmacy/all');
    const { get, head } = await both('/api/pharmacy/all', {
      'if-none-match': String(headers.etag),
    });
    expect([get.statusCode, head]).toEqual([304, get]);
  });

  test('is no sign of somebody there: the session grows no older by it', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const touch = vi.spyOn(clinic.platform.sessions, 'touch');
    await ask(clinic, 'getMe', { token });
    touch.mockClear();
    await clinic.app.inject({
      method: 'HEAD',
      url: '/api/me',
      headers: { 'x-access-token': token },
    });
    expect(touch).not.toHaveBeenCalled();
  });
});

describe('An answer', () => {
  beforeEach(() => open());

  // Shows: R-11
  test("carries the service's clock in its Date (R-11)", async () => {
    clinic.clock.set(1_797_364_800);
    const { headers } = await ask(clinic, 'getConfig');
    expect(headers.date).toBe('Tue, 15 Dec 2026 20:00:00 GMT');
  });

  test('waits for a clock that is in doubt, and tells its time', async () => {
    clinic.clock.set(1_797_364_800);
    const sure = async () => clinic.clock.advance(600);
    Object.assign(clinic.clock, { sure });
    const { headers } = await ask(clinic, 'getConfig');
    expect(headers.date).toBe('Tue, 15 Dec 2026 20:10:00 GMT');
  });

  test('over 1 kB is compressed for whoever can read it', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const headers = { 'x-access-token': token };
    const me = (encoding: string) =>
      clinic.app.inject({ url: '/api/me', headers: { ...headers, 'accept-encoding': encoding } });
    expect((await me('gzip')).headers['content-encoding']).toBe('gzip');
    expect((await me('br')).headers['content-encoding']).toBe('br');
    expect((await me('identity')).headers['content-encoding']).toBeUndefined();
  });

  // Shows: R-7, S-8
  test('leaves one line in the log, with the template in place of the path (S-8)', async () => {
    const token = await signIn(clinic, await aPatient(clinic, { email: 'casey@x.example' }));
    await ask(clinic, 'getProvider', { token, params: { id: '101' } });
    const [line] = clinic.log.lines;
    const { requestId, ms, pseudonym, ...rest } = line ?? {};
    expect(rest).toEqual({
      method: 'GET',
      route: '/api/doctors/provider/:id',
      status: 200,
      call: 'getProvider',
    });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(pseudonym).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('Transactions that got in each other’s way again and again', () => {
  beforeEach(() => open());

  test.each(['confirmInformation', 'updateMe'] as const)('%s asks to try again', async (id) => {
    const token = await signIn(clinic, await aPatient(clinic));
    const cause = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const { database } = clinic.platform;
    database.inTransaction = () => Promise.reject(cause);
    const profile = { address: '9 New Street', city: 'Burnaby', province: 'BC', postal: 'V5J 0N3' };
    const rest = { phone: '604-555-0199', sex: 'Other', country: 'Canada' };
    const body = id === 'updateMe' ? { ...profile, ...rest } : { shouldUpdate: false };
    const response = await ask(clinic, id, { token, body });
    expect([response.statusCode, codeOf(response)]).toEqual([503, 'serviceBusy']);
  });

  test('is told of nobody else’s time in a call that takes none', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const { database } = clinic.platform;
    database.inTransaction = () => Promise.reject(new DatabaseConflict('a_key'));
    const { version, hash } = currentAgreement('icbc');
    const body = { kind: 'icbc', version, hash };
    const response = await ask(clinic, 'saveAgreement', { token, body });
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'changedMeanwhile']);
  });
});

describe('Health', () => {
  beforeEach(() => open());

  test('is not ready while the database is silent', async () => {
    clinic.platform.database.answers = () => Promise.resolve(false);
    const response = await clinic.app.inject('/readyz');
    expect([response.statusCode, response.json()]).toEqual([503, { status: 'database silent' }]);
    expect((await clinic.app.inject('/healthz')).statusCode).toBe(200);
  });

  test('says alive and ready, and not ready while closing', async () => {
    const status = async (url: string) => (await clinic.app.inject(url)).statusCode;
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
    clinic.app.beginClosing();
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
  });
});

describe('The limit of a call (S-5)', () => {
  const few = { ...RATES, readsPerAccount: { ...RATES.readsPerAccount, count: 3 } };

  test('counts each call and each account by itself, and says in words when to come back', async () => {
    await open({ config: { rates: few } });
    const [casey, riley] = [await aPatient(clinic), await aPatient(clinic)];
    const token = await signIn(clinic, casey);
    const anotherTab = await signIn(clinic, casey);
    for (const each of [token, anotherTab, token])
      expect((await ask(clinic, 'listDoctors', { token: each })).statusCode).toBe(200);
    clinic.clock.advance(15);
    const refused = await ask(clinic, 'listDoctors', { token: anotherTab });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '45']);
    expect((await ask(clinic, 'doctorStatus', { token })).statusCode).toBe(200);
    const others = await signIn(clinic, riley);
    expect((await ask(clinic, 'listDoctors', { token: others })).statusCode).toBe(200);
    clinic.clock.advance(45);
    expect((await ask(clinic, 'listDoctors', { token })).statusCode).toBe(200);
  });

  test('counts by address where nobody is signed in', async () => {
    await open({
      config: { rates: { ...RATES, readsPerAddress: { ...few.readsPerAddress, count: 1 } } },
    });
    expect((await ask(clinic, 'getConfig')).statusCode).toBe(200);
    expect((await ask(clinic, 'getConfig')).statusCode).toBe(429);
    const elsewhere = await clinic.app.inject({
      url: '/api/services/config',
      remoteAddress: '192.0.2.7',
    });
    expect(elsewhere.statusCode).toBe(200);
  });

  // Shows: S-5
  test.each<[string, string]>([
    ['QUERY', '/api/me'],
    ['GET', '/api/nothing'],
    ['GET', '/api/%zz'],
  ])('counts what no route takes too: %s %s', async (method, url) => {
    await open({
      config: { rates: { ...RATES, readsPerAddress: { ...few.readsPerAddress, count: 2 } } },
    });
    const send = async () => (await clinic.app.inject({ method: method as 'GET', url })).statusCode;
    expect([await send(), await send(), await send()]).toEqual([
      expect.not.stringMatching('429'),
      expect.anything(),
      429,
    ]);
    expect((await ask(clinic, 'getConfig')).statusCode).toBe(200);
  });

  test('counts what cannot be read too', async () => {
    await open({
      config: { rates: { ...RATES, changesPerAddress: { ...few.changesPerAddress, count: 2 } } },
    });
    const statuses = [await post('{"a":'), await post('{"a":'), await post('{"a":')];
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([400, 400, 429]);
  });

  // Shows: S-5
  test('is named by every route that is no page: one without it stops the start', async () => {
    await open();
    const app = openServer(clinic.platform);
    app.post('/hook', { config: { limit: 'none' } }, async () => '');
    app.get('/page', async () => '');
    expect(() => app.post('/forgotten', async () => '')).toThrow('/forgotten names no limit');
    expect(() => app.get('/api/forgotten', async () => '')).toThrow('names no limit');
  });
});
