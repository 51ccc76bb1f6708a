import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { formatAppointment, toInstant } from '@clinic/domain';

import {
  PASSWORD,
  type PatientRow,
  type TestApp,
  aPatient,
  ask,
  patientClinic,
} from '@clinic/service/testing/index.ts';
import { operate, operateAt } from '@clinic/service/testing/operator.ts';
import { insertForm } from '@clinic/service/modules/accounts/sign-up/sign-ups.store.ts';

let clinic: TestApp;
let patient: PatientRow;
let token: string;
const run = (...typed: string[]) => operate(clinic.platform, ...typed);

beforeEach(async () => {
  ({ clinic, patient, token } = await patientClinic({
    firstName: 'Nell',
    lastName: 'Harper',
    email: 'nell@test.example',
  }));
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
    expect(all.lines.at(-1)).toBe('2 patients, 0 sign-ups not confirmed.');
    const found = await run('patients', 'list', '--search', 'LL harp');
    expect(found.lines[0]).toContain('Harper, Nell  nell@test.example  E');
    const blocked = await run('patients', 'list', '--blocked');
    expect(blocked.lines).toEqual([expect.stringMatching(/Okafor.*may not book$/), '1 patient.']);
    expect(await audited('patients listed')).toHaveLength(3);
  });
});

describe('npm run clinic -- patients list, beyond those who may come in', () => {
  test('shows who lacks visibility, and sign-ups until when they wait (R-60, R-97)', async () => {
    await aPatient(clinic.platform, { lastName: 'Quill', visibility: [] });
    const now = clinic.clock.now();
    const { passwordHash, ...person } = patient;
    const form = { ...person, passwordHash, cardSealed: null, cardIndex: null, createdAt: now };
    const aForm = (email: string, expiresAt: number | null) =>
      clinic.database.inTransaction((tx) =>
        insertForm(tx, { ...form, id: crypto.randomUUID(), firstName: 'Sue', email, expiresAt }),
      );
    await aForm('soon@test.example', now + 3600);
    await aForm('over@test.example', now - 1);
    await aForm('ever@test.example', null);
    const { lines } = await run('patients', 'list');
    expect(lines.find((line) => line.includes('Quill'))).toMatch(
      /  lacks visibility: may only sign out$/,
    );
    expect(lines.find((line) => line.includes('nell@'))).toMatch(/  E$/);
    expect(lines.filter((line) => line.startsWith('sign-up')).sort()).toEqual([
      'sign-up  Harper, Sue  ever@test.example  waits for its link without end',
      `sign-up  Harper, Sue  soon@test.example  waits for its link until ${formatAppointment(now + 3600)}`,
    ]);
    expect(lines.at(-1)).toBe('2 patients, 2 sign-ups not confirmed.');
    const sought = await run('patients', 'list', '--search', 'EVER@');
    expect(sought.lines).toHaveLength(2);
  });
});

describe('npm run clinic -- patients block', () => {
  // Shows: 1.audience.3, R-87
  test('ends every session, keeps the reason to itself, and unblock lets in again (R-87)', async () => {
    await hold();
    const reason = 'An agency, not a person';
    const blocked = await run('patients', 'block', 'nell@test.example', '--reason', reason);
    expect(blocked.lines).toEqual(['Blocked; every session is ended.']);
    expect((await me()).statusCode).toBe(401);
    expect(await logIn()).toBe(403);
    expect(await audited('account blocked')).toEqual([`clinic:operator patient:${patient.id} {}`]);
    expect(await audited('hold released')).toHaveLength(1);
    const listed = await run('patients', 'list', '--blocked');
    expect(listed.lines[0]).toContain(`blocked: ${reason}`);
    await run('patients', 'unblock', patient.id);
    expect(await logIn()).toBe(200);
    expect((await me()).statusCode).toBe(401);
  });

  // Shows: R-60
  test('can take the booking alone (R-60)', async () => {
    await run('patients', 'block', patient.recordId, '--reason', 'No-shows', '--booking-only');
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
      'Q is no eligibility; it is one of E, NR, R, NE.',
    ],
    [['patients', 'set', 'nell@test.example', '--mrp', '999'], 'No provider has the id 999.'],
    [
      ['patients', 'set', 'nell@test.example', '--without-types', 'V,A'],
      'A is no appointment type.',
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
  const params = { demographicNo: patient.recordId };
  const record = (await ask(clinic, 'getPatientRecord', { token, params })).answer();
  expect(record.demographic.providerNo).toBe('');
  await run('patients', 'set', 'nell@test.example', '--mrp', '101', '--without-types', 'none');
  const again = (await ask(clinic, 'getPatientRecord', { token, params })).answer();
  expect(again.demographic.providerNo).toBe('101');
  expect(await audited('patient changed by the clinic')).toHaveLength(2);
});

describe('npm run clinic -- accounts close', () => {
  const book = async () => {
    const start = toInstant('2026-11-26', '08:00');
    const body = { start, end: start + 300, doctor: '101', selectedType: 'O', reason: 'A cough' };
    await ask(clinic, 'createBooking', { token, body });
  };

  // Shows: S-15
  test('ends sessions and erases nothing (S-15)', async () => {
    await book();
    const closed = await run('accounts', 'close', patient.email, '--yes');
    expect(closed.lines.at(-1)).toBe('Still standing: 1 appointment.');
    expect((await me()).statusCode).toBe(401);
    expect(await logIn()).toBe(403);
    expect((await run('patients', 'unblock', patient.email)).lines).toEqual([
      'The account is closed, and stays so.',
    ]);
    expect(await logIn()).toBe(403);
    expect((await run('patients', 'list')).lines[0]).toContain('closed');
  });

  test('says beforehand what would happen, and does it only when it is told yes', async () => {
    await book();
    await hold();
    const foreseen = await run('accounts', 'close', patient.email, '--dry-run');
    expect(foreseen).toMatchObject({
      code: 0,
      lines: [
        'The account of Nell Harper, nell@test.example, would be closed for good:',
        'every session ends, nobody signs in with it again; the records are kept.',
        'The time that is held would be given back.',
        'Still standing afterwards: 1 appointment. No mail is sent, and nothing is refunded.',
        'Nothing is changed yet.',
      ],
    });
    const refused = await run('accounts', 'close', patient.email);
    expect(refused).toMatchObject({ code: 1, lines: [] });
    expect(refused.refused).toMatch(/^This cannot be taken back, and there is nobody to ask\. /);
    const questions: string[] = [];
    const answering = (answer: string) =>
      operateAt(
        async (question) => {
          questions.push(question);
          return answer;
        },
        clinic.platform,
        'accounts',
        'close',
        patient.email,
      );
    for (const no of ['', 'no', 'yesterday', patient.email])
      expect(await answering(no)).toEqual({ ...foreseen, code: 1, refused: 'Nothing was done.' });
    expect((await me()).statusCode).toBe(200);
    expect(await audited('account closed')).toEqual([]);
    expect(await answering('yes')).toMatchObject({ code: 0 });
    expect(new Set(questions)).toEqual(new Set(['This cannot be taken back. Type yes to do it: ']));
    expect((await me()).statusCode).toBe(401);
  });

  test('asks nothing about a patient whom nobody knows', async () => {
    const asked = await operateAt(async () => 'yes', clinic.platform, 'accounts', 'close', 'x@y.z');
    expect(asked).toMatchObject({ code: 1, lines: [], refused: "There is no patient 'x@y.z'." });
  });
});
