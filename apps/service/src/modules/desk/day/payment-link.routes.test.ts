import { eq } from 'drizzle-orm';
import { NOW } from '@clinic/domain/testing';
import { keyOfHold, toClinic, toInstant } from '@clinic/domain';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { violations } from '../../../database/invariants.store.ts';
import {
  type SomeStaff,
  aStaffMember,
  askDesk,
  deskClinic,
  deskSession,
  mailsOfActs,
} from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, aPatient, ask, signIn } from '../../../../testing/index.ts';
import {
  charge,
  intentOf,
  paymentRows,
  portsOf,
  practiceCard,
  privateAppointment,
} from '../../../../testing/paying.ts';
import {
  appointment,
  appointmentStep,
  appointmentType,
  feePolicy,
  patient,
  provider,
} from '../../../schema.ts';
import { expireHolds } from '../../appointments/index.ts';
import { workOnClosing } from '../../closings/index.ts';
import { sweepPayments } from '../../payments/index.ts';
import { GatewayUnreachable } from '../../payments/gateway.ts';

let clinic: TestApp;
let casey: PatientRow;
let token: string;
let cookie: string;
let robin: SomeStaff;

beforeEach(async () => {
  ({ clinic, casey, robin, cookie } = await deskClinic());
  token = await signIn(clinic, casey);
});
afterEach(() => clinic.close());

/** Sessions do not last until tomorrow. */
async function signInAgain(): Promise<void> {
  token = await signIn(clinic, casey);
  cookie = await deskSession(clinic, robin);
}

const HOUR = 3_600;
const THURSDAY = '2026-11-26';
const at = (time: string, date = THURSDAY) => toInstant(date, time);
const book = async (over = {}, headers = {}) => {
  const answer = await askDesk(clinic, 'deskBook', {
    cookie,
    params: { id: casey.id },
    headers,
    body: { type: 'V', providerId: '101', start: at('13:00'), feeBy: 'link', ...over },
  });
  await clinic.platform.outbox.drain();
  return answer;
};
const link = async (over = {}, headers = {}) => (await book(over, headers)).answer().extras;
const pay = (id: string, over = {}) =>
  charge(clinic, token, privateAppointment(over), { 'idempotency-key': keyOfHold(id) });
const hold = (time: string, selectedType = 'O', as = token) => {
  const start = at(time);
  const body = { doctor: '101', start, end: start + 300, selectedType };
  return ask(clinic, 'placeHold', { token: as, body });
};
const myHold = async () => (await ask(clinic, 'readHold', { token })).answer().extras.hold;
const giveBack = (id: string, query = {}) =>
  ask(clinic, 'releaseHold', { token, query, headers: { 'idempotency-key': keyOfHold(id) } });
const appointments = () =>
  clinic.database.db.select().from(appointment).orderBy(appointment.createdAt, appointment.id);
const states = async () => (await appointments()).map(({ state }) => state).toSorted();
const paid = async () => (await paymentRows(clinic)).map(({ state }) => state);
const steps = async () => (await clinic.database.db.select().from(appointmentStep)).length;
const mails = async () =>
  (await clinic.mails()).map(({ subject }) => subject.split(' - ')[0] ?? '').toSorted();
const sheet = async (date = THURSDAY) =>
  (await askDesk(clinic, 'deskDay', { cookie, params: { date } }))
    .answer()
    .extras.providers.flatMap(({ appointments: all }) => all);
const cancel = (id: string, body = {}) =>
  askDesk(clinic, 'deskCancelAppointment', { cookie, params: { id }, body });
const payAtClinic = (id: string) =>
  askDesk(clinic, 'deskPayAtClinic', { cookie, params: { id }, body: {} });
async function sweep(seconds = 0): Promise<void> {
  clinic.clock.advance(seconds);
  await expireHolds(portsOf(clinic), clinic.clock.now());
  await sweepPayments(portsOf(clinic));
}
const feeFromTomorrow = (chargeCents: number) =>
  clinic.database.inTransaction(async (tx) => {
    const validFrom = toClinic(NOW + 23 * HOUR).date;
    await tx.insert(feePolicy).values({ type: 'V', eligibility: 'E', validFrom, chargeCents });
  });
const declined = (id: string) => pay(id, { payment_method_id: practiceCard('declined') });
const atBank = async (id: string) =>
  intentOf(await pay(id, { payment_method_id: practiceCard('needsBank') }));
const broken = () => violations(clinic.database.db, clinic.clock.now());

const SENT = 'Please pay to book your appointment';
const OVER = 'Your appointment is not booked';
const BOOKED = 'Your appointment is booked';

describe('A fee by a link in an email (R-98, S-18)', () => {
  // Shows: R-98
  test('holds the time for 24 hours, says so to the patient and on the sheet, and is booked once it is paid', async () => {
    const made = await link();
    const { id } = made;
    expect(made).toMatchObject({ linkUntil: NOW + 24 * HOUR, feeCents: 0, isTold: true });
    // They agree online, so nothing is read out to them.
    const consents = await askDesk(clinic, 'deskConsents', { cookie, params: { id } });
    expect(consents.answer().extras.texts).toEqual([]);
    expect(await mails()).toEqual([SENT]);
    const text = clinic.mail.sent.at(-1)?.text ?? '';
    expect(text).toContain('CAD 200.00');
    expect(text).toContain(`${clinic.platform.config.publicUrl}/`);
    expect(await sheet()).toMatchObject([
      {
        id,
        patient: 'Morgan, Casey',
        state: 'held',
        linkUntil: NOW + 24 * HOUR,
        isCancellable: true,
      },
    ]);
    expect(await myHold()).toMatchObject({ id, byClinic: true, expiresAt: NOW + 24 * HOUR });
    clinic.clock.advance(23 * HOUR);
    await signInAgain();
    expect((await pay(id)).answer.success).toBe(true);
    expect([await states(), await paid()]).toEqual([['booked'], ['captured']]);
    expect(await appointments()).toMatchObject([
      { id, bookedBy: robin.id, paidCents: 20_000, feeAtClinic: null },
    ]);
    expect(await mails()).toEqual([SENT, BOOKED]);
    expect(await sheet()).toMatchObject([{ id, fee: 'paid', linkUntil: null }]);
    expect(await clinic.trail('time held for a payment link')).toMatchObject([
      { actor: `staff:${robin.id}` },
    ]);
    expect(await clinic.trail('appointment booked')).toMatchObject([
      { actor: `patient:${casey.id}` },
    ]);
    await sweep(2 * HOUR);
    expect(await states()).toEqual(['booked']);
    expect(await broken()).toEqual([]);
  });

  // Shows: R-98
  test('that is not paid by then is let go, told once, and booked by nobody', async () => {
    const { id } = await link();
    await sweep(24 * HOUR - 1);
    expect(await states()).toEqual(['held']);
    await sweep(1);
    await sweep();
    expect([await states(), await steps()]).toEqual([['released'], 0]);
    expect(await mails()).toEqual([SENT, OVER]);
    await signInAgain();
    expect(await sheet()).toEqual([]);
    expect(await myHold()).toBeNull();
    expect((await cancel(id)).code()).toBe('notFound');
    expect(await broken()).toEqual([]);
  });

  test('lasts no longer than to half an hour before the start, and too late a one is none', async () => {
    const tomorrow = { start: at('13:00'), feeBy: 'link' };
    clinic.clock.set(at('10:00'));
    await signInAgain();
    expect((await link(tomorrow)).linkUntil).toBe(at('12:30'));
    await cancel((await appointments())[0]?.id ?? '');
    clinic.clock.set(at('12:16'));
    await signInAgain();
    for (const over of [{}, { overrideReason: 'urgent' }])
      expect((await book(over)).code()).toBe('linkTooSoon');
    expect(await broken()).toEqual([]);
  });

  test('sent again under its key, or again for the same time, is one link and one email', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const { id } = await link({}, key);
    expect(await link({}, key)).toMatchObject({ id, linkUntil: NOW + 24 * HOUR });
    expect(await link({}, { 'idempotency-key': crypto.randomUUID() })).toMatchObject({ id });
    expect(await mails()).toEqual([SENT]);
    await declined(id);
    expect((await pay(id)).answer.success).toBe(true);
    // Its answer was lost, and meanwhile it was paid.
    expect(await link({}, key)).toMatchObject({ id, linkUntil: null, feeCents: 0 });
    expect([await states(), await mails()]).toEqual([['booked'], [SENT, BOOKED]]);
  });

  // Shows
  test.each([
    ['more', 25_000],
    ['less', 15_000],
  ])(
    'costs what the fee is on the day of paying: %s than in the email is said first, and not charged unsaid',
    async (_, chargeCents) => {
      const { id } = await link();
      await feeFromTomorrow(chargeCents);
      await mails();
      expect(clinic.mail.sent.at(-1)?.text).toContain('CAD 200.00');
      clinic.clock.advance(23 * HOUR);
      await signInAgain();
      const chargeAmount = chargeCents / 100;
      const query = { eligibility: 'E', selectedType: 'V' } as const;
      const said = (await ask(clinic, 'appState', { token, query })).answer().extras;
      expect(said).toMatchObject({ chargeAmount });
      const asMailed = await pay(id);
      expect(asMailed.answer.extras).toMatchObject({ code: 'amountDiffers', chargeAmount });
      expect(asMailed.answer.extras.message).toContain(`CAD ${chargeAmount}.00`);
      expect([await states(), await paid()]).toEqual([['held'], []]);
      expect((await pay(id, { amount: chargeAmount })).answer.success).toBe(true);
      expect(await appointments()).toMatchObject([{ id, paidCents: chargeCents }]);
      await mails();
      expect(clinic.mail.sent.at(-1)?.text).toContain(`CAD ${chargeAmount}.00`);
      expect(await broken()).toEqual([]);
    },
  );

  // Shows: R-98
  test('costs nothing once the type does: its patient books it without paying', async () => {
    const { id } = await link();
    await feeFromTomorrow(0);
    clinic.clock.advance(23 * HOUR);
    await signInAgain();
    expect((await pay(id)).answer.extras.code).toBe('nothingToPay');
    const { doctor, start, end, selectedType, reason } = privateAppointment();
    const body = { doctor, start, end, selectedType, reason };
    const headers = { 'idempotency-key': keyOfHold(id) };
    (await ask(clinic, 'createBooking', { token, headers, body })).answer();
    expect(await appointments()).toMatchObject([{ id, state: 'booked', paidCents: 0 }]);
    expect(await broken()).toEqual([]);
  });

  test('is paid by nobody once its provider is gone, or its type', async () => {
    const { id } = await link();
    await declined(id);
    const set = async (offered: { readonly provider: boolean; readonly type: boolean }) =>
      clinic.database.inTransaction(async (tx) => {
        await tx
          .update(provider)
          .set({ status: offered.provider ? '1' : '0' })
          .where(eq(provider.id, '101'));
        const { type: active } = offered;
        await tx.update(appointmentType).set({ active }).where(eq(appointmentType.code, 'V'));
      });
    await set({ provider: false, type: true });
    expect((await pay(id)).answer.extras.code).toBe('doctorNotAvailable');
    await set({ provider: true, type: false });
    expect((await pay(id)).answer.extras.code).toBe('typeNotOffered');
    expect(await states()).toEqual(['held']);
    await set({ provider: true, type: true });
    expect((await pay(id)).answer.success).toBe(true);
    expect(await broken()).toEqual([]);
  });

  // Shows: R-98
  test('stands against the rules that staff overrode, and no other time or type is booked by it', async () => {
    for (const time of ['08:00', '08:30'])
      await book({ type: 'O', start: at(time), feeBy: 'clinic', overrideReason: 'urgent' });
    await clinic.database.inTransaction((tx) =>
      tx
        .update(patient)
        .set({ disabledTypes: ['V'] })
        .where(eq(patient.id, casey.id)),
    );
    expect((await book()).code()).not.toBeNull();
    const { id } = await link({ overrideReason: 'urgent' });
    expect((await hold('13:00', 'O')).refusal().extras.code).toBe('linkStands');
    expect((await hold('13:00', 'V')).answer().extras.hold).toMatchObject({ id });
    expect((await pay(id)).answer.success).toBe(true);
    expect(await states()).toEqual(['booked', 'booked', 'booked']);
    expect(await broken()).toEqual([]);
  });

  test('is for who has an account that mail reaches, where cards are taken, and for a fee', async () => {
    expect((await book({ type: 'O', start: at('08:00') })).code()).toBe('nothingToPay');
    const options = { cookie, params: { id: casey.id }, body: {} };
    const mayLink = async () =>
      (await askDesk(clinic, 'deskBookingOptions', options)).answer().extras.mayLink;
    expect(await mayLink()).toBe(true);
    await clinic.database.inTransaction((tx) =>
      tx
        .update(patient)
        .set({ bouncedEmail: patient.email, bouncedAt: NOW })
        .where(eq(patient.id, casey.id)),
    );
    expect(await mayLink()).toBe(false);
    expect((await book()).code()).toBe('linkNotOffered');
    expect(await states()).toEqual([]);
  });
});

describe('Beside a time that waits for its link (R-98)', () => {
  // Shows: R-98
  test('the patient holds no other; leaving the page and signing out keep it, giving it back does not', async () => {
    const { id } = await link();
    expect((await hold('08:00')).refusal().extras.code).toBe('linkStands');
    await giveBack(id);
    await ask(clinic, 'releaseHold', { token });
    await ask(clinic, 'logout', { token });
    expect(await states()).toEqual(['held']);
    await signInAgain();
    await giveBack(id, { linked: 'true' });
    expect(await states()).toEqual(['released']);
    expect((await hold('08:00')).answer().success).toBe(true);
    expect(await mails()).toEqual([SENT, OVER]);
  });

  test('staff book nothing else for the patient until it is over; a hold of the patient gives way to it', async () => {
    await hold('08:00');
    const { id } = await link();
    expect(await states()).toEqual(['held', 'released']);
    const other = { type: 'O', start: at('08:00'), feeBy: 'clinic', overrideReason: 'urgent' };
    expect((await book(other)).code()).toBe('linkStands');
    (await cancel(id)).answer();
    await book(other);
    expect(await states()).toEqual(['booked', 'released', 'released']);
    await mailsOfActs(clinic);
    expect(await mails()).toEqual([SENT, BOOKED, OVER]);
  });

  test('a payment under way for another time is not taken away by one', async () => {
    await charge(
      clinic,
      token,
      privateAppointment({ payment_method_id: practiceCard('needsBank') }),
    );
    expect((await book({ start: at('13:30') })).code()).toBe('paymentUnderWay');
  });

  test('a rival finds it taken while it stands, and has it once it lapsed, swept or not', async () => {
    await link();
    const rival = await aPatient(clinic, { firstName: 'Robin' });
    expect((await hold('13:00', 'V', await signIn(clinic, rival))).refusal().extras.code).toBe(
      'slotTaken',
    );
    clinic.clock.advance(24 * HOUR);
    expect((await hold('13:00', 'V', await signIn(clinic, rival))).answer().success).toBe(true);
    expect(await states()).toEqual(['held', 'released']);
    await sweep();
    expect(await mails()).toEqual([SENT, OVER]);
    await signInAgain();
    const late = await charge(clinic, token, privateAppointment());
    expect(late.answer.extras.code).toBe('slotTaken');
    expect(await paid()).toEqual([]);
  });

  test('opened late, before a sweeper came by, it is any other time, and told as over', async () => {
    const { id } = await link();
    clinic.clock.advance(24 * HOUR);
    await signInAgain();
    expect((await hold('08:00')).answer().success).toBe(true);
    expect(await states()).toEqual(['held', 'released']);
    expect(await mails()).toEqual([SENT, OVER]);
    expect((await pay(id)).answer.success).toBe(false);
    expect(await broken()).toEqual([]);
  });

  // Shows
  test('whoever changes the day is told beforehand that it stands there, until it lapsed', async () => {
    const { id } = await link();
    const foreseen = async () => {
      const manager = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
      const of = { cookie: manager, params: { providerId: '101', date: THURSDAY } };
      const day = await askDesk(clinic, 'deskSaveDay', { ...of, body: { codes: '_'.repeat(288) } });
      return day.answer().extras.outside;
    };
    expect(await foreseen()).toMatchObject([{ appointmentId: id, isHeld: true, endsThen: null }]);
    clinic.clock.advance(24 * HOUR);
    expect(await foreseen()).toEqual([]);
  });

  test('closing the time ends it, and its patient is told', async () => {
    await link();
    const time = { providerIds: ['101'], from: at('00:00'), to: at('23:55') };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    (await askDesk(clinic, 'deskCloseTime', { cookie, headers, body: time })).answer();
    await workOnClosing({ ...clinic.platform, ...portsOf(clinic) });
    expect(await states()).toEqual(['released']);
    expect(await mails()).toEqual([SENT, OVER]);
    expect(await clinic.trail('hold released')).toMatchObject([{ actor: `staff:${robin.id}` }]);
  });
});

describe('Staff end a link (R-98)', () => {
  // Shows: R-98
  test('by making it due at the clinic, once: it is booked and nothing is to be paid online', async () => {
    const { id } = await link();
    expect((await payAtClinic(id)).answer().extras).toMatchObject({ id, feeCents: 20_000 });
    expect((await payAtClinic(id)).answer().extras).toMatchObject({ id });
    expect(await appointments()).toMatchObject([
      { state: 'booked', bookedBy: robin.id, feeAtClinic: { cents: 20_000 }, paidCents: 0 },
    ]);
    expect(await mails()).toEqual([SENT, BOOKED]);
    expect(clinic.mail.sent.map(({ text }) => text).join()).toContain('Please pay the fee of');
    expect((await pay(id)).answer).toMatchObject({
      success: false,
      extras: { code: 'bookingChanged' },
    });
    await sweep(25 * HOUR);
    expect([await states(), await paid()]).toEqual([['booked'], []]);
    expect(await broken()).toEqual([]);
  });

  // Shows: R-98
  test.each(['closed', 'blocked'])(
    'where the account is %s while its patient is at the bank: nothing is taken, and nothing booked',
    async (how) => {
      const { id } = await link();
      const intent = await atBank(id);
      const manager = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
      const whose = { cookie: manager, params: { id: casey.id } };
      if (how === 'closed')
        expect((await askDesk(clinic, 'deskCloseAccount', whose)).answer().extras).toEqual({
          appointments: 0,
        });
      else {
        const body = { block: 'account', reason: 'No reply' } as const;
        (await askDesk(clinic, 'deskBlockPatient', { ...whose, body })).answer();
      }
      await clinic.gateway.decide(intent, true).catch(() => {});
      await sweep(60);
      expect([await states(), await paid()]).toEqual([['released'], ['cancelled']]);
      expect(await broken()).toEqual([]);
    },
  );

  test('not where it was paid, or is over', async () => {
    const { id } = await link();
    await pay(id);
    expect((await payAtClinic(id)).code()).not.toBeNull();
    expect(await appointments()).toMatchObject([{ state: 'booked', feeAtClinic: null }]);
    // Staff who still see the link do not cancel what has been paid.
    expect((await cancel(id)).code()).toBe('appointmentChanged');
    expect(await states()).toEqual(['booked']);
    (await cancel(id, { wantedBy: 'clinic' })).answer();
    expect((await payAtClinic(id)).code()).toBe('appointmentChanged');
    expect(await states()).toEqual(['cancelled']);
  });

  // Shows: R-98
  test('not one that lapsed before a sweeper came by: it is booked by nobody, and told as over', async () => {
    const { id } = await link();
    clinic.clock.advance(24 * HOUR);
    await signInAgain();
    expect((await payAtClinic(id)).code()).toBe('appointmentChanged');
    await sweep();
    expect([await states(), await mails()]).toEqual([['released'], [SENT, OVER]]);
  });

  // Shows: R-98
  test('also after a declined card, or with the page of the bank left open: nothing is charged', async () => {
    const { id } = await link();
    await declined(id);
    expect((await payAtClinic(id)).answer().extras).toMatchObject({ id, feeCents: 20_000 });
    (await cancel(id, { wantedBy: 'clinic' })).answer();
    const { id: other } = await link({ start: at('13:30') });
    const card = practiceCard('needsBank');
    const intent = intentOf(await pay(other, { start: at('13:30'), payment_method_id: card }));
    expect((await payAtClinic(other)).answer().extras).toMatchObject({ id: other });
    await clinic.gateway.decide(intent, true).catch(() => {});
    await sweep(60);
    expect(await states()).toEqual(['booked', 'cancelled']);
    expect(await paid()).toEqual(['cancelled', 'cancelled']);
    // Back from the bank, its patient is not told that the time could not be booked.
    const back = await charge(clinic, token, { payment_intent_id: intent });
    expect(back.answer).toMatchObject({ success: false, extras: { code: 'bookingChanged' } });
    expect(await mails()).not.toContain(OVER);
    expect(await broken()).toEqual([]);
  });

  // Shows: R-98
  test('not while a payment may have taken money: it is booked by that, or waited for', async () => {
    const { id } = await link();
    const intent = await atBank(id);
    const { gateway } = portsOf(clinic);
    const retrieve = gateway.retrieve.bind(gateway);
    const seen = vi.spyOn(gateway, 'retrieve');
    seen.mockRejectedValue(new GatewayUnreachable('No answer'));
    expect((await payAtClinic(id)).code()).toBe('paymentUnderWay');
    seen.mockImplementation(async (...of) => {
      const found = await retrieve(...of);
      return found && { ...found, status: 'processing' };
    });
    expect((await payAtClinic(id)).code()).toBe('paymentUnderWay');
    seen.mockRestore();
    expect([await states(), await paid()]).toEqual([['held'], ['requires_action']]);
    await clinic.gateway.decide(intent, true);
    expect((await payAtClinic(id)).code()).toBe('appointmentChanged');
    expect([await states(), await paid()]).toEqual([['booked'], ['captured']]);
    expect(await broken()).toEqual([]);
  });

  test('and keep what its patient has written', async () => {
    const written = async (reason: string) =>
      (await ask(clinic, 'saveDraft', { token, body: { draft: { reason } } })).answer();
    await hold('13:00', 'V');
    await written('A cough');
    const { id } = await link();
    expect((await myHold())?.draft).toEqual({ reason: 'A cough' });
    await written('A cough, and a fever');
    (await payAtClinic(id)).answer();
    const opened = await askDesk(clinic, 'deskOpenAppointment', {
      cookie,
      params: { id },
      body: { lookReason: 'patientCalled' },
    });
    expect(opened.answer().extras.reason).toBe('A cough, and a fever');
  });

  test('by cancelling it, also while its patient is at the bank: the payment is cancelled first, and nothing charged', async () => {
    const { id } = await link();
    const intent = await atBank(id);
    expect(await sheet()).toMatchObject([{ fee: 'underWay', state: 'held' }]);
    (await cancel(id)).answer();
    expect([await states(), await paid()]).toEqual([['released'], ['cancelled']]);
    await clinic.gateway.decide(intent, true).catch(() => {});
    await sweep(60);
    expect([await states(), await paid()]).toEqual([['released'], ['cancelled']]);
    expect(await mails()).toEqual([SENT, OVER]);
    expect(await broken()).toEqual([]);
  });
});

describe('A payment under way as the link ends (R-98, R-40)', () => {
  // Shows: R-98
  test('is waited for, and booked where the bank says so', async () => {
    const { id } = await link();
    clinic.clock.advance(24 * HOUR - 60);
    await signInAgain();
    const intent = await atBank(id);
    await sweep(10 * 60);
    expect(await states()).toEqual(['held']);
    await clinic.gateway.decide(intent, true);
    await sweep(60);
    await charge(clinic, token, { payment_intent_id: intent });
    expect(await states()).toEqual(['booked']);
    expect(await paid()).toEqual(['captured']);
    expect(await mails()).toEqual([SENT, BOOKED]);
    expect(await broken()).toEqual([]);
  });

  test('for 15 minutes: then the card is let go first, and the patient is told', async () => {
    const { id } = await link();
    clinic.clock.advance(24 * HOUR - 60);
    await signInAgain();
    await atBank(id);
    await sweep(16 * 60);
    await sweep(60);
    expect([await states(), await paid(), await steps()]).toEqual([['released'], ['cancelled'], 0]);
    expect(await mails()).toEqual([SENT, OVER]);
    expect(await broken()).toEqual([]);
  });

  test('a declined card leaves the time held, for another card', async () => {
    const { id } = await link();
    expect((await declined(id)).answer.success).toBe(false);
    await sweep(60);
    expect(await myHold()).toMatchObject({ id, byClinic: true, expiresAt: NOW + 24 * HOUR });
    expect((await pay(id)).answer.success).toBe(true);
    expect(await mails()).toEqual([SENT, BOOKED]);
  });
});
