import { toClinic, toInstant } from '@clinic/domain';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { type MockInstance, afterEach, beforeEach, expect, test, vi } from 'vitest';

import { aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  aProvider,
  ask,
  scheduleFor,
  signIn,
  testApp,
} from '../../../testing/index.ts';

let clinic: TestApp;
let emr: FakeEmr;
let casey: PatientRow;
let token: string;
let events: MockInstance<TestApp['log']['event']>;

beforeEach(async () => {
  emr = fakeEmr({ days: null });
  clinic = await testApp({ emr });
  await openForCasey();
});
async function openForCasey() {
  await aClinic(clinic);
  await aProvider(clinic, { id: '102' });
  await scheduleFor(clinic, '102', ['2026-11-26', '2026-11-27'], {
    I: ['13:00-14:00'],
    O: ['15:00-16:00'],
  });
  casey = await aPatient(clinic);
  token = await signIn(clinic, casey);
  events = vi.spyOn(clinic.platform.log, 'event');
}
afterEach(() => clinic.close());

const slotAt = (time: string, selectedType: 'I' | 'O', date = '2026-11-26') => {
  const start = toInstant(date, time);
  return { start, end: start + 300, doctor: '102', selectedType };
};
async function create(body: object): Promise<string> {
  const made = await ask(clinic, 'createBooking', { token, body });
  return made.answer().extras.appointment.id;
}
const drain = () => clinic.platform.outbox.drain();
const movedTo = (rescheduleOf: string) =>
  create({
    ...slotAt('15:30', 'O', '2026-11-27'),
    reason: 'A cough',
    isReschedule: true,
    rescheduleOf,
  });
const lost = () => events.mock.calls.filter(([code]) => code === 'emr-addition-unknown').length;

const INJURY_CLAIM = {
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

test('the provider is told once what the patient answered about an injury claim', async () => {
  await create({ ...slotAt('13:00', 'I'), ...INJURY_CLAIM });
  await drain();
  clinic.clock.advance(3_600);
  await drain();
  const text = [
    'ICBC claim, as the patient answered online for Thu Nov 26 2026 13:00 with Amelia Stone.',
    'Claim number: AB123456',
    'Date of crash: 2026-11-01',
    'To be seen: phone',
    'Symptoms: Neck pain, and a headache in the morning',
    'Experiencing: modified duties, missing work',
    'Treatments: physiotherapy, Cold packs',
    'Medication: Ibuprofen 200 mg',
  ].join('\n');
  const { date } = toClinic(clinic.clock.now());
  const { recordId } = casey;
  expect(emr.ticklers()).toEqual([{ providerId: '102', recordId, text, date }]);
});

test('who has the appointment after a move is told what the patient answers then', async () => {
  const id = await create({ ...slotAt('13:00', 'I'), ...INJURY_CLAIM });
  await drain();
  await create({
    ...slotAt('13:30', 'I', '2026-11-27'),
    ...INJURY_CLAIM,
    symptom: 'The neck pain has gone',
    isReschedule: true,
    rescheduleOf: id,
  });
  await drain();
  const [, ...told] = emr.ticklers().map(({ text }) => text);
  expect(told.toSorted()).toEqual([
    expect.stringMatching(/answered online for Fri Nov 27 2026 13:30.*The neck pain has gone/s),
    expect.stringMatching(/^The patient moved this appointment online to Fri Nov 27 2026 13:30/),
  ]);
});

test('answers that waited for the EMR go where staff have moved the appointment meanwhile', async () => {
  const id = await create({ ...slotAt('13:00', 'I'), ...INJURY_CLAIM });
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
  const start = toInstant('2026-11-27', '13:15');
  const body = { providerId: '102', start, overrideReason: 'other' };
  (await askDesk(clinic, 'deskMoveAppointment', { cookie, params: { id }, body })).answer();
  await drain();
  expect(emr.ticklers().map(({ text }) => text)).toEqual([
    expect.stringMatching(/answered online for Fri Nov 27 2026 13:15.*Neck pain/s),
  ]);
});

test('the provider is told that the patient moved an appointment, and of an ordinary booking nothing', async () => {
  const id = await create({ ...slotAt('15:00', 'O'), reason: 'A cough' });
  await drain();
  expect(emr.ticklers()).toEqual([]);
  await movedTo(id);
  await drain();
  const text =
    'The patient moved this appointment online to Fri Nov 27 2026 15:30 with Amelia Stone; it was Thu Nov 26 2026 15:00.';
  expect(emr.ticklers()).toMatchObject([{ providerId: '102', text }]);
});

test('whoever the clinic names is told in the doctor’s place, and of whom it is', async () => {
  await clinic.close();
  emr = fakeEmr({ days: null });
  clinic = await testApp({ emr, config: { ticklersTo: '300' } });
  await openForCasey();
  const id = await create({ ...slotAt('15:00', 'O'), reason: 'A cough' });
  await movedTo(id);
  await drain();
  const text =
    'The patient moved this appointment online to Fri Nov 27 2026 15:30 with Amelia Stone; it was Thu Nov 26 2026 15:00.';
  expect(emr.ticklers()).toMatchObject([{ providerId: '300', text }]);
});

test('nobody is told of what staff moved at the front desk', async () => {
  const id = await create({ ...slotAt('15:00', 'O'), reason: 'A cough' });
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
  const start = toInstant('2026-11-27', '15:30');
  const body = { providerId: '102', start, overrideReason: 'other' };
  (await askDesk(clinic, 'deskMoveAppointment', { cookie, params: { id }, body })).answer();
  await drain();
  expect(emr.busy().map(({ date }) => date)).toContain('2026-11-27');
  expect(emr.ticklers()).toEqual([]);
});

test('nobody is told of what is cancelled by then', async () => {
  const moved = await movedTo(await create({ ...slotAt('15:00', 'O'), reason: 'A cough' }));
  await ask(clinic, 'cancelAppointment', { token, params: { id: moved } });
  await drain();
  expect(emr.ticklers()).toEqual([]);
});

test.each(['written', 'notWritten'] as const)(
  'the provider is never told again where nobody knows whether it was %s',
  async (what) => {
    await movedTo(await create({ ...slotAt('15:00', 'O'), reason: 'A cough' }));
    emr.faults.loseNextAnswer = what;
    await drain();
    clinic.clock.advance(3_600);
    await drain();
    expect([emr.ticklers().length, lost()]).toEqual([what === 'written' ? 1 : 0, 1]);
  },
);
