import type { Call } from '@clinic/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AskOptions, requestOf, signIn } from '../testing/index.ts';
import { LONG, everyCall } from './every-call.ts';
import { checkFuzzAnswer } from './fuzz/answers.ts';
import { spoilingsOf } from './fuzz/malformed.ts';
import { type Known, valuesOf } from './fuzz/valid-values.ts';
import { PARTS, shapeOf } from './places.ts';
import { type TwoPatients, idsOf, slotOn, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

/** Printed by fast-check with the path of a failure. */
const SEED = 20_261_121;
const RUNS = LONG ? 10 : 1;
const MALFORMED = 200 * RUNS;
const VALID = 40 * RUNS;
/** No answer takes longer, an order of magnitude over what the slowest takes. */
const HANGS_AFTER_MS = 10_000;
/** All requests of one test take as long as the machine needs. */
const TAKES_AT_MOST_MS = 120_000 * RUNS;

let clinic: TwoPatients;
beforeEach(async () => {
  clinic = await twoPatients();
});
afterEach(() => clinic.close());

/** Signing out succeeds, so each such request brings a session of its own. */
async function withSession(call: Call, request: AskOptions): Promise<AskOptions> {
  return call.id === 'logout' || call.id === 'endSessions'
    ? { ...request, token: await signIn(clinic, clinic.asker.row) }
    : request;
}

function check<T>(numRuns: number, values: fc.Arbitrary<T>, property: (value: T) => Promise<void>) {
  return fc.assert(fc.asyncProperty(values, property), {
    seed: SEED,
    numRuns,
    timeout: HANGS_AFTER_MS,
  });
}

describe('Any request (R-2, S-11)', () => {
  // Shows: R-2
  test.each(everyCall)(
    `of ${MALFORMED} malformed ones to $id is answered within the contract`,
    async (call) => {
      let refusedOnPurpose = 0;
      await check(MALFORMED, spoilingsOf(call), async ({ name, mustRefuse, status, spoil }) => {
        const request = spoil(await withSession(call, validRequests[call.id](clinic)));
        const response = await clinic.app.inject(request);
        checkFuzzAnswer(call, request, response);
        if (status !== undefined && status !== response.statusCode)
          throw new Error(`${call.id} answered ${name} with ${response.statusCode}`);
        if (!mustRefuse) return;
        refusedOnPurpose++;
        if (response.statusCode < 400) throw new Error(`${call.id} took ${name}`);
      });
      if (call.method !== 'GET') expect(refusedOnPurpose).toBeGreaterThan(50);
      expect(clinic.log.failures).toEqual([]);
    },
    TAKES_AT_MOST_MS,
  );

  test.each(everyCall)(
    `of ${VALID} to $id that the contract takes is answered within it`,
    async (call) => {
      await check(VALID, requestsOf(call), async (input) => {
        const base = validRequests[call.id](clinic);
        const request = requestOf(call.id, await withSession(call, { ...base, ...input }));
        checkFuzzAnswer(call, request, await clinic.app.inject(request));
      });
      expect(clinic.log.failures).toEqual([]);
    },
    TAKES_AT_MOST_MS,
  );
});

/** Inputs made from the contract's schemas, with things that exist strewn in. */
function requestsOf(call: Call): fc.Arbitrary<AskOptions> {
  const parts = PARTS.flatMap((part) => {
    const shape = shapeOf(call, part);
    return shape === null ? [] : [[part, valuesOf(shape, known())] as const];
  });
  return fc
    .record(Object.fromEntries(parts) as Record<string, fc.Arbitrary<unknown>>)
    .map((input) => ({
      ...input,
      ...(input.headers ? { headers: asHeaders(input.headers) } : {}),
    }));
}

function asHeaders(headers: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(headers) as object).map(([name, value]) => [
      name,
      String(value).replace(/[^\x20-\xff]/g, '?'),
    ]),
  );
}

function known(): Known {
  const { start, end } = slotOn('2026-11-27', '08:10');
  const { asker, other } = clinic;
  return {
    texts: ['101', '-1', ...idsOf(asker), ...idsOf(other), '2026-11-23', '2026-11-27', 'ok:again'],
    numbers: [start, end, start + 300, clinic.clock.now()],
  };
}
