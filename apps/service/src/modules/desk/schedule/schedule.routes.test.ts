import { addDays, dayTemplate, startOfDay, stepOfTime, toInstant } from '@clinic/domain';
import type { StaffRole } from '@clinic/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskSession } from '../../../../testing/desk.ts';
import {
  type PatientRow,
  aPatient,
  aProvider,
  datesFromToday,
  scheduleFor,
} from '../../../../testing/index.ts';
import { type PayingClinic, payingClinic } from '../../../../testing/paying-clinic.ts';
import { testDatabase } from '../../../../testing/test-database.ts';
import {
  outbox,
  patient,
  payment,
  recordsException,
  recordsTemplate,
  scheduleDay,
} from '../../../schema.ts';
import type { Work } from '../../../database/db.ts';
import { appointments } from '../../appointments/index.ts';
import { workOnClosing } from '../../closings/index.ts';
import { chargeAppointment } from '../../payments/charge.ts';
import { book as bookFor } from '../../appointments/reserve.ts';
import { spansOf } from '../../records/schedule.store.ts';
import { RECENT_FACTOR } from '../../staff/authorize-staff.ts';
import { emrBook } from '../../emr/index.ts';

let clinic: PayingClinic;
let casey: PatientRow;
let cookie: string;
let staffId: string;
let day: string;

/** A clinic in which Casey has a free appointment at noon, and somebody else a paid one in the morning. */
beforeEach(async () => {
  clinic = await payingClinic(await testDatabase());
  for (const job of ['closings', 'payments', 'lapsed-holds']) await clinic.app.stopJob(job);
  await aProvider(clinic, { id: '102', firstName: 'Noah', lastName: 'Reyes' });
  const dates = datesFromToday(30);
  day = dates[2] ?? '';
  await scheduleFor(clinic, '102', dates, { O: ['08:00-17:00'] });
  casey = await aPatient(clinic, { firstName: 'Casey', lastName: 'Morgan' });
  await book('12:00', casey);
  const robin = await aStaffMember(clinic, 'receptionist');
  staffId = robin.id;
  cookie = await deskSession(clinic, robin);
});
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
async function book(time: string, { id }: Pick<PatientRow, 'id'>) {
  const start = toInstant(day, time);
  const slot = { providerId: '102', start, end: start + 300, type: 'O' };
  const claimed = { ticklers: [], paymentToken: null };
  const answers = { reason: 'A cough' };
  const request = { patientId: id, slot, answers, claimed, requestKey: `sent:${id}` };
  const made = await bookFor(clinic.ports(), request, now());
  expect(made.kind).toBe('booked');
}
async function aPaidAppointment() {
  const request = clinic.aAppointment(await clinic.aPayer());
  await chargeAppointment(clinic.ports(), request, now());
  await sweep();
}
/** Takes so long that the screen has locked. */
async function sweep() {
  await clinic.sweep();
  cookie = await as('receptionist');
}
/** The day that has Casey's appointment, of both providers. */
const wholeDay = () => ({
  providerIds: ['102', '101'],
  from: startOfDay(day),
  to: startOfDay(addDays(day, 1)),
});
const as = async (role: StaffRole) => deskSession(clinic, await aStaffMember(clinic, role));
const foresee = (body: object = wholeDay()) =>
  askDesk(clinic, 'deskForeseeClosing', { cookie, body });
const affectedIn = async (page = 1, body: object = wholeDay()) =>
  (await askDesk(clinic, 'deskForeseenPatients', { cookie, body: { ...body, page } })).answer()
    .extras;
const close = (body: object = wholeDay(), key: string = crypto.randomUUID()) =>
  askDesk(clinic, 'deskCloseTime', { cookie, body, headers: { 'idempotency-key': key } });
const look = (id: string, headers = {}) =>
  askDesk(clinic, 'deskClosing', { cookie, params: { id }, headers });
const span = (from: string, to: string) => ({
  providerIds: ['102'],
  from: toInstant(day, from),
  to: toInstant(day, to),
});
const reopen = (id: string) =>
  askDesk(clinic, 'deskReopenTime', { cookie, params: { id }, body: {} });
const work = () => workOnClosing({ ...clinic.platform, appointments, emrBook });
const mailedTo = async (email: string) =>
  (await clinic.mails()).filter(({ to }) => to === email).at(-1);

describe('Closing time at the front desk (S-18, R-44)', () => {
  // Shows: S-18
  test('shows before who is affected, what goes back, and letter for letter what they will read', async () => {
    await aPaidAppointment();
    await clinic.platform.outbox.drain();
    const { affected } = await affectedIn();
    expect(affected.map(({ patient: name, paidCents, told }) => [name, paidCents, told])).toEqual([
      [expect.stringContaining('Pat'), 20_000, 'email'],
      ['Morgan, Casey', 0, 'email'],
    ]);
    const foreseen = affected.find(({ patient: name }) => name === 'Morgan, Casey')?.email;
    expect(foreseen?.text).toContain('the clinic had to cancel your appointment');
    expect(affected[0]?.email?.text).toContain(
      'The fee of CAD 200.00 that you paid will be refunded to your card in full.',
    );
    (await close()).answer();
    await work();
    const mail = await mailedTo(casey.email);
    expect({ subject: mail?.subject, text: mail?.text }).toEqual(foreseen);
  });

  // Shows: S-18
  test('changes nothing by looking: how many is told of nobody, and each page of names is on the trail', async () => {
    expect((await foresee()).answer().extras).toEqual({
      cancelled: 1,
      released: 0,
      underWay: 0,
      verdict: 'atOnce',
      toCall: 0,
      refunds: 0,
      refundedCents: 0,
      isClosed: false,
    });
    expect(await clinic.trail('closing foreseen')).toEqual([]);
    expect(await affectedIn(1)).toMatchObject({
      affected: [{ patient: 'Morgan, Casey' }],
      pages: 1,
    });
    expect((await affectedIn(2)).affected).toEqual([]);
    expect(await clinic.trail('closing foreseen')).toMatchObject([
      { actor: `staff:${staffId}`, details: { page: 1, found: [casey.recordId] } },
      { actor: `staff:${staffId}`, details: { page: 2, found: [] } },
    ]);
    expect(await work()).toBe('nothing');
  });

  test('says whether all of a time is closed, for each of the providers, and was not opened again', async () => {
    const isClosed = async (body?: object) => (await foresee(body)).answer().extras.isClosed;
    (await close(span('08:00', '12:00'))).answer();
    expect(await isClosed(span('08:00', '11:00'))).toBe(true);
    expect(await isClosed(span('11:00', '12:05'))).toBe(false);
    expect(await isClosed({ ...span('08:00', '11:00'), providerIds: ['101', '102'] })).toBe(false);
    const { id } = (await close()).answer().extras;
    expect(await isClosed()).toBe(true);
    (await reopen(id)).answer();
    expect(await isClosed()).toBe(false);
  });

  // Shows: S-18, R-44
  test('shows how far it is and what became of each patient, until the money is back', async () => {
    await aPaidAppointment();
    const { id } = (await close()).answer().extras;
    const waiting = (await look(id)).answer().extras;
    expect(waiting.closing).toMatchObject({
      providerIds: ['101', '102'],
      askedBy: 'Robin Lee',
      doneAt: null,
      total: 2,
      known: 0,
    });
    expect(waiting.entries.map(({ outcome }) => outcome)).toEqual(['waiting', 'waiting']);
    await work();
    const outcomesNow = async () =>
      (await look(id))
        .answer()
        .extras.entries.map(({ outcome, email, refund }) => [outcome, email, refund]);
    expect(await outcomesNow()).toEqual([
      ['cancelled', 'waiting', 'coming'],
      ['cancelled', 'waiting', 'none'],
    ]);
    const payIs = (state: 'captured' | 'capture_failed') =>
      clinic.database.inTransaction((tx) => tx.update(payment).set({ state }));
    await payIs('capture_failed');
    expect((await outcomesNow()).map(([, , refund]) => refund)).toEqual(['failed', 'none']);
    await payIs('captured');
    await sweep();
    await clinic.platform.outbox.drain();
    expect(await outcomesNow()).toEqual([
      ['cancelled', 'sent', 'done'],
      ['cancelled', 'sent', 'none'],
    ]);
    await clinic.database.inTransaction((tx) => tx.delete(outbox));
    expect((await outcomesNow()).map(([, email]) => email)).toEqual(['past', 'past']);
    const done = (await look(id)).answer().extras.closing;
    expect(done).toMatchObject({ total: 2, known: 2 });
    expect(done.doneAt).not.toBeNull();
    const list = (await askDesk(clinic, 'deskClosings', { cookie })).answer().extras.closings;
    expect(list).toEqual([done]);
  });

  test('names whom no email reaches', async () => {
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ bouncedEmail: casey.email, bouncedAt: now() }),
    );
    const { affected } = await affectedIn();
    expect(affected).toMatchObject([{ told: 'call', phone: casey.phone }]);
    const { id } = (await close()).answer().extras;
    await work();
    expect((await look(id)).answer().extras.entries).toMatchObject([{ email: 'call' }]);
  });

  test('is begun once by one press, whose answer may be lost', async () => {
    const { id } = (await close(wholeDay(), 'one-press')).answer().extras;
    expect((await close(wholeDay(), 'one-press')).answer().extras).toEqual({ id });
    const other = { ...wholeDay(), providerIds: ['101'] };
    expect((await close(other, 'one-press')).code()).toBe('requestReused');
    expect(await clinic.trail('time closed')).toMatchObject([{ actor: `staff:${staffId}` }]);
  });

  test('is told what came of it when it is sent again after its time has passed', async () => {
    const { id } = (await close(wholeDay(), 'one-press')).answer().extras;
    clinic.clock.advance(startOfDay(addDays(day, 2)) - now());
    cookie = await deskSession(clinic, { id: staffId });
    expect((await close(wholeDay(), 'one-press')).answer().extras).toEqual({ id });
    expect((await close(wholeDay(), 'another-press')).code()).toBe('invalidInput');
  });

  test('is a look once it is opened, and none while it lies open', async () => {
    const { id } = (await close()).answer().extras;
    await look(id);
    await look(id, { 'x-background': '1' });
    expect(await clinic.trail('closing shown')).toHaveLength(1);
    expect((await look(crypto.randomUUID())).code()).toBe('notFound');
  });

  test.each([
    ['ends before it begins', () => ({ ...wholeDay(), to: startOfDay(day) }), 'to'],
    [
      'is over',
      () => ({ ...wholeDay(), from: startOfDay('2026-11-01'), to: startOfDay('2026-11-02') }),
      'to',
    ],
    ['is longer than a year', () => ({ ...wholeDay(), to: startOfDay('2028-01-01') }), 'to'],
    [
      'ends with the calendar',
      () => ({ ...wholeDay(), from: 253_402_214_400, to: 253_402_300_500 }),
      'to',
    ],
    ['is of nobody', () => ({ ...wholeDay(), providerIds: ['999'] }), 'providerIds'],
    ['is off the grid', () => ({ ...wholeDay(), from: startOfDay(day) + 60 }), 'from'],
  ])('is refused of a time that %s', async (_, body, field) => {
    for (const answer of [await foresee(body()), await close(body())])
      expect(answer.refusal().errors).toMatchObject([{ field }]);
  });

  test('asks for a code of the last ten minutes, and looking does not', async () => {
    clinic.clock.advance(RECENT_FACTOR);
    expect((await close()).code()).toBe('factorNeeded');
    expect((await foresee()).statusCode).toBe(200);
  });

  test('is nothing that a clinician or an auditor does', async () => {
    for (const role of ['clinician', 'auditor'] as const) {
      cookie = await as(role);
      expect((await close()).code()).toBe('notAllowed');
      expect((await foresee()).code()).toBe('notAllowed');
    }
  });
});

describe('Opening closed time again at the front desk (S-18)', () => {
  /** What 102 offers of the day, as 'from-to' of each span. */
  const offered = async () => {
    const rows = await clinic.database.db.select().from(scheduleDay);
    const row = rows.find((each) => each.providerId === '102' && each.clinicDate === day);
    return spansOf(row?.codes ?? '').map(({ from, to, code }) => `${code} ${from}-${to}`);
  };
  const closed = async (body: object) => (await close(body)).answer().extras.id;
  const page = async (id: string) => (await look(id)).answer().extras;
  beforeEach(async () => {
    // The same as its days, so that they can be said anew.
    const codes = dayTemplate([{ code: 'O', from: stepOfTime('08:00'), to: stepOfTime('17:00') }]);
    await clinic.database.inTransaction((tx) =>
      tx.insert(recordsTemplate).values(
        [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
          return { providerId: '102', weekday, validFrom: '2026-01-01', codes };
        }),
      ),
    );
  });

  // Shows: S-18
  test('offers it as before, leaves cancelled what was, says so, and is on the trail once', async () => {
    const id = await closed(wholeDay());
    await work();
    expect(await offered()).toEqual([]);
    for (const _ of ['sent', 'sent again']) (await reopen(id)).answer();
    expect(await offered()).toEqual(['O 08:00-17:00']);
    expect(await page(id)).toMatchObject({
      closing: { reopened: { from: startOfDay(day), at: now(), by: 'Robin Lee' } },
      entries: [{ patient: 'Morgan, Casey', outcome: 'cancelled' }],
    });
    expect(await clinic.trail('time opened again')).toMatchObject([
      { actor: `staff:${staffId}`, subject: `closing:${id}` },
    ]);
    await book('12:00', await aPatient(clinic));
  });

  // Shows: S-18
  test('stops what is not given up yet: it stands, and nobody is told', async () => {
    const id = await closed(wholeDay());
    (await reopen(id)).answer();
    expect(await work()).toBe('nothing');
    expect(await page(id)).toMatchObject({
      closing: { doneAt: now() },
      entries: [{ patient: 'Morgan, Casey', outcome: 'kept', email: 'none', refund: 'none' }],
    });
    expect((await affectedIn()).affected).toHaveLength(1);
  });

  test('stops a process that is just giving up one after the other', async () => {
    await book('12:30', await aPatient(clinic));
    const id = await closed(wholeDay());
    const { database } = clinic;
    const opening = {
      ...database,
      async inTransactionOrConflict<T>(cancel: Work<T>) {
        const outcome = await database.inTransactionOrConflict(cancel);
        (await reopen(id)).answer();
        return outcome;
      },
    };
    await workOnClosing({ ...clinic.platform, database: opening, appointments, emrBook });
    const { entries } = await page(id);
    expect(entries.map(({ outcome }) => outcome)).toEqual(['cancelled', 'kept']);
  });

  test('stops a process that was about to give one up', async () => {
    const id = await closed(wholeDay());
    const { database } = clinic;
    const openedBefore = {
      ...database,
      async inTransactionOrConflict<T>(cancel: Work<T>) {
        (await reopen(id)).answer();
        return database.inTransactionOrConflict(cancel);
      },
    };
    await workOnClosing({ ...clinic.platform, database: openedBefore, appointments, emrBook });
    expect((await page(id)).entries.map(({ outcome }) => outcome)).toEqual(['kept']);
    expect((await affectedIn()).affected).toHaveLength(1);
  });

  test('opens what still lies ahead of it', async () => {
    const id = await closed(span('08:00', '12:00'));
    clinic.clock.advance(toInstant(day, '10:02') - now());
    cookie = await deskSession(clinic, { id: staffId });
    (await reopen(id)).answer();
    expect(await offered()).toEqual(['O 10:05-17:00']);
    clinic.clock.advance(86_400);
    cookie = await deskSession(clinic, { id: staffId });
    const over = await closed({ ...wholeDay(), to: now() + 300 - (now() % 300) });
    clinic.clock.advance(300);
    expect((await reopen(over)).code()).toBe('closingOver');
    expect((await reopen(crypto.randomUUID())).code()).toBe('notFound');
  });

  test('leaves closed what others close, and what was said of the day before', async () => {
    const said = dayTemplate([{ code: 'P', from: stepOfTime('09:00'), to: stepOfTime('13:00') }]);
    await clinic.database.inTransaction((tx) =>
      tx.insert(recordsException).values({ providerId: '102', clinicDate: day, codes: said }),
    );
    const [first, second] = [
      await closed(span('09:00', '12:00')),
      await closed(span('10:00', '14:00')),
    ];
    expect(await offered()).toEqual(['O 08:00-09:00', 'O 14:00-17:00']);
    (await reopen(first)).answer();
    expect(await offered()).toEqual(['P 09:00-10:00']);
    (await reopen(second)).answer();
    expect(await offered()).toEqual(['P 09:00-13:00']);
  });

  test('is for whoever may close, with a code of the last ten minutes', async () => {
    const id = await closed(wholeDay());
    cookie = await as('clinician');
    expect((await reopen(id)).code()).toBe('notAllowed');
    cookie = await as('manager');
    clinic.clock.advance(RECENT_FACTOR);
    expect((await reopen(id)).code()).toBe('factorNeeded');
  });
});

describe('A working week at the front desk (S-18, R-93)', () => {
  const NONE = '_'.repeat(288);
  const morning = 'O'
    .repeat(288)
    .replace(/^O{96}/, '_'.repeat(96))
    .replace(/O{132}$/, '_'.repeat(132));
  /** From 08:00 to 13:00 on every day: before that, nothing. */
  const mornings = Array<string>(7).fill(morning);
  const save = (body: object = {}) =>
    askDesk(clinic, 'deskSaveWeek', {
      cookie,
      params: { providerId: '102' },
      body: { validFrom: datesFromToday(1)[0] ?? '', week: mornings, ...body },
    });
  const shown = async (on = day) =>
    (
      await askDesk(clinic, 'deskWeek', { cookie, params: { providerId: '102' }, query: { on } })
    ).answer().extras;
  const offered = async () => {
    const rows = await clinic.database.db.select().from(scheduleDay);
    return rows.find((row) => row.providerId === '102' && row.clinicDate === day)?.codes;
  };
  beforeEach(async () => {
    cookie = await as('manager');
  });

  // Shows: S-18, R-93
  test('names beforehand who would stand outside of it, changes nothing, and leaves them when it is saved', async () => {
    const afternoons = Array<string>(7).fill(
      `${'_'.repeat(168)}${'O'.repeat(60)}${'_'.repeat(60)}`,
    );
    const before = await offered();
    const preview = (await save({ week: afternoons })).answer().extras;
    expect(preview).toMatchObject({
      isSaved: false,
      outside: [{ patient: 'Morgan, Casey', phone: casey.phone, endsThen: null }],
    });
    expect([await offered(), (await shown()).since]).toEqual([before, null]);
    expect(await clinic.trail('working week foreseen')).toHaveLength(1);
    const { version } = preview;
    for (const _ of ['sent', 'sent again after a lost answer'])
      expect((await save({ week: afternoons, version })).answer().extras.isSaved).toBe(true);
    expect(await offered()).toBe(afternoons[0]);
    expect((await affectedIn()).affected).toHaveLength(1);
    expect(await clinic.trail('imported')).toMatchObject([{ subject: 'import:schedule' }]);
  });

  test('names nobody whom it offers as they stand', async () => {
    expect((await save()).answer().extras.outside).toEqual([]);
  });

  test('is shown as it holds on a day, without what single days say otherwise', async () => {
    const { version } = (await save()).answer().extras;
    await save({ version });
    (await close({ ...wholeDay(), providerIds: ['102'] })).answer();
    expect((await offered())?.includes('O')).toBe(false);
    expect(await shown()).toMatchObject({
      week: mornings,
      since: datesFromToday(1)[0],
      next: null,
      isInEmr: false,
    });
  });

  test('is saved as it was seen, or not at all', async () => {
    const { version } = (await save()).answer().extras;
    const other = [NONE, ...mornings.slice(1)];
    expect((await save({ week: other, version })).code()).toBe('previewOutdated');
    expect((await save({ week: other, version: 'any' })).code()).toBe('invalidInput');
    expect((await shown()).since).toBeNull();
  });

  test.each([
    ['has no work at all', { week: Array<string>(7).fill(NONE) }, 'week'],
    ['has a code that is none', { week: Array<string>(7).fill('Z'.repeat(288)) }, 'week'],
    ['begins before today', { validFrom: '2026-11-01' }, 'validFrom'],
  ])('is refused where it %s', async (_, body, field) => {
    expect((await save(body)).refusal().errors).toMatchObject([{ field }]);
  });

  test('is the manager’s to change, and a receptionist’s to see', async () => {
    cookie = await as('receptionist');
    expect((await save()).code()).toBe('notAllowed');
    expect((await shown()).week).toHaveLength(7);
  });
});

describe('A single day at the front desk (S-18, R-93)', () => {
  const painted = (from: string, to: string) =>
    dayTemplate([{ code: 'O', from: stepOfTime(from), to: stepOfTime(to) }]);
  const params = (date = day) => ({ providerId: '102', date });
  const save = (body: object, date = day) =>
    askDesk(clinic, 'deskSaveDay', { cookie, params: params(date), body });
  const saved = async (codes: string | null) => {
    const { version } = (await save({ codes })).answer().extras;
    return (await save({ codes, version })).answer().extras;
  };
  const shown = async () =>
    (await askDesk(clinic, 'deskSingleDay', { cookie, params: params() })).answer().extras;
  const daysSaid = async () => {
    const week = await askDesk(clinic, 'deskWeek', {
      cookie,
      params: { providerId: '102' },
      query: { on: day },
    });
    return week.answer().extras.days;
  };
  const offered = async (date = day) => {
    const rows = await clinic.database.db.select().from(scheduleDay);
    const row = rows.find((each) => each.providerId === '102' && each.clinicDate === date);
    return spansOf(row?.codes ?? '').map(({ from, to, code }) => `${code} ${from}-${to}`);
  };
  const dayBefore = () => addDays(day, -1);
  beforeEach(async () => {
    cookie = await as('manager');
    // The week itself has mornings.
    const week = Array<string>(7).fill(painted('08:00', '13:00'));
    const weekly = { validFrom: datesFromToday(1)[0] ?? '', week };
    const of = { cookie, params: { providerId: '102' } };
    const { version } = (await askDesk(clinic, 'deskSaveWeek', { ...of, body: weekly })).answer()
      .extras;
    await askDesk(clinic, 'deskSaveWeek', { ...of, body: { ...weekly, version } });
  });

  // Shows: S-18, R-93
  test('has other hours, names beforehand who would stand outside of them, and is then as the week says again', async () => {
    const codes = painted('14:00', '18:00');
    const preview = (await save({ codes })).answer().extras;
    expect(preview).toMatchObject({
      isSaved: false,
      outside: [{ patient: 'Morgan, Casey', phone: casey.phone, endsThen: null }],
    });
    expect([await offered(), await daysSaid()]).toEqual([['O 08:00-13:00'], []]);
    expect(await clinic.trail('single day foreseen')).toHaveLength(1);
    const { version } = preview;
    for (const _ of ['sent', 'sent again after a lost answer'])
      expect((await save({ codes, version })).answer().extras.isSaved).toBe(true);
    expect([await offered(), await offered(dayBefore())]).toEqual([
      ['O 14:00-18:00'],
      ['O 08:00-13:00'],
    ]);
    expect(await clinic.trail('single day said')).toHaveLength(1);
    expect([(await shown()).said, await daysSaid()]).toEqual([codes, [day]]);

    expect((await saved(null)).isSaved).toBe(true);
    expect(await offered()).toEqual(['O 08:00-13:00']);
    expect([(await shown()).said, await daysSaid()]).toEqual([null, []]);
  });

  test('stays as it is said where the week changes', async () => {
    await saved(painted('14:00', '18:00'));
    const week = Array<string>(7).fill(painted('09:00', '10:00'));
    const of = { cookie, params: { providerId: '102' } };
    const body = { validFrom: datesFromToday(1)[0] ?? '', week };
    const { version } = (await askDesk(clinic, 'deskSaveWeek', { ...of, body })).answer().extras;
    await askDesk(clinic, 'deskSaveWeek', { ...of, body: { ...body, version } });
    expect(await offered()).toEqual(['O 14:00-18:00']);
    await saved(null);
    expect(await offered()).toEqual(['O 09:00-10:00']);
  });

  test('keeps closed what is closed of it, and is as it is said once that is opened', async () => {
    const id = (await close({ ...span('12:00', '15:00'), providerIds: ['102'] })).answer().extras
      .id;
    const codes = painted('10:00', '18:00');
    expect((await saved(codes)).isSaved).toBe(true);
    expect(await offered()).toEqual(['O 10:00-12:00', 'O 15:00-18:00']);
    const { from, to } = span('12:00', '15:00');
    expect(await shown()).toMatchObject({ said: codes, closed: [{ from, to }] });
    expect(await daysSaid()).toEqual([day]);
    (await reopen(id)).answer();
    expect(await offered()).toEqual(['O 10:00-18:00']);
  });

  test('left to the week while it is closed, is as the week says once it is opened', async () => {
    await saved(painted('10:00', '18:00'));
    const id = (await close({ ...wholeDay(), providerIds: ['102'] })).answer().extras.id;
    expect((await saved(null)).isSaved).toBe(true);
    expect([await offered(), await daysSaid()]).toEqual([[], []]);
    (await reopen(id)).answer();
    expect(await offered()).toEqual(['O 08:00-13:00']);
  });

  test('is saved as it was seen, or not at all', async () => {
    const codes = painted('14:00', '18:00');
    const { version } = (await save({ codes })).answer().extras;
    await saved(painted('09:00', '10:00'));
    expect((await save({ codes, version })).code()).toBe('previewOutdated');
    expect(await offered()).toEqual(['O 09:00-10:00']);
  });

  test('is refused where it is over, has a code that is none, or no such provider', async () => {
    const codes = painted('14:00', '18:00');
    expect((await save({ codes }, '2026-11-01')).refusal().errors).toMatchObject([
      { field: 'date' },
    ]);
    const unknown = (await save({ codes: 'Z'.repeat(288) })).refusal().errors;
    expect(unknown).toMatchObject([{ field: 'codes' }]);
    const nobody = { cookie, params: { providerId: '999', date: day } };
    expect((await askDesk(clinic, 'deskSaveDay', { ...nobody, body: { codes } })).code()).toBe(
      'notFound',
    );
    expect((await askDesk(clinic, 'deskSingleDay', nobody)).code()).toBe('notFound');
  });

  test('is the manager’s to change, and a receptionist’s to see', async () => {
    cookie = await as('receptionist');
    expect((await save({ codes: null })).code()).toBe('notAllowed');
    expect((await shown()).week).toBe(painted('08:00', '13:00'));
  });
});
