import { expect, test } from 'vitest';
import { NEW_PAYMENT, nextPayment, type PaymentEvent, type PaymentState } from './payment-state.ts';
import type { PayOutcome } from './pay.ts';

const after = (...events: readonly PaymentEvent[]) =>
  events.reduce((state: PaymentState, event) => nextPayment(state, event).state, NEW_PAYMENT);
const callAfter = (...events: readonly [PaymentEvent, ...PaymentEvent[]]) =>
  nextPayment(after(...events.slice(0, -1)), events.at(-1) ?? events[0]).call;

const pay: PaymentEvent = { type: 'pay', feeAccepted: true };
const card: PaymentEvent = { type: 'card', card: { kind: 'method', id: 'pm-1' } };
const charge = { type: 'charge', method: 'pm-1' };
const charged = (outcome: PayOutcome): PaymentEvent => ({ type: 'charged', outcome });
const form = (problem: object | null = null) => ({ kind: 'form', problem });
const needed = charged({ kind: 'documentsMissing', message: 'Please upload' });
const missing = (...kinds: ('healthCard' | 'pictureId')[]): PaymentEvent => ({
  type: 'missing',
  missing: kinds,
  message: 'Please upload',
});

test('a fee is warned of before the card is asked for, and charged by the method of the card', () => {
  const warn: PaymentEvent = { type: 'pay', feeAccepted: false };
  expect(nextPayment(NEW_PAYMENT, warn)).toEqual({
    state: { ...NEW_PAYMENT, shown: { kind: 'feeWarning' } },
  });
  expect(callAfter(warn, { type: 'acceptFee' })).toEqual({ type: 'saveFeeAgreement' });
  expect(after(warn, { type: 'acceptFee' }).shown).toEqual({ kind: 'feeWarning' });
  expect(nextPayment(after(warn, { type: 'acceptFee' }), pay)).toEqual({
    state: NEW_PAYMENT,
    call: { type: 'takeCard' },
  });
  expect(callAfter(pay, card)).toEqual(charge);
  // After a card that was declined, another one.
  const other: PaymentEvent = { type: 'card', card: { kind: 'method', id: 'pm-2' } };
  expect(callAfter(pay, card, pay, other)).toEqual({ ...charge, method: 'pm-2' });
});

test('a press takes away the problem of the last one, and a card that fails charges nothing', () => {
  const failed: PaymentEvent = { type: 'card', card: { kind: 'failed', message: 'No card' } };
  expect(nextPayment(after(pay), failed)).toEqual({
    state: { ...NEW_PAYMENT, shown: form({ message: 'No card' }) },
  });
  expect(after(pay, failed, pay).shown).toEqual(form());
  expect(callAfter(pay, { type: 'card', card: { kind: 'incomplete' } })).toBeUndefined();
});

// Shows: R-95
test('what is not known is asked for with the same method, and nothing else is offered', () => {
  const open = after(pay, card, { type: 'unsettled', unknown: null });
  expect(open.shown).toEqual({ kind: 'unsettled', unknown: null });
  const unknown = nextPayment(open, charged({ kind: 'unknown', message: 'It may be paid' }));
  expect(unknown.state.shown).toEqual({ kind: 'unsettled', unknown: 'It may be paid' });
  expect(nextPayment(unknown.state, { type: 'checkAgain' })).toEqual({
    state: { ...open, charged: 'pm-1' },
    call: charge,
  });
});

test('an outcome leads to the bank, to a refusal that is looked into, or to what is said of it', () => {
  expect(callAfter(pay, card, charged({ kind: 'toBank', url: 'https://bank' }))).toEqual({
    type: 'goToBank',
    url: 'https://bank',
  });
  const refusal = { kind: 'refused', code: 'slotTaken', message: 'Taken' } as const;
  expect(callAfter(pay, card, charged(refusal))).toEqual({ type: 'followRefusal', refusal });
  const priced = charged({ kind: 'priced', chargeCents: 21_000, message: 'It costs more' });
  expect(after(pay, card, priced).shown).toEqual(form({ message: 'It costs more' }));
  expect(after(pay, card, { type: 'stopped', problem: null }).shown).toEqual(form());
});

test('missing documents are asked for one by one, then the same card is charged', () => {
  const asking = [pay, card, needed] as const;
  expect(callAfter(...asking)).toEqual({ type: 'findMissing', message: 'Please upload' });
  const both = [...asking, missing('healthCard', 'pictureId')] as const;
  expect(after(...both).shown).toEqual({
    kind: 'documents',
    missing: ['healthCard', 'pictureId'],
  });
  const one: PaymentEvent = { type: 'uploaded', document: 'healthCard' };
  expect(nextPayment(after(...both), one)).toMatchObject({
    state: { shown: { kind: 'documents', missing: ['pictureId'] }, uploadedHere: false },
  });
  expect(callAfter(...both, one)).toBeUndefined();
  const all = [...both, one, { type: 'uploaded', document: 'pictureId' }] as const;
  expect(callAfter(...all)).toEqual(charge);
  expect(after(...all).shown).toEqual(form());
  // Another upload would not help.
  const clinicHelps = form({ message: 'Please upload', needsClinic: true });
  expect(nextPayment(after(...all), needed)).toMatchObject({ state: { shown: clinicHelps } });
  expect(after(...asking, missing()).shown).toEqual(clinicHelps);
});
