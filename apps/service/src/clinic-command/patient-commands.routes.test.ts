import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import {
  PASSWORD,
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../testing/index.ts';
import { operate } from '../../testing/operator.ts';

let clinic: TestApp;
let patient: PatientRow;
let token: string;
const run = (...typed: string[]) => operate(clinic.platform, ...typed);

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  patient = await aPatient(clinic.platform, {
    firstName: 'Nell',
    lastName: 'Harper',
    email: 'nell@test.example',
  });
  token = await signIn(clinic, patient);
});
afterEach(() => clinic.close());

const me = () => ask(clinic, 'getMe', { token });
const audited = async (action: string) => {
  const { rows } = await clinic.database.db.execute<{ said: string }>(
    sql`select actor || ' ' || subject || ' ' || details as said from audit where action = ${action}`,
  );
  return rows.map(({ said }) => said);
};
const hold = () => {
  const start = toInstant('2026-11-25', '08:00');
  const body = { start, end: start + 300, doctor: '101', selectedType: 'O' };
  return ask(clinic, 'placeHold', { token, body });
};
async function logIn() {
  const recaptcha = `ok:${crypto.randomUUID()}`;
  const body = { method: 'email' as const, email: patient.email, password: PASSWORD, recaptcha };
  return (await ask(clinic, 'login', { body })).statusCode;
}

describe('npm run clinic -- patients list', () => {
  test('finds by a part of the name or the address, and says what keeps somebody out', async () => {
    await aPatient(clinic.platform, { lastName: 'Okafor', bookingBlocked: true });
    const all = await run('patients', 'list');
    expect(all.lines.at(-1)).toBe('2 patients.');
    const found = await run('patients', 'list', '--search', 'LL harp');
    expect(found.lines[0]).toContain('Harper, Nell  nell@test.example  E');
    const blocked = await run('patients', 'list', '--blocked');
    expect(blocked.lines).toEqual([expect.stringMatching(/Okafor.*may not book$/), '1 patients.']);
    expect(await audited('patients listed')).toHaveLength(3);
  });
});

describe('npm run clinic -- patients block', () => {
  test('ends every session, keeps the reason to itself, and unblock lets in again (R-87)', async () => {
    await hold();
    const reason = 'An agency, not a person';
    const blocked = await run('patients', 'block', 'nell@test.example', '--reason', reason);
    expect(blocked.lines).toEqual(['Blocked; every session is ended.']);
    expect((await me()).statusCode).toBe(401);
    expect(await logIn()).toBe(403);
    expect(await audited('account blocked')).toEqual([`clinic:desk patient:${patient.id} {}`]);
    expect(await audited('hold released')).toHaveLength(1);
    const listed = await run('patients', 'list', '--blocked');
    expect(listed.lines[0]).toContain(`blocked: ${reason}`);
    await run('patients', 'unblock', patient.id);
    expect(await logIn()).toBe(200);
    expect((await me()).statusCode).toBe(401);
  });

  test('can take the booking alone (R-60)', async () => {
    await run('patients', 'block', patient.chartId, '--reason', 'No-shows', '--booking-only');
    const { isBlocked, blocked } = (await me()).answer();
    expect([isBlocked, blocked]).toEqual([true, false]);
    expect((await hold()).statusCode).toBe(403);
  });

  test.each([
    [['patients', 'block', 'nell@test.example'], 'Give the reason with --reason.'],
    [['patients', 'block', 'x@y.z', '--reason', 'x'], "There is no patient 'x@y.z'."],
    [
      ['patients', 'set', 'nell@test.example'],
      'Say what to set: --eligibility, --mrp or --without-types.',
    ],
    [
      ['patients', 'set', 'nell@test.example', '--eligibility', 'Q'],
      "'Q' is no eligibility; it is one of E, NR, R, NE.",
    ],
    [['patients', 'set', 'nell@test.example', '--mrp', '999'], "No provider has the id '999'."],
    [
      ['patients', 'set', 'nell@test.example', '--without-types', 'V,A'],
      "'A' is no appointment type.",
    ],
  ])('refuses %j', async (typed, why) => {
    expect(await run(...typed)).toMatchObject({ code: 1, refused: why });
  });
});

test('npm run clinic -- patients set sets eligibility, responsible provider and types', async () => {
  const all = ['--eligibility', 'NR', '--mrp', 'none', '--without-types', 'V, PP'];
  const set = await run('patients', 'set', 'nell@test.example', ...all);
  expect(set.lines).toEqual(['Set.']);
  const { eligibility, appointmentType } = (await me()).answer();
  expect(eligibility).toBe('NR');
  const enabled = appointmentType.filter(({ status }) => status === 'enabled');
  expect(enabled.map(({ code }) => code)).not.toContain('V');
  const params = { demographicNo: patient.chartId };
  const record = (await ask(clinic, 'getPatientRecord', { token, params })).answer();
  expect(record.demographic.providerNo).toBe('');
  await run('patients', 'set', 'nell@test.example', '--mrp', '101', '--without-types', 'none');
  const again = (await ask(clinic, 'getPatientRecord', { token, params })).answer();
  expect(again.demographic.providerNo).toBe('101');
  expect(await audited('patient changed by the clinic')).toHaveLength(2);
});

test('npm run clinic -- accounts close ends sessions and erases nothing (S-15)', async () => {
  const start = toInstant('2026-11-25', '08:00');
  const body = { start, end: start + 300, doctor: '101', selectedType: 'O', reason: 'A cough' };
  await ask(clinic, 'createBooking', { token, body });
  const closed = await run('accounts', 'close', patient.email);
  expect(closed.lines.at(-1)).toBe('1 visits still stand.');
  expect((await me()).statusCode).toBe(401);
  expect(await logIn()).toBe(403);
  expect((await run('patients', 'unblock', patient.email)).lines).toEqual([
    'The account is closed, and stays so.',
  ]);
  expect(await logIn()).toBe(403);
  expect((await run('patients', 'list')).lines[0]).toContain('closed');
});
