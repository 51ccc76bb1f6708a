import type { ApiAnswers } from '@clinic/contract';
import { toInstant } from '@clinic/domain';
import { aMedicalProfile } from '@clinic/domain/testing';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  type PatientOptions,
  type TestApp,
  aClinic,
  aPatient,
  aProvider,
  ask,
  scheduleFor,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { charge, practiceCard, privateAppointment } from '../../../testing/paying.ts';
import { appointment } from './schema.ts';
import { feePolicy, medicalProfile } from '../../schema.ts';
import { answersContext } from './answers.ts';

let clinic: TestApp;
let token: string;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  await aProvider(clinic, { id: '102' });
  await scheduleFor(clinic, '102', ['2026-11-26', '2026-11-27'], {
    A: ['08:00-09:00'],
    I: ['13:00-14:00'],
    M: ['14:00-15:00'],
  });
  await signInAs();
});
afterEach(() => clinic.close());

async function signInAs(over: PatientOptions = {}) {
  token = await signIn(clinic, await aPatient(clinic, over));
}
const slotAt = (time: string, selectedType: 'I' | 'M' | 'G', date = '2026-11-26') => {
  const start = toInstant(date, time);
  return { start, end: start + 300, doctor: '102', selectedType };
};
/** Appointments that carry answers, opened. */
async function keptAnswers(): Promise<unknown[]> {
  const rows = await clinic.database.db.select().from(appointment).orderBy(appointment.createdAt);
  return rows.flatMap(({ id, answersSealed }) =>
    answersSealed === null
      ? []
      : [JSON.parse(clinic.keyring.open(answersContext(id), answersSealed)) as unknown],
  );
}

const injury: ApiAnswers = {
  reason: 'AB123456',
  crashYear: 2026,
  crashMonth: 11,
  crashDay: 1,
  contactPreference: 'PHONE',
  symptom: 'Neck pain, and a headache in the morning',
  medicationTaken: 'Ibuprofen 200 mg',
  experiencingList: ['modifiedDuties', 'missingWork'],
  treatmentList: ['physiotherapy', { key: 'other', text: 'Cold packs' }],
};

describe('The injury claim of type I (R-37, R-41)', () => {
  const create = (over: object = {}) =>
    ask(clinic, 'createBooking', {
      token,
      body: { ...slotAt('13:00', 'I'), ...injury, ...over },
    });

  // Shows: R-37
  test('is kept whole when the appointment is booked', async () => {
    expect((await create()).statusCode).toBe(200);
    expect(await keptAnswers()).toEqual([injury]);
  });

  // Shows: R-41
  test('is kept whole when the appointment is paid for', async () => {
    await signInAs({ eligibility: 'NR' });
    const { status } = await charge(
      clinic,
      token,
      privateAppointment({
        ...slotAt('13:00', 'I'),
        providerId: '102',
        amount: 10,
        ...injury,
      }),
    );
    expect(status).toBe(200);
    expect(await keptAnswers()).toEqual([injury]);
  });

  test('comes back from the draft as it was sent', async () => {
    await ask(clinic, 'placeHold', { token, body: slotAt('13:00', 'I') });
    await ask(clinic, 'saveDraft', { token, body: { draft: injury } });
    const { extras } = (await ask(clinic, 'readHold', { token })).answer();
    expect(extras.hold?.draft).toEqual(injury);
  });

  // Shows: R-37
  test.each([
    ['reason', { reason: '       1' }],
    ['crashYear', { crashMonth: 2, crashDay: 30 }],
    ['crashYear', { crashMonth: 11, crashDay: 22 }],
    ['crashYear', { crashYear: null }],
    ['contactPreference', { contactPreference: null }],
    ['symptom', { symptom: 'ab ' }],
    ['symptom', { symptom: 'ü'.repeat(301) }],
    ['experiencingList', { experiencingList: [] }],
    ['treatmentList', { treatmentList: [{ key: 'other', text: '🦴🦴' }] }],
    ['treatmentList', { treatmentList: [{ key: 'other', text: 'x'.repeat(51) }] }],
    ['medicationTaken', { medicationTaken: '  ' }],
    ['medicationTaken', { medicationTaken: 'x'.repeat(201) }],
  ])('is refused with a wrong %s: %j', async (field, over) => {
    const refused = await create(over);
    expect(refused.statusCode).toBe(422);
    expect(refused.refusal().errors?.map((each) => each.field)).toEqual([field]);
    expect(await keptAnswers()).toEqual([]);
  });
});

describe('An immigration medical exam (R-32)', () => {
  const keepProfile = () =>
    ask(clinic, 'saveMedicalProfile', { token, body: { eMedProfile: aMedicalProfile() } });
  const pay = (type: 'M' | 'G', time: string) =>
    charge(
      clinic,
      token,
      privateAppointment({ ...slotAt(time, type), providerId: '102', amount: 250, reason: 'Exam' }),
    );

  test.each([
    ['M', '14:00'],
    ['G', '08:00'],
  ] as const)(
    '%s is paid for only with the form kept, and no money moves without',
    async (type, time) => {
      const refused = await pay(type, time);
      expect(refused.status).toBe(422);
      expect(JSON.stringify(refused.answer)).toContain('medicalProfileMissing');
      expect(await clinic.gateway.listIntents(0)).toEqual([]);
      await keepProfile();
      expect((await pay(type, time)).status).toBe(200);
    },
  );

  test('can be held without the form', async () => {
    const held = await ask(clinic, 'placeHold', { token, body: slotAt('14:00', 'M') });
    expect(held.statusCode).toBe(200);
  });

  // Shows: R-32
  test('that costs nothing is booked only with the form kept', async () => {
    await clinic.database.inTransaction((tx) =>
      tx
        .update(feePolicy)
        .set({ chargeCents: 0 })
        .where(and(eq(feePolicy.type, 'M'), eq(feePolicy.eligibility, 'E'))),
    );
    const create = () =>
      ask(clinic, 'createBooking', { token, body: { ...slotAt('14:00', 'M'), reason: 'Exam' } });
    const refused = await create();
    expect([refused.statusCode, refused.refusal().extras.code]).toEqual([
      422,
      'medicalProfileMissing',
    ]);
    expect(refused.refusal().extras.message).toBe(
      'Please fill in the immigration exam form first.',
    );
    await keepProfile();
    expect((await create()).statusCode).toBe(200);
  });

  // Shows: R-51
  test('is moved without asking for the form again (R-51)', async () => {
    await keepProfile();
    await pay('M', '14:00');
    await clinic.database.inTransaction((tx) => tx.delete(medicalProfile));
    const moved = await ask(clinic, 'createBooking', {
      token,
      body: { ...slotAt('14:05', 'M', '2026-11-27'), reason: 'Exam', isReschedule: true },
    });
    expect(moved.answer().extras.code).toBe('rescheduled');
  });
});

describe('A card that was declined', () => {
  test('and a good one with another reason keep the newest reason', async () => {
    const pay = (reason: string, card: 'declined' | 'succeeds') =>
      charge(clinic, token, privateAppointment({ reason, payment_method_id: practiceCard(card) }));
    expect((await pay('A cough', 'declined')).status).toBe(402);
    expect(await keptAnswers()).toEqual([{ reason: 'A cough' }]);
    expect((await pay('  A rash  ', 'succeeds')).status).toBe(200);
    expect(await keptAnswers()).toEqual([{ reason: 'A rash' }]);
  });

  test('and a good one with a shorter injury claim keep none of the first', async () => {
    await signInAs({ eligibility: 'NR' });
    const slot = { ...slotAt('13:00', 'I'), providerId: '102', amount: 10 };
    const pay = (over: Partial<ApiAnswers>, card: 'declined' | 'succeeds') =>
      charge(
        clinic,
        token,
        privateAppointment({ ...slot, ...injury, ...over, payment_method_id: practiceCard(card) }),
      );
    expect((await pay({}, 'declined')).status).toBe(402);
    const edited = { treatmentList: ['none'], medicationTaken: 'No' };
    expect((await pay(edited, 'succeeds')).status).toBe(200);
    expect(await keptAnswers()).toEqual([{ ...injury, ...edited }]);
  });
});
