import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, aClinic, aPatient, ask, signIn, testApp } from '../../../testing/index.ts';
import { patient, pharmacy } from '../../schema.ts';

let clinic: TestApp;
let token: string;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  await clinic.database.inTransaction((tx) =>
    tx
      .insert(pharmacy)
      .values({ id: 'ph-1', name: 'One', address: '1 Way', fax: '', phone: '604-555-0100' }),
  );
  token = await signInAs({});
});
afterEach(() => clinic.close());

async function signInAs(over: Parameters<typeof aPatient>[1]) {
  return signIn(
    clinic,
    await aPatient(clinic, { firstName: 'Pat', lastName: 'Test', shouldUpdate: true, ...over }),
  );
}
const form = {
  address: '9 New Street',
  city: 'Burnaby',
  province: 'AB',
  postal: 't5j 0n3',
  phone: '',
  mobile: '604-555-0199',
  internationalPhone: '',
  sex: 'Transgendered',
  country: 'Canada',
};
const update = (over: Record<string, unknown> = {}) =>
  ask(clinic, 'updateMe', { token, body: { ...form, ...over } });
const rowOf = async () => {
  const { id } = await me();
  const [row] = await clinic.database.db.select().from(patient).where(eq(patient.id, id));
  return row;
};
const me = async () => (await ask(clinic, 'getMe', { token })).answer();
const confirm = (body: Record<string, unknown>) =>
  ask(clinic, 'confirmInformation', { token, body: { shouldUpdate: false, ...body } });
const trail = async () => {
  const rows = await clinic.trail();
  return rows.map(({ action, details }) => [action, details]);
};

describe('POST /me (§5 Account edit)', () => {
  // Shows: 1.can.5, 6.patient.1, 7.me.5, R-6
  test('changes what a patient may change, and answers the updated user', async () => {
    const user = (await update()).answer();
    expect(user).toMatchObject({
      address: '9 New Street',
      city: 'Burnaby',
      province: 'AB',
      postal: 'T5J 0N3',
      phone: '',
      mobilePhone: '6045550199',
      sex: 'Transgendered',
      shouldUpdate: false,
      isChanged: true,
    });
    expect(await me()).toEqual(user);
  });

  // Shows: R-8
  test('is not believed about name and birth date, and what differs is audited (R-8)', async () => {
    const same = { firstName: 'Pat', birthYear: 1984, birthMonth: 5, birthDay: 17 };
    await update({ ...same, lastName: 'Forged', birthDay: 18 });
    expect(await me()).toMatchObject({
      lastName: 'Test',
      birthday: { year: 1984, month: 5, day: 17 },
    });
    const [[action, details] = []] = await trail();
    expect([action, details]).toMatchObject([
      'profile changed',
      { ignored: ['lastName', 'birthDate'] },
    ]);
    expect(JSON.stringify(details)).not.toMatch(/Forged|Street|6045550199/);
  });

  test('audits nothing as ignored that does not differ', async () => {
    await update({ firstName: 'Pat', lastName: 'Test' });
    expect(JSON.stringify(await trail())).not.toContain('ignored');
  });

  test('says what is wrong in the words of §5', async () => {
    const refused = await update({ city: ' ', province: 'Alberta', mobile: '604555' });
    expect([refused.statusCode, refused.refusal().errors]).toEqual([
      422,
      [
        { field: 'city', message: 'Highlighted input field cannot be empty' },
        { field: 'province', message: 'Please choose a Province from the drop down menu' },
        { field: 'mobile', message: 'The Mobile Phone Number you entered is invalid' },
      ],
    ]);
    expect(await me()).toMatchObject({ city: 'Vancouver', shouldUpdate: true });
  });

  test('takes a country of the list, and the one that the account has kept since before it', async () => {
    const refused = await update({ country: 'Narnia' });
    expect([refused.statusCode, refused.refusal().errors]).toEqual([
      422,
      [{ field: 'country', message: 'Please choose one of the listed values for Country' }],
    ]);
    expect((await update({ country: ' Chile ' })).answer().country).toBe('Chile');
    token = await signInAs({ country: 'Burma' });
    expect((await me()).country).toBe('Burma');
    expect((await update({ country: 'Burma' })).answer().country).toBe('Burma');
    expect((await update()).answer().country).toBe('Canada');
    expect((await update({ country: 'Burma' })).statusCode).toBe(422);
  });

  test('asks for one phone', async () => {
    expect((await update({ mobile: null })).refusal().errors).toMatchObject([{ field: 'mobile' }]);
  });

  test('understands a number however it is written, and shows it back', async () => {
    const numbers = { mobile: '+1 (604) 555-0199', internationalPhone: '+44 20 7946 0958' };
    expect((await update(numbers)).answer()).toMatchObject({
      mobilePhone: '6045550199',
      internationalPhone: '442079460958',
      e164: {
        phone: null,
        mobilePhone: '+16045550199',
        internationalPhone: '+442079460958',
      },
    });
    expect(await rowOf()).toMatchObject({
      mobilePhoneE164: '+16045550199',
      internationalPhoneE164: '+442079460958',
    });
  });

  test('refuses a number of another country, or of nobody, with the reason', async () => {
    const refused = await update({ mobile: '+44 7911 123456', phone: '0000000000' });
    expect(refused.refusal().errors).toEqual([
      {
        field: 'mobile',
        message:
          'The Mobile Phone you entered is not a number of Canada or the United States. Please enter it under International Phone.',
      },
      { field: 'phone', message: 'The Home Phone Number you entered is invalid.' },
    ]);
    const [error] = (await update({ internationalPhone: '6045550123' })).refusal().errors ?? [];
    expect(error?.message).toContain('begin the International Phone with + and the country code');
  });

  test('leaves a kept number that cannot be right as it is, until it is changed', async () => {
    token = await signInAs({ mobilePhone: '0000000000', phone: '', internationalPhone: '02079' });
    const saved = await update({ mobile: '000-000-0000', internationalPhone: '02079' });
    expect(saved.answer()).toMatchObject({
      city: 'Burnaby',
      mobilePhone: '0000000000',
      internationalPhone: '02079',
      e164: { phone: null, mobilePhone: null, internationalPhone: null },
    });
    expect((await update({ mobile: '0000000001' })).statusCode).toBe(422);
  });

  test('works the E.164 out anew where version 0.2.0 has changed the number alone', async () => {
    token = await signInAs({ mobilePhone: '6045550199', mobilePhoneE164: '+17785550111' });
    expect((await me()).e164?.mobilePhone).toBe('+16045550199');
  });

  test('keeps, changes and takes away the preferred pharmacy', async () => {
    expect((await update({ preferredPharmacy: 'ph-1' })).answer().preferredPharmacy).toBe('ph-1');
    expect((await update()).answer().preferredPharmacy).toBe('ph-1');
    expect((await update({ preferredPharmacy: null })).answer().preferredPharmacy).toBeNull();
    expect((await update({ preferredPharmacy: 'ph-2' })).statusCode).toBe(422);
  });

  test('does not undo what is chosen elsewhere in the same moment', async () => {
    const { demographicNo } = await me();
    const { database } = clinic.platform;
    const inTransaction = database.inTransaction.bind(database);
    database.inTransaction = async (work) => {
      database.inTransaction = inTransaction;
      const body = { demographicNo, pharmacy: 'ph-1' };
      expect((await ask(clinic, 'addPreferredPharmacy', { token, body })).statusCode).toBe(200);
      expect((await confirm({ hasFamilyDoc: true })).answer().familyDoc).toBe(true);
      return inTransaction(work);
    };
    expect((await update()).answer()).toMatchObject({ preferredPharmacy: 'ph-1', familyDoc: true });
  });

  test('saves of two devices only what each has changed, though neither has heard of the other', async () => {
    const before = await me();
    const save = (over: Record<string, string>) => {
      const { address, city, province, postal, phone, sex, country } = before;
      const body = { address, city, province, postal, phone, sex, country, ...over };
      const headers = { 'x-changed': Object.keys(over).join(',') };
      return ask(clinic, 'updateMe', { token, body, headers });
    };
    (await save({ address: '1 First Street', mobile: '604-555-0111' })).answer();
    (await save({ city: 'Burnaby' })).answer();
    expect(await me()).toMatchObject({
      address: '1 First Street',
      mobilePhone: '6045550111',
      city: 'Burnaby',
    });
    expect((await trail()).map(([, details]) => details)).toMatchObject([
      { changed: expect.arrayContaining(['address', 'mobilePhone']) as unknown },
      { changed: ['city'] },
    ]);
    expect((await save({ city: ' ' })).refusal().errors).toMatchObject([{ field: 'city' }]);
  });

  test('leaves isChanged as it is when nothing changed', async () => {
    const { address, city, province, postal, phone, sex, country } = await me();
    const body = { address, city, province, postal, phone, sex, country };
    const user = (await ask(clinic, 'updateMe', { token, body })).answer();
    expect(user).toMatchObject({ isChanged: false, shouldUpdate: false });
  });
});

describe('The family-doctor question (§2 My Account, R-6)', () => {
  // Shows: R-6
  test.each([
    [{ hasFamilyDoc: true }, true],
    [{ familyDoc: true }, true],
    [{ familyDoc: '1998' }, true],
    [{ familyDoc: 1998 }, true],
    [{ familyDoc: '1999' }, false],
    [{ familyDoc: '1998', hasFamilyDoc: false }, false],
    [{}, false],
  ])('answered with %j makes familyDoc %s', async (said, familyDoc) => {
    expect((await confirm(said)).answer().familyDoc).toBe(familyDoc);
  });

  // Shows: R-6
  test.each(['7', 'yes', 'true', 0, 19_980])(
    'is a yes or no or one of the configured ids (§9): %j is refused where it is sent',
    async (familyDoc) => {
      const errors = [
        {
          field: 'familyDoc',
          message: 'Please answer yes or no to the question about your family doctor.',
        },
      ];
      for (const refused of [
        await confirm({ familyDoc, hasFamilyDoc: true }),
        await update({ familyDoc }),
        await ask(clinic, 'createDemographics', {
          token,
          body: { id: (await me()).id, familyDoc, hasFamilyDoc: true },
        }),
      ])
        expect([refused.statusCode, refused.refusal().errors]).toEqual([422, errors]);
      expect(await me()).toMatchObject({ familyDoc: false, shouldUpdate: true, isChanged: false });
    },
  );

  // Shows: 7.me.6, R-72
  test('confirmed clears shouldUpdate, and nobody can set it (R-72)', async () => {
    expect((await confirm({})).answer().shouldUpdate).toBe(false);
    expect((await confirm({ shouldUpdate: true })).answer().shouldUpdate).toBe(false);
  });

  test('left open keeps shouldUpdate', async () => {
    expect((await confirm({ shouldUpdate: true })).answer().shouldUpdate).toBe(true);
  });
});

// Shows: R-72
test('Staff is a role in me (R-72)', async () => {
  token = await signInAs({ role: 'staff' });
  expect((await me()).role).toBe('staff');
});
