import type { AppointmentType, Eligibility } from '@clinic/domain';
import { anAppointmentType } from '@clinic/domain/testing';
import { addMessages } from '@clinic/texts/translate';
import { expect, test } from 'vitest';
import { speak } from '../../../messages/t.ts';
import {
  factsAtNext,
  goOn,
  limitWords,
  withUpload,
  type ConfirmAsks,
  type KnownAtNext,
} from './confirm-sequence.ts';

const appointment = anAppointmentType();
/** Next is pressed by a patient who answered everything. */
const pressed = (
  type: AppointmentType,
  eligibility: Eligibility = 'E',
  known: Partial<KnownAtNext> = {},
) =>
  factsAtNext({
    type,
    eligibility,
    answersValid: true,
    isDecided: false,
    isReschedule: false,
    feeAccepted: false,
    pharmacyPrompt: false,
    pharmacyAnswered: false,
    noticeNeeded: false,
    ...known,
  });

/**
 * A clinic that knows the patient, sees no limit broken and charges nothing; it notes what it is
 * asked.
 */
function aClinic(over: Partial<ConfirmAsks> = {}) {
  const asked: string[] = [];
  const knows: ConfirmAsks = {
    uploads: async () => ({ healthCard: true, pictureId: true }),
    demographics: async () => 'found',
    limits: async () => 'kept',
    stateChargeCents: async () => 0,
    ...over,
  };
  const noting =
    <T>(name: string, answer: () => Promise<T>) =>
    () => {
      asked.push(name);
      return answer();
    };
  const asks: ConfirmAsks = {
    uploads: noting('uploads', knows.uploads),
    demographics: noting('demographics', knows.demographics),
    limits: noting('limits', knows.limits),
    stateChargeCents: noting('state', knows.stateChargeCents),
  };
  return { asked, asks };
}

// Shows: 4.confirm-next.5, R-39
test('the patient is asked to agree after the demographics, before limits and state', async () => {
  const { asked, asks } = aClinic();
  const pause = await goOn(pressed(appointment), asks);
  expect(pause.stop).toBe('agreeToDetails');
  expect(asked).toEqual(['demographics']);
});

// Shows: 4.confirm-next.6
test('on Agree the limits are checked, then the state is fetched, then the appointment is booked', async () => {
  const { asked, asks } = aClinic();
  const { facts } = await goOn(pressed(appointment), asks);
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('book');
  expect(asked).toEqual(['demographics', 'limits', 'state']);
});

// Shows: 4.confirm-next.1
test('a reason that is too short asks nobody', async () => {
  const { asked, asks } = aClinic();
  expect((await goOn(pressed(appointment, 'E', { answersValid: false }), asks)).stop).toBe(
    'showProblems',
  );
  expect(asked).toEqual([]);
});

// Shows: 4.confirm-next.5, 8.server-message.1, R-36, text.get-demographics
test('a patient whom the records do not know is asked about a family doctor', async () => {
  const { asks } = aClinic({ demographics: async () => 'noEntry' });
  const pause = await goOn(pressed(appointment), asks);
  expect(pause.stop).toBe('askFamilyDoctor');
});

test('a limit that is broken ends the attempt', async () => {
  const { asks } = aClinic({ limits: async () => 'broken' });
  const { facts } = await goOn(pressed(appointment), asks);
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('refuseOverLimit');
});

// Shows: 4.confirm-next.7
test('a fee that the state names leads to payment', async () => {
  const { asks } = aClinic({ stateChargeCents: async () => 1000 });
  const { facts } = await goOn(pressed(appointment), asks);
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('pay');
});

const covered = anAppointmentType({ requiresDocuments: true });

// Shows: 4.confirm-next.3
test('who has uploaded nothing is asked for the health card, then for the picture ID', async () => {
  const { asked, asks } = aClinic({
    uploads: async () => ({ healthCard: false, pictureId: false }),
  });
  const first = await goOn(pressed(covered, 'NR'), asks);
  expect([first.stop, asked]).toEqual(['uploadHealthCard', ['uploads']]);
  const second = await goOn({ ...first.facts, ...withUpload(first.facts, 'healthCard') }, asks);
  expect(second.stop).toBe('uploadPictureId');
  const third = await goOn({ ...second.facts, ...withUpload(second.facts, 'pictureId') }, asks);
  expect(third.stop).toBe('agreeToDetails');
  expect(asked).toEqual(['uploads', 'demographics']);
});

test('a picture ID that the clinic has is not asked for after the health card', async () => {
  const { asks } = aClinic({ uploads: async () => ({ healthCard: false, pictureId: true }) });
  const { facts } = await goOn(pressed(covered, 'R'), asks);
  expect((await goOn({ ...facts, ...withUpload(facts, 'healthCard') }, asks)).stop).toBe(
    'agreeToDetails',
  );
});

// Shows: R-34
test('uploads that cannot be checked count as made: the service decides (R-34)', async () => {
  const { asks } = aClinic({ uploads: async () => 'failed', stateChargeCents: async () => 1000 });
  const { facts, stop } = await goOn(pressed(covered, 'NR'), asks);
  expect(stop).toBe('agreeToDetails');
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('pay');
});

test('a covered patient is asked for no documents', async () => {
  const { asked, asks } = aClinic({
    uploads: async () => ({ healthCard: false, pictureId: false }),
  });
  expect((await goOn(pressed(covered, 'E'), asks)).stop).toBe('agreeToDetails');
  expect(asked).not.toContain('uploads');
});

// Shows: R-39
test('claim, pharmacy, records and notice are asked about in their order (R-39)', async () => {
  const { asks } = aClinic({ demographics: async () => 'noEntry' });
  const injury = anAppointmentType({ code: 'I' });
  const first = await goOn(
    pressed(injury, 'E', { pharmacyPrompt: true, noticeNeeded: true }),
    asks,
  );
  const answers = [
    { icbcConfirmed: true },
    { pharmacyAnswered: true },
    { demographics: 'created' },
    { noticeUnderstood: true },
  ] as const;
  const stops: string[] = [first.stop];
  let { facts } = first;
  for (const answer of answers) {
    const pause = await goOn({ ...facts, ...answer }, asks);
    stops.push(pause.stop);
    facts = pause.facts;
  }
  expect(stops).toEqual([
    'confirmIcbc',
    'choosePharmacy',
    'askFamilyDoctor',
    'showNotice',
    'agreeToDetails',
  ]);
});

test('an exam has its form before payment', async () => {
  const { asks } = aClinic({ stateChargeCents: async () => 25_000 });
  const exam = anAppointmentType({ code: 'M', chargeCents: 25_000 });
  const { facts } = await goOn(pressed(exam, 'E', { feeAccepted: true }), asks);
  const form = await goOn({ ...facts, detailsAgreed: true }, asks);
  expect(form.stop).toBe('fillImmigrationForm');
  expect((await goOn({ ...form.facts, immigrationFormDone: true }, asks)).stop).toBe('pay');
});

test('a fee of 140 or more is accepted before anything else is asked, and once is enough (R-31)', async () => {
  const { asked, asks } = aClinic({ stateChargeCents: async () => 20_000 });
  const dear = anAppointmentType({ code: 'V', chargeCents: 14_000 });
  const { facts, stop } = await goOn(pressed(dear), asks);
  expect([stop, asked]).toEqual(['warnOfFee', []]);
  const accepted = { ...facts, feeAccepted: true, detailsAgreed: true };
  expect((await goOn(accepted, asks)).stop).toBe('pay');
  const before = pressed(dear, 'E', { feeAccepted: true });
  expect((await goOn(before, asks)).stop).toBe('agreeToDetails');
});

test('a fee that only the state names is warned of then (R-31)', async () => {
  const { asks } = aClinic({ stateChargeCents: async () => 14_000 });
  const { facts } = await goOn(pressed(appointment), asks);
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('warnOfFee');
});

// Shows: 4.confirm-next.7, 5.limits.3
test('moving an appointment asks neither for limits nor for documents nor for money', async () => {
  const { asked, asks } = aClinic({ stateChargeCents: async () => 20_000 });
  const paid = anAppointmentType({ code: 'V', chargeCents: 20_000, requiresDocuments: true });
  const { facts, stop } = await goOn(pressed(paid, 'NR', { isReschedule: true }), asks);
  expect(stop).toBe('agreeToDetails');
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('book');
  expect(asked).not.toContain('limits');
});

// Shows: R-99
test('a limit is said in the language of the page', async () => {
  addMessages('fr', { 'refusal.twoUpcoming': 'Deux rendez-vous au plus.' });
  await speak('fr');
  expect(limitWords('twoUpcoming')).toBe('Deux rendez-vous au plus.');
  await speak('en');
});
