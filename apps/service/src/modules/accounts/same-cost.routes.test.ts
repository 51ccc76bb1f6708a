import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountRequests } from '../../../tests/account-requests.ts';
import { type TwoPatients, twoPatients } from '../../../tests/two-patients.ts';
import { withValueAt } from '../../../tests/places.ts';
import { type AskOptions, ask } from '../../../testing/index.ts';
import { outbox } from '../../schema.ts';
import { usesOf } from '../../server/rate-limit.store.ts';
import { type SignInPorts, signIn } from './sign-in.ts';

let clinic: TwoPatients;
beforeEach(async () => {
  clinic = await twoPatients();
});
afterEach(() => clinic.close());

const ABSENT = 'nobody@test.example';

/** Which names the service asked the platform for, and how often, while it answered. */
async function callsDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  const count = (name: string) => void (counted[name] = (counted[name] ?? 0) + 1);
  const { outbox: box, captcha, rateLimit } = clinic.platform;
  const enqueue = box.enqueue.bind(box);
  const verify = captcha.verify.bind(captcha);
  const use = rateLimit.use.bind(rateLimit);
  box.enqueue = (...given) => (count('outbox'), enqueue(...given));
  captcha.verify = (...given) => (count('captcha'), verify(...given));
  rateLimit.use = (...given) => (count('limit'), use(...given));
  try {
    await work();
  } finally {
    Object.assign(box, { enqueue });
    Object.assign(captcha, { verify });
    Object.assign(rateLimit, { use });
  }
  return counted;
}

describe('An absent account costs what an existing one costs (S-7)', () => {
  // Shows: S-7
  test.each([
    [
      'register',
      (request: AskOptions, email: string) =>
        withValueAt(withValueAt(request, 'body.email', email), 'body.emailConfirm', email),
    ],
    [
      'resendConfirmation',
      (request: AskOptions, email: string) => withValueAt(request, 'body.email', email),
    ],
    [
      'sendResetCode',
      (request: AskOptions, email: string) => withValueAt(request, 'body.email', email),
    ],
  ] as const)('%s: same status and body, one outbox row, the same calls', async (id, withEmail) => {
    const send = async (email: string) => {
      const before = (await clinic.database.db.select().from(outbox)).length;
      let answer: unknown;
      const counted = await callsDuring(async () => {
        const { statusCode, body } = await ask(
          clinic,
          id,
          withEmail(accountRequests[id](clinic), email),
        );
        answer = [statusCode, body];
      });
      const rows = (await clinic.database.db.select().from(outbox)).length - before;
      return { answer, rows, counted };
    };
    const absent = await send(ABSENT);
    expect(absent).toMatchObject({ rows: 1, counted: { outbox: 1 } });
    expect(await send(clinic.other.row.email)).toEqual(absent);
  });

  // Shows: S-7
  test('login: one password is tried, and one row written, for either', async () => {
    const tried: (string | null)[] = [];
    const audited: string[] = [];
    const { platform } = clinic;
    const ports: SignInPorts = {
      ...platform,
      passwordMatches: async (_, stored) => {
        tried.push(stored);
        return false;
      },
      appendAudit: async (_, { action, details }) =>
        void audited.push(`${action} ${JSON.stringify(details)}`),
    };
    const request = {
      password: 'wrong-password',
      address: '::1',
      device: '',
      deviceToken: null,
      now: clinic.clock.now(),
      countUses: usesOf(platform, clinic.clock.now()).count,
    };
    const outcomes = [];
    for (const [email, proof] of [
      [ABSENT, 'ok:a'],
      [clinic.other.row.email, 'ok:b'],
    ] as const)
      outcomes.push(await signIn(ports, { ...request, email, proof }));
    expect(outcomes[0]).toMatchObject({ code: 'wrongCredentials', status: 401 });
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(tried).toEqual([null, clinic.other.row.passwordHash]);
    expect(audited[0]).toBe(audited[1]);
  });
});
