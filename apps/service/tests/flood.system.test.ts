import type { Call } from '@clinic/contract';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATES } from '../src/server/rates.ts';
import {
  type AskOptions,
  ask,
  checkAnswer,
  requestOf,
  signIn,
  ratesTimes,
} from '../testing/index.ts';
import { LONG, everyCall } from './every-call.ts';
import { everyRow } from './rows-of.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

/** The limits that patients meet; or a tenth of them, and of the flood. */
const FLOOD = LONG ? 2_000 : 200;
const rates = LONG ? RATES : ratesTimes(0.1);
const AT_ONCE = 100;
/** An answered request writes a few: what was asked for, its entries in the trail, an email. */
const mostRows = ({ limit }: Call) =>
  4 * (limit === 'tokens' ? rates.tokensPerAddress : rates.changesPerAddress).count;

let clinic: TwoPatients;
beforeAll(async () => {
  clinic = await twoPatients(rates);
});
afterAll(() => clinic.close());

/** The smallest request that the call takes, under a session of the asker's. */
async function requestTo({ id }: Call): Promise<() => AskOptions> {
  const token = await signIn(clinic, clinic.asker.row);
  return () => {
    const request = validRequests[id](clinic);
    return request.token === undefined ? request : { ...request, token };
  };
}

async function flood(call: Call, next: () => AskOptions): Promise<Response> {
  let last: Response | undefined;
  for (let sent = 0; sent < FLOOD; sent += AT_ONCE) {
    const wave = Array.from({ length: AT_ONCE }, () =>
      clinic.app.inject(requestOf(call.id, next())),
    );
    last = (await Promise.all(wave)).at(-1);
  }
  if (last === undefined) throw new Error('Nothing was sent');
  return last;
}

async function written(): Promise<{ readonly rows: number; readonly mails: number }> {
  await clinic.platform.outbox.drain();
  const rows = [...(await everyRow(clinic)).values()].flat().length;
  return { rows, mails: clinic.mail.sent.length };
}

describe(`${FLOOD} requests of one account (S-5)`, () => {
  // Shows: S-5
  test.each(everyCall)(
    'to $id end in a 429 that says when to come back, with few rows and mails',
    async (call) => {
      const before = await written();
      const next = await requestTo(call);
      const last = await flood(call, next);
      checkAnswer(call, last);
      if (call.id === 'logout' || call.id === 'endSessions')
        return expect(last.statusCode).toBe(401);
      expect(last.statusCode).toBe(429);
      const after = await written();
      expect(after.rows - before.rows).toBeLessThanOrEqual(mostRows(call));
      expect(after.mails - before.mails).toBeLessThanOrEqual(rates.registerPerAddress.count);

      clinic.clock.advance(Number(last.headers['retry-after']));
      const again = await requestTo(call);
      expect((await ask(clinic, call.id, again())).statusCode).not.toBe(429);
    },
  );
});
