import {
  SPECIFIED_NAMES,
  addDays,
  isBcHealthNumber,
  scheduledSlots,
  toClinic,
} from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '@clinic/service/testing/test-database.ts';
import { expandSchedule } from '@clinic/service/modules/records/index.ts';
import { randomIds } from '@clinic/service/server/ports.ts';
import { refuseFeePolicy } from '@clinic/service/open-clinic.ts';
import { newKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import { createKeyring, openCard } from '@clinic/service/security/keyring.ts';
import { passwordMatches } from '@clinic/service/security/passwords.ts';
import {
  appointment,
  feePolicy,
  patient,
  pendingSignUp,
  scheduleDay,
  appointmentStep,
  pharmacy,
} from '@clinic/service/schema.ts';
import { violations } from '@clinic/service/testing/invariants.ts';
import { seedPracticeClinic } from './seed.ts';

const keyring = createKeyring(newKeyMaterial());
const today = toClinic(NOW).date;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await seedPracticeClinic({ database, keyring, ids: randomIds }, NOW);
  await expandSchedule(database, today);
});
afterAll(() => database.close());

const account = async (name: string) => {
  const [row] = await database.db
    .select()
    .from(patient)
    .where(eq(patient.email, `${name}@practice.example`));
  if (!row) throw new Error(`No account ${name}`);
  return row;
};
const listedAppointmentsOf = async (name: string) =>
  database.db
    .select()
    .from(appointment)
    .where(eq(appointment.patientId, (await account(name)).id))
    .orderBy(appointment.start);
const codesOf = async (providerId: string, date: string) => {
  const [row] = await database.db
    .select()
    .from(scheduleDay)
    .where(and(eq(scheduleDay.providerId, providerId), eq(scheduleDay.clinicDate, date)));
  return new Set(
    scheduledSlots({ date, template: row?.codes ?? '' }, SPECIFIED_NAMES).map(({ code }) => code),
  );
};

describe('The practice clinic', () => {
  // Shows: R-61
  test('has 26 accounts with one password and a valid card each', async () => {
    const rows = await database.db.select().from(patient);
    expect(rows).toHaveLength(26);
    for (const row of rows.filter(({ cardProvince }) => cardProvince === 'BC'))
      expect(isBcHealthNumber(openCard(keyring, row.id, row.cardSealed))).toBe(true);
    const casey = await account('casey');
    expect(openCard(keyring, casey.id, casey.cardSealed)).toBe('9876543218');
    expect(await passwordMatches('Practice-2026', casey.passwordHash)).toBe(true);
  });

  test('has one who signed up and is not confirmed, without end (R-97)', async () => {
    const [uma, ...others] = await database.db.select().from(pendingSignUp);
    expect([uma, others]).toMatchObject([{ email: 'uma@practice.example', expiresAt: null }, []]);
    if (!uma) throw new Error('Nobody waits');
    expect(isBcHealthNumber(openCard(keyring, uma.id, uma.cardSealed))).toBe(true);
    expect(await passwordMatches('Practice-2026', uma.passwordHash)).toBe(true);
  });

  test('knows thirty pharmacies, each by a name and an address of its own', async () => {
    const rows = await database.db.select().from(pharmacy);
    expect(rows).toHaveLength(30);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(30);
    expect(new Set(rows.map(({ address }) => address)).size).toBe(30);
  });

  test('gives Casey an appointment in three days at 08:00 with 101, five before, two cancelled', async () => {
    const appointments = await listedAppointmentsOf('casey');
    const upcoming = appointments.filter(({ start }) => start > NOW);
    expect(upcoming).toHaveLength(1);
    expect(toClinic(upcoming[0]?.start ?? 0)).toMatchObject({
      date: addDays(today, 3),
      time: '08:00',
    });
    const states = appointments.filter(({ start }) => start < NOW).map(({ state }) => state);
    expect(states.sort()).toEqual([
      'cancelled',
      'cancelled',
      'completed',
      'completed',
      'completed',
      'no-show',
      'registered',
    ]);
  });

  test('gives the others what they stand for', async () => {
    const [vera] = await listedAppointmentsOf('vera');
    expect([vera?.type, vera?.paidCents, vera?.isReschedulable]).toEqual(['V', 20_000, true]);
    const [rosa] = await listedAppointmentsOf('rosa');
    expect([rosa?.type, rosa?.paidCents, rosa?.isCancellable]).toEqual(['PP', 7_500, false]);
    const [first, second] = await listedAppointmentsOf('two');
    const ahead = (first?.start ?? 0) - NOW;
    expect(ahead > 6 * 3600 && ahead < 24 * 3600).toBe(true);
    expect(second).toMatchObject({ state: 'registered', checkin: 'B7', isReschedulable: false });
    const [soon] = await listedAppointmentsOf('soon');
    // Three hours on is noon, when the clinic is closed.
    expect(toClinic(soon?.start ?? 0)).toMatchObject({ date: today, time: '13:00' });
  });

  test('has about a third of ten days booked by others, and 08:00-09:00 of 101 free', async () => {
    const others = await database.db
      .select()
      .from(appointment)
      .where(isNull(appointment.patientId));
    expect(others.length).toBeGreaterThan(1_500);
    const early = others.filter(
      ({ providerId, start }) => providerId === '101' && toClinic(start).time < '09:00',
    );
    expect(early).toEqual([]);
    const firstDay = others.filter(
      ({ providerId, clinicDate }) => providerId === '101' && clinicDate === today,
    );
    expect(firstDay.length / 108).toBeGreaterThan(0.2);
    expect(firstDay.length / 108).toBeLessThan(0.45);
  });

  test('has a step for every active appointment and for nothing else (I6)', async () => {
    const active = await database.db
      .select({ id: appointment.id })
      .from(appointment)
      .leftJoin(appointmentStep, eq(appointmentStep.appointmentId, appointment.id))
      .where(and(isNull(appointmentStep.appointmentId), eq(appointment.state, 'booked')));
    expect(active).toEqual([]);
    const stray = await database.db
      .select({ state: appointment.state })
      .from(appointmentStep)
      .innerJoin(appointment, eq(appointment.id, appointmentStep.appointmentId))
      .where(isNotNull(appointment.id));
    expect(new Set(stray.map(({ state }) => state))).toEqual(new Set(['booked', 'registered']));
  });

  test('carries the hours of its plan, with D until day 19 and A from day 20', async () => {
    expect([...(await codesOf('101', addDays(today, 2)))]).toEqual(['O', 'P', 'D', 'V', 'I', 'PP']);
    expect((await codesOf('101', addDays(today, 19))).has('A')).toBe(false);
    expect((await codesOf('101', addDays(today, 20))).has('A')).toBe(true);
    expect([...(await codesOf('106', today))]).toEqual(['O', 'P']);
    expect([...(await codesOf('108', today))]).toEqual(['O', 'P', 'D']);
    expect((await codesOf('102', addDays(today, 8))).size).toBe(0);
    expect((await codesOf('102', addDays(today, 9))).size).toBeGreaterThan(0);
  });

  test('has immigration exams with 101 on Wednesday mornings', async () => {
    const wednesday = '2026-11-25';
    expect([...(await codesOf('101', wednesday))]).toEqual(['M', 'D', 'O', 'V', 'P', 'I', 'PP']);
    expect((await codesOf('103', wednesday)).has('M')).toBe(false);
  });

  test('has a schedule 91 days ahead, and nothing to write when it is expanded again', async () => {
    expect((await codesOf('101', addDays(today, 91))).size).toBeGreaterThan(0);
    expect((await codesOf('101', addDays(today, 92))).size).toBe(0);
    expect(await expandSchedule(database, today)).toBe(0);
    expect(await expandSchedule(database, addDays(today, 1))).toBe(9);
  });

  test('is seeded once', async () => {
    expect(await seedPracticeClinic({ database, keyring, ids: randomIds }, NOW + 86_400)).toBe(
      'seeded before',
    );
  });

  // Shows: R-32
  test('charges as the law allows, and would not open otherwise (R-32)', async () => {
    await refuseFeePolicy(database, NOW);
    await database.inTransaction((tx) =>
      tx
        .insert(feePolicy)
        .values({ type: 'O', eligibility: 'E', validFrom: today, chargeCents: 100 }),
    );
    await expect(refuseFeePolicy(database, NOW)).rejects.toThrow(
      'O for E charges a covered patient, which the Medicare Protection Act forbids',
    );
  });
});

describe('The practice clinic of lengths', () => {
  let lengths: TestDatabase;
  beforeAll(async () => {
    lengths = await testDatabase();
    await seedPracticeClinic({ database: lengths, keyring, ids: randomIds }, NOW, 'lengths');
    await expandSchedule(lengths, today);
  });
  afterAll(() => lengths.close());

  // Shows: R-90
  test('books appointments of every length, none over another', async () => {
    const rows = await lengths.db.select().from(appointment);
    const minutes = new Set(rows.map(({ start, end }) => (end - start) / 60));
    expect([...minutes].sort((one, other) => one - other)).toEqual([10, 15, 20, 40]);
    expect(await violations(lengths.db, NOW)).toEqual([]);
    await refuseFeePolicy(lengths, NOW);
  });

  test('is not opened as another one, and says so in one sentence', async () => {
    const parts = { database: lengths, keyring, ids: randomIds };
    expect(await seedPracticeClinic(parts, NOW, 'lengths')).toBe('seeded before');
    await expect(seedPracticeClinic(parts, NOW)).rejects.toThrow(
      "This data folder holds the practice clinic 'lengths', not 'specified': set PRACTICE_CLINIC=lengths, or another DATA_DIR.",
    );
  });
});
