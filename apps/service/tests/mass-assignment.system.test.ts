import type { Call } from '@clinic/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AskOptions, ask } from '../testing/index.ts';
import { type PerCall, callsWithBody } from './every-call.ts';
import { type Place, objectsInBody, spotsOf, takes, withValueAt } from './places.ts';
import { changedTables, columnNames, everyRow } from './rows-of.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

let clinic: TwoPatients;
const open = async () => {
  clinic = await twoPatients();
};
const close = () => clinic.close();
const requestTo = ({ id }: Call): AskOptions => validRequests[id](clinic);

/** Names that reach into objects themselves. */
const MAGIC = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON'];

/** What is refused for `place`: the field itself, or the list or choice that holds it. */
async function expectRefusedByName(call: Call, place: Place, value: unknown) {
  const response = await ask(clinic, call.id, withValueAt(requestTo(call), place, value));
  expect({ place, status: response.statusCode }).toEqual({ place, status: 422 });
  const { errors = [] } = response.json<{ errors?: { field: string }[] }>();
  const field = place.replace(/^body\./, '');
  const named = errors.some((each) => field === each.field || field.startsWith(`${each.field}.`));
  expect({ place, errors, named }).toEqual({ place, errors, named: true });
}

/** As many as an answer names. */
const AT_ONCE = 40;

/** Each name at `place` is refused: all in one request where the answer names each, else one by one. */
async function expectEachRefused(call: Call, place: Place, names: readonly string[]) {
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const some = names.slice(first, first + AT_ONCE).map((name) => `${place}.${name}`);
    const forged = some.reduce((to, at) => withValueAt(to, at, 'forged'), requestTo(call));
    const response = await ask(clinic, call.id, forged);
    const { errors = [] } = response.json<{ errors?: { field: string }[] }>();
    const named = new Set(errors.map(({ field }) => `body.${field}`));
    if (response.statusCode === 422 && some.every((at) => named.has(at))) continue;
    for (const at of some) await expectRefusedByName(call, at, 'forged');
  }
}

describe('A body with more in it than it may have (S-3)', () => {
  beforeAll(open);
  afterAll(close);

  test('is tried with the columns of the real tables', async () => {
    const columns = await columnNames(clinic);
    expect(columns).toEqual(
      expect.arrayContaining(['patient_id', 'patientId', 'paid_cents', 'state', 'role', 'blocked']),
    );
  });

  // Shows: S-3
  test.each(callsWithBody)(
    'is refused by $id with the name of each column, and nothing changes',
    async (call) => {
      const before = await everyRow(clinic);
      const columns = await columnNames(clinic);
      for (const { place, names: allowed } of objectsInBody(call)) {
        const isNew = (name: string) => !allowed.includes(name);
        await expectEachRefused(call, place, columns.filter(isNew));
        for (const name of MAGIC.filter(isNew))
          await expectRefusedByName(call, `${place}.${name}`, 'forged');
      }
      expect(changedTables(before, await everyRow(clinic))).toEqual([]);
    },
  );

  // Shows: S-3
  test.each(callsWithBody)(
    'is refused by $id with an array or an object where one value belongs',
    async (call) => {
      const before = await everyRow(clinic);
      for (const { place, shape } of spotsOf(call).filter(({ place }) => inBody(place))) {
        const value = Reflect.get(
          Object(requestTo(call).body),
          place.replace('body.', ''),
        ) as unknown;
        if (!takes(shape, 'array')) await expectRefusedByName(call, place, [value]);
        if (!takes(shape, 'object')) await expectRefusedByName(call, place, { value });
      }
      expect(changedTables(before, await everyRow(clinic))).toEqual([]);
    },
  );
});

const inBody = (place: Place) => place.startsWith('body.');

/** Which tables a granted request may write, and columns of the appointment that only the server sets. */
const writes: Partial<PerCall<readonly string[]>> = {
  createBooking: ['audit', 'appointment', 'outbox', 'appointment_step'],
  placeHold: ['audit', 'appointment', 'appointment_step'],
  cancelAppointment: ['audit', 'appointment', 'outbox', 'appointment_step'],
  releaseHold: ['audit', 'appointment', 'appointment_step'],
  saveDraft: ['appointment'],
  charge: [
    'audit',
    'appointment',
    'outbox',
    'payment',
    'practice_event',
    'practice_intent',
    'practice_key',
    'rate_window',
    'appointment_step',
  ],
  // Who has a record keeps it as it is.
  createDemographics: [],
  saveAgreement: ['agreement', 'audit'],
  saveMedicalProfile: ['audit', 'medical_profile'],
  reportProblem: ['audit', 'problem_report', 'rate_window'],
  saveError: ['rate_window'],
  addPreferredPharmacy: ['audit', 'patient'],
  login: ['audit', 'known_device', 'rate_window', 'session'],
  register: ['audit', 'outbox', 'pending_sign_up', 'rate_window'],
  confirmEmail: [
    'agreement',
    'audit',
    'name_written',
    'one_time_code',
    'patient',
    'pending_sign_up',
  ],
  resendConfirmation: ['outbox', 'rate_window'],
  validateRecovery: ['one_time_code', 'rate_window'],
  sendResetCode: ['one_time_code', 'outbox', 'rate_window'],
  resetPassword: [
    'audit',
    'known_device',
    'one_time_code',
    'outbox',
    'patient',
    'rate_window',
    'session',
  ],
  readAccountLink: ['rate_window'],
  acceptAccountLink: [
    'account_link',
    'audit',
    'email_change',
    'one_time_code',
    'outbox',
    'patient',
    'pending_sign_up',
    'rate_window',
    'session',
  ],
  answerAddressChange: ['rate_window'],
  mintDashboardLink: ['audit', 'one_time_code', 'spent_proof'],
  updateMe: ['audit', 'patient'],
  confirmInformation: ['audit'],
  endSessions: ['audit', 'session'],
  changePassword: ['audit', 'outbox', 'patient', 'rate_window', 'session'],
  uploadDocuments: ['audit', 'patient', 'rate_window', 'stored_file'],
  startMessage: ['audit', 'message', 'message_entry', 'rate_window'],
  changeMessage: ['audit', 'message', 'message_entry', 'message_version', 'rate_window'],
  // Who leaves gives the held slot back.
  logout: ['audit', 'appointment', 'session', 'appointment_step'],
  renewSession: [],
};

describe('A request that is granted (S-3)', () => {
  beforeEach(open);
  afterEach(close);

  // Shows: S-3
  test.each(callsWithBody)('writes by $id only to the tables named for it', async (call) => {
    const before = await everyRow(clinic);
    expect((await ask(clinic, call.id, requestTo(call))).statusCode).toBe(200);
    // Triggers note there whose rows these are.
    expect(['patient_change', ...(writes[call.id] ?? [])]).toEqual(
      expect.arrayContaining(changedTables(before, await everyRow(clinic))),
    );
  });

  // Shows: R-8
  test('does not decide what R-8 leaves to the server', async () => {
    const request = withValueAt(
      withValueAt(validRequests.createBooking(clinic), 'body.previousTicklers', ['mine']),
      'body.stripePaymentToken',
      'pi_forged',
    );
    const answer: unknown = (await ask(clinic, 'createBooking', request)).json();
    expect(answer).toMatchObject({
      extras: {
        appointment: { ticklers: [], paidAmount: 0, stripePaymentToken: null, checkin: null },
      },
    });
    const rows = [...(await everyRow(clinic))].flatMap(([table, each]) =>
      table === 'audit' ? [] : each,
    );
    expect(rows.filter((row) => /pi_forged|"mine"/.test(row))).toEqual([]);
  });

  // Shows
  test('does not decide what an appointment costs by the eligibility it sends (R-8, R-33)', async () => {
    const chargeFor = (eligibility: string) =>
      ask(clinic, 'appState', {
        token: clinic.asker.token,
        query: { eligibility, selectedType: 'O' },
      });
    const answers = await Promise.all(['E', 'NR', 'R', 'NE'].map(chargeFor));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });
});
