import { type AnyCall, type ApiRefusal, type Call, deskCalls, refusal } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import fc from 'fast-check';
import type { Response } from 'light-my-request';
import { METHODS } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskSession } from '../testing/desk.ts';
import { type AskOptions, aPatient, checkAnswer, signIn } from '../testing/index.ts';
import { LONG, everyCall } from './every-call.ts';
import { checkFuzzAnswer } from './fuzz/answers.ts';
import { type MadeRequest, type Operation, operationsOf, requestsFrom } from './fuzz/document.ts';
import { spoilingsOf } from './fuzz/malformed.ts';
import type { Known } from './fuzz/valid-values.ts';
import { type TwoPatients, idsOf, slotOn, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

const RUNS = LONG ? 10 : 1;
const MALFORMED = 200 * RUNS;
/** Of each call: some two thousand in all. */
const FROM_DOCUMENT = 14 * RUNS;
/** Of an answer that never comes: two orders of magnitude over what the slowest takes. */
const HANGS_AFTER_MS = 120_000;
/** All requests of one test take as long as the machine needs. */
const TAKES_AT_MOST_MS = 600_000 * RUNS;

function check<T>(numRuns: number, values: fc.Arbitrary<T>, property: (value: T) => Promise<void>) {
  return fc.assert(fc.asyncProperty(values, property), {
    numRuns,
    timeout: HANGS_AFTER_MS,
  });
}

describe('Any request (R-2, S-11)', () => {
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
});

type Caller = 'stranger' | 'patient' | 'manager';
/** Those whom the call is for, most often; R-101 of the others is the matrices' subject. */
const callersOf = (id: string): readonly Caller[] =>
  Object.hasOwn(deskCalls, id)
    ? ['manager', 'manager', 'manager', 'manager', 'patient', 'stranger']
    : ['patient', 'patient', 'patient', 'patient', 'manager', 'stranger'];
/** After these a session may be none any more. */
const ENDING = new Set<string>([
  'logout',
  'endSessions',
  'deskSignOut',
  'deskLock',
  'deskMaintenance',
]);
const FORM_WORDS: readonly string[] = [text('en', 'invalidField'), text('en', 'unknownField')];

/** What is wrong with how a request was answered, as far as the document says it. */
function whyWrong({ forbidden }: MadeRequest, response: Response): string | null {
  const { statusCode: status, body } = response;
  if (status >= 500) return 'broke';
  if (forbidden !== null) return status < 400 ? 'was taken' : null;
  if ([400, 413, 415].includes(status)) return 'was refused';
  if (status !== 422) return null;
  const { errors = [] } = JSON.parse(body) as ApiRefusal;
  return errors.some(({ message }) => FORM_WORDS.includes(message)) ? 'was refused' : null;
}

describe('The OpenAPI document', () => {
  let clinic: TwoPatients;
  let operations: ReadonlyMap<string, Operation>;
  beforeAll(async () => {
    clinic = await twoPatients();
    operations = await operationsOf(clinic);
  });
  afterAll(() => clinic.close());

  async function headersFor(caller: Caller): Promise<Readonly<Record<string, string>>> {
    const origin = 'http://127.0.0.1:3000';
    if (caller === 'stranger') return { origin };
    if (caller === 'patient')
      return { 'x-access-token': await signIn(clinic, await aPatient(clinic)) };
    return { origin, cookie: await deskSession(clinic, await aStaffMember(clinic, 'manager')) };
  }

  // Shows: R-2, S-11
  test.each([...everyCall, ...Object.values(deskCalls)] as readonly AnyCall[])(
    `says of $id what is taken and what is refused: ${FROM_DOCUMENT} requests`,
    async (call) => {
      const operation = operations.get(call.id);
      if (operation === undefined) throw new Error(`The document lacks ${call.id}`);
      const headers = new Map<Caller, Readonly<Record<string, string>>>();
      const requests = fc.tuple(
        requestsFrom(operation, knownIn(clinic)),
        fc.constantFrom(...callersOf(call.id)),
      );
      await check(FROM_DOCUMENT, requests, async ([request, caller]) => {
        if (ENDING.has(call.id)) headers.clear();
        const own = headers.get(caller) ?? (await headersFor(caller));
        headers.set(caller, own);
        const sent = request.send(own);
        const response = await clinic.app.inject(sent);
        const wrong = whyWrong(request, response);
        if (wrong !== null)
          throw new Error(
            `${caller}: ${wrong}: ${request.forbidden} ${JSON.stringify(sent).slice(0, 2_000)} ${response.statusCode} ${response.body}`,
          );
        checkAnswer(call, response);
      });
      if (call.id === 'deskMaintenance') await openAgain();
      expect(clinic.log.failures).toEqual([]);
    },
    TAKES_AT_MOST_MS,
  );

  async function openAgain() {
    const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    (await askDesk(clinic, 'deskMaintenance', { cookie, body: { isOffline: false } })).answer();
  }

  // Shows: R-2
  test('names every method that a path takes; any other is a 405 with them', async () => {
    const all = [...operations.values()];
    for (const path of new Set(all.map((each) => each.path))) {
      const url = path.replace(/\{\w+\}/g, 'x');
      const taken = new Set(
        all
          .filter((each) => new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(url))
          .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      );
      const allow = [...taken].sort().join(', ');
      for (const method of METHODS.filter((each) => each !== 'CONNECT' && !taken.has(each))) {
        const response = await clinic.app.inject({ method: method as 'GET', url });
        if (response.statusCode !== 405 || response.headers.allow !== allow)
          throw new Error(`${method} ${path}: ${response.statusCode} ${response.headers.allow}`);
        if (method !== 'HEAD' && refusal.safeParse(response.json()).error)
          throw new Error(`${method} ${path}: no refusal`);
      }
    }
    expect(clinic.log.failures).toEqual([]);
  });
});

function knownIn({ asker, other, clock }: TwoPatients): Known {
  const { start, end } = slotOn('2026-11-27', '08:10');
  return {
    texts: ['101', '-1', ...idsOf(asker), ...idsOf(other), '2026-11-23', '2026-11-27', 'ok:again'],
    numbers: [start, end, start + 300, clock.now()],
  };
}
