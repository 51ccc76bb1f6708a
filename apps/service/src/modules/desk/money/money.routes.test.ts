import { eq } from 'drizzle-orm';
import { NOW } from '@clinic/domain/testing';
import { type RefundReason, addDays, toInstant } from '@clinic/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GatewayFault } from '@clinic/practice/payments/practice-gateway.ts';
import { violations } from '../../../database/invariants.store.ts';
import { aStaffMember, askDesk, deskSession, mailsOfActs } from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
  testDatabase,
} from '../../../../testing/index.ts';
import {
  charge,
  paymentRows,
  portsOf,
  practiceCard,
  privateAppointment,
} from '../../../../testing/paying.ts';
import { type PracticePayments, practicePayments } from '../../../../testing/practice-payments.ts';
import { appointment, payment, practiceIntent } from '../../../schema.ts';
import { sweepPayments } from '../../payments/index.ts';
import { advancePayment } from '../../payments/advance-payment.ts';
import { RECENT_FACTOR } from '../../staff/authorize-staff.ts';

let clinic: TestApp;
let practice: PracticePayments;
let casey: PatientRow;
let token: string;
let cookie: string;
let managerId: string;
/** Faults of the next calls, by call and in turn; null, and none, let one through. */
let faults: Partial<Record<string, (GatewayFault | null)[]>>;
/** So many seconds the card company takes to say how a payment stands. */
let slowness: number;

beforeEach(async () => {
  faults = {};
  slowness = 0;
  const database = await testDatabase();
  practice = practicePayments(database, { now: () => clinic?.clock.now() ?? NOW }, (call) => {
    if (call === 'retrieve') clinic.clock.advance(slowness);
    return faults[call]?.shift() ?? null;
  });
  const { reports, cardPayments } = practice;
  clinic = await testApp({ database, reports, cardPayments });
  await aClinic(clinic);
  casey = await aPatient(clinic, { firstName: 'Casey', lastName: 'Morgan' });
  token = await signIn(clinic, casey);
  const manager = await aStaffMember(clinic, 'manager');
  managerId = manager.id;
  cookie = await deskSession(clinic, manager);
});
afterEach(() => clinic.close());

const TODAY = '2026-11-21';
const money = async (query: object = {}, headers = {}) =>
  (
    await askDesk(clinic, 'deskMoney', {
      cookie,
      headers,
      query: { from: TODAY, to: TODAY, ...query },
    })
  ).answer().extras;
const refund = (id: string, reason: RefundReason = 'goodwill') =>
  askDesk(clinic, 'deskRefund', { cookie, params: { id }, body: { reason } });
const refundEmails = async () =>
  (await clinic.mails()).filter(({ subject }) => subject.startsWith('Your payment has been'));
async function aPayment(over = {}) {
  await charge(clinic, token, privateAppointment(over));
  const [row] = await paymentRows(clinic);
  return row?.id ?? '';
}
const standing = async () => {
  const [row] = await clinic.database.db.select().from(appointment);
  const [paid] = await paymentRows(clinic);
  return `${row?.state} ${row?.paidCents} ${paid?.state}`;
};

describe('What was paid (S-18)', () => {
  test('is listed with patient, appointment, amount and state; the look is on the trail once', async () => {
    const id = await aPayment();
    const { rows, days } = await money();
    expect(rows).toMatchObject([
      {
        id,
        means: null,
        cents: 20_000,
        state: 'captured',
        paymentState: 'captured',
        patient: 'Morgan, Casey',
        description: 'Private visit',
        isRefundable: true,
        isAlarming: false,
      },
    ]);
    expect(days).toEqual([
      {
        date: TODAY,
        online: 20_000,
        refunded: 0,
        cash: 0,
        debit: 0,
        credit: 0,
        other: 0,
        back: { cash: 0, debit: 0, credit: 0, other: 0 },
      },
    ]);
    await money({}, { 'x-background': '1' });
    expect(await clinic.trail('payments shown')).toMatchObject([
      { actor: `staff:${managerId}`, subject: `days:${TODAY}`, details: { to: TODAY } },
    ]);
  });

  test('is of the days and the state that were asked for', async () => {
    await aPayment({ payment_method_id: practiceCard('declined') });
    expect((await money()).rows).toMatchObject([{ state: 'failed', isRefundable: false }]);
    expect((await money()).days).toEqual([]);
    expect((await money({ state: 'captured' })).rows).toEqual([]);
    const tomorrow = addDays(TODAY, 1);
    expect((await money({ from: tomorrow, to: tomorrow })).rows).toEqual([]);
    const last = '9999-12-31';
    for (const query of [
      { from: TODAY, to: addDays(TODAY, -1) },
      { from: TODAY, to: addDays(TODAY, 92) },
      { from: last, to: last },
    ])
      expect((await askDesk(clinic, 'deskMoney', { cookie, query })).code()).toBe('invalidInput');
  });

  // Shows: R-98
  test('at the clinic is summed by its means, on the day on which it was taken', async () => {
    const id = await dueAtClinic();
    expect((await money()).rows).toEqual([]);
    (await takeFee(id)).answer();
    const { rows, days } = await money();
    expect(rows).toMatchObject([
      { means: 'cash', cents: 1_000, state: 'captured', isRefundable: true },
    ]);
    expect(days).toMatchObject([{ cash: 1_000, online: 0 }]);
    const moved = await moveAtDesk(id);
    expect(await money()).toMatchObject({
      rows: [{ appointmentId: moved }],
      days: [{ cash: 1_000 }],
    });
  });
});

/** An appointment whose fee is due at the clinic. */
async function dueAtClinic(): Promise<string> {
  const booked = await ask(clinic, 'createBooking', {
    token,
    body: {
      doctor: '101',
      selectedType: 'O',
      start: toInstant('2026-11-26', '08:00'),
      end: toInstant('2026-11-26', '08:05'),
      reason: 'A cough',
    },
  });
  const id = booked.answer().extras.appointment?.id ?? '';
  await clinic.database.inTransaction((tx) =>
    tx
      .update(appointment)
      .set({ feeAtClinic: { cents: 1_000 } })
      .where(eq(appointment.id, id)),
  );
  return id;
}
const takeFee = (id: string) =>
  askDesk(clinic, 'deskTakeFee', { cookie, params: { id }, body: { means: 'cash' } });
const feeBack = (id: string, means = 'debit', reason: RefundReason = 'notGiven') =>
  askDesk(clinic, 'deskFeeBack', { cookie, params: { id }, body: { means, reason } });
async function moveAtDesk(id: string): Promise<string> {
  const body = { providerId: '101', start: toInstant('2026-11-26', '08:30') };
  return (await askDesk(clinic, 'deskMoveAppointment', { cookie, params: { id }, body })).answer()
    .extras.id;
}

describe('Noting that a fee was given back at the clinic (R-98, S-18)', () => {
  // Shows: R-98
  test('is done once, by a receptionist too, and stands on the trail, the sheet and in the takings', async () => {
    const receptionist = await aStaffMember(clinic, 'receptionist');
    const id = await dueAtClinic();
    (await takeFee(id)).answer();
    const managers = cookie;
    cookie = await deskSession(clinic, receptionist);
    (await feeBack(id)).answer();
    // Asked again after a lost answer, it has been done; anything else is another note.
    (await feeBack(id)).answer();
    expect((await feeBack(id, 'cash')).code()).toBe('appointmentChanged');
    cookie = managers;
    expect((await feeBack(id)).code()).toBe('appointmentChanged');
    expect(await clinic.trail('fee given back at the clinic')).toMatchObject([
      {
        actor: `staff:${receptionist.id}`,
        subject: `appointment:${id}`,
        details: { cents: 1_000, means: 'debit', reason: 'notGiven' },
      },
    ]);
    const sheet = await askDesk(clinic, 'deskDay', { cookie, params: { date: '2026-11-26' } });
    const shown = sheet.answer().extras.providers.flatMap(({ appointments }) => appointments);
    expect(shown).toMatchObject([{ id, fee: 'givenBack' }]);
    const body = { lookReason: 'payment' };
    const opened = await askDesk(clinic, 'deskOpenAppointment', { cookie, params: { id }, body });
    expect(opened.answer().extras.feeAtClinic).toEqual({
      cents: 1_000,
      taken: { means: 'cash', at: NOW },
      givenBack: { means: 'debit', reason: 'notGiven', at: NOW },
    });
    expect(await money()).toMatchObject({
      rows: [
        {
          means: 'cash',
          state: 'refunded',
          refundMeans: 'debit',
          refundReason: 'notGiven',
          isRefundable: false,
        },
      ],
      days: [{ cash: 1_000, refunded: 1_000, back: { cash: 0, debit: 1_000 } }],
    });
    expect(await violations(clinic.database.db, clinic.clock.now() + 3_600)).toEqual([]);
  });

  test('counts on the day on which it was, and goes with an appointment that moves', async () => {
    const id = await dueAtClinic();
    (await takeFee(id)).answer();
    clinic.clock.advance(86_400);
    cookie = await deskSession(clinic, { id: managerId });
    (await feeBack(id)).answer();
    const moved = await moveAtDesk(id);
    const tomorrow = addDays(TODAY, 1);
    expect((await feeBack(moved)).answer()).toEqual({ success: true });
    expect((await feeBack(id)).answer()).toEqual({ success: true });
    expect((await money()).days).toMatchObject([{ date: TODAY, cash: 1_000, refunded: 0 }]);
    expect(await money({ from: tomorrow, to: tomorrow })).toMatchObject({
      rows: [{ appointmentId: moved, state: 'refunded' }],
      days: [{ date: tomorrow, cash: 0, refunded: 1_000 }],
    });
    expect(await clinic.trail('fee given back at the clinic')).toHaveLength(1);
  });

  test('is for a fee that was taken, also of an appointment that was cancelled since', async () => {
    const id = await dueAtClinic();
    expect((await feeBack(id)).code()).toBe('appointmentChanged');
    expect((await feeBack(crypto.randomUUID())).code()).toBe('notFound');
    (await takeFee(id)).answer();
    const body = { wantedBy: 'clinic' };
    (await askDesk(clinic, 'deskCancelAppointment', { cookie, params: { id }, body })).answer();
    expect((await money()).rows).toMatchObject([{ state: 'captured', isRefundable: true }]);
    (await feeBack(id)).answer();
    expect((await money()).rows).toMatchObject([{ state: 'refunded', isRefundable: false }]);
  });

  test('waits for an EMR that is just asked to book where the appointment moves to', async () => {
    const id = await dueAtClinic();
    (await takeFee(id)).answer();
    const [row] = await clinic.database.db.select().from(appointment);
    if (row === undefined) throw new Error('Nothing is booked');
    const moving = {
      ...row,
      id: crypto.randomUUID(),
      start: row.start + 1_800,
      end: row.end + 1_800,
      state: 'held',
      confirming: true,
      holdPlacedAt: NOW,
      holdExpiresAt: NOW + 600,
      rescheduledFrom: id,
      requestKey: null,
    };
    await clinic.database.inTransaction((tx) => tx.insert(appointment).values(moving));
    expect((await feeBack(id)).code()).toBe('feeMoving');
    await clinic.database.inTransaction((tx) =>
      tx.update(appointment).set({ state: 'released' }).where(eq(appointment.id, moving.id)),
    );
    (await feeBack(id)).answer();
  });
});

describe('Giving a fee back (S-18, R-44)', () => {
  // Shows: S-18
  test('is in full and once, leaves the appointment, and is told by email', async () => {
    const id = await aPayment();
    expect((await refund(id)).answer().extras).toEqual({ state: 'refunded' });
    expect((await refund(id, 'mistake')).answer().extras).toEqual({ state: 'refunded' });
    expect(await standing()).toBe('booked 0 refunded');
    // Its patient, who pays again or comes back from the bank, is not told that it is not booked.
    const [paid] = await paymentRows(clinic);
    for (const body of [privateAppointment(), { payment_intent_id: paid?.intentId ?? '' }])
      expect((await charge(clinic, token, body)).answer.extras.code).toBe('bookingChanged');
    expect(await practice.gateway.listIntents(0)).toMatchObject([
      { refund: { status: 'succeeded', amountCents: 20_000 } },
    ]);
    expect(await refundEmails()).toHaveLength(1);
    expect(await clinic.trail('refund asked for')).toMatchObject([
      {
        actor: `staff:${managerId}`,
        subject: `payment:${id}`,
        details: { cents: 20_000, reason: 'goodwill' },
      },
    ]);
    expect(practice.reports.last).toEqual([]);
    expect(await violations(clinic.database.db, clinic.clock.now() + 3_600)).toEqual([]);
    expect(await money()).toMatchObject({
      rows: [{ state: 'refunded', refundReason: 'goodwill', isRefundable: false }],
      days: [{ online: 20_000, refunded: 20_000 }],
    });
  });

  test('is once also where it is pressed several times at the same time', async () => {
    const id = await aPayment();
    const pressed = await Promise.all([refund(id), refund(id), refund(id)]);
    for (const each of pressed) expect(each.answer().extras.state).toBe('refunded');
    expect(await clinic.trail('refund asked for')).toHaveLength(1);
    expect(await refundEmails()).toHaveLength(1);
  });

  // Shows: S-18
  test.each<[string, typeof faults]>([
    ['does not say what it has', { retrieve: ['dropBefore'] }],
    ['is not reached', { refund: ['dropBefore'] }],
    [
      'gives it back and does not say so',
      { refund: ['dropAfter'], retrieve: [null, 'dropBefore'] },
    ],
    ['fails after it gave it back', { refund: ['error500After'], retrieve: [null, 'dropBefore'] }],
  ])(
    'is said to be not known where the card company %s, and goes on by itself',
    async (_, planted) => {
      const id = await aPayment();
      faults = planted;
      expect((await refund(id)).answer().extras.state).toBe('refunding');
      expect(Object.values(faults).flat()).toEqual([]);
      expect((await money()).rows).toMatchObject([{ state: 'refunding', isRefundable: false }]);
      for (let minutes = 0; minutes < 3; minutes++) {
        clinic.clock.advance(130);
        await sweepPayments(portsOf(clinic));
      }
      expect(await standing()).toBe('booked 0 refunded');
      expect(await practice.gateway.listIntents(0)).toMatchObject([
        { refund: { amountCents: 20_000 } },
      ]);
      expect(await refundEmails()).toHaveLength(1);
    },
  );

  test('is what is left of it where part was given back in the dashboard before', async () => {
    const id = await aPayment();
    const [row] = await paymentRows(clinic);
    await practice.gateway.refund('in-the-dashboard', row?.intentId ?? '', 500);
    expect((await refund(id)).answer().extras.state).toBe('refunded');
    expect(await practice.gateway.listIntents(0)).toMatchObject([
      { refund: { status: 'succeeded', amountCents: 20_000 } },
    ]);
  });

  test('counts on the day on which it went back, whoever looks at it later', async () => {
    const id = await aPayment();
    await refund(id);
    clinic.clock.advance(3 * 86_400);
    await advancePayment(portsOf(clinic), id);
    cookie = await deskSession(clinic, { id: managerId });
    expect((await money()).days).toMatchObject([{ date: TODAY, refunded: 20_000 }]);
  });

  /** Moves what the patient has to 13:30, and cancels it as they do a minute before it starts. */
  async function cancelledAfterMove(wantedBy: 'clinic' | 'patient') {
    await aPayment();
    const [{ id } = { id: '' }] = await clinic.database.db.select().from(appointment);
    const start = toInstant('2026-11-26', '13:30');
    const body = { providerId: '101', start, wantedBy };
    const moved = await askDesk(clinic, 'deskMoveAppointment', { cookie, params: { id }, body });
    const params = { id: moved.answer().extras.id };
    await mailsOfActs(clinic);
    clinic.clock.advance(start - clinic.clock.now() - 60);
    token = await signIn(clinic, casey);
    const list = (await ask(clinic, 'listAppointments', { token })).answer();
    const asked = await ask(clinic, 'cancelAppointment', { token, params });
    await sweepPayments(portsOf(clinic));
    await clinic.platform.outbox.drain();
    const told = clinic.mail.sent.map(({ text }) => text).join();
    return { asked, told, shown: JSON.stringify(list).includes('"movedByClinic":true') };
  }

  // Shows: R-98
  test('is what whoever was moved by the clinic gets who cancels, until the start', async () => {
    const { asked, told, shown } = await cancelledAfterMove('clinic');
    expect(asked.statusCode).toBe(200);
    expect((await paymentRows(clinic)).map(({ state }) => state)).toEqual(['refunded']);
    expect(shown).toBe(true);
    expect(told).toContain('The clinic had to move your appointment.');
    expect(told).toContain('The fee of CAD 200.00 is given back in full.');
    expect((await clinic.trail('appointment rescheduled')).at(-1)).toMatchObject({
      details: { wantedBy: 'clinic' },
    });
  });

  // Shows: R-98
  test('is nothing that whoever was moved at their own wish gets: they cannot cancel', async () => {
    const { asked, shown } = await cancelledAfterMove('patient');
    expect(asked.refusal().extras.code).toBe('notCancellable');
    expect((await paymentRows(clinic)).map(({ state }) => state)).toEqual(['captured']);
    expect(shown).toBe(false);
  });

  // Shows: R-98
  test.each([
    [
      'for the clinic',
      { wantedBy: 'clinic' },
      'refunded',
      'that you paid will be refunded to your card in full',
    ],
    [
      'for the patient, with a reason where they could not',
      { wantedBy: 'patient', overrideReason: 'urgent' },
      'kept',
      'is non-refundable',
    ],
  ] as const)('follows who wanted what staff cancel %s', async (_, body, state, words) => {
    await aPayment();
    const [{ id } = { id: '' }] = await clinic.database.db.select().from(appointment);
    const asked = { cookie, params: { id }, body };
    const { wantedBy } = body;
    if (wantedBy === 'patient') {
      const plain = await askDesk(clinic, 'deskCancelAppointment', {
        ...asked,
        body: { wantedBy },
      });
      expect(plain.code()).toBe('notCancellable');
      expect(await clinic.trail('appointment cancelled')).toEqual([]);
    }
    (await askDesk(clinic, 'deskCancelAppointment', asked)).answer();
    await mailsOfActs(clinic);
    await sweepPayments(portsOf(clinic));
    await clinic.mails();
    expect((await paymentRows(clinic)).map((each) => each.state)).toEqual([state]);
    const told = clinic.mail.sent.find(({ subject }) => subject.includes('is cancelled'));
    expect(told?.text).toContain(`The fee of CAD 200.00 ${words}.`);
    expect(await clinic.trail('appointment cancelled')).toMatchObject([{ details: { wantedBy } }]);
    expect(await clinic.trail('rules overridden')).toMatchObject(
      wantedBy === 'patient' ? [{ details: { rules: ['paid'], reason: 'urgent' } }] : [],
    );
  });

  test('reaches what was kept when its patient cancelled', async () => {
    const id = await aPayment();
    await clinic.database.inTransaction(async (tx) => {
      await tx.update(payment).set({ state: 'kept', givenUpByPatient: true });
      await tx.update(appointment).set({ state: 'cancelled' });
    });
    expect((await refund(id)).answer().extras.state).toBe('refunded');
    expect(await standing()).toBe('cancelled 20000 refunded');
  });

  test('is refused for what was never taken, what there is not, and without a recent code', async () => {
    const id = await aPayment({ payment_method_id: practiceCard('declined') });
    expect((await refund(id)).code()).toBe('notRefundable');
    expect((await refund(crypto.randomUUID())).code()).toBe('notFound');
    expect(await clinic.trail('refund asked for')).toEqual([]);
    clinic.clock.advance(RECENT_FACTOR);
    expect((await refund(id)).code()).toBe('factorNeeded');
  });
});

describe('Comparing with the card company (S-18, R-40)', () => {
  const compare = () => askDesk(clinic, 'deskReconcile', { cookie, body: { days: 7 } });

  test('finds nothing where both books agree', async () => {
    await aPayment();
    expect((await compare()).answer().extras).toEqual({
      intents: 1,
      payments: 1,
      capturedCents: 20_000,
      refundedCents: 0,
      differences: [],
      left: 0,
    });
    expect(await clinic.trail('payments reconciled')).toMatchObject([
      { actor: `staff:${managerId}`, details: { days: 7, differences: 0 } },
    ]);
  });

  test('stops after twenty seconds, says what is left, and goes on when it is asked again', async () => {
    const other = await signIn(clinic, await aPatient(clinic, { firstName: 'Robin' }));
    faults = { capture: ['dropBefore', 'dropBefore'] };
    await charge(clinic, token, privateAppointment());
    const later = toInstant('2026-11-26', '13:30');
    await charge(clinic, other, privateAppointment({ start: later, end: later + 300 }));
    slowness = 20;
    for (const left of [1, 0])
      expect((await compare()).answer().extras).toMatchObject({
        differences: [{ outcome: 'repaired' }],
        left,
      });
    slowness = 0;
    expect((await compare()).answer().extras).toMatchObject({ differences: [], left: 0 });
  });

  test('goes on behind what it cannot mend, however often it is asked', async () => {
    const other = await signIn(clinic, await aPatient(clinic, { firstName: 'Robin' }));
    faults = { capture: ['dropBefore', 'dropBefore'] };
    await charge(clinic, token, privateAppointment());
    const later = toInstant('2026-11-26', '13:30');
    await charge(clinic, other, privateAppointment({ start: later, end: later + 300 }));
    const [first] = await practice.gateway.listIntents(0);
    await clinic.database.inTransaction((tx) =>
      tx
        .update(practiceIntent)
        .set({ amountCents: 19_999 })
        .where(eq(practiceIntent.id, first?.id ?? '')),
    );
    slowness = 20;
    const outcomes = async () =>
      (await compare()).answer().extras.differences.map(({ outcome }) => outcome);
    expect(await outcomes()).toEqual(['alarm']);
    expect(await outcomes()).toEqual(['repaired']);
  });

  test('is not asked for more than a month', async () => {
    const body = { days: 32 };
    expect((await askDesk(clinic, 'deskReconcile', { cookie, body })).code()).toBe('invalidInput');
  });

  test('says so where the card company is not reached', async () => {
    faults = { list: ['dropBefore'] };
    const answer = await compare();
    expect([answer.statusCode, answer.code()]).toEqual([503, 'cardCompanyUnreachable']);
    expect(await clinic.trail('payments reconciled')).toEqual([]);
  });

  test('names what stands there alone', async () => {
    await practice.gateway.createAndConfirm({
      key: 'a-stranger',
      payment: crypto.randomUUID(),
      amountCents: 500,
      paymentMethod: practiceCard(),
    });
    expect((await compare()).answer().extras.differences).toMatchObject([
      { payment: null, what: 'stranger', outcome: 'alarm' },
    ]);
  });

  test('is refused where no cards are taken', async () => {
    await clinic.close();
    clinic = await testApp({ cardPayments: undefined as never });
    cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    expect((await compare()).code()).toBe('noCardPayments');
    expect((await refund(crypto.randomUUID())).code()).toBe('noCardPayments');
  });
});
