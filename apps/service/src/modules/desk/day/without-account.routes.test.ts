import { currentAgreement } from '@clinic/contract/agreements';
import { startOfDay, toInstant } from '@clinic/domain';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskSession, mailsOfActs } from '../../../../testing/desk.ts';
import {
  type TestApp,
  PASSWORD,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../../../testing/index.ts';
import { violations } from '../../../database/invariants.store.ts';
import { appointment, emrRecord } from '../../../schema.ts';
import { appointments } from '../../appointments/index.ts';
import { emrBook, resolveUnknown, syncFromEmr } from '../../emr/index.ts';
import { workOnClosing } from '../../closings/index.ts';
import type { ProviderId } from '../../records/emr.ts';

const MONDAY = '2026-11-23';
const CARD = validBcNumber(88_000);
let clinic: TestApp;
let cookie: string;
let staffId: string;
/** The number of Ola's record, who has no account. */
let ola: string;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  const robin = await aStaffMember(clinic, 'receptionist');
  staffId = robin.id;
  cookie = await deskSession(clinic, robin);
  ola = await aRecord();
});
afterEach(() => clinic.close());

async function aRecord(over: object = {}): Promise<string> {
  const body = {
    requestId: crypto.randomUUID(),
    firstName: 'Ola',
    lastName: 'Berg',
    birthDate: '1951-03-02',
    card: { province: 'BC', number: CARD },
    ...over,
  };
  return (await askDesk(clinic, 'deskAddPatient', { cookie, body })).answer().extras.recordId;
}
const another = (at: number) =>
  aRecord({
    birthDate: `1952-03-0${at % 10}`,
    card: { province: 'BC', number: validBcNumber(at) },
  });

const at = (time: string, date = MONDAY) => toInstant(date, time);
const on = (date: string, time = '11:00') => ({ start: at(time, date) });
const place = (time: string, over = {}) => ({ providerId: '101', start: at(time), ...over });
const book = (time: string, over = {}, headers = {}, id = ola) =>
  askDesk(clinic, 'deskBook', {
    cookie,
    params: { id },
    headers,
    body: { type: 'O', ...place(time), ...over },
  });
const booked = async (time: string, over = {}) => (await book(time, over)).answer().extras;
const move = (id: string, time: string, over = {}) =>
  askDesk(clinic, 'deskMoveAppointment', { cookie, params: { id }, body: place(time, over) });
const options = async () =>
  (await askDesk(clinic, 'deskBookingOptions', { cookie, params: { id: ola } })).answer().extras;
const times = async () => {
  const body = { type: 'O', from: MONDAY };
  const asked = await askDesk(clinic, 'deskFreeTimes', { cookie, params: { id: ola }, body });
  return asked.answer().extras.times;
};
const sheet = async (date = MONDAY) => {
  const { extras } = (await askDesk(clinic, 'deskDay', { cookie, params: { date } })).answer();
  return extras.providers.flatMap(({ appointments: shown }) => shown);
};
const rows = () => clinic.database.db.select().from(appointment).orderBy(appointment.start);
const broken = () => violations(clinic.database.db, clinic.clock.now());
const codes = async (asked: readonly ReturnType<typeof book>[]) =>
  (await Promise.all(asked)).map((each) => (each.statusCode === 200 ? 'booked' : each.code()));

describe('Booking for somebody without an account (S-18, R-98)', () => {
  // Shows: S-18, R-98
  test('is as for anybody, but that no email goes out and the desk is told so', async () => {
    expect(await options()).toMatchObject({
      name: 'Ola Berg',
      birthDate: '1951-03-02',
      hasAccount: false,
      upcoming: [],
    });
    const start = (await times())[0]?.start ?? 0;
    const headers = { 'idempotency-key': 'one-of-the-desk' };
    const made = (await book('11:00', { start }, headers)).answer().extras;
    expect(made).toMatchObject({ start, feeCents: 0, isTold: false });
    expect((await book('11:00', { start }, headers)).answer().extras).toEqual(made);
    expect((await options()).upcoming).toMatchObject([{ id: made.id }]);
    expect((await times())[0]?.start).toBe(start + 300);
    expect(await sheet()).toMatchObject([
      { id: made.id, patient: 'Berg, Ola', hasAccount: false, movesFor: ola, state: 'booked' },
    ]);
    expect(await rows()).toMatchObject([{ patientId: null, recordId: ola, bookedBy: staffId }]);
    expect(await clinic.trail('appointment booked')).toMatchObject([
      { actor: `staff:${staffId}`, subject: `appointment:${made.id}` },
    ]);
    expect(await clinic.trail('booking begun at the desk')).toMatchObject([
      { actor: `staff:${staffId}`, subject: `record:${ola}` },
      { subject: `record:${ola}` },
    ]);
    expect(await mailsOfActs(clinic)).toEqual([]);
  });

  // Shows: R-98
  test('never takes a time that somebody has, with an account or without', async () => {
    const casey = await aPatient(clinic);
    const rivals = [ola, casey.id, await another(88_001), await another(88_002)];
    const outcomes = await codes(rivals.map((id) => book('11:00', {}, {}, id)));
    expect(outcomes.toSorted()).toEqual(['booked', 'slotTaken', 'slotTaken', 'slotTaken']);
    expect(await broken()).toEqual([]);
  });

  // Shows: R-98
  test('counts their limits, also of what is asked at the same time', async () => {
    const days = ['2026-11-23', '2026-11-24', '2026-11-25'].map((date) => on(date));
    const outcomes = await codes(days.map((day) => book('11:00', day)));
    expect(outcomes.toSorted()).toEqual(['booked', 'booked', 'twoUpcoming']);
    const clinicDate = (await rows())[0]?.clinicDate ?? MONDAY;
    expect((await book('11:00', on(clinicDate, '11:30'))).code()).toBe('oneEachDay');
    expect(await broken()).toEqual([]);
    await booked('11:00', { ...on(clinicDate, '11:30'), overrideReason: 'urgent' });
    expect(await clinic.trail('rules overridden')).toMatchObject([
      { details: { rules: ['oneEachDay'], reason: 'urgent' } },
    ]);
    expect(await broken()).toEqual([]);
  });

  test('takes the fee of somebody without a card of the province, once the documents were seen', async () => {
    ola = await aRecord({ firstName: 'Oluf', card: { province: 'Other', number: '' } });
    expect((await book('11:00')).code()).toBe('documentsMissing');
    const { id, feeCents } = await booked('11:00', { overrideReason: 'documentsSeen' });
    expect(feeCents).toBeGreaterThan(0);
    const body = { means: 'debit' };
    (await askDesk(clinic, 'deskTakeFee', { cookie, params: { id }, body })).answer();
    expect(await clinic.trail('fee taken at the clinic')).toMatchObject([
      { details: { cents: feeCents } },
    ]);
    expect(await sheet()).toMatchObject([{ fee: 'taken' }]);
  });

  test('is moved with its number, and cancelled, and nobody is mailed', async () => {
    const { id } = await booked('11:00');
    const moved = (await move(id, '11:30')).answer().extras;
    expect(moved).toMatchObject({ start: at('11:30'), isTold: false });
    const [before, after] = await rows();
    expect([before?.state, after?.state]).toEqual(['rescheduled', 'booked']);
    expect(after).toMatchObject({ bookingNumber: before?.bookingNumber, patientId: null });
    const cancel = { cookie, params: { id: moved.id }, body: { wantedBy: 'clinic' } };
    (await askDesk(clinic, 'deskCancelAppointment', cancel)).answer();
    expect(await sheet()).toEqual([]);
    expect(await mailsOfActs(clinic)).toEqual([]);
    expect(await broken()).toEqual([]);
  });

  test('has its arrival noted, and that they did not come', async () => {
    const { id } = await booked('11:00');
    const other = await booked('11:00', on('2026-11-24'));
    const note = async (of: string, to: string) => {
      const asked = { cookie, params: { id: of }, body: { to } };
      (await askDesk(clinic, 'deskNoteAttendance', asked)).answer();
    };
    clinic.clock.set(at('10:50'));
    cookie = await deskSession(clinic, { id: staffId });
    for (const to of ['arrived', 'inRoom', 'completed']) await note(id, to);
    clinic.clock.set(at('11:10', '2026-11-24'));
    cookie = await deskSession(clinic, { id: staffId });
    await note(other.id, 'noShow');
    expect((await rows()).map(({ state }) => state)).toEqual(['completed', 'no-show']);
  });

  // Shows: R-44
  test('is cancelled with the time that the clinic closes, which says whom to call', async () => {
    await booked('11:00');
    const body = { providerIds: ['101'], from: startOfDay(MONDAY), to: startOfDay('2026-11-24') };
    const page = { ...body, page: 1 };
    const foreseen = await askDesk(clinic, 'deskForeseenPatients', { cookie, body: page });
    expect(foreseen.answer().extras.affected).toMatchObject([
      { patient: 'Berg, Ola', told: 'call', email: null },
    ]);
    const { id } = (await askDesk(clinic, 'deskCloseTime', { cookie, body })).answer().extras;
    await workOnClosing({ ...clinic.platform, appointments, emrBook });
    const done = await askDesk(clinic, 'deskClosing', { cookie, params: { id } });
    expect(done.answer().extras.entries).toMatchObject([
      { patient: 'Berg, Ola', outcome: 'cancelled' },
    ]);
    expect(await mailsOfActs(clinic)).toEqual([]);
  });

  test('counts in the reports, as one of staff and as one patient', async () => {
    await booked('11:00');
    await booked('11:00', on('2026-11-24'));
    const manager = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    const query = { from: '2026-11-01', to: '2026-11-30' };
    const { bookings } = (await askDesk(clinic, 'deskReports', { cookie: manager, query })).answer()
      .extras;
    expect(bookings.reduce((sum, { desk }) => sum + desk, 0)).toBe(2);
    const file = await askDesk(clinic, 'deskStatistics', { cookie: manager, body: query });
    expect(file.body).toMatch(/2026-11,all,2,1,/);
  });

  test('is not for a record of ours that no chart of the EMR belongs to, or nobody', async () => {
    expect((await book('11:00', {}, {}, 'W000')).statusCode).toBe(404);
    clinic = await clinic.again({ emr: fakeEmr() });
    expect((await book('12:00')).statusCode).toBe(404);
  });
});

describe('Booking in the EMR for somebody without an account (S-18, R-98)', () => {
  let emr: FakeEmr;
  beforeEach(async () => {
    emr = fakeEmr({ days: null });
    await clinic.database.inTransaction((tx) =>
      tx.insert(emrRecord).values({ recordId: ola, emrId: '12', askedAt: clinic.clock.now() }),
    );
    clinic = await clinic.again({ emr });
  });
  const inEmr = () =>
    emr.busy().map(({ key, date, start }) => [key.replace('claim:', ''), date, start]);

  test('stands in the EMR and here, moves and is cancelled there too, and nobody is mailed', async () => {
    const { id } = await booked('11:00');
    expect(inEmr()).toEqual([[id, MONDAY, '11:00']]);
    expect(await sheet()).toMatchObject([{ id, patient: 'Berg, Ola', movesFor: ola }]);
    const moved = (await move(id, '11:30')).answer().extras;
    expect(inEmr()).toEqual([[moved.id, MONDAY, '11:30']]);
    const cancel = { cookie, params: { id: moved.id }, body: { wantedBy: 'patient' } };
    (await askDesk(clinic, 'deskCancelAppointment', cancel)).answer();
    expect(inEmr()).toEqual([]);
    expect((await rows()).map(({ state }) => state)).toEqual(['rescheduled', 'cancelled']);
    expect(await mailsOfActs(clinic)).toEqual([]);
    expect(await broken()).toEqual([]);
  });

  test.each([
    ['written', ['booked']],
    ['notWritten', ['released']],
  ] as const)('whose answer was lost is settled by its key, where it was %s', async (what, is) => {
    emr.faults.loseNextAnswer = what;
    expect((await book('11:00')).code()).toBe('clinicConfirming');
    clinic.clock.advance(1900);
    const ports = { ...clinic.platform, appointments, emrBook };
    await resolveUnknown(ports, clinic.clock.now());
    expect((await rows()).map(({ state }) => state)).toEqual(is);
    expect(inEmr()).toHaveLength(what === 'written' ? 1 : 0);
    expect(await mailsOfActs(clinic)).toEqual([]);
    expect(await broken()).toEqual([]);
  });

  test('goes where staff put it there, and ends where they cancel it', async () => {
    const { id } = await booked('11:00');
    const sync = () =>
      syncFromEmr({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
    await sync();
    const to = { providerId: '101' as ProviderId, date: MONDAY, start: '12:00', end: '12:05' };
    emr.staff.move(`claim:${id}`, to);
    await sync();
    expect(await rows()).toMatchObject([{ start: at('12:00'), state: 'booked' }]);
    emr.staff.cancel(`claim:${id}`);
    for (let again = 0; again < 2; again++) {
      clinic.clock.advance(30);
      await sync();
    }
    expect(await rows()).toMatchObject([{ state: 'cancelled' }]);
    expect(await mailsOfActs(clinic)).toEqual([]);
  });

  test('that the EMR does not take, or answer for, is not booked', async () => {
    emr.faults.staffBooksInBetween = true;
    expect((await book('11:00')).code()).toBe('slotTaken');
    emr.faults.offline = true;
    expect((await book('11:30')).code()).toBe('clinicUnreachable');
    emr.faults.offline = false;
    emr.faults.booksOnlyRecords = true;
    expect((await book('11:30')).code()).toBe('recordMissing');
    expect((await rows()).some(({ state }) => state === 'booked')).toBe(false);
    expect(await broken()).toEqual([]);
  });
});

describe('An account that is opened later (R-97)', () => {
  const EMAIL = 'ola@test.example';
  const invite = async () => {
    const asked = { cookie, params: { id: ola }, body: { email: EMAIL } };
    (await askDesk(clinic, 'deskInvitePatient', asked)).answer();
    const texts = (await clinic.mails()).map(
      ({ text }) => /\/confirm\/account#([\w-]+)/.exec(text)?.[1],
    );
    return texts.at(-1) ?? '';
  };
  const accept = (token: string) =>
    ask(clinic, 'acceptAccountLink', {
      body: {
        token,
        birthYear: 1951,
        birthMonth: 3,
        birthDay: 2,
        card: CARD,
        password: PASSWORD,
        consent: { given: true, version: currentAgreement('signUp').version },
      },
    });
  const account = async () => {
    const asked = { cookie, params: { id: ola }, body: { lookReason: 'patientCalled' } };
    const opened = (await askDesk(clinic, 'deskOpenPatient', asked)).answer().extras;
    return opened.account?.id ?? '';
  };
  const own = async () => {
    const token = await signIn(clinic, { id: await account() });
    const { appointments: listed } = (await ask(clinic, 'listAppointments', { token })).answer();
    return listed.filter(({ status }) => status === 'booked');
  };

  // Shows: R-97
  test('has what was booked before, and is told of what becomes of it', async () => {
    const { id } = await booked('11:00');
    (await accept(await invite())).answer();
    expect(await own()).toMatchObject([{ id, status: 'booked' }]);
    expect((await options()).hasAccount).toBe(true);
    expect(await sheet()).toMatchObject([{ hasAccount: true, movesFor: await account() }]);
    const moved = (await move(id, '11:30')).answer().extras;
    expect(moved.isTold).toBe(true);
    expect(await own()).toMatchObject([{ id: moved.id }]);
    expect((await mailsOfActs(clinic)).at(-1)).toMatchObject({
      to: EMAIL,
      subject: 'Your appointment is rescheduled - Test Clinic',
    });
    // By the number of the record, what is booked from now on is the account's.
    await booked('11:00', on('2026-11-24'));
    expect(await own()).toHaveLength(2);
    expect((await book('11:00', on('2026-11-25'))).code()).toBe('twoUpcoming');
    expect(await broken()).toEqual([]);
  });

  test('misses nothing that is booked in the same moment', async () => {
    const token = await invite();
    const [, ...made] = await Promise.all([
      accept(token),
      book('11:00'),
      book('11:00', on('2026-11-24')),
    ]);
    const count = made.filter(({ statusCode }) => statusCode === 200).length;
    expect(await own()).toHaveLength(count);
    const left = await clinic.database.db.$count(
      appointment,
      and(eq(appointment.recordId, ola), isNull(appointment.patientId)),
    );
    expect(left).toBe(0);
  });

  test('finds on its trail who booked before', async () => {
    await booked('11:00');
    (await accept(await invite())).answer();
    const manager = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    const body = { patientId: await account() };
    const { entries } = (
      await askDesk(clinic, 'deskAuditTrail', { cookie: manager, body })
    ).answer().extras;
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['record opened by the clinic', 'appointment booked']),
    );
  });
});
