import { afterEach, describe, expect, test } from 'vitest';

import { NOT_WORKING, addDays, stepOfTime, dayTemplate, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { CLINIC_DAY, aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import type { ProviderToBe } from '../../../testing/a-clinic.ts';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { patientRecord, scheduleDay } from '../../schema.ts';
import type { patient } from '../../schema.ts';
import type { Emr } from '../records/emr.ts';

const TODAY = '2026-11-21';
const IDLE = NOT_WORKING.repeat(288);
const codesAt = (time: string) => {
  const from = stepOfTime(time);
  return dayTemplate([{ from, to: from + 1, code: 'O' }]);
};

let clinic: TestApp;
afterEach(() => clinic.close());

async function open(
  providers: readonly ProviderToBe[] = [{ id: '101' }],
  { days = 91, emr = null }: { days?: number; emr?: Emr | null } = {},
) {
  clinic = await testApp({ emr });
  await aClinic(clinic.database, { providers, days });
}
async function newPatient(over: Partial<typeof patient.$inferInsert> = {}) {
  return signIn(clinic, { id: await aPatientRow(clinic.database, over) });
}
async function earliest(query: { type?: string; id?: string } = {}, token?: string) {
  const response = await ask(clinic, 'earliestSlot', {
    token: token ?? (await newPatient()),
    query: { type: 'O', ...query },
  });
  return response.statusCode === 200
    ? response.answer().extras.slot
    : `${response.statusCode} ${response.refusal().extras.code}`;
}
const slot = (doctor: string, date: string, time: string) => {
  const start = toInstant(date, time);
  return { doctor, start, end: start + 300 };
};
const works = (date: string, doctor: string, codes: string) =>
  clinic.database.inTransaction((tx) =>
    tx
      .insert(scheduleDay)
      .values({ clinicDate: date, providerId: doctor, codes })
      .onConflictDoUpdate({
        target: [scheduleDay.clinicDate, scheduleDay.providerId],
        set: { codes },
      }),
  );

describe('GET /doctors/earliest', () => {
  test('is the first slot of the type more than 30 minutes ahead (R-12)', async () => {
    await open();
    clinic.clock.set(toInstant(TODAY, '08:00'));
    expect(await earliest()).toEqual(slot('101', TODAY, '08:35'));
    expect(await earliest({ type: 'D' })).toEqual(slot('101', TODAY, '10:00'));
  });

  test('reaches the last day of the window and no further (R-13)', async () => {
    await open([{ id: '101', codes: IDLE }]);
    const last = addDays(TODAY, 90);
    await works(addDays(TODAY, 91), '101', CLINIC_DAY);
    expect(await earliest()).toBeNull();
    await works(last, '101', codesAt('17:55'));
    expect(await earliest()).toEqual(slot('101', last, '17:55'));
  });

  test.each([6, 7, 8, 27, 28, 29, 89])('finds a slot that is alone on day %i', async (day) => {
    await open([{ id: '101', codes: IDLE }]);
    await works(addDays(TODAY, day), '101', codesAt('13:00'));
    expect(await earliest()).toEqual(slot('101', addDays(TODAY, day), '13:00'));
  });

  test('takes the doctor who is free first, or the one who was asked for', async () => {
    await open([
      { id: '101', codes: codesAt('09:00') },
      { id: '102', codes: codesAt('08:00') },
    ]);
    clinic.clock.set(toInstant('2026-11-23', '07:00'));
    expect(await earliest()).toEqual(slot('102', '2026-11-23', '08:00'));
    expect(await earliest({ id: '101' })).toEqual(slot('101', '2026-11-23', '09:00'));
    expect(await earliest({ id: 'nobody' })).toBeNull();
  });

  test('leaves out what is booked or held, except by the patient who asks (R-5)', async () => {
    await open();
    clinic.clock.set(toInstant('2026-11-23', '07:00'));
    const holder = await newPatient();
    const eight = slot('101', '2026-11-23', '08:00');
    await ask(clinic, 'placeHold', { token: holder, body: { ...eight, selectedType: 'O' } });
    expect(await earliest()).toEqual(slot('101', '2026-11-23', '08:05'));
    expect(await earliest({}, holder)).toEqual(eight);
    clinic.clock.set(toInstant('2026-11-23', '07:10'));
    expect(await earliest()).toEqual(eight);
  });

  test('knows only doctors whom this patient may see (R-22)', async () => {
    await open([
      { id: '103', policy: { familyOnly: true } },
      { id: '104', policy: { noPcp: true } },
      { id: '107', policy: { hidden: true } },
      { id: '108', policy: { disabled: true, comment: 'Away' } },
      { id: '109', status: '0' },
    ]);
    clinic.clock.set(NOW);
    expect(await earliest()).toMatchObject({ doctor: '104' });
    expect(await earliest({}, await newPatient({ familyDoctor: true }))).toBeNull();
    expect(await earliest({}, await newPatient({ blockedProviders: ['104'] }))).toBeNull();
    for (const id of ['103', '107', '108', '109']) expect(await earliest({ id })).toBeNull();
    const recordId = 'T0000001';
    await clinic.database.inTransaction((tx) =>
      tx.insert(patientRecord).values({
        id: recordId,
        firstName: 'A',
        lastName: 'B',
        birthDate: '1984-05-17',
        providerId: '104',
        cardProvince: 'BC',
      }),
    );
    const own = await newPatient({ recordId });
    expect(await earliest({ id: '103' }, own)).toMatchObject({ doctor: '103' });
  });

  test('says when the family doctor could not be checked and all depends on it (R-23)', async () => {
    const emr = fakeEmr();
    await open([{ id: '103', policy: { familyOnly: true } }, { id: '101' }], { emr });
    emr.faults.offline = true;
    expect(await earliest({ id: '103' })).toBe('503 primaryDoctorUnknown');
    expect(await earliest()).toMatchObject({ doctor: '101' });
  });

  test('refuses a type that is not open to the patient, and a patient who may not book', async () => {
    await open();
    expect(await earliest({ type: 'F' })).toBe('422 typeNotOffered');
    const withoutV = await newPatient({ disabledTypes: ['V'] });
    expect(await earliest({ type: 'V' }, withoutV)).toBe('422 typeNotOffered');
    const bo = await newPatient({ bookingBlocked: true });
    expect(await earliest({}, bo)).toBe('403 bookingBlocked');
  });
});
