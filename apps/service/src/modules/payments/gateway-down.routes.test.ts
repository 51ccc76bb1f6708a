import { eq } from 'drizzle-orm';
import { CREATE_OUTCOME_SECONDS } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { GatewayFault } from '@clinic/practice/payments/practice-gateway.ts';
import { createStripeGateway } from '../../adapters/payments-stripe.ts';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
  testDatabase,
} from '../../../testing/index.ts';
import {
  charge,
  paymentRows,
  portsOf,
  practiceCard,
  privateAppointment,
} from '../../../testing/paying.ts';
import { practicePayments } from '../../../testing/practice-payments.ts';
import type { PracticePayments } from '../../../testing/practice-payments.ts';
import { appointment } from '../../schema.ts';
import type { CardPayments, PaymentGateway } from './gateway.ts';
import { sweepPayments } from './advance-payment.ts';

let clinic: TestApp;
let patient: PatientRow;
let token: string;
let practice: PracticePayments;
/** Faults of the next calls, by call: of one, or of several in turn. A call without one succeeds. */
let faults: Partial<Record<string, GatewayFault | (GatewayFault | null)[]>>;
/** By how many seconds the gateway's clock is behind ours. */
let behind: number;

async function open(change: (cards: CardPayments) => CardPayments = (cards) => cards) {
  const database = await testDatabase();
  const clock = { now: () => (clinic?.clock.now() ?? NOW) - behind };
  practice = practicePayments(database, clock, (call) => {
    const fault = faults[call] ?? null;
    if (Array.isArray(fault)) return fault.shift() ?? null;
    if (fault !== null) Reflect.deleteProperty(faults, call);
    return fault;
  });
  clinic = await testApp({
    database,
    reports: practice.reports,
    cardPayments: change(practice.cardPayments),
  });
  await aClinic(clinic);
  patient = await aPatient(clinic);
  token = await signIn(clinic, patient);
}

beforeEach(async () => {
  faults = {};
  behind = 0;
  await open();
});
afterEach(() => clinic.close());

const pay = (over = {}) => charge(clinic, token, privateAppointment(over));
const states = async () => (await paymentRows(clinic)).map(({ state }) => state).sort();
const appointmentStates = async () =>
  (
    await clinic.database.db.select().from(appointment).where(eq(appointment.patientId, patient.id))
  ).map(({ state }) => state);
const intents = async () => practice.gateway.listIntents(0);
const later = async (seconds: number) => {
  clinic.clock.advance(seconds);
  await sweepPayments(portsOf(clinic));
};

// Shows: R-95
test('A gateway that takes long is waited for nine seconds by whoever sent a key: they hear then that the outcome is open, and under the same key what became of it', async () => {
  await clinic.close();
  const bothAsked = Promise.withResolvers<void>();
  let asking = 0;
  const answers = Promise.withResolvers<void>();
  await open((cards) => ({
    ...cards,
    gateway: {
      ...cards.gateway,
      async createAndConfirm(order) {
        asking += 1;
        if (asking === 2) bothAsked.resolve();
        await answers.promise;
        return cards.gateway.createAndConfirm(order);
      },
    },
  }));
  const other = await signIn(clinic, await aPatient(clinic));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const body = privateAppointment();
    const next = Number(body.start) + 300;
    const key = { 'idempotency-key': 'one-wish' };
    const first = charge(clinic, token, body, key);
    const withoutKey = charge(clinic, other, privateAppointment({ start: next }));
    await bothAsked.promise;
    vi.advanceTimersByTime(9_000);
    expect(await first).toMatchObject({ status: 503, answer: { extras: { code: 'serviceBusy' } } });
    answers.resolve();
    expect(await withoutKey).toMatchObject({ status: 200 });
    await Promise.all(clinic.app.callHost.goingOn);
    expect(await charge(clinic, token, body, key)).toMatchObject({ status: 200 });
    expect((await intents()).map(({ status }) => status)).toEqual(['captured', 'captured']);
  } finally {
    vi.useRealTimers();
  }
});

describe('A gateway that turns the call away', () => {
  test('costs nothing: the patient hears so, keeps the hold and pays with the next try', async () => {
    faults = { create: 'tooMany' };
    const { status, answer } = await pay();
    expect([status, answer]).toMatchObject([503, { extras: { code: 'paymentsUnavailable' } }]);
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['held']]);
    expect((await pay()).answer.success).toBe(true);
    expect([await states(), await appointmentStates()]).toEqual([
      ['cancelled', 'captured'],
      ['booked'],
    ]);
    expect(await intents()).toHaveLength(1);
  });

  test('for another card leaves the same card to be tried again', async () => {
    await pay({ payment_method_id: practiceCard('declined') });
    faults = { confirm: 'tooMany' };
    const card = practiceCard();
    expect((await pay({ payment_method_id: card })).status).toBe(503);
    expect((await pay({ payment_method_id: card })).answer.success).toBe(true);
  });

  test('for the capture has booked the appointment already, and takes the fee a minute later, under the same key', async () => {
    faults = { capture: 'tooMany' };
    expect((await pay()).answer.success).toBe(true);
    expect([await states(), await appointmentStates()]).toEqual([['capturing'], ['booked']]);
    await later(59);
    expect(await states()).toEqual(['capturing']);
    await later(1);
    expect(await paymentRows(clinic)).toMatchObject([{ state: 'captured', captureKeyNumber: 0 }]);
  });
});

describe('A gateway whose answer is lost', () => {
  test.each(['dropBefore', 'dropAfter', 'stall'] as const)(
    '(%s) is asked again under the same key, and charges once',
    async (fault) => {
      faults = { create: fault };
      expect((await pay()).answer.success).toBe(true);
      await practice.gateway.runStalled();
      expect((await intents()).map(({ status }) => status)).toEqual(['captured']);
    },
  );

  test('with a 500 before the effect makes nothing, and the next try pays', async () => {
    faults = { create: 'error500' };
    expect((await pay()).status).toBe(503);
    expect([await states(), await intents()]).toEqual([['cancelled'], []]);
    expect((await pay()).answer.success).toBe(true);
  });

  test('with a 500 after the effect is adopted: the appointment is booked', async () => {
    faults = { create: 'error500After' };
    expect((await pay()).answer.success).toBe(true);
    expect((await intents()).map(({ status }) => status)).toEqual(['captured']);
  });

  test('is adopted also where its clock is ten minutes behind ours', async () => {
    behind = 600;
    faults = { create: 'dropAfter' };
    expect((await pay()).answer.success).toBe(true);
  });

  test('of another card leaves it open, and the same card finds what became of it', async () => {
    await pay({ payment_method_id: practiceCard('declined') });
    faults = { confirm: 'stall' };
    const card = practiceCard();
    const { status, answer } = await pay({ payment_method_id: card });
    expect([status, answer]).toMatchObject([503, { extras: { code: 'paymentUnknown' } }]);
    await practice.gateway.runStalled();
    expect((await pay({ payment_method_id: card })).answer.success).toBe(true);
    expect((await intents()).map(({ status: each }) => each)).toEqual(['captured']);
  });

  test('of the capture is read, not repeated', async () => {
    faults = { capture: 'error500After' };
    expect((await pay()).answer.success).toBe(true);
    expect(await states()).toEqual(['captured']);
  });

  test('of a capture that failed under its key is tried under another', async () => {
    faults = { capture: 'error500' };
    await pay();
    await later(60);
    expect(await states()).toEqual(['captured']);
  });

  test('that cannot even be read leaves it open: a 503, and no second charge', async () => {
    faults = { retrieve: 'dropBefore', create: 'dropAfter', list: 'dropBefore' };
    const { status, answer } = await pay();
    expect([status, answer]).toMatchObject([503, { extras: { code: 'paymentUnknown' } }]);
    faults = {};
    expect((await pay()).answer.success).toBe(true);
    expect((await intents()).map(({ status: each }) => each)).toEqual(['captured']);
  });

  test('of a create that is made again is waited for from then on, not from the first', async () => {
    faults = { create: 'dropBefore', list: 'dropBefore' };
    expect((await pay()).status).toBe(503);
    faults = { create: 'stall', list: [null, 'dropBefore'] };
    await later(CREATE_OUTCOME_SECONDS - 1);
    expect([await states(), await intents()]).toEqual([['created'], []]);
    await later(CREATE_OUTCOME_SECONDS - 1);
    await practice.gateway.runStalled();
    expect([await states(), await appointmentStates()]).toEqual([['captured'], ['booked']]);
    expect((await intents()).map(({ status }) => status)).toEqual(['captured']);
  });

  test('of a create that came to nothing is known once it has settled, however often it was looked for', async () => {
    faults = { create: 'dropBefore', list: ['dropBefore', 'dropBefore'] };
    expect((await pay()).status).toBe(503);
    await later(CREATE_OUTCOME_SECONDS / 2);
    expect(await states()).toEqual(['created']);
    await later(CREATE_OUTCOME_SECONDS / 2);
    expect([await states(), await intents()]).toEqual([['cancelled'], []]);
  });

  test('while the hold lapses keeps the slot until the gateway has answered', async () => {
    await pay({ payment_method_id: practiceCard('needsBank') });
    faults = { retrieve: 'dropBefore' };
    await later(31 * 60);
    expect([await states(), await appointmentStates()]).toEqual([['requires_action'], ['held']]);
    await later(60);
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
  });
});

describe('Stripe without a network', () => {
  test('says what is wrong and loses nothing', async () => {
    await clinic.close();
    const gateway: PaymentGateway = createStripeGateway({
      secretKey: 'sk_test_none',
      webhookSecret: 'whsec_none',
      returnUrl: 'https://clinic.example/booking/payment/success',
      host: '127.0.0.1',
      port: 9,
      protocol: 'http',
      timeout: 600_000,
    });
    await open((cards) => ({ ...cards, gateway }));
    const { status, answer } = await pay({ payment_method_id: 'pm_card_visa' });
    expect([status, answer]).toMatchObject([503, { extras: { code: 'paymentsUnavailable' } }]);
    expect(answer.extras.message).toContain('You have not been charged');
    expect(await appointmentStates()).toEqual(['held']);
    const held = await ask(clinic, 'readHold', { token });
    expect(held.json()).toMatchObject({ extras: { hold: { draft: { reason: 'A cough' } } } });
  });
});

describe('What is reported of a charge that failed (§7)', () => {
  // Shows: 7.browser.3, 8.payment.2
  test('is its code and our id, and no word of the patient', async () => {
    faults = { create: 'tooMany' };
    await pay();
    await pay({ payment_method_id: practiceCard('insufficient') });
    const reported = JSON.stringify(practice.reports.last);
    expect(reported).toContain('insufficient_funds');
    expect(reported).not.toContain('cough');
    expect(reported).not.toContain(patient.lastName);
  });
});
