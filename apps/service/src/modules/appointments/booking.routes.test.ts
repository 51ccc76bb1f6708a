import { randomUUID } from 'node:crypto';

import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { CallAnswer, CallId } from '@clinic/contract';
import { keyOfHold, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, aPatientRow, aPayment } from '../../../testing/a-clinic.ts';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { ask } from '../../../testing/ask.ts';
import type { AskOptions } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { appointmentType } from '../../schema.ts';
import { appointment } from './schema.ts';
import { type Emr, EmrRefused } from '../records/emr.ts';
import { appointments } from './store.ts';
import { expireHolds } from './holds.ts';
import { emrBook } from '../emr/index.ts';

let clinic: TestApp;
let token: string;
let rival: string;

beforeEach(() => open());
async function open(emr: Emr | null = null) {
  clinic = await testApp({ emr });
  await aClinic(clinic.database, {
    providers: [
      { id: '101' },
      { id: '103', policy: { familyOnly: true } },
      { id: '104', policy: { noPcp: true } },
      { id: '107', policy: { hidden: true } },
      { id: '108', policy: { disabled: true, comment: 'Away' } },
      { id: '109', status: '0' },
      { id: '106', firstName: 'Jordan NP' },
    ],
  });
  token = await newPatient();
  rival = await newPatient();
}
afterEach(() => clinic.close());

const newPatient = async (over: Parameters<typeof aPatientRow>[1] = {}) =>
  signIn(clinic, { id: await aPatientRow(clinic.database, over) });

/** Moves the clock to an instant, where the patients' sessions start again. */
async function signedInAt(now: number) {
  clinic.clock.set(now);
  [token, rival] = (await Promise.all([token, rival].map(signInAgain))) as [string, string];
}

async function signInAgain(old: string): Promise<string> {
  const found = await clinic.platform.sessions.find(old, NOW);
  if (found.kind === 'none') throw new Error('No session');
  return signIn(clinic, found.patient);
}

const at = (time: string, date = '2026-11-23') => toInstant(date, time);
const slotAt = (start: number, over = {}) => ({
  start,
  end: start + 300,
  doctor: '101',
  selectedType: 'O' as const,
  ...over,
});
const eight = slotAt(at('08:00'));

/** The status beside the answer's fields; a refusal's are matched by what a test expects of them. */
async function say<Id extends Exclude<CallId, 'listDoctors' | 'listPharmacies'>>(
  id: Id,
  options: AskOptions = {},
) {
  const response = await ask(clinic, id, { token, ...options });
  return { status: response.statusCode, ...response.json<CallAnswer<Id>>() };
}
const hold = (slot: object = eight, options: object = {}) =>
  say('placeHold', { body: slot, ...options });
const create = (slot: object = eight, over: object = {}, options: object = {}) =>
  say('createBooking', { body: { ...slot, reason: 'A cough', ...over }, ...options });
const heldNow = async (as = token) => (await say('readHold', { token: as })).extras.hold;
const myAppointments = async (as = token) =>
  (await say('listAppointments', { token: as })).appointments;
const refusedAs = (status: number, code: string) => ({ status, extras: { code } });

describe('holding a slot (R-30)', () => {
  // Shows: R-30
  test('keeps it for ten minutes and shows until when', async () => {
    expect(await hold()).toMatchObject({
      status: 200,
      extras: { hold: { doctor: '101', start: eight.start, expiresAt: NOW + 600, draft: null } },
    });
    expect(await hold(eight, { token: rival })).toMatchObject(refusedAs(409, 'slotTaken'));
  });

  test('asked for again is renewed, thirty minutes in total at most', async () => {
    await hold();
    clinic.clock.advance(300);
    expect((await hold()).extras.hold.expiresAt).toBe(NOW + 900);
  });

  test('on entering payment is fifteen minutes from then', async () => {
    await hold();
    clinic.clock.advance(300);
    const paying = await hold({ ...eight, forPayment: true });
    expect(paying.extras.hold.expiresAt).toBe(NOW + 1200);
  });

  // Shows: R-30
  test('is answered as it is read afterwards, with the answers that it has by then', async () => {
    expect((await hold()).extras.hold).toEqual(await heldNow());
    const kept = await say('saveDraft', { body: { draft: { reason: 'A cough' } } });
    expect(kept.status).toBe(200);
    const renewed = (await hold()).extras.hold;
    expect(renewed).toEqual(await heldNow());
    expect(renewed.draft).toEqual({ reason: 'A cough' });
    expect((await hold(slotAt(at('08:05')))).extras.hold).toEqual(await heldNow());
  });

  // Shows: R-30
  test('of another slot gives the first one back', async () => {
    await hold();
    await hold(slotAt(at('08:05')));
    expect(await heldNow()).toMatchObject({ start: at('08:05') });
    expect(await hold(eight, { token: rival })).toMatchObject({ status: 200 });
  });

  test('that lapsed does not stand in the way, swept or not', async () => {
    await hold();
    clinic.clock.advance(600);
    expect(await heldNow()).toBeNull();
    expect(await hold(eight, { token: rival })).toMatchObject({ status: 200 });
    expect(await create()).toMatchObject(refusedAs(409, 'slotTaken'));
  });

  // Shows: R-30
  test('is released, and releasing it again is harmless', async () => {
    await hold();
    expect(await say('releaseHold')).toMatchObject({ status: 200, success: true });
    expect(await say('releaseHold')).toMatchObject({ status: 200, success: true });
    expect(await hold(eight, { token: rival })).toMatchObject({ status: 200 });
  });

  // Shows: R-95
  test.each([
    ['08:00', '08:05'],
    ['08:05', '08:00'],
  ])(
    'is released by its own key, and by no key of an earlier one (R-95): at %s, then at %s',
    async (...times) => {
      const keyOf = async (time: string) =>
        keyOfHold((await hold(slotAt(at(time)))).extras.hold.id);
      const release = (key: string) => say('releaseHold', { headers: { 'idempotency-key': key } });
      const first = await keyOf(times[0]);
      await say('releaseHold');
      const second = await keyOf(times[1]);
      expect(await release(first)).toMatchObject({ status: 200, success: true });
      expect(await heldNow()).toMatchObject({ start: at(times[1]) });
      expect(await release(second)).toMatchObject({ status: 200, success: true });
      expect(await heldNow()).toBeNull();
    },
  );

  // Shows: R-30
  test('keeps the draft, which only its holder reads', async () => {
    const draft = { reason: 'A cough that stays' };
    expect(await say('saveDraft', { body: { draft } })).toMatchObject(refusedAs(409, 'holdGone'));
    await hold();
    expect(await say('saveDraft', { body: { draft } })).toMatchObject({ status: 200 });
    expect((await heldNow())?.draft).toEqual(draft);
    expect(await heldNow(rival)).toBeNull();
  });

  // Shows: R-30
  test('keeps no draft of another hold', async () => {
    const first = keyOfHold((await hold()).extras.hold.id);
    await hold(slotAt(at('08:05')));
    const draft = { reason: 'A cough that stays' };
    const headers = { 'idempotency-key': first };
    const refused = await say('saveDraft', { headers, body: { draft } });
    expect(refused).toMatchObject(refusedAs(409, 'holdGone'));
    expect(await heldNow()).toMatchObject({ start: at('08:05'), draft: null });
  });

  // Shows: R-5
  test('is booked to others on the schedule and free to its holder (R-5)', async () => {
    await hold();
    const query = { from: '2026-11-23', to: '2026-11-23', id: '101' };
    const bookedFor = async (as: string) =>
      (await say('doctorSchedule', { query, token: as })).extras[0]?.providers[0]?.booked;
    expect(await bookedFor(token)).toEqual([]);
    expect(await bookedFor(rival)).toEqual([{ doctor: '101', start: eight.start }]);
    clinic.clock.advance(600);
    expect(await bookedFor(rival)).toEqual([]);
  });
});

describe('booking an appointment without a fee', () => {
  // Shows: 7.schedule.1, R-84
  test('from a hold, it stands in the list and an email goes out', async () => {
    await hold();
    const booked = await create();
    expect(booked).toMatchObject({
      status: 200,
      extras: {
        code: 'booked',
        message: 'Your appointment is booked.',
        appointment: { startTime: eight.start, code: 'O', status: 'booked', isEditable: true },
      },
    });
    expect(await heldNow()).toBeNull();
    expect(await myAppointments()).toEqual([booked.extras.appointment]);
    expect(await clinic.mails()).toHaveLength(1);
    expect(JSON.stringify(clinic.mail.sent)).not.toContain('cough');
  });

  // Shows: 7.schedule.1, R-30
  test('works for a client that never holds', async () => {
    expect(await create()).toMatchObject({ status: 200 });
    expect(await create(eight, {}, { token: rival })).toMatchObject(refusedAs(409, 'slotTaken'));
  });

  test('gives up a hold on another slot', async () => {
    await hold();
    expect(await create(slotAt(at('08:05')))).toMatchObject({ status: 200 });
    expect(await hold(eight, { token: rival })).toMatchObject({ status: 200 });
  });

  test('keeps the hold on another slot when this one is taken', async () => {
    await hold();
    await create(slotAt(at('08:05')), {}, { token: rival });
    expect(await create(slotAt(at('08:05')))).toMatchObject(refusedAs(409, 'slotTaken'));
    expect(await heldNow()).toMatchObject({ start: eight.start });
  });

  test('a double click gives the same booking, once', async () => {
    const [one, other] = await Promise.all([create(), create()]);
    expect(one).toEqual(other);
    expect(await myAppointments()).toHaveLength(1);
  });

  test('a key that was used for another appointment is refused', async () => {
    const headers = { 'idempotency-key': 'click-0001' };
    const first = await create(eight, {}, { headers });
    expect(await create(eight, {}, { headers })).toEqual(first);
    const other = slotAt(at('08:05', '2026-11-24'));
    expect(await create(other, {}, { headers })).toMatchObject(refusedAs(409, 'requestReused'));
  });

  describe('whose answer was lost (R-95)', () => {
    const keyOf = (answer: Awaited<ReturnType<typeof hold>>) => ({
      'idempotency-key': keyOfHold(answer.extras.hold.id),
    });
    const became = async (headers: Record<string, string>, as = token) =>
      (await say('readHold', { token: as, headers })).extras.made;
    const later = slotAt(at('08:05', '2026-11-24'));

    test('is found by its key, by nobody else and under no other key', async () => {
      const headers = keyOf(await hold());
      expect(await became(headers)).toBeNull();
      const booked = await create(eight, {}, { headers });
      const { code, appointment } = booked.extras;
      expect(await became(headers)).toEqual({ code, appointment });
      expect(await became(headers, rival)).toBeNull();
      expect(await became({ 'idempotency-key': keyOfHold(randomUUID()) })).toBeNull();
    });

    test('is found though another key of its hold was sent', async () => {
      const headers = keyOf(await hold());
      const booked = await create(
        eight,
        {},
        { headers: { 'idempotency-key': 'of-an-older-hold' } },
      );
      expect(await create(eight, {}, { headers })).toEqual(booked);
      expect((await became(headers))?.appointment).toEqual(booked.extras.appointment);
    });

    test('is found cancelled when it was cancelled meanwhile', async () => {
      const headers = keyOf(await hold());
      const { appointment } = (await create(eight, {}, { headers })).extras;
      await say('cancelAppointment', { params: { id: appointment.id } });
      expect((await became(headers))?.appointment.status).toBe('cancelled');
    });

    test('books nothing when it comes after the patient gave its hold up', async () => {
      const headers = keyOf(await hold());
      await say('releaseHold');
      expect(await create(eight, {}, { headers })).toMatchObject(refusedAs(409, 'holdGone'));
      expect(await myAppointments()).toEqual([]);
    });

    // Shows: R-95
    test('books nothing when it comes after the patient has booked another time instead', async () => {
      const headers = keyOf(await hold());
      const instead = keyOf(await hold(later));
      expect(await create(eight, {}, { headers })).toMatchObject(refusedAs(409, 'holdGone'));
      expect(await create(later, {}, { headers: instead })).toMatchObject({ status: 200 });
      expect(await create(eight, {}, { headers })).toMatchObject(refusedAs(409, 'holdGone'));
      expect(await myAppointments()).toMatchObject([{ startTime: later.start }]);
    });

    test('may still book the time of a hold that only lapsed, swept or not', async () => {
      const headers = keyOf(await hold());
      clinic.clock.advance(600);
      await expireHolds({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
      expect(await create(eight, {}, { headers })).toMatchObject({ status: 200 });
    });

    // Shows: R-95
    test('books nothing once the patient gave up the hold, though it had lapsed by then', async () => {
      const headers = keyOf(await hold());
      clinic.clock.advance(600);
      await expireHolds({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
      await say('releaseHold', { headers });
      await say('releaseHold', { headers });
      const instead = keyOf(await hold(later));
      expect(await create(later, {}, { headers: instead })).toMatchObject({ status: 200 });
      expect(await create(eight, {}, { headers })).toMatchObject(refusedAs(409, 'holdGone'));
      expect(await myAppointments()).toMatchObject([{ startTime: later.start }]);
      const trail = await clinic.trail();
      expect(trail.filter(({ action }) => action === 'hold released')).toHaveLength(1);
    });

    test('books the time that the patient has taken in hand again', async () => {
      const headers = keyOf(await hold());
      await say('releaseHold');
      await hold();
      expect(await create(eight, {}, { headers })).toMatchObject({ status: 200 });
    });
  });

  // Shows: R-12
  test('a hold decides the thirty minutes, booking without one decides them again (R-12)', async () => {
    const soon = slotAt(at('08:05'));
    await signedInAt(at('07:29'));
    await hold(soon);
    clinic.clock.set(at('07:36'));
    expect(await create(soon)).toMatchObject({ status: 200 });
    expect(await create(slotAt(at('08:00')), {}, { token: rival })).toMatchObject(
      refusedAs(409, 'slotTooSoon'),
    );
  });

  // Shows: 4.payment.3, R-8
  test('what a client may not decide is ignored, and audited where it differs (R-8)', async () => {
    await create(eight, { stripePaymentToken: 'tok_1', previousTicklers: ['t9'] });
    const [appointment] = await myAppointments();
    expect(appointment).toMatchObject({ ticklers: [], stripePaymentToken: null, paidAmount: 0 });
    const trail = await clinic.trail();
    expect(trail.find(({ action }) => action === 'appointment booked')?.details).toMatchObject({
      ignored: ['previousTicklers', 'stripePaymentToken'],
    });
  });

  test('a time that is not offered stands in the audit by who asked for it', async () => {
    const askew = { ...eight, start: eight.start + 60, end: eight.end + 60 };
    expect(await say('placeHold', { body: askew })).toMatchObject({ status: 409 });
    const trail = await clinic.trail();
    expect(trail.find(({ action }) => action === 'hold refused')?.actor).toMatch(
      /^patient:[0-9a-f]/,
    );
  });

  // Shows: S-8, S-14
  test('the audit names nobody and says no reason', async () => {
    await create();
    const trail = JSON.stringify(await clinic.trail());
    expect(trail).not.toMatch(/cough|Harper|@/);
  });
});

describe('what is refused', () => {
  test.each([
    // Shows: R-16
    ['a start off the grid', { start: at('08:01'), end: at('08:06') }, 409, 'slotNotOffered'],
    ['an hour in which the doctor gives another type', slotAt(at('09:00')), 409, 'slotNotOffered'],
    ['a time without work', slotAt(at('12:30')), 409, 'slotNotOffered'],
    ['an unknown doctor', { doctor: '999' }, 409, 'doctorNotAvailable'],
    // Shows: R-22
    ['a hidden doctor', { doctor: '107' }, 409, 'doctorNotAvailable'],
    ['a disabled doctor', { doctor: '108' }, 409, 'doctorNotAvailable'],
    // Shows: R-22
    ['an inactive doctor', { doctor: '109' }, 409, 'doctorNotAvailable'],
    // Shows: 6.restrictions.1
    ['a family-only doctor without an own one', { doctor: '103' }, 409, 'doctorFamilyOnly'],
    ['a medication refill', { selectedType: 'F' }, 422, 'typeNotOffered'],
    [
      'a nurse practitioner for V',
      slotAt(at('13:00'), { doctor: '106', selectedType: 'V' }),
      409,
      'slotNotOffered',
    ],
    [
      'an instant in the year 9999',
      { start: 253402300500, end: 253402300799 },
      409,
      'slotNotOffered',
    ],
    ['the distant past', { start: 0, end: 300 }, 409, 'slotNotOffered'],
  ])('%s', async (_what, over, status, code) => {
    expect(await hold({ ...eight, ...over })).toMatchObject(refusedAs(status, code));
    expect(await create({ ...eight, ...over })).toMatchObject(refusedAs(status, code));
  });

  // Shows: R-12
  test('exactly thirty minutes ahead is too soon (R-12)', async () => {
    await signedInAt(at('07:30') - 1);
    expect(await hold()).toMatchObject({ status: 200 });
    await say('releaseHold');
    clinic.clock.advance(1);
    expect(await hold()).toMatchObject(refusedAs(409, 'slotTooSoon'));
  });

  // Shows: 6.restrictions.1
  test('a patient with a family doctor at a no-PCP doctor', async () => {
    const fran = await newPatient({ familyDoctor: true });
    const slot = { ...eight, doctor: '104' };
    expect(await hold(slot, { token: fran })).toMatchObject(refusedAs(409, 'doctorNoPcp'));
    expect(await hold(slot)).toMatchObject({ status: 200 });
  });

  // Shows: 6.restrictions.1
  test('a doctor who does not see this patient', async () => {
    const casey = await newPatient({ blockedProviders: ['101'] });
    expect(await create(eight, {}, { token: casey })).toMatchObject(
      refusedAs(409, 'doctorNotAvailable'),
    );
  });

  // Shows: R-23
  test('a family-only doctor while the records cannot say who the own one is (R-23)', async () => {
    await clinic.close();
    const emr = fakeEmr();
    await open(emr);
    emr.faults.offline = true;
    const slot = { ...eight, doctor: '103' };
    expect(await hold(slot)).toMatchObject(refusedAs(503, 'primaryDoctorUnknown'));
    expect(await create(slot)).toMatchObject(refusedAs(503, 'primaryDoctorUnknown'));
    expect(await hold()).toMatchObject({ status: 200 });
    emr.faults.offline = false;
    expect(await hold(slot)).toMatchObject(refusedAs(409, 'doctorFamilyOnly'));
  });

  // Shows: R-39
  test('a patient of whom the EMR has no record yet: the time stays held until there is one', async () => {
    await clinic.close();
    const emr = fakeEmr({ days: null });
    await open(emr);
    const missing = refusedAs(422, 'recordMissing');
    emr.faults.booksOnlyRecords = true;
    expect(await create()).toMatchObject({
      status: 422,
      extras: {
        message:
          'The clinic has no record of you yet, so nothing was booked or charged. Please answer the question about your family doctor, then book again.',
      },
    });
    expect(await heldNow()).toMatchObject({ start: eight.start });
    expect(await create()).toMatchObject(missing);
    emr.faults.booksOnlyRecords = false;
    const made = await create();
    expect(made).toMatchObject({ status: 200 });
    emr.faults.booksOnlyRecords = true;
    const { appointment: old } = made.extras;
    const moved = { isReschedule: true, rescheduleOf: old.id };
    const next = slotAt(at('08:00', '2026-11-25'));
    expect(await create(next, moved)).toMatchObject(missing);
    expect((await myAppointments()).map(({ id, status }) => [id, status])).toEqual([
      [old.id, 'booked'],
    ]);
  });

  test('what the EMR refuses is not told as an EMR that cannot be reached', async () => {
    await clinic.close();
    const refuses = () => Promise.reject(new EmrRefused('No role'));
    await open({ ...fakeEmr({ days: null }), book: refuses });
    expect(await create()).toMatchObject(refusedAs(503, 'clinicRefuses'));
  });

  // Shows: 5.choose-type.2, 6.restrictions.1, R-60
  test('a patient who is blocked from booking, in the words of §5', async () => {
    const bo = await newPatient({ bookingBlocked: true });
    expect(await create(eight, {}, { token: bo })).toMatchObject({
      status: 403,
      extras: {
        message:
          'You are blocked from booking an appointment using this service. If you wish to see a doctor, please come in person to the medical clinic.',
      },
    });
  });

  // Shows: 6.restrictions.1
  test('a type that the patient may not book', async () => {
    const dee = await newPatient({ disabledTypes: ['O'] });
    expect(await create(eight, {}, { token: dee })).toMatchObject(refusedAs(422, 'typeNotOffered'));
  });

  // Shows: 6.eligibility.3, R-32, S-2
  test('an appointment with a fee is not booked without payment (R-32)', async () => {
    const slot = slotAt(at('13:00'), { selectedType: 'V' });
    expect(await create(slot)).toMatchObject(refusedAs(402, 'paymentRequired'));
    const nora = await newPatient({ eligibility: 'NR' });
    expect(await create(eight, {}, { token: nora })).toMatchObject(
      refusedAs(402, 'paymentRequired'),
    );
  });

  test('a reason that is too short, with the words beside its field', async () => {
    expect(await create(eight, { reason: ' a ' })).toMatchObject({
      status: 422,
      errors: [
        { field: 'reason', message: 'The minimum length of the reason for your appointment is 2' },
      ],
    });
  });

  test('fields that nobody knows', async () => {
    expect(await create(eight, { amount: 1 })).toMatchObject({
      status: 422,
      errors: [{ field: 'amount' }],
    });
  });
});

describe('limits (R-54)', () => {
  // Shows: 5.limits.1, R-54
  test('one appointment each day, in the words of §5', async () => {
    await create();
    expect(await create(slotAt(at('08:05')))).toMatchObject({
      status: 409,
      extras: { message: 'You can only book one appointment each day' },
    });
    expect(await hold(slotAt(at('08:05')))).toMatchObject(refusedAs(409, 'oneEachDay'));
  });

  // Shows: 5.limits.2
  test('two upcoming appointments at most, in the words of §5', async () => {
    await create();
    await create(slotAt(at('08:00', '2026-11-24')));
    expect(await create(slotAt(at('08:00', '2026-11-25')))).toMatchObject({
      status: 409,
      extras: { message: 'You can only book maximum of two upcomming appointments' },
    });
  });
});

describe("a refusal because of the patient's own appointments names them", () => {
  const on = (date: string) => slotAt(at('08:00', date));
  const idOf = async (booking: ReturnType<typeof create>) => (await booking).extras.appointment.id;
  const named = (...appointments: string[]) => ({ status: 409, extras: { appointments } });

  test('one of that day', async () => {
    const mine = await idOf(create());
    await create(on('2026-11-24'));
    expect(await hold(slotAt(at('08:05')))).toMatchObject(named(mine));
    expect(await create(slotAt(at('08:05')))).toMatchObject(named(mine));
  });

  test('both of two', async () => {
    const mine = [await idOf(create()), await idOf(create(on('2026-11-24')))] as const;
    expect(await hold(on('2026-11-25'))).toMatchObject(named(...mine));
    expect(await create(on('2026-11-25'))).toMatchObject(named(...mine));
  });

  test('the one that has the time to which another is to move, and nobody else is blamed', async () => {
    const mine = await idOf(create());
    const another = await idOf(create(on('2026-11-24')));
    const message = 'You have already booked this time: see My Appointments.';
    const moving = { isReschedule: true, rescheduleOf: another };
    for (const refused of [
      await hold({ ...eight, rescheduleOf: another }),
      await create(eight, moving, { headers: { 'idempotency-key': 'key-of-the-move' } }),
    ]) {
      expect(refused).toMatchObject({
        status: 409,
        extras: { code: 'slotTaken', message, appointments: [mine] },
      });
    }
  });

  test("somebody else's appointment is never named", async () => {
    await create(eight, {}, { token: rival });
    const refused = await hold();
    expect(refused).toMatchObject(refusedAs(409, 'slotTaken'));
    expect(refused.extras).not.toHaveProperty('appointments');
  });

  test('one that begins as the time ends is not named', async () => {
    await create(eight, {}, { token: rival });
    await create(slotAt(at('08:05')));
    const another = await idOf(create(on('2026-11-24')));
    const refused = await hold({ ...eight, rescheduleOf: another });
    expect(refused).toMatchObject(refusedAs(409, 'slotTaken'));
    expect(refused.extras).not.toHaveProperty('appointments');
  });
});

describe('the key of a hold that another device has used', () => {
  const made = async (key: string) =>
    (await say('readHold', { headers: { 'idempotency-key': key } })).extras;
  const held = async () => (await hold()).extras.hold.id;

  test('says what was booked with it, what moved, and what was cancelled since', async () => {
    const id = await held();
    const key = keyOfHold(id);
    await create(eight, {}, { headers: { 'idempotency-key': key } });
    expect(await made(key)).toMatchObject({
      hold: null,
      made: { code: 'booked', appointment: { id, status: 'booked' } },
    });

    const next = slotAt(at('08:00', '2026-11-24'));
    const moving = (await hold({ ...next, rescheduleOf: id })).extras.hold;
    const keyOfMove = keyOfHold(moving.id);
    const body = { isReschedule: true, rescheduleOf: id };
    await create(next, body, { headers: { 'idempotency-key': keyOfMove } });
    const movedTo = { id: moving.id, startTime: next.start };
    expect((await made(key)).made?.appointment).toMatchObject({ id, status: 'cancelled', movedTo });
    expect(await myAppointments()).toMatchObject([{ id, movedTo }, { id: moving.id }]);
    expect(await made(keyOfMove)).toMatchObject({
      hold: null,
      made: { code: 'rescheduled', appointment: { id: moving.id, status: 'booked' } },
    });

    await say('cancelAppointment', { params: { id: moving.id } });
    const cancelled = (await made(keyOfMove)).made?.appointment;
    expect(cancelled).toMatchObject({ status: 'cancelled', endedAt: clinic.clock.now() });
    expect(cancelled?.movedTo).toBeUndefined();
  });

  test('says so too where the hold had lapsed before it was booked', async () => {
    const key = keyOfHold(await held());
    await signedInAt(clinic.clock.now() + 601);
    await expireHolds({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
    await create(eight, {}, { headers: { 'idempotency-key': key } });
    expect(await made(key)).toMatchObject({ hold: null, made: { code: 'booked' } });
  });

  test('made nothing when the other device chose another time instead', async () => {
    const key = keyOfHold(await held());
    const other = slotAt(at('08:05'));
    const { id } = (await hold(other)).extras.hold;
    await create(other, {}, { headers: { 'idempotency-key': keyOfHold(id) } });
    expect(await made(key)).toMatchObject({ hold: null, made: null });
    expect(await hold()).toMatchObject({ status: 409, extras: { appointments: [id] } });
  });
});

describe('rescheduling (R-50)', () => {
  const tomorrow = slotAt(at('08:00', '2026-11-24'));
  const move = (over: object, slot: object = tomorrow) =>
    create(slot, { isReschedule: true, ...over });

  // Shows: 1.can.3, 4.reschedule.2, 6.patient.1, R-50, R-84
  test('moves the appointment: the old one ends, the new one keeps its number', async () => {
    const { appointment } = (await create()).extras;
    const moved = await move({ rescheduleOf: appointment.id });
    expect(moved).toMatchObject({
      status: 200,
      extras: { code: 'rescheduled', appointment: { bookingId: appointment.bookingId } },
    });
    expect((await myAppointments()).map(({ status }) => status)).toEqual(['cancelled', 'booked']);
    expect(await create(eight, {}, { token: rival })).toMatchObject({ status: 200 });
    expect((await clinic.mails()).map(({ subject }) => subject)).toContain(
      'Your appointment is rescheduled - Test Clinic',
    );
  });

  // Shows: R-84
  test('gives each email of an appointment the number of its own change (R-84)', async () => {
    const drain = () => clinic.platform.outbox.drain();
    const { appointment } = (await create()).extras;
    await drain();
    const moved = (await move({ rescheduleOf: appointment.id })).extras.appointment;
    await drain();
    const again = slotAt(at('08:10', '2026-11-24'));
    const last = (await move({ rescheduleOf: moved.id }, again)).extras.appointment;
    await drain();
    await ask(clinic, 'cancelAppointment', { token, params: { id: last.id } });
    await drain();
    const files = clinic.mail.sent.map(({ key, calendar }) => [
      key,
      /SEQUENCE:(\d+)/.exec(calendar?.content ?? '')?.[1],
    ]);
    expect(Object.fromEntries(files)).toEqual({
      [`appointment:booked:${appointment.id}:0`]: '0',
      [`appointment:rescheduled:${moved.id}:1`]: '1',
      [`appointment:rescheduled:${last.id}:2`]: '2',
      [`appointment:cancelled:${last.id}:3`]: '3',
    });
    const named = new Set(
      clinic.mail.sent.map(({ calendar }) => /UID:.*/.exec(calendar?.content ?? '')?.[0]),
    );
    expect(named.size).toBe(1);
  });

  // Shows: R-50
  test('without an id means the only appointment of that type', async () => {
    expect(await move({})).toMatchObject(refusedAs(422, 'rescheduleUnclear'));
    await create();
    expect(await move({})).toMatchObject({ status: 200 });
  });

  test('a lost answer asked for again gives the same move', async () => {
    const { appointment } = (await create()).extras;
    const moved = await move({ rescheduleOf: appointment.id });
    expect(await move({ rescheduleOf: appointment.id })).toEqual(moved);
  });

  // Shows: S-2
  test("another patient's appointment and an unknown one are not found alike (R-7)", async () => {
    const { appointment } = (await create(eight, {}, { token: rival })).extras;
    const foreign = await move({ rescheduleOf: appointment.id });
    const unknown = await move({ rescheduleOf: '6b0f2f0e-2f2b-4c53-8f1c-0d7a3d5b9a11' });
    expect(foreign).toMatchObject(refusedAs(404, 'notFound'));
    expect(unknown).toEqual(foreign);
    expect(await move({ rescheduleOf: 'x' })).toEqual(foreign);
    expect(await myAppointments(rival)).toMatchObject([{ status: 'booked' }]);
  });

  // Shows: R-50
  test('to a slot that is taken leaves the old appointment as it was', async () => {
    const { appointment } = (await create()).extras;
    await create(tomorrow, {}, { token: rival });
    expect(await move({ rescheduleOf: appointment.id })).toMatchObject(refusedAs(409, 'slotTaken'));
    expect(await myAppointments()).toEqual([appointment]);
  });

  // Shows: R-50
  test('is refused 24 hours ahead or less, unless a hold for it was made before', async () => {
    const { appointment } = (await create()).extras;
    await signedInAt(at('07:59', '2026-11-22'));
    const held = await hold({ ...tomorrow, rescheduleOf: appointment.id });
    expect(held).toMatchObject({ extras: { hold: { rescheduleOf: appointment.id } } });
    clinic.clock.set(at('08:01', '2026-11-22'));
    const other = slotAt(at('08:05', '2026-11-24'));
    expect(await hold({ ...other, rescheduleOf: appointment.id })).toMatchObject(
      refusedAs(409, 'notReschedulable'),
    );
    expect(await move({ rescheduleOf: appointment.id })).toMatchObject({ status: 200 });
  });

  // Shows: R-50
  test('brings what was answered along, until other answers are kept', async () => {
    const { appointment } = (await create()).extras;
    const held = await hold({ ...tomorrow, rescheduleOf: appointment.id });
    expect(held.extras.hold.draft).toEqual({ reason: 'A cough' });
    const draft = { reason: 'A cough that stays' };
    await say('saveDraft', { body: { draft } });
    expect((await heldNow())?.draft).toEqual(draft);
  });

  // Shows: R-50
  test('to another type is refused', async () => {
    const { appointment } = (await create()).extras;
    const phone = slotAt(at('09:00', '2026-11-24'), { selectedType: 'P' });
    expect(await move({ rescheduleOf: appointment.id }, phone)).toMatchObject(
      refusedAs(409, 'notReschedulable'),
    );
  });

  // Shows: 5.limits.3
  test('is not held against the limits (§5 Booking limits)', async () => {
    const { appointment } = (await create()).extras;
    await create(slotAt(at('08:00', '2026-11-25')));
    const sameDay = slotAt(at('08:05', '2026-11-25'));
    expect(await hold({ ...sameDay, rescheduleOf: appointment.id })).toMatchObject({ status: 200 });
    expect(await move({ rescheduleOf: appointment.id }, sameDay)).toMatchObject({ status: 200 });
  });

  // Shows: R-50
  test('takes along what was paid and the ticklers, and asks for no fee', async () => {
    const booked = (await create()).extras.appointment;
    const [row] = await clinic.database.inTransaction((tx) =>
      tx
        .update(appointment)
        .set({ ticklers: ['t1'] })
        .returning(),
    );
    const { patientId = null } = row ?? {};
    if (patientId === null) throw new Error('Nothing was booked');
    await aPayment(clinic.database, { patientId, appointmentId: booked.id, amountCents: 7_500 });
    await move({ rescheduleOf: booked.id });
    expect(await myAppointments()).toMatchObject([
      { paidAmount: 0, ticklers: [], status: 'cancelled' },
      { paidAmount: 75, ticklers: ['t1'], status: 'booked' },
    ]);
  });
});

describe('how often one patient may (S-5)', () => {
  const appointments = () => clinic.database.db.select().from(appointment);
  /** An hour has 12 slots. */
  const nth = (at: number) => slotAt(eight.start + (at % 12) * 300);
  const ask429 = async (id: CallId, body: object) => {
    const refused = await ask(clinic, id, { token, body });
    return { status: refused.statusCode, retryAfter: refused.headers['retry-after'] };
  };

  // Shows: S-5
  test('hold another slot sixty times in fifteen minutes; the hold in hand is renewed all the same', async () => {
    for (let at = 0; at < 60; at++) expect((await hold(nth(at))).status).toBe(200);
    const before = [await appointments(), (await clinic.trail()).length];
    clinic.clock.advance(60);
    expect(await ask429('placeHold', nth(60))).toEqual({ status: 429, retryAfter: '840' });
    expect([await appointments(), (await clinic.trail()).length]).toEqual(before);
    expect((await hold(nth(59))).status).toBe(200);
    expect((await hold(nth(0), { token: rival })).status).toBe(200);
    clinic.clock.advance(840);
    expect((await hold(nth(60))).status).toBe(200);
    // What was only held counts as no booking.
    expect((await create(nth(60))).status).toBe(200);
  });

  // Shows: S-5
  test('book ten times in an hour, a repeated request aside: no mail is sent in vain', async () => {
    let booked = 0;
    for (let at = 0; at < 60; at++) {
      const { status, extras } = await create(nth(at));
      if (status !== 200) continue;
      booked++;
      await clinic.platform.outbox.drain();
      await say('cancelAppointment', { params: { id: extras.appointment.id } });
      await clinic.platform.outbox.drain();
    }
    expect(booked).toBe(10);
    expect(clinic.mail.sent).toHaveLength(20);
    const body = { ...nth(60), reason: 'A cough' };
    expect(await ask429('createBooking', body)).toEqual({ status: 429, retryAfter: '3600' });
    await signedInAt(NOW + 3600);
    expect(await create(nth(60))).toMatchObject({ status: 200 });
  });

  test('ask again for what was booked, when no more may be booked', async () => {
    const headers = { 'idempotency-key': 'the-same-request' };
    const first = await create(eight, {}, { headers });
    const row = (await appointments())[0];
    if (row === undefined) throw new Error('Nothing was booked');
    const ended = { state: 'cancelled', requestKey: null };
    const others = Array.from({ length: 9 }, () => ({ ...row, ...ended, id: crypto.randomUUID() }));
    await clinic.database.inTransaction((tx) => tx.insert(appointment).values(others));
    expect((await create(nth(1))).status).toBe(429);
    expect(await create(eight, {}, { headers })).toEqual(first);
  });

  // Shows
  test('ask again for what was booked, when its type is taken back', async () => {
    const headers = { 'idempotency-key': 'the-same-request' };
    const first = await create(eight, {}, { headers });
    await clinic.database.inTransaction((tx) =>
      tx.update(appointmentType).set({ active: false }).where(eq(appointmentType.code, 'O')),
    );
    expect(await create(nth(1), {}, { token: rival })).toMatchObject(
      refusedAs(422, 'typeNotOffered'),
    );
    // It stands, and can no longer be moved: no other time of the type is booked.
    const { appointment: made } = first.extras;
    const appointmentNow = { ...made, isReschedulable: false };
    expect(await create(eight, {}, { headers })).toEqual({
      ...first,
      extras: { ...first.extras, appointment: appointmentNow },
    });
  });

  // Shows: S-5
  test('keep what is typed once a second, 120 times in a row; what was kept last stays', async () => {
    await hold();
    const keep = (reason: string) => ask429('saveDraft', { draft: { reason } });
    for (let at = 0; at < 120; at++) expect((await keep(`${at} words`)).status).toBe(200);
    expect(await keep('too many words')).toEqual({ status: 429, retryAfter: '1' });
    expect((await heldNow())?.draft).toEqual({ reason: '119 words' });
    clinic.clock.advance(1);
    expect((await keep('the last words')).status).toBe(200);
    expect((await heldNow())?.draft).toEqual({ reason: 'the last words' });
  });
});
