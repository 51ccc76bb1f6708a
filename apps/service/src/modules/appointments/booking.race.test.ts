import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { CallAnswer, ApiRefusal } from '@clinic/contract';
import { addDays, keyOfHold, toClinic, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, somePatients } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { violations } from '../../../testing/invariants.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { type Tx, databaseOn, sql as named } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { jobsOf } from '../../jobs.ts';
import { MOST_UNDER_WAY } from '../../server/requests.ts';
import { appointment } from './schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { BookingContext } from './appointment.ts';
import { bookingContextOf } from './booking-context.store.ts';
import { book } from './reserve.ts';
import { appointments } from './store.ts';
import type { Appointments, NewHold } from './store.ts';
import { isAccount, requestKey } from './appointment.ts';
import { expireHolds } from './holds.ts';
import { emrBook } from '../emr/index.ts';

let clinic: TestApp;
let url: string;

beforeEach(async () => {
  url = await testDatabaseUrl();
  clinic = await testApp({
    database: databaseOn(openPostgres({ url, poolSize: 64, waits: patientWaits })),
  });
  await aClinic(clinic.database, {
    providers: [{ id: '101' }, { id: '102' }],
    days: 20,
  });
});
afterEach(() => clinic.close());

const eight = (daysAhead: number) => toInstant(addDays(toClinic(NOW).date, 1 + daysAhead), '08:00');
const slotAt = (start: number, providerId = '101') => ({
  providerId,
  start,
  end: start + 300,
  type: 'O' as const,
});

const allViolations = () => violations(clinic.database.db, NOW);

/** What a client gets to know. */
interface Answer {
  readonly status: number;
  readonly message: string;
}

async function createOverHttp(token: string, slot: ReturnType<typeof slotAt>): Promise<Answer> {
  const { providerId: doctor, start, end, type: selectedType } = slot;
  const body = { doctor, start, end, selectedType, reason: 'A cough' };
  const response = await ask(clinic, 'createBooking', { token, body });
  return { status: response.statusCode, message: response.json<ApiRefusal>().extras.message };
}

/** The same use case on a store that a test has broken. */
function createOn(
  broken: Appointments,
  patientId: PatientId,
  slot: ReturnType<typeof slotAt>,
  key?: string,
) {
  const ports = { ...clinic.platform, appointments: broken, emrBook };
  const claimed = { ticklers: [], paymentToken: null };
  const answers = { reason: 'A cough' };
  const request = { patientId, slot, answers, requestKey: requestKey(key, slot), claimed };
  return book(ports, request, NOW);
}

const tokensOf = (patients: readonly PatientId[]) =>
  Promise.all(patients.map((id) => signIn(clinic, { id })));

describe('200 patients at once for one slot', () => {
  test('one of them gets it, the others are told that it is taken', async () => {
    const tokens = await tokensOf(await somePatients(clinic.database, 200));
    const answers = await Promise.all(
      tokens.map((token) => createOverHttp(token, slotAt(eight(0)))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const losers = answers.filter(({ status }) => status === 409);
    expect(losers).toHaveLength(199);
    expect(new Set(losers.map(({ message }) => message))).toEqual(
      new Set(['Someone else just took this time. Please choose another.']),
    );
    expect(await allViolations()).toEqual([]);
    expect(await clinic.database.db.select().from(appointment)).toHaveLength(1);
  });

  test('a lapsed hold in the way is freed once, and one of them gets the slot', async () => {
    const [holder, ...rivals] = await somePatients(clinic.database, 51);
    const token = await signIn(clinic, { id: holder as PatientId });
    const { providerId: doctor, start, end, type: selectedType } = slotAt(eight(0));
    await ask(clinic, 'placeHold', { token, body: { doctor, start, end, selectedType } });
    clinic.clock.advance(600);
    const tokens = await tokensOf(rivals);
    const answers = await Promise.all(tokens.map((each) => createOverHttp(each, slotAt(eight(0)))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await allViolations()).toEqual([]);
  });

  test('the check catches a store that looks first and takes then, without cells', async () => {
    await clinic.database.inTransaction((tx) =>
      tx.execute(sql`alter table appointment drop constraint appointment_no_overlap`),
    );
    const looksFirst: Appointments = {
      ...appointments,
      insertIfFree: takeWithoutSteps(twoHaveLooked()),
    };
    const rivals = await somePatients(clinic.database, 200);
    await Promise.all(rivals.map((patient) => createOn(looksFirst, patient, slotAt(eight(0)))));
    expect((await allViolations()).join('\n')).toMatch(/I1 .* overlap/);
  });
});

type Take = Appointments['insertIfFree'];

/** Looks whether the slot is free, waits until a second one has looked as well, and takes it. */
const takeWithoutSteps =
  (bothHaveLooked: () => Promise<void>): Take =>
  async (tx: Tx, wanted: NewHold) => {
    const { providerId, start } = wanted;
    const { rows } = await tx.execute(
      sql`select 1 from appointment where provider_id = ${providerId} and start_s = ${start}`,
    );
    if (rows.length > 0) return false;
    await bothHaveLooked();
    const { id, patientId, recordId, end, type, expiresAt: holdExpiresAt } = wanted;
    const times = { start, end, clinicDate: toClinic(start).date, createdAt: NOW, changedAt: NOW };
    await tx.insert(appointment).values({
      id,
      patientId,
      recordId,
      providerId,
      type,
      state: 'held',
      holdExpiresAt,
      ...times,
    });
    return true;
  };

/** Settles for everybody once two have asked. */
function twoHaveLooked(): () => Promise<void> {
  let looked = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    looked += 1;
    if (looked === 2) resolve();
    return promise;
  };
}

async function holdOverHttp(token: string, slot: ReturnType<typeof slotAt>): Promise<string> {
  const { providerId: doctor, start, end, type: selectedType } = slot;
  const body = { doctor, start, end, selectedType };
  const held = await ask(clinic, 'placeHold', { token, body });
  return held.json<CallAnswer<'placeHold'>>().extras.hold.id;
}

describe('A booking', () => {
  // Shows: R-30
  test('is made although another process, whose clock is ahead, sweeps its hold meanwhile', async () => {
    const [patient] = (await somePatients(clinic.database, 1)) as [PatientId];
    const held = await holdOverHttp(await signIn(clinic, { id: patient }), slotAt(eight(0)));
    const database = databaseOn(openPostgres({ url, waits: patientWaits }));
    const sweptMeanwhile: Appointments = {
      ...appointments,
      async convertHold(...given) {
        const ahead = { ...clinic.platform, database, appointments, emrBook };
        expect(await expireHolds(ahead, NOW + 3600)).toBe(1);
        return appointments.convertHold(...given);
      },
    };
    const booked = await createOn(sweptMeanwhile, patient, slotAt(eight(0)), keyOfHold(held));
    await database.close();
    if (booked.kind !== 'booked') throw new Error(booked.kind);
    const rows = await clinic.database.db.select().from(appointment);
    expect(new Map(rows.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [held, 'released'],
        [booked.appointment.id, 'booked'],
      ]),
    );
    expect(await allViolations()).toEqual([]);
  });

  test('and the search before it are planned once for a connection', async () => {
    const database = databaseOn(openPostgres({ url, poolSize: 1, waits: patientWaits }));
    const other = await testApp({ database });
    for (const { name } of jobsOf(other.platform)) await other.app.stopJob(name);
    const patients = await somePatients(database, 8);
    // Where tables are small every plan looks alike.
    await named(database.db)`
      insert into session (token_hash, patient_id, created_at_s, last_active_at_s)
      select sha256(n::text::bytea), gen_random_uuid(), ${NOW}, ${NOW} from generate_series(1, 5000) n`;
    await named(database.db)`analyze session`;
    for (const [at, id] of patients.entries()) {
      const token = await signIn(other, { id });
      const { providerId: doctor, start, end } = slotAt(eight(at));
      const body = { doctor, start, end, selectedType: 'O', reason: 'A cough' } as const;
      expect((await ask(other, 'createBooking', { token, body })).statusCode).toBe(200);
      const query = { from: '2026-11-23', to: '2026-11-24', id: '-1' };
      expect((await ask(other, 'doctorSchedule', { token, query })).statusCode).toBe(200);
    }
    const plans = await named<{ name: string; anew: number }>(database.db)`
      select name, custom_plans::int as anew from pg_prepared_statements
       where name in ('session-find', 'schedule-changes') or name like 'appointments-%' order by name`;
    await other.close();
    expect(plans.map(({ name }) => name)).toEqual([
      'appointments-lock-offer',
      'appointments-made-bookings',
      'appointments-standing',
      'appointments-take-carried',
      'schedule-changes',
      'session-find',
    ]);
    // PostgreSQL plans the first five of each anew before it decides.
    expect(plans.filter(({ anew }) => anew > 5)).toEqual([]);
  });
});

describe('50 patients, each with 16 bookings at once on 16 days', () => {
  const PATIENTS = 50;
  const BOOKINGS = 16;
  /** Slots that nobody else wants: only the limit stands in the way. */
  const ownSlot = (patient: number, booking: number) =>
    slotAt(eight(booking) + (patient % 12) * 300, patient % 2 === 0 ? '101' : '102');
  const bookings = Array.from({ length: BOOKINGS }, (_, booking) => booking);

  // Shows: 5.limits.2, R-54, S-2
  test('nobody gets more than two appointments', async () => {
    const patients = await somePatients(clinic.database, PATIENTS);
    const tokens = await tokensOf(patients);
    const answers: Answer[] = [];
    const crowd = Math.floor(MOST_UNDER_WAY / BOOKINGS);
    for (let from = 0; from < PATIENTS; from += crowd) {
      const calls = tokens
        .slice(from, from + crowd)
        .flatMap((token, at) =>
          bookings.map((booking) => createOverHttp(token, ownSlot(from + at, booking))),
        );
      answers.push(...(await Promise.all(calls)));
    }
    expect(await allViolations()).toEqual([]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const booked = await clinic.database.db.select().from(appointment);
    const perPatient = Object.values(Object.groupBy(booked, ({ patientId }) => patientId ?? ''));
    expect(Math.max(...perPatient.map((own) => own?.length ?? 0))).toBe(2);
  });

  // Shows: R-54
  test('16 bookings at once on one day leave one', async () => {
    const [patient] = await somePatients(clinic.database, 1);
    const token = await signIn(clinic, { id: patient as PatientId });
    const answers = await Promise.all(
      bookings
        .slice(0, 12)
        .map((booking) => createOverHttp(token, slotAt(eight(0) + booking * 300))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await allViolations()).toEqual([]);
  });

  // Shows: R-54
  test('the check catches a store that counts without the lock on the patient', async () => {
    const withoutLock: Appointments = {
      ...appointments,
      async lockBookingContext(tx, clinicParts, whose, ...slot) {
        if (!isAccount(whose)) throw new Error('Patients book for themselves here');
        const asked = bookingContextOf(clinicParts, whose, ...slot);
        const [offer] = await named<BookingContext>(tx, 'offer-without-lock')`${asked}`;
        return offer ?? null;
      },
    };
    const patients = await somePatients(clinic.database, PATIENTS);
    await Promise.all(
      patients.flatMap((patient, at) =>
        bookings.map((booking) => createOn(withoutLock, patient, ownSlot(at, booking))),
      ),
    );
    expect((await allViolations()).join('\n')).toMatch(/I7 .* upcoming/);
  });
});

describe('two patients who swap slots by rescheduling', () => {
  // Shows: R-50
  test('never wait for each other, and no appointment is lost or doubled', async () => {
    const patients = await somePatients(clinic.database, 2);
    const tokens = await tokensOf(patients);
    const [one, other] = [slotAt(eight(3)), slotAt(eight(3) + 300)];
    await createOverHttp(tokens[0] ?? '', one);
    await createOverHttp(tokens[1] ?? '', other);
    const move = async (token: string) => {
      const list = await ask(clinic, 'listAppointments', { token });
      const { appointments } = list.json<CallAnswer<'listAppointments'>>();
      const appointment = appointments.find(({ status }) => status === 'booked');
      const to = appointment?.startTime === one.start ? other : one;
      const { providerId: doctor, start, end, type: selectedType } = to;
      const body = { doctor, start, end, selectedType, reason: 'A cough', isReschedule: true };
      return (await ask(clinic, 'createBooking', { token, body })).statusCode;
    };
    for (let round = 0; round < 20; round++) {
      const statuses = await Promise.all(tokens.map(move));
      for (const status of statuses) expect([200, 409]).toContain(status);
      expect(await allViolations()).toEqual([]);
    }
    const standing = await clinic.database.db.select().from(appointment);
    expect(standing.filter(({ state }) => state === 'booked')).toHaveLength(2);
  });
});
