import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { addDays, startOfDay, toClinic, toInstant } from '@clinic/domain';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';

import { Crashed, type Failpoints, failpoints } from '../../../testing/failpoints.ts';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  aProvider,
  ask,
  datesFromToday,
  scheduleFor,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { violations } from '../../../testing/invariants.ts';
import { type PayingClinic, payingClinic } from '../../../testing/paying-clinic.ts';
import { testDatabase } from '../../../testing/test-database.ts';
import {
  appointment,
  appointmentStep,
  closingEntry,
  outbox,
  patient,
  scheduleDay,
} from '../../schema.ts';
import { chargeAppointment } from '../payments/charge.ts';
import { sweepPayments } from '../payments/advance-payment.ts';
import { type CloseOutcome, closeTime, previewClosing, workOnClosing } from './closing.ts';
import { LEASE_SECONDS, closingById } from './store.ts';
import { book } from '../appointments/reserve.ts';
import { appointments } from '../appointments/store.ts';
import { emrBook } from '../emr/index.ts';

const DAY = '2026-11-23';
const at = (time: string, date = DAY) => toInstant(date, time);
const AFTERNOON = { providerIds: ['101'], from: at('11:30'), to: startOfDay(addDays(DAY, 1)) };
const WHO = 'staff:4b5e1d1c-0000-4000-8000-000000000001';

let clinic: TestApp;
let casey: PatientRow;

async function open(over: Parameters<typeof testApp>[0] = {}) {
  clinic = await testApp(over);
  await clinic.app.stopJob('closings');
  await aClinic(clinic);
  casey = await aPatient(clinic, { firstName: 'Casey', lastName: 'Morgan' });
}
beforeEach(() => open());
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
const ports = () => ({ ...clinic.platform, appointments, emrBook });
const idOf = (closed: CloseOutcome | null) => (closed?.kind === 'closed' ? closed.id : null);
const close = async (time = AFTERNOON, requestKey: string = crypto.randomUUID()) =>
  idOf(await closeTime(clinic.platform, { ...time, requestKey }, { actor: WHO, now: now() }));
const work = (id: string | null = null) => workOnClosing(ports(), id);
const offeredAt = async (time: string, date = DAY) => {
  const rows = await clinic.database.db.select().from(scheduleDay);
  const step = (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) / 5;
  const row = rows.find((each) => each.clinicDate === date && each.providerId === '101');
  return row?.codes[step];
};
const mails = async () =>
  (await clinic.mails()).filter(({ subject }) => subject.includes('is cancelled'));
const stateOf = async (id: string) =>
  (await clinic.database.db.select().from(appointment).where(eq(appointment.id, id)))[0]?.state;
const outcomes = async () =>
  (await clinic.database.db.select().from(closingEntry)).map(({ outcome }) => outcome);

/** As its patient books it; gives the id. */
async function booked(time: string, who = casey, doctor = '101') {
  const start = at(time);
  const slot = { start, end: start + 300, doctor, selectedType: 'O' };
  const token = await signIn(clinic, who);
  (await ask(clinic, 'createBooking', { token, body: { ...slot, reason: 'A cough' } })).answer();
  const [row] = await clinic.database.db
    .select()
    .from(appointment)
    .where(eq(appointment.start, start));
  await clinic.platform.outbox.drain();
  return row?.id ?? '';
}

describe('Closing time of a provider (S-18, R-44, R-93)', () => {
  // Shows: S-18
  test('is one step: nothing of it is offered from then on, the rest of the day is', async () => {
    await close();
    expect([await offeredAt('08:00'), await offeredAt('11:25'), await offeredAt('11:30')]).toEqual([
      'O',
      'O',
      '_',
    ]);
    expect(await offeredAt('11:30', '2026-11-24')).toBe('O');
    const token = await signIn(clinic, casey);
    const slot = { start: at('11:30'), end: at('11:35'), doctor: '101', selectedType: 'O' };
    const held = await ask(clinic, 'placeHold', { token, body: slot });
    expect(held.refusal().extras.code).toBe('slotNotOffered');
  });

  // Shows: S-18, R-44
  test('cancels what is booked in it, tells each patient once, and leaves the rest', async () => {
    const other = await aPatient(clinic);
    const morning = await booked('08:00', other);
    const noon = await booked('11:30');
    await close();
    expect(await stateOf(noon)).toBe('booked');
    expect(await work()).toBe('done');
    expect([await stateOf(morning), await stateOf(noon)]).toEqual(['booked', 'cancelled']);
    const [mail, another] = await mails();
    expect(mail).toMatchObject({ to: casey.email, calendar: { method: 'CANCEL' } });
    expect(another).toBeUndefined();
    expect(await outcomes()).toEqual(['cancelled']);
    expect(await work()).toBe('done');
    expect(await mails()).toHaveLength(1);
    expect(await violations(clinic.database.db, now())).toEqual([]);
  });

  test('takes in what reaches into it, and of others nothing', async () => {
    await aProvider(clinic, { id: '102', firstName: 'Noah', lastName: 'Reyes' });
    await scheduleFor(clinic, '102', datesFromToday(10), { O: ['11:00-12:00'] });
    const reaches = await booked('11:25');
    await clinic.database.inTransaction(async (tx) => {
      await tx
        .update(appointment)
        .set({ end: at('11:35') })
        .where(eq(appointment.id, reaches));
      await tx
        .insert(appointmentStep)
        .values({ providerId: '101', stepStart: at('11:30'), appointmentId: reaches });
    });
    const elsewhere = await booked('11:40', await aPatient(clinic), '102');
    await close();
    await work();
    expect([await stateOf(reaches), await stateOf(elsewhere)]).toEqual(['cancelled', 'booked']);
  });

  // Shows: S-18
  test('tells beforehand whom it affects, and names free times that nobody else is named', async () => {
    const [first, second] = [await booked('11:30'), await booked('11:35', await aPatient(clinic))];
    const { cancelled, offered } = await previewClosing(clinic.platform, AFTERNOON, now());
    expect(cancelled.map(({ id }) => id)).toEqual([first, second]);
    const times = [first, second].map((id) => offered.get(id)?.map(({ start }) => start) ?? []);
    expect(times.map(({ length }) => length)).toEqual([3, 3]);
    expect(new Set(times.flat()).size).toBe(6);
    expect(times.flat().filter((start) => start >= AFTERNOON.from && start < AFTERNOON.to)).toEqual(
      [],
    );
    await close();
    await work();
    const mail = (await mails()).find(({ to }) => to === casey.email);
    expect(mail?.text).toContain('These times were free when we wrote this');
    expect(mail?.text).toContain(toClinic(times[0]?.[0] ?? 0).time);
    expect(mail?.text).toContain('Book another time: http');
  });

  test('takes a time back that somebody is choosing, and says nothing', async () => {
    const token = await signIn(clinic, casey);
    const slot = { start: at('11:30'), end: at('11:35'), doctor: '101', selectedType: 'O' };
    (await ask(clinic, 'placeHold', { token, body: slot })).answer();
    await close();
    await work();
    expect(await outcomes()).toEqual(['released']);
    expect(await mails()).toEqual([]);
  });

  test('waits for what is being paid for, and cancels it once it is booked', async () => {
    const id = await booked('11:30');
    const set = (change: object) =>
      clinic.database.inTransaction((tx) =>
        tx.update(appointment).set(change).where(eq(appointment.id, id)),
      );
    await set({ state: 'held', paying: true, holdExpiresAt: now() + 900 });
    await close();
    expect(await work()).toBe('waits');
    expect(await outcomes()).toEqual([null]);
    await set({ state: 'booked', paying: false, holdExpiresAt: null });
    expect(await work()).toBe('done');
    expect(await outcomes()).toEqual(['cancelled']);
  });

  test('finds what was booked while it closed, and leaves what staff put there afterwards', async () => {
    await close();
    expect(await work()).toBe('done');
    const put = (time: string, createdAt: number) =>
      clinic.database.inTransaction((tx) =>
        tx.insert(appointment).values({
          id: crypto.randomUUID(),
          patientId: casey.id,
          recordId: casey.recordId,
          providerId: '101',
          start: at(time),
          end: at(time) + 300,
          clinicDate: DAY,
          type: 'O',
          state: 'booked',
          createdAt,
          changedAt: createdAt,
        }),
      );
    await put('11:30', now());
    await put('11:40', now() + 40);
    clinic.clock.advance(40);
    expect(await work()).toBe('done');
    const rows = await clinic.database.db.select().from(appointment).orderBy(appointment.start);
    expect(rows.map(({ state }) => state)).toEqual(['cancelled', 'booked']);
    expect(await outcomes()).toEqual(['cancelled']);
  });

  test('says of what its patient gave up first that it is gone', async () => {
    const id = await booked('11:30');
    await close();
    const token = await signIn(clinic, casey);
    (await ask(clinic, 'cancelAppointment', { token, params: { id } })).answer();
    expect(await work()).toBe('done');
    expect(await outcomes()).toEqual(['gone']);
    expect(await mails()).toHaveLength(1);
  });

  test('is asked for once however often it is sent, and its key names no other time', async () => {
    const id = await close(AFTERNOON, 'one-press');
    expect(await close(AFTERNOON, 'one-press')).toBe(id);
    expect(await close({ ...AFTERNOON, from: at('11:00') }, 'one-press')).toBeNull();
    expect(await offeredAt('11:00')).toBe('O');
  });

  test('is worked on by one process at a time, and by another once that one is silent', async () => {
    const id = (await close()) ?? '';
    await clinic.database.inTransaction((tx) =>
      tx.execute(sql`update closing set lease_until_s = ${now() + LEASE_SECONDS}`),
    );
    expect(await work(id)).toBe('nothing');
    clinic.clock.advance(LEASE_SECONDS);
    expect(await work(id)).toBe('done');
    expect((await closingById(clinic.database.db, id))?.doneAt).toBe(now());
  });

  test('goes on past one that fails, and comes back to it', async () => {
    const [first, second] = [await booked('11:30'), await booked('11:35', await aPatient(clinic))];
    await close();
    const failing = {
      ...appointments,
      endAppointment: ((tx, parts, ending, when) => {
        if (ending.id === first) throw new Error('planted');
        return appointments.endAppointment(tx, parts, ending, when);
      }) as typeof appointments.endAppointment,
    };
    expect(await workOnClosing({ ...ports(), appointments: failing })).toBe('waits');
    expect([await stateOf(first), await stateOf(second)]).toEqual(['booked', 'cancelled']);
    expect(clinic.log.failures.map(({ code }) => code)).toEqual(['closing-entry-failed']);
    expect(await work()).toBe('done');
  });
});

describe('Closing time where an EMR keeps the book (S-18)', () => {
  let emr: FakeEmr;
  beforeEach(async () => {
    await clinic.close();
    emr = fakeEmr({ days: null });
    await open({ emr });
  });

  test('leaves what staff have changed there, and says so once its time has come', async () => {
    const id = await booked('11:30');
    await close();
    emr.staff.note(`claim:${id}`, 'arrived');
    expect(await work()).toBe('waits');
    clinic.clock.set(at('11:31'));
    expect(await work()).toBe('done');
    expect(await outcomes()).toEqual(['stays']);
    expect(await stateOf(id)).toBe('booked');
    expect(await mails()).toEqual([]);
  });

  test('cancels here at once while the EMR is offline, and there once it answers', async () => {
    const id = await booked('11:30');
    await close();
    emr.faults.offline = true;
    expect(await work()).toBe('done');
    expect(await outcomes()).toEqual(['cancelSent']);
    emr.faults.offline = false;
    expect(await mails()).toHaveLength(1);
    expect([emr.busy(), await stateOf(id)]).toEqual([[], 'cancelled']);
  });
});

const LONG = process.env.LONG === '1';
const [PATIENTS, PAYING] = LONG ? [200, 50] : [16, 4];
/** No process comes further: into the second appointment that it gives up. */
const FURTHEST = 24;

// Shows: S-18
describe(`${PATIENTS} appointments whose time is closed by processes that end at every await`, () => {
  test('are each cancelled once, told once and given back once, and none is missing', async () => {
    const paying: PayingClinic = await payingClinic(await testDatabase(), { days: 40 });
    for (const job of ['closings', 'payments', 'lapsed-holds', 'reconcile'])
      await paying.app.stopJob(job);
    const free = Array.from({ length: PATIENTS - PAYING }, (_, n) => n);
    const dates = datesFromToday(40);
    await aProvider(paying, { id: '102', firstName: 'Noah', lastName: 'Reyes' });
    await scheduleFor(paying, '102', dates, { O: ['08:00-20:00'] });
    for (let n = 0; n < PAYING; n += 1)
      await chargeAppointment(
        paying.ports(),
        paying.aAppointment(await paying.aPayer()),
        paying.clock.now(),
      );
    await paying.sweep();
    for (const n of free) {
      const patientId = (await aPatient(paying)).id;
      const start = toInstant(dates[4 + Math.floor(n / 144)] ?? '', '08:00') + (n % 144) * 300;
      const slot = { providerId: '102', start, end: start + 300, type: 'O' };
      const claimed = { ticklers: [], paymentToken: null };
      const request = { patientId, slot, answers: { reason: 'A cough' }, claimed };
      const made = await book(
        paying.ports(),
        { ...request, requestKey: `sent:free-${n}` },
        paying.clock.now(),
      );
      expect(made.kind).toBe('booked');
    }
    await paying.platform.outbox.drain();
    const time = {
      providerIds: ['101', '102'],
      from: startOfDay(dates[1] ?? ''),
      to: startOfDay(dates[39] ?? ''),
    };
    const dying = (points: Failpoints) => ({
      ...paying.ports(points),
      clock: paying.clock,
      realtime: paying.platform.realtime,
      log: paying.log,
    });
    const diesAt = (point: number) =>
      failpoints(point, async () => {
        throw new Crashed();
      });
    const orCrashed = (error: unknown) => {
      if (!(error instanceof Crashed)) throw error;
      return null;
    };
    const seen = new Set<string>();
    let kills = 0;

    // Closing itself, pressed again after each end.
    let closing: string | null = null;
    for (let point = 0; closing === null; point += 1) {
      const points = diesAt(point);
      const ending = { ...paying.platform, ...paying.ports(points) };
      const asked = { ...time, requestKey: 'sent:closing' };
      const who = { actor: WHO, now: paying.clock.now() };
      closing = idOf(await closeTime(ending, asked, who).catch(orCrashed));
      kills += closing === null ? 1 : 0;
    }
    for (let point = 0; ; point = (point + 1) % FURTHEST) {
      const points = diesAt(point);
      const turn = await workOnClosing(dying(points)).catch(orCrashed);
      for (const name of points.names) seen.add(name);
      // The one before may have ended once all was done.
      if (turn === 'done' || turn === 'nothing') break;
      kills += 1;
      paying.clock.advance(LEASE_SECONDS);
      // Hours pass: who sweeps the payments meanwhile is another process.
      if (kills % 20 === 0) await sweepPayments(paying.ports());
    }
    process.stdout.write(`closing ${PATIENTS} appointments: ended ${kills} times\n`);
    expect(kills).toBeGreaterThan(FURTHEST);
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'before appointments.endAppointment',
        'after appointments.endAppointment',
        'before outbox.enqueue',
        'after audit.append',
        'after database.inTransactionOrConflict',
      ]),
    );

    const entries = await paying.database.db.select().from(closingEntry);
    expect(entries.map(({ outcome }) => outcome)).toEqual(Array(PATIENTS).fill('cancelled'));
    const rows = (await paying.database.db.select().from(outbox)).filter(
      ({ payload }) => (payload as { event?: string }).event === 'cancelled',
    );
    const told = rows.map(({ payload }) => (payload as { appointmentId: string }).appointmentId);
    expect([told.length, new Set(told).size]).toEqual([PATIENTS, PATIENTS]);

    const before = paying.mail.sent.length;
    await paying.sweep();
    await paying.platform.outbox.drain();
    const sent = paying.mail.sent.slice(before);
    const keys = sent.flatMap(({ key, calendar }) => (calendar?.method === 'CANCEL' ? [key] : []));
    expect([keys.length, new Set(keys).size]).toEqual([PATIENTS, PATIENTS]);
    const everybody = await paying.database.db.select().from(patient);
    for (const { email } of everybody)
      expect(sent.filter(({ to, calendar }) => to === email && calendar)).toHaveLength(1);
    expect(await paying.money()).toMatchObject({
      appointments: 0,
      refunded: PAYING,
      kept: 0,
      chargedWithoutAppointment: 0,
    });
    expect(sent.filter(({ subject }) => subject.includes('refunded'))).toHaveLength(PAYING);
    expect(await paying.violations()).toEqual([]);
    await paying.close();
  }, 900_000);
});
