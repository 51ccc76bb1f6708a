import { aMedicalProfile } from '@clinic/domain/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, aPatient, ask, signIn, testApp } from '../../../testing/index.ts';
import { medicalProfile } from './schema.ts';

let clinic: TestApp;
let token: string;
beforeEach(async () => {
  clinic = await testApp();
  token = await signIn(clinic, await aPatient(clinic));
});
afterEach(() => clinic.close());

const keep = (over: Parameters<typeof aMedicalProfile>[0] = {}, as = token) =>
  ask(clinic, 'saveMedicalProfile', { token: as, body: { eMedProfile: aMedicalProfile(over) } });
const read = async (as = token) =>
  (await ask(clinic, 'readMedicalProfile', { token: as })).answer();
const rows = () => clinic.database.db.select().from(medicalProfile);

describe('The immigration exam profile (§5 Immigration form, R-82)', () => {
  // Shows: 3.immigration.1, 7.services.4
  test('is kept tidied, and fills the form the next time', async () => {
    expect((await read()).extras.profile).toBeNull();
    const kept = await keep({ passportNumber: ' ab 123-456 ', phone: '604-555-0142' });
    const tidy = aMedicalProfile({ passportNumber: 'AB123456', phone: '6045550142' });
    expect(kept.answer().extras.profile).toEqual(tidy);
    expect((await read()).extras.profile).toEqual(tidy);
  });

  test('takes the place of the one before, and is nobody else’s', async () => {
    await keep();
    await keep({ city: 'Burnaby' });
    expect(await rows()).toHaveLength(1);
    expect((await read()).extras.profile?.city).toBe('Burnaby');
    const other = await signIn(clinic, await aPatient(clinic));
    expect((await read(other)).extras.profile).toBeNull();
  });

  // Shows: S-13
  test('is sealed, and its audit row says nothing of it (S-13)', async () => {
    await keep({ passportNumber: 'ZEPHYR9876' });
    const [row] = await rows();
    expect(Buffer.from(row?.profileSealed ?? []).toString('latin1')).not.toContain('ZEPHYR');
    const trail = await clinic.trail();
    expect(trail.at(-1)?.action).toBe('medical profile kept');
    expect(JSON.stringify(trail)).not.toContain('ZEPHYR');
  });

  const soon = { year: 2026, month: 11, day: 20 };
  // Shows: 5.immigration.1, 5.immigration.2
  test.each([
    ['city', { city: '  ' }, 'Highlighted field cannot be empty'],
    ['gender', { gender: '' }, 'Highlighted field cannot be empty'],
    ['dateOfExpiry', { dateOfExpiry: soon }, 'Date of expiry must be equal to or after today'],
    [
      'dateOfIssue',
      { dateOfIssue: { year: 2001, month: 5, day: 6 } },
      'Date of issue must be between 2001-05-07 and today',
    ],
    ['issuingCountry', { issuingCountry: 'ZZZ' }, 'Please choose from the list.'],
    [
      'passportNumber',
      { passportNumber: 'AB<script>1' },
      'Please enter the passport number as 5 to 20 letters and digits.',
    ],
    ['phone', { phone: '604 CALL ME' }, 'Please enter the phone number using digits only.'],
    [
      'phone',
      { phone: '0000000000' },
      'This cannot be a phone number. For a country other than Canada and the United States, begin with its code.',
    ],
  ] as const)('with a wrong %s is a 422 in the words of §5', async (field, over, message) => {
    const refused = await keep(over);
    expect(refused.statusCode).toBe(422);
    expect(refused.refusal().errors).toEqual([{ field: `eMedProfile.${field}`, message }]);
    expect(await rows()).toEqual([]);
  });

  // Shows: 7.services.4
  test('names every empty field at once', async () => {
    const refused = await keep({ firstName: '', lastName: '', passportNumber: '' });
    expect(refused.refusal().errors?.map(({ field }) => field)).toEqual([
      'eMedProfile.firstName',
      'eMedProfile.lastName',
      'eMedProfile.passportNumber',
    ]);
  });

  test('with a field that nobody knows, or a list in place of a text, is refused by name', async () => {
    const send = async (over: object) =>
      ask(clinic, 'saveMedicalProfile', {
        token,
        body: { eMedProfile: { ...aMedicalProfile(), ...over } },
      });
    const unknown = await send({ user: 'somebody' });
    expect(unknown.refusal().errors?.[0]?.field).toBe('eMedProfile.user');
    const list = await send({ city: ['Vancouver'] });
    expect(list.refusal().errors?.[0]?.field).toBe('eMedProfile.city');
  });
});
