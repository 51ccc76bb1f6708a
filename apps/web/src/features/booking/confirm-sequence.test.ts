import { anAppointmentType } from '@clinic/domain/testing';
import { expect, test } from 'vitest';
import { factsAtNext, goOn, type ConfirmAsks } from './confirm-sequence.ts';

const visit = anAppointmentType();
const booking = { isReschedule: false, feeAccepted: false };

/** A clinic that knows the patient, sees no limit broken and charges nothing; it notes what it is asked. */
function aClinic(over: Partial<ConfirmAsks> = {}) {
  const asked: string[] = [];
  const knows: ConfirmAsks = {
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
    demographics: noting('demographics', knows.demographics),
    limits: noting('limits', knows.limits),
    stateChargeCents: noting('state', knows.stateChargeCents),
  };
  return { asked, asks };
}

test('the patient is asked to agree after the demographics, before limits and state', async () => {
  const { asked, asks } = aClinic();
  const pause = await goOn(factsAtNext(visit, 'E', 'a cough', booking), asks);
  expect(pause.stop).toBe('agreeToDetails');
  expect(asked).toEqual(['demographics']);
});

test('on Agree the limits are checked, then the state is fetched, then the visit is booked', async () => {
  const { asked, asks } = aClinic();
  const { facts } = await goOn(factsAtNext(visit, 'E', 'a cough', booking), asks);
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('book');
  expect(asked).toEqual(['demographics', 'limits', 'state']);
});

test('a reason that is too short asks nobody', async () => {
  const { asked, asks } = aClinic();
  expect((await goOn(factsAtNext(visit, 'E', 'x', booking), asks)).stop).toBe('showProblems');
  expect(asked).toEqual([]);
});

test('a patient whom the records do not know is asked about a family doctor', async () => {
  const { asks } = aClinic({ demographics: async () => 'noEntry' });
  const pause = await goOn(factsAtNext(visit, 'E', 'a cough', booking), asks);
  expect(pause.stop).toBe('askFamilyDoctor');
});

test('a limit that is broken ends the attempt', async () => {
  const { asks } = aClinic({ limits: async () => 'broken' });
  const { facts } = await goOn(factsAtNext(visit, 'E', 'a cough', booking), asks);
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('refuseOverLimit');
});

test('a fee that the state names leads to payment', async () => {
  const { asks } = aClinic({ stateChargeCents: async () => 1000 });
  const { facts } = await goOn(factsAtNext(visit, 'E', 'a cough', booking), asks);
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('pay');
});

test('documents are left to the service, which refuses a visit without them (R-34)', async () => {
  const { asks } = aClinic({ stateChargeCents: async () => 1000 });
  const covered = anAppointmentType({ requiresDocuments: true });
  const { facts, stop } = await goOn(factsAtNext(covered, 'NR', 'a cough', booking), asks);
  expect(stop).toBe('agreeToDetails');
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('pay');
});

test('a fee of 140 or more is accepted before anything else is asked, and once is enough (R-31)', async () => {
  const { asked, asks } = aClinic({ stateChargeCents: async () => 20_000 });
  const dear = anAppointmentType({ code: 'V', chargeCents: 14_000 });
  const { facts, stop } = await goOn(factsAtNext(dear, 'E', 'a cough', booking), asks);
  expect([stop, asked]).toEqual(['warnOfFee', []]);
  const accepted = { ...facts, feeAccepted: true, detailsAgreed: true };
  expect((await goOn(accepted, asks)).stop).toBe('pay');
  const before = factsAtNext(dear, 'E', 'a cough', { ...booking, feeAccepted: true });
  expect((await goOn(before, asks)).stop).toBe('agreeToDetails');
});

test('a fee that only the state names is warned of then (R-31)', async () => {
  const { asks } = aClinic({ stateChargeCents: async () => 14_000 });
  const { facts } = await goOn(factsAtNext(visit, 'E', 'a cough', booking), asks);
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('warnOfFee');
});

test('moving a visit asks neither for limits nor for documents nor for money', async () => {
  const { asked, asks } = aClinic({ stateChargeCents: async () => 20_000 });
  const paid = anAppointmentType({ code: 'V', chargeCents: 20_000, requiresDocuments: true });
  const { facts, stop } = await goOn(
    factsAtNext(paid, 'NR', 'a cough', { ...booking, isReschedule: true }),
    asks,
  );
  expect(stop).toBe('agreeToDetails');
  expect((await goOn({ ...facts, detailsAgreed: true }, asks)).stop).toBe('book');
  expect(asked).not.toContain('limits');
});
