import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  aProvider,
  ask,
  signIn,
  testApp,
} from '../../../testing/index.ts';

let clinic: TestApp;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  await aProvider(clinic, { id: '109', lastName: 'Baker', status: '0' });
});
afterEach(() => clinic.close());

describe("A provider's status", () => {
  // Shows: 3.doctor.1, 7.doctors.2
  test('is what the records say, and 404 for nobody', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const statusOf = async (id: string) => ask(clinic, 'getProvider', { token, params: { id } });
    expect((await statusOf('101')).answer().provider.status).toBe('1');
    expect((await statusOf('109')).answer().provider.status).toBe('0');
    expect((await statusOf('999')).statusCode).toBe(404);
  });
});

describe("The patient's chart (R-7)", () => {
  const recordAs = async (caller: PatientRow, demographicNo: string) => {
    const token = await signIn(clinic, caller);
    return ask(clinic, 'getPatientRecord', { token, params: { demographicNo } });
  };

  // Shows: 3.demographic.1, 7.clinic.1
  test.each<[string, string | null | false, object]>([
    ['an active doctor', '101', { providerNo: '101', enabled: true }],
    ['an inactive doctor', '109', { providerNo: '109', enabled: false }],
    ['no doctor', null, { providerNo: '', enabled: false }],
    ['no chart', false, { providerNo: '', enabled: false }],
  ])('with %s', async (_, primaryDoctor, expected) => {
    const caller = await aPatient(clinic, { primaryDoctor });
    const { demographic, provider } = (await recordAs(caller, caller.recordId)).answer();
    expect({ ...demographic, ...provider }).toEqual(expected);
  });

  // Shows: 7.clinic.1, R-7
  test("another's and nobody's are the same 404", async () => {
    const caller = await aPatient(clinic);
    const other = await aPatient(clinic);
    const foreign = await recordAs(caller, other.recordId);
    const unknown = await recordAs(caller, 'T0000000');
    expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body]);
  });
});

describe('GET /demographics', () => {
  const card = { cardNumber: '9876543218', birthDate: '1984-05-17' };
  const details = (caller: PatientRow) => ({
    id: caller.id,
    hin: '9876 543 218',
    province: 'BC',
    year: '1984',
    month: '5',
    day: '17',
  });
  const askAs = async (caller: PatientRow, headers: Record<string, string>) =>
    ask(clinic, 'findDemographics', { token: await signIn(clinic, caller), headers });

  // Shows: 7.demographics.1
  test('finds the caller’s chart', async () => {
    const caller = await aPatient(clinic, card);
    expect((await askAs(caller, details(caller))).answer()).toEqual({
      success: true,
      extras: { code: 'entryFound' },
    });
    const byRecord = { ...details(caller), id: caller.recordId };
    expect((await askAs(caller, byRecord)).answer().extras.code).toBe('entryFound');
  });

  // Shows: 3.demographic.1, 7.demographics.1
  test('answers noEntryFound for who has none', async () => {
    const caller = await aPatient(clinic, { ...card, primaryDoctor: false });
    expect((await askAs(caller, details(caller))).answer().extras.code).toBe('noEntryFound');
  });

  test('finds the chart of who has no card', async () => {
    const caller = await aPatient(clinic, { ...card, cardProvince: 'Other', cardNumber: '' });
    const headers = { ...details(caller), hin: '', province: 'Other' };
    expect((await askAs(caller, headers)).answer().extras.code).toBe('entryFound');
  });

  // Shows: 7.demographics.1, R-7
  test.each([
    ['id', 'somebody'],
    ['hin', '9876543217'],
    ['province', 'AB'],
    ['year', '1985'],
    ['month', '6'],
    ['day', '18'],
  ])('refuses another %s (R-7)', async (name, value) => {
    const caller = await aPatient(clinic, card);
    const refused = await askAs(caller, { ...details(caller), [name]: value });
    expect([refused.statusCode, refused.refusal().extras.code]).toEqual([403, 'notYourData']);
  });

  test('names a date that is none', async () => {
    const caller = await aPatient(clinic, card);
    const refused = await askAs(caller, { ...details(caller), month: '13' });
    expect([refused.statusCode, refused.refusal().errors?.[0]?.field]).toEqual([422, 'month']);
  });
});

// Shows: 9.flags.1, R-43, R-85
test('The browser’s configuration needs no session (R-85)', async () => {
  expect((await ask(clinic, 'getConfig')).answer().extras).toMatchObject({
    practice: true,
    bookingFee: 10,
    noShowFee: null,
    captcha: { kind: 'altcha', siteKey: null },
    flags: { dashboard: false, preferredPharmacy: false },
  });
});
