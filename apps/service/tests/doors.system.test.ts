import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { patient } from '../src/schema.ts';
import { ABSOLUTE_LIMIT, IDLE_LIMIT } from '../src/security/sessions.store.ts';
import { type AskOptions, ask, requestOf, signIn } from '../testing/index.ts';
import { everyCall, patientCalls } from './every-call.ts';
import { publicCalls } from './object-matrix.ts';
import { everyRow } from './rows-of.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

let clinic: TwoPatients;
const open = async () => {
  clinic = await twoPatients();
};
const close = () => clinic.close();

const SHUT = { success: false, type: 'tokenNotValid', extras: { code: 'tokenNotValid' } };

async function idleTooLong() {
  const token = await signIn(clinic, clinic.asker.row);
  clinic.clock.advance(IDLE_LIMIT);
  return token;
}

async function signedInTooLong() {
  const token = await signIn(clinic, clinic.asker.row);
  for (let spent = 0; spent + IDLE_LIMIT - 1 < ABSOLUTE_LIMIT; spent += IDLE_LIMIT - 1) {
    clinic.clock.advance(IDLE_LIMIT - 1);
    await ask(clinic, 'renewSession', { token });
  }
  clinic.clock.advance(IDLE_LIMIT - 1);
  return token;
}

async function signedOut() {
  const token = await signIn(clinic, clinic.asker.row);
  await ask(clinic, 'logout', { token });
  return token;
}

async function ofABlockedAccount() {
  const token = await signIn(clinic, clinic.asker.row);
  await clinic.database.inTransaction((tx) =>
    tx.update(patient).set({ blocked: true }).where(eq(patient.id, clinic.asker.row.id)),
  );
  return token;
}

const badTokens: readonly (readonly [string, () => Promise<string | undefined>])[] = [
  ['no token', async () => undefined],
  ['an empty token', async () => ''],
  ['a token that nobody was given', async () => 'A'.repeat(43)],
  ['a token cut short', async () => clinic.asker.token.slice(0, -1)],
  ['a token with a letter too many', async () => `${clinic.asker.token}A`],
  ['a token that is SQL', async () => "' or 1=1 --"],
  ['a very long token', async () => 'A'.repeat(8_000)],
  ['two tokens', async () => `${clinic.asker.token}, ${clinic.other.token}`],
  ['a patient’s id', async () => clinic.asker.row.id],
  ['a token that was signed out', signedOut],
  ['a token idle too long', idleTooLong],
  ['a token of a session that is too old', signedInTooLong],
  ['a token of a blocked account', ofABlockedAccount],
];

describe('The door of every call (S-1, R-3)', () => {
  beforeAll(open);
  afterAll(close);

  // Shows: S-1
  test('is open without a token for the calls named and no other', () => {
    const unlocked = everyCall.filter(({ access }) => access === 'public');
    expect(unlocked.map(({ id }) => id).sort()).toEqual(publicCalls.toSorted());
  });

  test.each(['Bearer', 'Basic', 'bearer  ', ''])(
    "lets nobody in with a wrong token after '%s'",
    async (scheme) => {
      const headers = { authorization: `${scheme} ${'A'.repeat(43)}` };
      for (const { id } of patientCalls)
        expect((await ask(clinic, id, { headers })).statusCode).toBe(401);
    },
  );

  // Shows: 6.patient.1
  test.each(patientCalls)('of $id is asked before anything is read', async ({ id, method }) => {
    const wrong: AskOptions = { body: { surely: 'wrong' }, query: { from: '\0' } };
    expect((await ask(clinic, id, wrong)).json()).toMatchObject(SHUT);
    const unreadable = { payload: '{', headers: { 'content-type': 'text/plain' } };
    const response = await clinic.app.inject({
      ...requestOf(id),
      ...(method === 'GET' ? {} : unreadable),
    });
    expect(response.json()).toMatchObject(SHUT);
  });
});

describe('The door of every call, as sessions come and go (S-1, R-3)', () => {
  beforeEach(open);
  afterEach(close);

  // Shows: 6.patient.1, S-1
  test.each(badTokens)('lets nobody in with %s', async (_name, makeToken) => {
    const valid = new Map(patientCalls.map(({ id }) => [id, validRequests[id](clinic)]));
    const token = await makeToken();
    const before = await everyRow(clinic);
    for (const { id } of patientCalls) {
      const response = await ask(clinic, id, { ...valid.get(id), token });
      expect({ id, status: response.statusCode }).toEqual({ id, status: 401 });
      expect(response.json()).toMatchObject(SHUT);
    }
    expect(await everyRow(clinic)).toEqual(before);
  });

  // Shows: R-60
  test('opens only to sign out without the visibility of appointments (R-60)', async () => {
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ visibility: [] }).where(eq(patient.id, clinic.asker.row.id)),
    );
    for (const { id } of patientCalls.filter((each) => each.id !== 'logout'))
      expect((await ask(clinic, id, validRequests[id](clinic))).json()).toMatchObject({
        extras: { code: 'notVisible' },
      });
    expect((await ask(clinic, 'logout', validRequests.logout(clinic))).statusCode).toBe(200);
  });
});
