import type { Call } from '@clinic/contract';
import type { Response } from 'light-my-request';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AskOptions, ask } from '../testing/index.ts';
import { everyCall } from './every-call.ts';
import { type MatrixRow, type PlaceRule, objectMatrix } from './object-matrix.ts';
import { textPlaces, withNobodysPassword, withValueAt } from './places.ts';
import { changedTables, everyRow, rowsOfOther } from './rows-of.ts';
import { type TwoPatients, idsOf, twoPatients } from './two-patients.ts';
import { saidBy, validRequests } from './valid-requests.ts';

let clinic: TwoPatients;
let othersRows: readonly string[];
async function open() {
  clinic = await twoPatients();
  othersRows = await rowsOfOther(clinic);
}
const close = () => clinic.close();

const rowOf = ({ id }: Call): MatrixRow => objectMatrix[id];
const requestTo = ({ id }: Call): AskOptions => validRequests[id](clinic);

/** With the body, which says more when another status came. */
const statusOf = ({ statusCode, body }: Response, status = statusCode) => ({ status, body });

const secretsIn = ({ body, headers }: Response): string[] => {
  const seen = `${body} ${JSON.stringify(headers)}`;
  return clinic.secrets.filter((secret) => seen.includes(secret));
};

async function expectOtherUntouched() {
  expect(await rowsOfOther(clinic)).toEqual(othersRows);
}

async function expectAnswerWithoutSecrets(call: Call) {
  const response = await ask(clinic, call.id, requestTo(call));
  expect(statusOf(response)).toEqual(statusOf(response, 200));
  expect(secretsIn(response)).toEqual([]);
  await expectOtherUntouched();
}

const placesOfKind = <Kind extends PlaceRule['kind']>(kind: Kind) =>
  everyCall.flatMap((call) =>
    Object.entries(rowOf(call)).flatMap(([place, rule]) =>
      rule.kind === kind
        ? [{ call, id: call.id, place, rule: rule as Extract<PlaceRule, { kind: Kind }> }]
        : [],
    ),
  );

describe('The object matrix (S-1)', () => {
  // Shows: S-1
  test.each(everyCall)('has a rule for every text that $id takes', (call) => {
    expect(Object.keys(rowOf(call)).sort()).toEqual([...textPlaces(call)].sort());
  });

  test('names only calls that are registered', () => {
    expect(Object.keys(objectMatrix).sort()).toEqual(everyCall.map(({ id }) => id).sort());
  });
});

describe('A patient who asks about another (S-1, R-7)', () => {
  beforeAll(open);
  afterAll(close);

  test('asks about somebody with rows of their own and secrets to be found', () => {
    expect(othersRows.length).toBeGreaterThan(10);
    expect(clinic.secrets.filter((secret) => secret.length < 7)).toEqual([]);
  });

  // Shows: S-1
  test.each(everyCall.filter(({ method }) => method === 'GET'))(
    'reads no byte of the other in the answer of $id',
    expectAnswerWithoutSecrets,
  );

  // Shows: R-7, S-1
  test.each(placesOfKind('owned'))(
    "is refused the other's $place by $id as an unknown one is",
    async ({ call, place, rule }) => {
      const send = (value: string) =>
        ask(clinic, call.id, withNobodysPassword(withValueAt(requestTo(call), place, value)));
      const before = await everyRow(clinic);
      const unknown = await send(rule.unknown);
      expect(statusOf(unknown)).toEqual(statusOf(unknown, rule.status));
      expect(unknown.json()).toMatchObject(
        rule.code === null ? { success: true } : { success: false, extras: { code: rule.code } },
      );
      for (const value of rule.others(clinic)) {
        const response = await send(value);
        expect(response.statusCode).toBe(rule.status);
        expect(response.body).toBe(unknown.body);
        expect(secretsIn(response)).toEqual([]);
      }
      await expectOtherUntouched();
      expect(REFUSALS_WRITE).toEqual(
        expect.arrayContaining(changedTables(before, await everyRow(clinic))),
      );
    },
  );

  test.each(placesOfKind('not owned'))(
    "sends the other's ids as $place of $id and hears of an unknown doctor",
    async ({ call, place }) => {
      const send = (value: string) =>
        ask(clinic, call.id, withValueAt(requestTo(call), place, value));
      const unknown = await send('no-such-doctor');
      for (const value of idsOf(clinic.other)) {
        const response = await send(value);
        expect(response.statusCode).toBe(unknown.statusCode);
        expect(response.body).toBe(unknown.body);
      }
      await expectOtherUntouched();
      expect((await everyRow(clinic)).get('audit')?.join()).not.toContain('no-such-doctor');
    },
  );

  // Shows: R-7
  test('is refused with all that is true of the other at once (R-7)', async () => {
    const headers = saidBy(clinic.other);
    const response = await ask(clinic, 'findDemographics', { token: clinic.asker.token, headers });
    expect(response.json()).toMatchObject({ extras: { code: 'notYourData' } });
    expect(secretsIn(response)).toEqual([]);
  });
});

describe('A patient who writes (S-1, R-8)', () => {
  beforeEach(open);
  afterEach(close);

  test.each(everyCall.filter(({ method }) => method !== 'GET'))(
    'reads no byte of the other in the answer of $id',
    expectAnswerWithoutSecrets,
  );

  test.each(placesOfKind('not believed'))(
    "sends the other's $place to $id and writes only what is the asker's ($rule.because)",
    async ({ call, place, rule }) => {
      const before = new Set((await everyRow(clinic)).get('appointment'));
      for (const value of rule.others(clinic)) {
        const response = await ask(clinic, call.id, withValueAt(requestTo(call), place, value));
        expect(statusOf(response)).toEqual(statusOf(response, 200));
        expect(secretsIn(response)).toEqual([]);
      }
      await expectOtherUntouched();
      const changed = ((await everyRow(clinic)).get('appointment') ?? []).filter(
        (row) => !before.has(row),
      );
      const mine = `"patient_id": "${clinic.asker.row.id}"`;
      expect(changed).not.toEqual([]);
      expect(changed.filter((row) => !row.includes(mine))).toEqual([]);
    },
  );
});

/** Refusals are recorded and counted, and leave everything else as it is. */
const REFUSALS_WRITE = ['audit', 'rate_window'];
