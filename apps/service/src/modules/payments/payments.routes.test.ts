import type { CallAnswer } from '@clinic/contract';
import { keyOfHold, toInstant } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  aProvider,
  ask,
  patientClinic,
  scheduleFor,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import {
  charge,
  intentOf,
  paymentRows,
  portsOf,
  practiceCard,
  privateAppointment,
} from '../../../testing/paying.ts';
import { RATES } from '../../server/rates.ts';
import { appointment, payment, practiceIntent } from '../../schema.ts';
import { violations } from '../../../testing/invariants.ts';
import { cancelByClinic } from '../appointments/index.ts';
import { retryCancellations, resolveUnknown } from '../emr/index.ts';
import { type Emr, EmrOffline, EmrRefused, type ProviderId } from '../records/emr.ts';
import { chargeAppointment, cancelPayment } from './charge.ts';
import { advancePayment, sweepPayments } from './advance-payment.ts';

let clinic: TestApp;
let patient: PatientRow;
let token: string;

beforeEach(async () => {
  ({ clinic, patient, token } = await patientClinic());
});
afterEach(() => clinic.close());

const pay = (over: Parameters<typeof privateAppointment>[0] = {}, headers = {}) =>
  charge(clinic, token, privateAppointment(over), headers);
const confirm = async (intent: string, as?: string) =>
  // Half an hour at the bank may end a session; its patient signs in again.
  charge(clinic, as ?? (await signIn(clinic, patient)), { payment_intent_id: intent });
const START = toInstant('2026-11-26', '13:00');
const slotOf = ({ doctor, start, end, selectedType }: ReturnType<typeof privateAppointment>) => ({
  doctor,
  start,
  end,
  selectedType,
});
const sweep = () => sweepPayments(portsOf(clinic));
const appointmentRows = () =>
  clinic.database.db
    .select()
    .from(appointment)
    .where(eq(appointment.patientId, patient.id))
    .orderBy(appointment.createdAt, appointment.start);
const appointmentStates = async () => (await appointmentRows()).map(({ state }) => state);
const states = async () => (await paymentRows(clinic)).map(({ state }) => state);
const intents = async () => clinic.gateway.listIntents(0);

describe('paying for an appointment (§4 Payment, R-40)', () => {
  // Shows: 4.payment.1, 7.charge.1, R-40
  test('books it and takes the fee, in one call', async () => {
    const { status, answer } = await pay();
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      success: true,
      extras: {
        code: 'paymentReceived',
        appointment: { paidAmount: 200, status: 'booked', code: 'V' },
      },
    });
    expect(await appointmentStates()).toEqual(['booked']);
    const [payment] = await paymentRows(clinic);
    expect(payment).toMatchObject({ state: 'captured', amountCents: 20_000, dueAt: null });
    expect(answer.extras.reference).toBe(payment?.reference);
    expect(await intents()).toMatchObject([
      { status: 'captured', capturedCents: 20_000, payment: payment?.id },
    ]);
  });

  test('takes the held slot, and the hold is an appointment afterwards', async () => {
    const slot = slotOf(privateAppointment());
    const held = await ask(clinic, 'placeHold', { token, body: slot });
    expect(held.statusCode).toBe(200);
    expect((await pay()).answer.success).toBe(true);
    expect(await appointmentStates()).toEqual(['booked']);
  });

  test('writes one email with the receipt, and neither reason nor card', async () => {
    const { answer } = await pay();
    const [email, ...more] = await clinic.mails();
    expect(more).toEqual([]);
    expect(email?.text).toContain('CAD 200.00');
    expect(email?.text).toContain(answer.extras.reference ?? 'none');
    expect(email?.text).not.toContain('cough');
  });

  test('twice with the same request is once', async () => {
    const body = privateAppointment();
    const first = await charge(clinic, token, body);
    const second = await charge(clinic, token, body);
    expect(second).toEqual(first);
    expect(await intents()).toHaveLength(1);
  });

  test('is found by its key, and books nothing when it comes after its hold was given up (R-95)', async () => {
    const { doctor, ...slot } = slotOf(privateAppointment());
    const take = async (start: number) => {
      const body = { ...slot, doctor, start, end: start + 300 };
      const { hold } = (await ask(clinic, 'placeHold', { token, body })).answer().extras;
      return { 'idempotency-key': keyOfHold(hold.id) };
    };
    const late = await take(START);
    const headers = await take(START + 600);
    expect(await pay({}, late)).toMatchObject({
      status: 409,
      answer: { extras: { code: 'holdGone' } },
    });
    const { answer } = await pay({ start: START + 600 }, headers);
    expect(await pay({}, late)).toMatchObject({ answer: { extras: { code: 'holdGone' } } });
    const read = (await ask(clinic, 'readHold', { token, headers })).answer().extras;
    expect(read.made?.appointment).toEqual(answer.extras.appointment);
    expect((await intents()).map(({ status }) => status)).toEqual(['captured']);
  });

  // Shows: R-40
  test('twice at the same time, with two cards and two keys, is once', async () => {
    const answers = await Promise.all([
      pay({}, { 'idempotency-key': 'first-click' }),
      pay({}, { 'idempotency-key': 'second-click' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await appointmentStates()).toEqual(['booked']);
    expect((await intents()).map(({ status }) => status)).toEqual(['captured']);
  });

  // Shows: 7.charge.1, R-41
  test('with type I carries the whole set of answers (R-41)', async () => {
    await aProvider(clinic, { id: '102' });
    await scheduleFor(clinic, '102', ['2026-11-26'], { I: ['13:00-14:00'] });
    patient = await aPatient(clinic, { eligibility: 'NR' });
    token = await signIn(clinic, patient);
    const body = { doctor: '102', selectedType: 'I', amount: 10, reason: 'AB123456' } as const;
    const missing = await pay(body);
    expect(missing.status).toBe(422);
    expect(JSON.stringify(missing.answer)).toContain('Date of crash is not valid');
    const set = {
      crashYear: 2026,
      crashMonth: 11,
      crashDay: 1,
      contactPreference: 'PHONE' as const,
      symptom: 'Neck pain',
      medicationTaken: 'No',
      experiencingList: ['notAbsent'],
      treatmentList: ['none'],
    };
    expect((await pay({ ...body, ...set })).answer.success).toBe(true);
    const [appointment] = await appointmentRows();
    expect(appointment?.contactPreference).toBe('PHONE');
    const sealed = appointment?.answersSealed ?? new Uint8Array();
    expect(JSON.parse(clinic.keyring.open(`claim.answers:${appointment?.id}`, sealed))).toEqual({
      reason: 'AB123456',
      ...set,
    });
  });

  // Shows: R-42
  test('of type I by phone is told as that, with the answer that was given last (R-42)', async () => {
    await aProvider(clinic, { id: '102' });
    await scheduleFor(clinic, '102', ['2026-11-26'], { I: ['13:00-14:00'] });
    patient = await aPatient(clinic, { eligibility: 'NR' });
    token = await signIn(clinic, patient);
    const asked = (contactPreference: 'PHONE' | 'IN-PERSON', card: string) =>
      pay({
        doctor: '102',
        selectedType: 'I',
        amount: 10,
        reason: 'AB123456',
        crashYear: 2026,
        crashMonth: 11,
        crashDay: 1,
        contactPreference,
        symptom: 'Neck pain',
        medicationTaken: 'No',
        experiencingList: ['notAbsent'],
        treatmentList: ['none'],
        payment_method_id: card,
      });
    await asked('IN-PERSON', practiceCard('declined'));
    const { answer } = await asked('PHONE', practiceCard());
    expect(answer.extras.appointment?.contactPreference).toBe('PHONE');
    const [email] = await clinic.mails();
    expect(email?.text).toContain('Our provider will call you.');
    expect(email?.text).not.toMatch(/arrive|bring/);
    expect(email?.calendar?.content).toContain('LOCATION:By phone');
  });

  test('believes the doctor of the slot, and audits another providerId (R-8)', async () => {
    expect((await pay({ providerId: '999' })).answer.success).toBe(true);
    const rows = await clinic.trail();
    const onStarted = rows.find(({ action }) => action === 'payment begun');
    expect(onStarted?.details).toMatchObject({ ignored: ['providerId'], cents: 20_000 });
  });
});

describe('a charge that may not be (R-8, R-32, R-34)', () => {
  // Shows: 9.charges.1, R-8, S-2
  test.each([0, -200, 199.99, 200.01, 0.001, 20_000])(
    'for %s in place of 200.00 names the true amount and reaches no gateway',
    async (amount) => {
      const { status, answer } = await pay({ amount });
      expect(status).toBe(409);
      expect(answer).toMatchObject({ extras: { code: 'amountDiffers', chargeAmount: 200 } });
      expect([await intents(), await appointmentStates()]).toEqual([[], []]);
    },
  );

  test.each([['200'], [null], ['NaN'], [{}]])('with %j for an amount is a 422', async (amount) => {
    const { status } = await pay({ amount: amount as number });
    expect(status).toBe(422);
    expect(await intents()).toEqual([]);
  });

  // Shows: R-32
  test('for a type that costs nothing asks to book without paying', async () => {
    const { status, answer } = await pay({
      start: START - 5 * 3600,
      selectedType: 'O',
      amount: 0,
    });
    expect([status, answer]).toMatchObject([409, { extras: { code: 'nothingToPay' } }]);
  });

  // Shows: 6.eligibility.2, R-34
  test('without the documents that type and eligibility ask for is a 422', async () => {
    const riley = await aPatient(clinic, { eligibility: 'R' });
    const { status, answer } = await charge(
      clinic,
      await signIn(clinic, riley),
      privateAppointment(),
    );
    expect([status, answer]).toMatchObject([422, { extras: { code: 'documentsMissing' } }]);
    expect(await intents()).toEqual([]);
  });

  test('for a slot that another holds is a 409', async () => {
    const other = await aPatient(clinic);
    const slot = slotOf(privateAppointment());
    await ask(clinic, 'placeHold', { token: await signIn(clinic, other), body: slot });
    const { status, answer } = await pay();
    expect([status, answer]).toMatchObject([409, { extras: { code: 'slotTaken' } }]);
    expect(await intents()).toEqual([]);
  });

  test('beyond the limits is a 409, and no money moves (R-54)', async () => {
    const booked = (await pay()).answer.extras.appointment?.id;
    const { status, answer } = await pay({ start: START + 300 });
    expect([status, answer]).toMatchObject([
      409,
      { extras: { code: 'oneEachDay', appointments: [booked] } },
    ]);
    expect(await intents()).toHaveLength(1);
  });

  // Shows: S-5
  test('more than five times in fifteen minutes is a 429 (S-5)', async () => {
    const seen: number[] = [];
    for (let n = 0; n < 6; n += 1) seen.push((await pay({ amount: 1 })).status);
    expect(seen).toEqual([409, 409, 409, 409, 409, 429]);
  });

  test('asked for again after a lost answer is no new try, a new card is one (S-5, R-95)', async () => {
    await clinic.close();
    const rates = { ...RATES, chargeRepeats: { ...RATES.chargeRepeats, count: 12 } };
    clinic = await testApp({ config: { rates } });
    await aClinic(clinic);
    token = await signIn(clinic, await aPatient(clinic));
    const declined = privateAppointment({ payment_method_id: practiceCard('declined') });
    const repeated: number[] = [];
    for (let n = 0; n < 14; n += 1) repeated.push((await charge(clinic, token, declined)).status);
    expect(repeated).toEqual([...Array<number>(13).fill(402), 429]);
    const fresh: number[] = [];
    for (let n = 0; n < 5; n += 1)
      fresh.push((await pay({ payment_method_id: practiceCard('declined') })).status);
    expect(fresh).toEqual([402, 402, 402, 402, 429]);
  });
});

describe('a card that is not taken', () => {
  // Shows: 8.payment.1
  test.each([
    ['declined', 'Your card was declined.'],
    ['insufficient', 'Your card has insufficient funds.'],
    ['expired', 'Your card has expired.'],
  ] as const)("(%s) gives the provider's words and keeps the hold", async (kind, words) => {
    const { status, answer } = await pay({ payment_method_id: practiceCard(kind) });
    expect(status).toBe(402);
    expect(answer.extras).toMatchObject({ code: 'cardDeclined', message: words });
    expect([await states(), await appointmentStates()]).toEqual([['declined'], ['held']]);
  });

  test('is followed by a good one on the same intent', async () => {
    await pay({ payment_method_id: practiceCard('declined') });
    await pay({ payment_method_id: practiceCard('insufficient') });
    expect((await pay()).answer.success).toBe(true);
    expect((await intents()).map(({ status }) => status)).toEqual(['captured']);
    expect(await appointmentStates()).toEqual(['booked']);
  });

  test('sent again answers the same, without another try', async () => {
    const body = privateAppointment({ payment_method_id: practiceCard('declined') });
    const first = await charge(clinic, token, body);
    expect(await charge(clinic, token, body)).toEqual(first);
    expect((await clinic.gateway.signedEvents()).length).toBe(1);
  });

  test('leaves a hold that lapses: the intent is cancelled, then the slot is free', async () => {
    await pay({ payment_method_id: practiceCard('declined') });
    clinic.clock.advance(15 * 60);
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    expect((await intents()).map(({ status }) => status)).toEqual(['cancelled']);
  });

  test('gives its hold up when the patient does, and another slot can be paid for', async () => {
    await pay({ payment_method_id: practiceCard('declined') });
    expect((await ask(clinic, 'releaseHold', { token })).statusCode).toBe(200);
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    expect((await pay({ start: START + 600 })).answer.success).toBe(true);
  });

  test('gives its hold up at once while it was not tried yet', async () => {
    const ports = portsOf(clinic);
    let isBegun = false;
    let leaving: Promise<void> | undefined;
    // The patient leaves after the payment has begun, and before the gateway hears of it.
    const inTransaction: typeof ports.database.inTransaction = async (work) => {
      const [onStarted] = isBegun && leaving === undefined ? await paymentRows(clinic) : [];
      if (onStarted)
        await new Promise<void>((resolve) => {
          const waiting = { ...ports, pause: async () => resolve() };
          leaving = cancelPayment(waiting, patient.id, onStarted.appointmentId);
        });
      return ports.database.inTransaction(work);
    };
    const charged = await chargeAppointment(
      { ...ports, database: { ...ports.database, inTransaction } },
      {
        patientId: patient.id,
        slot: { providerId: '101', start: START, end: START + 300, type: 'V' },
        answers: { reason: 'A cough' },
        requestKey: 'sent:1',
        claimed: { ticklers: [], paymentToken: null },
        amountCents: 20_000,
        paymentMethod: practiceCard(),
        providerId: null,
        onStarted: () => {
          isBegun = true;
        },
      },
      clinic.clock.now(),
    );
    await leaving;
    expect(charged.kind).toBe('advanced');
    expect(await intents()).toEqual([]);
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
  });

  test('leaves a hold that keeps no other answers, and the patient is told why', async () => {
    await pay({ payment_method_id: practiceCard('declined') });
    const saved = await ask(clinic, 'saveDraft', { token, body: { draft: { reason: 'Other' } } });
    expect([saved.statusCode, saved.json()]).toMatchObject([
      409,
      { extras: { code: 'paymentUnderWay' } },
    ]);
  });

  test('stays with its slot while the patient goes back and in again, and not on another', async () => {
    await pay({ payment_method_id: practiceCard('declined') });
    const slot = slotOf(privateAppointment());
    const again = await ask(clinic, 'placeHold', { token, body: slot });
    expect([again.statusCode, await states()]).toEqual([200, ['declined']]);
    const start = START + 600;
    const other = await ask(clinic, 'placeHold', {
      token,
      body: { ...slot, start, end: start + 300 },
    });
    expect([other.statusCode, await states(), await appointmentStates()]).toEqual([
      200,
      ['cancelled'],
      ['released', 'held'],
    ]);
  });
});

describe('a request that does not hold another slot (R-30)', () => {
  const other = { ...slotOf(privateAppointment()), start: START + 600, end: START + 900 };

  // Shows: R-30
  test.each([
    ['without its end', { ...other, end: undefined }],
    ['with a field that nobody knows', { ...other, colour: 'blue' }],
    ['with a doctor who is no id', { ...other, doctor: 7 }],
    ['for an appointment to move that is no id', { ...other, rescheduleOf: 'x' }],
    ['for a time that is not offered', { ...other, start: START + 601, end: START + 901 }],
    ['for a time beyond the window', { ...other, start: START * 2, end: START * 2 + 300 }],
  ])('(%s) changes neither the hold nor its payment', async (_, body) => {
    await pay({ payment_method_id: practiceCard('declined') });
    const before = [await appointmentRows(), await paymentRows(clinic)];
    const { statusCode } = await ask(clinic, 'placeHold', { token, body });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect([await appointmentRows(), await paymentRows(clinic)]).toEqual(before);
  });
});

describe('3-D Secure', () => {
  const goToBank = () => pay({ payment_method_id: practiceCard('needsBank') });

  // Shows: 4.payment.2, 7.charge.1
  test('sends the patient to the bank and holds the slot for 30 minutes in all', async () => {
    const { status, answer } = await goToBank();
    expect(status).toBe(200);
    expect(answer).toMatchObject({ success: true, requires_action: true });
    const [held] = await appointmentRows();
    expect((held?.holdExpiresAt ?? 0) - (held?.holdPlacedAt ?? 0)).toBe(1800);
  });

  // Shows: 3.payment-confirmation.1, 4.payment.2, 7.charge.2, R-40
  test('approved and confirmed is booked, late, twice or unconfirmed alike', async () => {
    const intent = intentOf(await goToBank());
    await clinic.gateway.decide(intent, true);
    clinic.clock.advance(29 * 60);
    const first = await confirm(intent);
    expect(first.answer).toMatchObject({ success: true, extras: { code: 'paymentReceived' } });
    expect(await confirm(intent)).toEqual(first);
    expect(await states()).toEqual(['captured']);
  });

  // Shows: R-40
  test('approved by a patient who closes the browser is booked all the same', async () => {
    await clinic.gateway.decide(intentOf(await goToBank()), true);
    clinic.clock.advance(60);
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['captured'], ['booked']]);
  });

  test('not decided yet says so, and the same card finds the same bank page', async () => {
    const body = privateAppointment({ payment_method_id: practiceCard('needsBank') });
    const first = await charge(clinic, token, body);
    const asked = await confirm(intentOf(first));
    expect(asked).toMatchObject({
      status: 200,
      answer: { success: false, extras: { code: 'paymentPending' } },
    });
    expect(await charge(clinic, token, body)).toEqual(first);
  });

  // Shows: 3.payment-confirmation.1, 7.charge.2
  test('declined at the bank says why, and a good card follows', async () => {
    const intent = intentOf(await goToBank());
    await clinic.gateway.decide(intent, false);
    const { status, answer } = await confirm(intent);
    expect([status, answer.success, answer.extras.code]).toEqual([200, false, 'cardDeclined']);
    expect(answer.extras.message).toContain('unable to authenticate');
    expect((await pay()).answer.success).toBe(true);
    expect(await intents()).toHaveLength(1);
  });

  test('abandoned lets the slot go after the intent is cancelled; approving then does nothing', async () => {
    const intent = intentOf(await goToBank());
    clinic.clock.advance(30 * 60);
    await sweep();
    expect(await appointmentStates()).toEqual(['released']);
    expect(await clinic.gateway.decide(intent, true)).toMatchObject({ status: 'canceled' });
    expect((await confirm(intent)).answer).toMatchObject({
      success: false,
      extras: { code: 'notCharged' },
    });
    expect((await intents()).map(({ capturedCents }) => capturedCents)).toEqual([0]);
  });

  test('approved after the time is over, before anybody swept, still books: the slot is theirs', async () => {
    const intent = intentOf(await goToBank());
    clinic.clock.advance(31 * 60);
    await clinic.gateway.decide(intent, true);
    expect((await confirm(intent)).answer.success).toBe(true);
    expect([await states(), await appointmentStates()]).toEqual([['captured'], ['booked']]);
  });

  test("another's intent, and nobody's, are a 404 (R-7)", async () => {
    const intent = intentOf(await goToBank());
    await clinic.gateway.decide(intent, true);
    const stranger = await signIn(clinic, await aPatient(clinic));
    expect((await confirm(intent, stranger)).status).toBe(404);
    const { status, answer } = await confirm('pi_practice_nobody');
    expect(status).toBe(404);
    expect(answer.extras.message).toContain("couldn't find this payment");
    expect(await states()).toEqual(['requires_action']);
  });
});

describe('an appointment that was paid for', () => {
  // Shows: R-50
  test('and moved keeps its payment; and given up keeps its fee (R-44, R-50)', async () => {
    expect((await pay()).answer.success).toBe(true);
    const [appointment] = await appointmentRows();
    const slot = { ...slotOf(privateAppointment({ start: START + 300 })), reason: 'A cough' };
    const moved = await ask(clinic, 'createBooking', {
      token,
      body: { ...slot, isReschedule: true, rescheduleOf: appointment?.id },
    });
    expect(moved.statusCode).toBe(200);
    const [payment] = await paymentRows(clinic);
    const now = (await appointmentRows()).find(({ state }) => state === 'booked');
    expect([payment?.appointmentId, payment?.state]).toEqual([now?.id, 'captured']);
    const { appointments } = (await ask(clinic, 'listAppointments', { token })).json<
      CallAnswer<'listAppointments'>
    >();
    expect(appointments.map(({ status, paidAmount }) => [status, paidAmount])).toEqual([
      ['cancelled', 0],
      ['booked', 200],
    ]);
    const receipt = { amount: 200, paidAt: payment?.createdAt, reference: payment?.reference };
    expect(appointments.map((each) => each.receipt)).toEqual([undefined, receipt]);
  });

  // Shows: R-44
  test('and cancelled by its patient keeps the fee (R-44)', async () => {
    const headers = { 'idempotency-key': 'lost-answer' };
    await pay({}, headers);
    await clinic.database.inTransaction(async (tx) => {
      await tx.update(payment).set({ amountCents: 7_500 });
      await tx.update(practiceIntent).set({ amountCents: 7_500, capturedCents: 7_500 });
    });
    const [row] = await appointmentRows();
    const id = row?.id ?? '';
    expect((await ask(clinic, 'cancelAppointment', { token, params: { id } })).statusCode).toBe(
      200,
    );
    const email = (await clinic.mails()).find(({ key }) => key === `appointment:cancelled:${id}:1`);
    expect(email?.text).toContain('The fee of CAD 75.00 is non-refundable.');
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['kept'], ['cancelled']]);
    expect(await intents()).toMatchObject([{ status: 'captured', refund: null }]);
    // Who comes back to the page of the payment, or sends it again, is not told that it is booked.
    const [paid] = await paymentRows(clinic);
    expect((await confirm(paid?.intentId ?? '')).answer.extras.code).toBe('bookingChanged');
    expect((await pay({}, headers)).answer.extras.code).toBe('bookingChanged');
  });

  // Shows
  test('and taken back by the clinic is given back in full', async () => {
    await pay();
    const [row] = await appointmentRows();
    await clinic.database.inTransaction((tx) =>
      tx
        .update(appointment)
        .set({ state: 'cancelled', changedAt: clinic.clock.now() })
        .where(eq(appointment.id, row?.id ?? '')),
    );
    await sweep();
    expect(await states()).toEqual(['refunded']);
    const [paid] = await paymentRows(clinic);
    expect((await confirm(paid?.intentId ?? '')).answer.extras.code).toBe('bookingChanged');
    expect((await intents()).map(({ refund }) => refund)).toEqual([
      { status: 'succeeded', amountCents: 20_000 },
    ]);
    await sweep();
    await clinic.platform.outbox.drain();
    const emails = clinic.mail.sent.filter(({ subject }) => subject.includes('refunded'));
    expect(emails.map(({ text }) => text)).toEqual([
      expect.stringContaining('We have refunded CAD 200.00'),
    ]);
  });
});

// Shows
test('a refund that comes before the email of its cancellation leaves the fee in it', async () => {
  await pay();
  await clinic.mails();
  const [row] = await appointmentRows();
  const own = { id: row?.id ?? '', patientId: patient.id, recordId: patient.recordId };
  const who = { actor: 'clinic:test', now: clinic.clock.now() };
  expect(await cancelByClinic(portsOf(clinic), own, who)).toBe('cancelled');
  await sweep();
  expect(await states()).toEqual(['refunded']);
  const cancelled = (await clinic.mails()).find(({ subject }) => subject.includes('cancelled'));
  expect(cancelled?.text).toContain('The fee of CAD 200.00 that you paid will be refunded');
});

describe('a fee for a slot in records that another system keeps', () => {
  let emr: FakeEmr;
  let beforeBooked: () => Promise<void>;
  let onceBooked: () => Promise<void>;
  const LATER = '2026-12-10';
  beforeEach(async () => {
    await clinic.close();
    const codes = 'V'.repeat(288);
    const days = ['2026-11-26', LATER].map((date) => ({
      providerId: '101' as ProviderId,
      date,
      codes,
    }));
    emr = fakeEmr({ days });
    beforeBooked = async () => undefined;
    onceBooked = async () => undefined;
    const book: Emr['book'] = async (request, reached) => {
      await reached?.('asking');
      await beforeBooked();
      const answer = await emr.book(request, reached);
      await onceBooked();
      return answer;
    };
    clinic = await testApp({ emr: { ...emr, book } });
    await aClinic(clinic);
    patient = await aPatient(clinic);
    token = await signIn(clinic, patient);
  });
  const atBank = async () => intentOf(await pay({ payment_method_id: practiceCard('needsBank') }));

  test('books it there as soon as the money is sure, and not before', async () => {
    const intent = await atBank();
    expect(emr.busy()).toEqual([]);
    await clinic.gateway.decide(intent, true);
    expect((await confirm(intent)).answer.success).toBe(true);
    expect(emr.busy()).toMatchObject([{ date: '2026-11-26', start: '13:00', reason: 'A cough' }]);
    expect([await states(), await appointmentStates()]).toEqual([['captured'], ['booked']]);
  });

  test('that is taken there is not charged', async () => {
    emr.faults.staffBooksInBetween = true;
    expect((await pay()).answer.success).toBe(false);
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    expect((await intents()).map(({ status }) => status)).toEqual(['cancelled']);
  });

  // Shows: R-39
  test('is not charged where the EMR has no record of the patient, who is told what is missing', async () => {
    emr.faults.booksOnlyRecords = true;
    expect((await pay()).answer).toMatchObject({ extras: { code: 'recordMissing' } });
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
  });

  // Shows: R-94
  test('that is taken there is offered to nobody here', async () => {
    emr.faults.staffBooksInBetween = true;
    await pay();
    const { start, end, doctor, selectedType } = privateAppointment();
    const rival = await signIn(clinic, await aPatient(clinic));
    const hold = await ask(clinic, 'placeHold', {
      token: rival,
      body: { start, end, doctor, selectedType },
    });
    expect(hold.refusal().extras.code).toBe('slotTaken');
  });

  test('that was approved as its patient gave it up leaves nothing there', async () => {
    await clinic.gateway.decide(await atBank(), true);
    expect((await ask(clinic, 'releaseHold', { token })).statusCode).toBe(200);
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    expect(emr.busy()).toEqual([]);
  });

  test('that its patient gives up while it is booked there is taken out again', async () => {
    await clinic.gateway.decide(await atBank(), true);
    let leaving: Promise<void> | undefined;
    onceBooked = async () => {
      const [live] = await paymentRows(clinic);
      await new Promise<void>((resolve) => {
        const waiting = { ...portsOf(clinic), pause: async () => resolve() };
        leaving = cancelPayment(waiting, patient.id, live?.appointmentId ?? '');
      });
    };
    clinic.clock.advance(60);
    await sweep();
    await leaving;
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    await clinic.platform.outbox.drain();
    expect(emr.busy()).toEqual([]);
  });

  const confirmedIn = async (lost: 'written' | 'notWritten') => {
    emr.faults.loseNextAnswer = lost;
    const intent = await atBank();
    await clinic.gateway.decide(intent, true);
    const unknown = await confirm(intent);
    expect(JSON.stringify(unknown.answer)).toContain('clinicConfirming');
    expect([await states(), await appointmentStates()]).toEqual([['requires_action'], ['held']]);
    return intent;
  };
  const listed = async () => (await ask(clinic, 'listAppointments', { token })).answer();

  // Shows: R-94
  test('whose booking there is not known is found by its key, and never asked for twice', async () => {
    const intent = await confirmedIn('written');
    expect((await listed()).appointments).toMatchObject([
      { status: 'confirming', isEditable: true, bookingId: null },
    ]);
    expect((await confirm(intent)).answer.success).toBe(true);
    expect([await states(), await appointmentStates()]).toEqual([['captured'], ['booked']]);
    expect(emr.busy()).toHaveLength(1);
  });

  // Shows: R-94
  test('whose booking there is not found for 30 minutes is not charged, and its patient is told', async () => {
    await confirmedIn('notWritten');
    clinic.clock.advance(29 * 60);
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['requires_action'], ['held']]);
    clinic.clock.advance(60);
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    expect((await intents()).map(({ status }) => status)).toEqual(['cancelled']);
    expect((await clinic.mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Your appointment is not booked'),
    ]);
  });

  test('that is offline there is booked when it answers again, or not charged when its time is over', async () => {
    const intent = await atBank();
    await clinic.gateway.decide(intent, true);
    emr.faults.offline = true;
    await confirm(intent);
    expect([await states(), await appointmentStates()]).toEqual([['requires_action'], ['held']]);
    emr.faults.offline = false;
    expect((await confirm(intent)).answer.success).toBe(true);
    expect(emr.busy()).toHaveLength(1);
  });

  test('that is silent before it writes is booked as soon as it speaks', async () => {
    const intent = await atBank();
    await clinic.gateway.decide(intent, true);
    const asked = Promise.withResolvers<void>();
    beforeBooked = () => new Promise(() => asked.resolve());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const confirming = confirm(intent);
    await asked.promise;
    await vi.advanceTimersByTimeAsync(8_000);
    expect(JSON.stringify((await confirming).answer)).toContain('clinicConfirming');
    vi.useRealTimers();
    beforeBooked = async () => undefined;
    expect((await confirm(intent)).answer.success).toBe(true);
    expect(emr.busy()).toHaveLength(1);
  });

  const healthy = async () =>
    expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);

  // Shows: R-94
  test.each([
    ['lets nobody in', 'at once', new EmrRefused('The password has changed')],
    ['is offline', 'when its time is over', new EmrOffline('It does not answer')],
  ])('while the EMR %s is not charged %s, and its patient is told', async (_, when, failure) => {
    emr.book = () => Promise.reject(failure);
    const held = await ask(clinic, 'placeHold', { token, body: slotOf(privateAppointment()) });
    const once = { 'idempotency-key': keyOfHold(held.answer().extras.hold.id) };
    const paid = await pay({}, once);
    const code = when === 'at once' ? 'notCharged' : 'clinicConfirming';
    expect(paid.answer).toMatchObject({ extras: { code } });
    clinic.clock.advance(when === 'at once' ? 1 : 31 * 60);
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    token = await signIn(clinic, patient);
    expect((await pay({}, once)).answer).toMatchObject({
      extras: {
        code: 'notCharged',
        message:
          'This time could not be booked, and you have not been charged. Please choose a time again.',
      },
    });
    expect((await clinic.mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Your appointment is not booked'),
    ]);
    expect(clinic.log.failures).toEqual([]);
    await healthy();
  });

  test('whose authorisation ends while the booking there is not known is let go, here and there', async () => {
    const intent = await confirmedIn('written');
    await clinic.gateway.cancel('by hand', intent);
    clinic.clock.advance(60);
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    expect((await clinic.mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Your appointment is not booked'),
    ]);
    expect(emr.busy()).toEqual([]);
    await healthy();
  });

  test('that is found taken there after its patient has left is not charged, and they are told', async () => {
    await clinic.gateway.decide(await atBank(), true);
    emr.faults.staffBooksInBetween = true;
    clinic.clock.advance(60);
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['released']]);
    expect((await intents()).map(({ status }) => status)).toEqual(['cancelled']);
    expect((await clinic.mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Your appointment is not booked'),
    ]);
    expect(emr.busy()).toHaveLength(1);
    await healthy();
  });

  const move = async () => {
    const slot = { doctor: '101', selectedType: 'V', reason: 'A cough' } as const;
    const [old] = await appointmentRows();
    const body = {
      ...slot,
      start: START + 1_800,
      end: START + 2_100,
      rescheduleOf: old?.id ?? null,
    };
    return ask(clinic, 'createBooking', { token, body });
  };
  /** Every appointment that is not let go, by its time, with what was paid, and where the payment is. */
  const money = async () => {
    const rows = (await appointmentRows()).filter(({ state }) => state !== 'released');
    const paid = await paymentRows(clinic);
    return rows.map(({ id, start, state, paidCents }) => [
      start === START ? 'old' : 'new',
      state,
      paidCents,
      paid.filter(({ appointmentId }) => appointmentId === id).map(({ state: of }) => of),
    ]);
  };
  const moved = [
    ['old', 'rescheduled', 0, []],
    ['new', 'booked', 20_000, ['captured']],
  ];

  // Shows
  test('goes along when its appointment moves', async () => {
    await pay();
    expect((await move()).statusCode).toBe(200);
    expect(await money()).toEqual(moved);
    expect(emr.busy()).toMatchObject([{ start: '13:30' }]);
    expect(await intents()).toMatchObject([{ status: 'captured', refund: null }]);
    await healthy();
  });

  // Shows
  test('that is refunded in the dashboard while its appointment moves is paid for neither', async () => {
    await pay();
    beforeBooked = async () => {
      const [paid] = await paymentRows(clinic);
      await clinic.gateway.refund('in-the-dashboard', paid?.intentId ?? '', 20_000);
      await advancePayment(portsOf(clinic), paid?.id ?? '');
    };
    const { appointment: next } = (await move()).answer().extras;
    expect(next).toMatchObject({ status: 'booked', paidAmount: 0 });
    expect(await money()).toEqual([
      ['old', 'rescheduled', 0, []],
      ['new', 'booked', 0, ['refunded']],
    ]);
    const { appointments } = (await ask(clinic, 'listAppointments', { token })).answer();
    expect(appointments.map(({ paidAmount }) => paidAmount)).toEqual([0, 0]);
    await healthy();
  });

  // Shows
  test.each([
    ['written', moved, '13:30'],
    ['notWritten', [['old', 'booked', 20_000, ['captured']]], '13:00'],
  ] as const)(
    'stays with the old appointment while a move is not known, and is where that ends: %s',
    async (lost, ends, at) => {
      await pay();
      emr.faults.loseNextAnswer = lost;
      expect((await move()).refusal().extras.code).toBe('clinicConfirming');
      expect((await money())[0]).toEqual(['old', 'booked', 20_000, ['captured']]);
      for (const seconds of [60, 30 * 60]) {
        clinic.clock.advance(seconds);
        await resolveUnknown(portsOf(clinic), clinic.clock.now());
        await retryCancellations({ ...clinic.platform, ...portsOf(clinic) }, clinic.clock.now());
        await sweep();
      }
      expect(await money()).toEqual(ends);
      expect(emr.busy()).toMatchObject([{ start: at }]);
      expect(await intents()).toMatchObject([{ status: 'captured', refund: null }]);
      await healthy();
    },
  );

  /** For a fee that may be cancelled. */
  const payLess = async () => {
    const start = toInstant(LATER, '13:00');
    await scheduleFor(clinic, '101', [LATER], { A: ['13:00-14:00'] });
    const { answer } = await pay({ start, end: start + 300, selectedType: 'PP', amount: 75 });
    return answer.extras.appointment?.id ?? '';
  };
  const cancel = (id: string) => ask(clinic, 'cancelAppointment', { token, params: { id } });

  // Shows
  test('is kept once when its patient cancels while the EMR is offline, as they were told', async () => {
    const id = await payLess();
    expect(await clinic.mails()).toHaveLength(1);
    emr.faults.offline = true;
    expect((await cancel(id)).answer().extras.code).toBe('cancelSent');
    // Too late to cancel, had it not been pressed in time.
    clinic.clock.set(toInstant(LATER, '12:00'));
    await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['captured'], ['booked']]);
    await healthy();
    emr.faults.offline = false;
    for (let turn = 0; turn < 2; turn += 1) {
      await retryCancellations({ ...clinic.platform, ...portsOf(clinic) }, clinic.clock.now());
      await sweep();
    }
    expect([await states(), await appointmentStates()]).toEqual([['kept'], ['cancelled']]);
    expect([await intents(), emr.busy()]).toMatchObject([
      [{ status: 'captured', refund: null }],
      [],
    ]);
    const [, cancelled, ...more] = await clinic.mails();
    expect(more).toEqual([]);
    expect(cancelled?.subject).toContain('Your appointment is cancelled');
    expect(cancelled?.text).toContain('75.00');
    await healthy();
  });

  // Shows: R-44
  test('is given back once when staff cancelled first, whatever its patient presses', async () => {
    const id = await payLess();
    emr.staff.cancel(`claim:${id}`);
    expect((await cancel(id)).refusal().extras.code).toBe('changedByClinic');
    expect((await cancel(id)).statusCode).toBe(200);
    for (let turn = 0; turn < 2; turn += 1) await sweep();
    expect([await states(), await appointmentStates()]).toEqual([['refunded'], ['cancelled']]);
    expect(await intents()).toMatchObject([{ refund: { status: 'succeeded' } }]);
    await healthy();
  });
});

test('a payment that is over leaves the appointment alone that another one is for', async () => {
  const first = intentOf(await pay({ payment_method_id: practiceCard('needsBank') }));
  await clinic.gateway.cancel('by hand', first);
  clinic.clock.advance(60);
  await sweep();
  expect([await states(), await appointmentStates()]).toEqual([['cancelled'], ['held']]);
  const second = intentOf(await pay({ payment_method_id: practiceCard('needsBank') }));
  const [over] = await paymentRows(clinic);
  await advancePayment(portsOf(clinic), over?.id ?? '');
  await clinic.gateway.decide(second, true);
  expect((await confirm(second)).answer.success).toBe(true);
  expect([await states(), await appointmentStates()]).toEqual([
    ['cancelled', 'captured'],
    ['booked'],
  ]);
});
