import { anAppointmentType } from '@clinic/domain/testing';
import { expect, test } from 'vitest';
import { factsAtNext } from './confirm-sequence.ts';
import { NEW_SEQUENCE, nextSequence, type SequenceEvent } from './sequence-state.ts';

const facts = factsAtNext({
  type: anAppointmentType(),
  eligibility: 'E',
  answersValid: true,
  isDecided: false,
  isReschedule: false,
  feeAccepted: false,
  pharmacyPrompt: true,
  pharmacyAnswered: false,
  noticeNeeded: false,
});
const after = (...events: readonly SequenceEvent[]) => events.reduce(nextSequence, NEW_SEQUENCE);
const asked = (stop: 'uploadHealthCard' | 'agreeToDetails' | 'choosePharmacy'): SequenceEvent => ({
  type: 'pause',
  facts,
  stop,
});

test('a press keeps the dialog open while it works, and takes away the problem of the last one', () => {
  const refused: SequenceEvent = { type: 'refused', problem: { message: 'No' } };
  expect(after(refused, { type: 'work' })).toMatchObject({ busy: true, problem: null });
  const working = after(asked('agreeToDetails'), { type: 'work' });
  expect(working).toMatchObject({ busy: true, asking: 'agreeToDetails', facts });
});

test('a question waits with what is known, and is closed without losing it', () => {
  const asking = after({ type: 'work' }, asked('agreeToDetails'));
  expect(asking).toEqual({ ...NEW_SEQUENCE, asking: 'agreeToDetails', facts });
  expect(nextSequence(asking, { type: 'idle' })).toEqual({ ...NEW_SEQUENCE, facts });
});

test('the dialog stays open until it is known what became of the booking', () => {
  const agreed = { ...facts, detailsAgreed: true };
  const booking = after(
    asked('agreeToDetails'),
    { type: 'work' },
    { type: 'pause', facts: agreed, stop: 'book' },
  );
  expect(booking).toMatchObject({ busy: true, asking: 'agreeToDetails', facts: agreed });
  const open = nextSequence(booking, { type: 'unsettled', unknown: null });
  expect(open).toEqual({ ...NEW_SEQUENCE, unsettled: { unknown: null }, facts: agreed });
});

test('what is shown stays until an end, such as the payment, has been carried out', () => {
  for (const stop of ['pay', 'refuseOverLimit', 'showProblems'] as const) {
    const working = after({ type: 'work' }, { type: 'pause', facts, stop });
    expect(working).toMatchObject({ busy: true, asking: null });
    expect(nextSequence(working, { type: 'idle' }).busy).toBe(false);
  }
});

test('a refusal says whom it needs, and the next one nothing of it', () => {
  const asks = { message: 'Ask the clinic', needsClinic: true };
  const first = after({ type: 'refused', problem: asks });
  expect(first).toEqual({ ...NEW_SEQUENCE, problem: asks });
  const second = nextSequence(first, { type: 'refused', problem: { message: 'Try again' } });
  expect(second).toEqual({ ...NEW_SEQUENCE, problem: { message: 'Try again' } });
});

test('documents count as uploaded here once both are', () => {
  const one = after(asked('uploadHealthCard'), { type: 'uploaded', document: 'healthCard' });
  expect(one).toMatchObject({ uploadedHere: false, asking: 'uploadHealthCard' });
  const both = nextSequence(one, { type: 'uploaded', document: 'pictureId' });
  expect(both.facts?.uploads).toEqual({ healthCard: true, pictureId: true });
  expect(nextSequence(both, { type: 'refused', problem: { message: 'No' } }).uploadedHere).toBe(
    true,
  );
  expect(after({ type: 'uploaded', document: 'pictureId' })).toEqual(NEW_SEQUENCE);
});

test('a pharmacy prompt that was answered stays answered', () => {
  const closed = after(asked('choosePharmacy'), { type: 'pharmacyAnswered' }, { type: 'idle' });
  expect(closed).toMatchObject({ asking: null, pharmacyAnswered: true });
});
