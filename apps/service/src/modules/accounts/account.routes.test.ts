import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type PatientOptions,
  type TestApp,
  type TestAppOptions,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../../testing/index.ts';

let clinic: TestApp;
const open = async (options: TestAppOptions = {}) => {
  clinic = await testApp(options);
  await aClinic(clinic);
};
beforeEach(() => open());
afterEach(() => clinic.close());

const meOf = async (over: PatientOptions = {}) => {
  const token = await signIn(clinic, await aPatient(clinic, over));
  return (await ask(clinic, 'getMe', { token })).answer();
};
const statusOf = (me: Awaited<ReturnType<typeof meOf>>, wanted: string) =>
  me.appointmentType.find(({ code }) => code === wanted)?.status;

describe('GET /me', () => {
  // Shows: 3.user.1, R-4, R-6
  test('says what the clinic knows of the caller', async () => {
    const me = await meOf({
      firstName: 'Casey',
      lastName: 'Morgan',
      birthDate: '1984-05-17',
      cardNumber: '9876543218',
      blockedProviders: ['108'],
      shouldUpdate: true,
    });
    expect(me).toMatchObject({
      firstName: 'Casey',
      birthday: { year: 1984, month: 5, day: 17 },
      careCard: { number: '9876543218', province: 'BC' },
      eligibility: 'E',
      blockedProviders: ['108'],
      appVisibility: ['appointment'],
      isBlocked: false,
      blocked: false,
      shouldUpdate: true,
      role: 'patient',
    });
    expect(JSON.stringify(me)).not.toMatch(/argon2|cardIndex|passwordHash/);
  });

  // Shows: R-35
  test('carries the Important Notice where the policy has one, and nowhere else (R-35)', async () => {
    const noticesOf = async (eligibility: string) =>
      (await meOf({ eligibility })).appointmentType.flatMap(({ code, notice }) =>
        notice === undefined ? [] : [[code, notice.slice(0, 6)]],
      );
    expect(await noticesOf('NE')).toEqual([['P', 'DRAFT.']]);
    expect(await noticesOf('E')).toEqual([]);
  });

  // Shows: 3.user.1, 3.type-entry.1, 7.me.1
  test('has every field of §3 User, and of each of its types', async () => {
    const me = await meOf({ cardNumber: '9876543218' });
    const parts = ['id', 'demographicNo', 'firstName', 'lastName', 'address', 'city', 'province'];
    const contact = ['postal', 'phone', 'mobilePhone', 'internationalPhone', 'email', 'country'];
    const person = ['birthday', 'careCard', 'sex', 'eligibility', 'familyDoc', 'preferredPharmacy'];
    const rights = ['blockedProviders', 'isBlocked', 'blocked', 'appVisibility', 'appointmentType'];
    const state = ['shouldUpdate', 'isChanged', 'role', 'language'];
    const ours = ['emailReturnedAt', 'e164', 'formVersion', 'watched'];
    expect(Object.keys(me).sort()).toEqual(
      [...parts, ...contact, ...person, ...rights, ...state, ...ours].sort(),
    );
    expect(me.appointmentType.find(({ code }) => code === 'O')).toEqual({
      code: 'O',
      description: 'In-person visit',
      translations: { fr: 'Consultation en personne' },
      status: 'enabled',
      enforceMRP: true,
      enforceNoPCP: true,
      chargeAmount: 0,
      requiresDocumentUpload: true,
      minutes: 5,
      mode: 'inPerson',
      form: 'standard',
      instruction: 'comeToClinic',
      isPrivate: false,
      byNursePractitioners: true,
      resetsDoctor: true,
    });
  });

  // Shows: 1.types.1, 6.eligibility.1, 9.charges.1
  test('prices the types by eligibility, in dollars and in the clinic’s order', async () => {
    const fees = (me: Awaited<ReturnType<typeof meOf>>) =>
      me.appointmentType.map(({ code, chargeAmount }) => [code, chargeAmount]);
    expect(fees(await meOf())).toEqual([
      ['O', 0],
      ['P', 0],
      ['PP', 75],
      ['V', 200],
      ['I', 0],
      ['D', 150],
      ['M', 250],
      ['G', 250],
      ['F', 0],
    ]);
    expect(fees(await meOf({ eligibility: 'NR' }))[0]).toEqual(['O', 10]);
    expect(fees(await meOf({ eligibility: 'NE' }))[1]).toEqual(['P', 200]);
  });

  // Shows: 3.type-entry.1
  test('disables the types that this patient may not choose', async () => {
    const me = await meOf({ disabledTypes: ['D'] });
    expect([statusOf(me, 'D'), statusOf(me, 'O')]).toEqual(['disabled', 'enabled']);
  });

  // Shows: R-20
  test('offers F only with a medication site (R-20)', async () => {
    expect(statusOf(await meOf(), 'F')).toBe('enabled');
    await clinic.close();
    await open({ config: { medicationSiteUrl: null } });
    expect(statusOf(await meOf(), 'F')).toBe('disabled');
  });

  test('offers only what costs nothing while nobody can be paid', async () => {
    await clinic.close();
    await open({ config: { payments: null } });
    const me = await meOf();
    expect(['O', 'P', 'I', 'PP', 'V'].map((code) => statusOf(me, code))).toEqual([
      'enabled',
      'enabled',
      'enabled',
      'disabled',
      'disabled',
    ]);
  });
});

// Shows: 7.me.2
test.each([
  [false, true],
  [true, false],
])('A family doctor (%s) makes noPCP %s', async (familyDoctor, noPCP) => {
  const token = await signIn(clinic, await aPatient(clinic, { familyDoctor }));
  expect((await ask(clinic, 'checkNoPcp', { token })).answer()).toEqual({ success: true, noPCP });
});
