import { type Call, type CallId, type DeskCallId } from '@clinic/contract';
import { once } from 'node:events';
import { type ServerResponse, request as sendHttp } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { aStaffMember, deskRequest, deskSession } from '../testing/desk.ts';
import {
  aProof,
  type AskOptions,
  ask,
  ratesOf,
  requestOf,
  signIn,
  testDatabase,
  unlimitedRates,
} from '../testing/index.ts';
import { everyCall } from './every-call.ts';
import { type DatabaseFault, type LockableDatabase, lockableDatabase } from './locked-database.ts';
import { type TwoPatients, slotOn, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

const TRIES = 6;

let lockable: LockableDatabase;
let clinic: TwoPatients;
/** A clinic with few tries; the count that each call has in memory is in the way only `withMemory`. */
async function open(withMemory: boolean) {
  lockable = lockableDatabase(await testDatabase());
  const { changesPerAccount, readsPerAccount } = unlimitedRates();
  const roomy = withMemory ? {} : { changesPerAccount, readsPerAccount };
  clinic = await twoPatients({ ...ratesOf(TRIES), ...roomy }, lockable);
}
/** Forgets the uses of what was before. */
const forgetUses = () => clinic.platform.rateLimit.sweep(clinic.clock.now() + 3 * 86_400);
afterAll(() => clinic.close());

type AnyCallId = CallId | DeskCallId;

/** The statuses of one request more than anybody has tries, each of which meets the fault. */
async function meeting(
  fault: DatabaseFault,
  id: AnyCallId,
  next: () => AskOptions | Promise<AskOptions>,
): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 0; n <= TRIES; n += 1) {
    const request = await next();
    seen.push(
      await lockable.during(clinic, fault, async () => (await ask(clinic, id, request)).statusCode),
    );
  }
  return seen;
}

/** Calls that are answered from memory. */
const WITHOUT_DATABASE: readonly string[] = [
  'recordsStatus',
  'getConfig',
  'saveError',
  'captchaChallenge',
  'renewSession',
];
/** Calls whose tries are at a secret: their work is the comparison, which needs no database. */
const GUESSES: readonly string[] = ['login', 'changePassword'];

const faultsBeforeWorkOf = ({ id, limit }: Call): readonly DatabaseFault[] => [
  'door',
  ...(limit !== 'shared' ? [] : (['counting'] as const)),
  ...(limit !== 'shared' || GUESSES.includes(id) ? [] : (['counted'] as const)),
];

describe('A database that is locked before the work of a call (S-5)', () => {
  beforeAll(() => open(true));
  beforeEach(forgetUses);

  // Shows: S-5
  test.each(everyCall.filter(({ id }) => !WITHOUT_DATABASE.includes(id)))(
    'costs nobody a try of $id',
    async (call) => {
      const token = await signIn(clinic, clinic.asker.row);
      const next = () => {
        const request = validRequests[call.id](clinic);
        return request.token === undefined ? request : { ...request, token };
      };
      for (const fault of faultsBeforeWorkOf(call))
        expect([fault, ...new Set(await meeting(fault, call.id, next))]).toEqual([fault, 503]);
      expect([429, 503]).not.toContain((await ask(clinic, call.id, next())).statusCode);
    },
  );
});

type Wrong = (cookie: string) => AskOptions;
const wrongGuesses = {
  login: () => {
    const request = validRequests.login(clinic);
    return { ...request, body: { ...(request.body as object), password: 'a-wrong-guess' } };
  },
  validateRecovery: () => {
    const request = validRequests.validateRecovery(clinic);
    return { ...request, body: { ...(request.body as object), birthYear: 1901 } };
  },
  changePassword: () => ({
    token: clinic.asker.token,
    body: { currentPassword: 'a-wrong-guess', newPassword: 'Another-2026' },
  }),
  deskSignIn: () =>
    deskRequest('deskSignIn', {
      body: {
        email: 'robin@clinic.example',
        password: 'a-wrong-guess',
        code: '000000',
        recaptcha: aProof(),
      },
    }),
  deskUnlock: (cookie) => deskRequest('deskUnlock', { cookie, body: { secret: 'a-wrong-guess' } }),
} satisfies Partial<Record<AnyCallId, Wrong>>;

describe('A wrong guess counts, however it ends (S-5)', () => {
  beforeAll(async () => {
    await clinic.close();
    await open(false);
  });
  beforeEach(forgetUses);
  async function guesses(id: keyof typeof wrongGuesses) {
    const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    return () => wrongGuesses[id](cookie);
  }
  const each = Object.keys(wrongGuesses) as (keyof typeof wrongGuesses)[];

  // Shows: S-5
  test.each(each)('%s whose answer is lost', async (id) => {
    const next = await guesses(id);
    expect((await meeting('committing', id, next)).at(-1)).toBe(429);
    expect((await ask(clinic, id, next())).statusCode).toBe(429);
  });

  // Shows: S-5
  test.each(each)('%s of a client that hangs up', async (id) => {
    const next = await guesses(id);
    for (let n = 0; n < TRIES; n += 1) await hangUp(id, next());
    expect((await ask(clinic, id, next())).statusCode).toBe(429);
  });
});

/** Asks, and hangs up once the request was counted; resolves once the service has done with it. */
async function hangUp(id: AnyCallId, asked: AskOptions): Promise<void> {
  const { app } = clinic;
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const { url, headers, method, payload } = requestOf(id, asked);
  const toService = sendHttp(`http://127.0.0.1:${port}${url as string}`, {
    ...(method && { method }),
    agent: false,
    headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
  });
  toService.on('error', () => undefined);
  const { rateLimit } = clinic.platform;
  const countUse = rateLimit.use.bind(rateLimit);
  const connected = once(app.server, 'connection');
  const done = once(app.server, 'request').then(
    ([, answer]) =>
      new Promise<void>(
        (resolve) =>
          void vi
            .spyOn(answer as ServerResponse, 'end')
            .mockImplementationOnce(() => (resolve(), answer as ServerResponse)),
      ),
  );
  rateLimit.use = async (...given) => {
    const refused = await countUse(...given);
    const [socket] = (await connected) as [Socket];
    if (socket.destroyed) return refused;
    toService.destroy();
    await once(socket, 'close');
    return refused;
  };
  toService.end(JSON.stringify(payload));
  await done;
  Object.assign(rateLimit, { use: countUse });
}

describe('What a call has begun counts, however it ends (S-5)', () => {
  beforeEach(forgetUses);
  const written = [
    'resendConfirmation',
    'validateRecovery',
    'startMessage',
    'changeMessage',
    'uploadDocuments',
  ] as const;

  // Shows: S-5
  test.each(written)('%s that was committed, and whose answer is lost', async (id) => {
    const seen = await meeting('committing', id, () => validRequests[id](clinic));
    expect([seen[0], seen.at(-1)]).toEqual([503, 429]);
  });

  // Shows: S-5
  test('forms of a sign-up, which are emails to their address', async () => {
    const to = (id: 'register' | 'resendConfirmation', address: object) => {
      const valid = validRequests[id](clinic);
      return { ...valid, body: { ...(valid.body as object), ...address } };
    };
    const email = 'bea@test.example';
    const seen = await meeting('committing', 'register', () =>
      to('register', { email, emailConfirm: email }),
    );
    expect(seen).not.toContain(429);
    const again = await ask(clinic, 'resendConfirmation', to('resendConfirmation', { email }));
    expect(again.statusCode).toBe(429);
  });

  // Shows: S-5
  test('cards of a client that hangs up', async () => {
    const card = (n: number): AskOptions => ({
      token: clinic.asker.token,
      body: {
        ...slotOn('2026-11-28', '13:00', 'V'),
        payment_method_id: `pm_practice_declined_${n}`,
        amount: 200,
        reason: 'A cough',
      },
    });
    for (let n = 0; n < TRIES; n += 1) await hangUp('charge', card(n));
    expect((await ask(clinic, 'charge', card(TRIES))).statusCode).toBe(429);
  });
});

describe('A try of a reset code', () => {
  test('is judged without the database once it was counted', async () => {
    const { body } = validRequests.resetPassword(clinic);
    const wrong = { body: { ...(body as object), code: 'AAAAAAAA' } };
    const answer = await lockable.during(clinic, 'committed', () =>
      ask(clinic, 'resetPassword', wrong),
    );
    expect(answer.statusCode).toBe(422);
  });
});
