import { eq } from 'drizzle-orm';
import { parse } from 'csv-parse/sync';
import { toInstant } from '@clinic/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askDesk, deskClinic } from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, aPatient, ask, signIn } from '../../../../testing/index.ts';
import {
  appointment,
  audit,
  provider as providerTable,
  recordsTemplate,
  scheduleDay,
} from '../../../schema.ts';
import { RECENT_FACTOR } from '../../staff/authorize-staff.ts';

let clinic: TestApp;
let casey: PatientRow;
let cookie: string;

beforeEach(async () => {
  ({ clinic, casey, cookie } = await deskClinic('manager'));
});
afterEach(() => clinic.close());

const MONDAY = '2026-11-23';
const RANGE = { from: '2026-11-01', to: '2026-11-30' };
const at = (time: string, date = MONDAY) => toInstant(date, time);
const reports = async (range = RANGE) =>
  (await askDesk(clinic, 'deskReports', { cookie, query: range })).answer().extras;
const byStaff = async (time: string, date = MONDAY, patient = casey) =>
  (
    await askDesk(clinic, 'deskBook', {
      cookie,
      params: { id: patient.id },
      body: { type: 'O', providerId: '101', start: at(time, date) },
    })
  ).answer().extras.id;
async function byPatient(time: string, date = MONDAY, patient = casey) {
  const start = at(time, date);
  const booked = await ask(clinic, 'createBooking', {
    token: await signIn(clinic, patient),
    body: { doctor: '101', selectedType: 'O', start, end: start + 300, reason: 'Cough' },
  });
  return booked.answer().extras.appointment?.id ?? '';
}
const cancelAtDesk = (id: string, wantedBy: 'patient' | 'clinic') =>
  askDesk(clinic, 'deskCancelAppointment', { cookie, params: { id }, body: { wantedBy } });
const moveAtDesk = async (id: string, time: string, wantedBy: 'patient' | 'clinic') =>
  (
    await askDesk(clinic, 'deskMoveAppointment', {
      cookie,
      params: { id },
      body: { providerId: '101', start: at(time), wantedBy },
    })
  ).answer().extras.id;

describe('Reports (S-18)', () => {
  test('count bookings by who made them, once where they were moved', async () => {
    const other = await aPatient(clinic);
    await byPatient('11:00');
    const id = await byStaff('11:10', MONDAY, other);
    await askDesk(clinic, 'deskMoveAppointment', {
      cookie,
      params: { id },
      body: { providerId: '101', start: at('11:20') },
    });
    const { bookings, leadTimes, medianLeadDays } = await reports();
    expect(bookings).toHaveLength(30);
    expect(bookings.filter(({ patient, desk }) => patient + desk > 0)).toEqual([
      { period: '2026-11-21', patient: 1, desk: 1 },
    ]);
    expect(leadTimes.filter((each) => each.bookings > 0)).toEqual([{ fromDays: 2, bookings: 2 }]);
    expect(medianLeadDays).toBe(2);
    const longer = await reports({ from: '2026-10-15', to: '2026-12-14' });
    expect(longer.bookings).toEqual([
      { period: '2026-10', patient: 0, desk: 0 },
      { period: '2026-11', patient: 1, desk: 1 },
      { period: '2026-12', patient: 0, desk: 0 },
    ]);
  });

  // Shows: S-18
  test('say who wanted it cancelled or moved, also of what staff did', async () => {
    const other = await aPatient(clinic);
    const own = await byPatient('11:00');
    await ask(clinic, 'cancelAppointment', {
      token: await signIn(clinic, casey),
      params: { id: own },
    });
    await cancelAtDesk(await byPatient('11:10', '2026-11-24'), 'clinic');
    await cancelAtDesk(await byPatient('11:20', '2026-11-25'), 'patient');
    const moved = await byStaff('11:20', MONDAY, other);
    await moveAtDesk(await moveAtDesk(moved, '11:40', 'clinic'), '11:50', 'patient');
    const { providers } = await reports();
    expect(providers).toMatchObject([
      {
        provider: '101',
        name: 'Dr. A. Stone',
        bookings: 4,
        patients: 2,
        cancelledByPatient: 2,
        cancelledByClinic: 1,
        rescheduledByPatient: 1,
        rescheduledByClinic: 1,
      },
      { provider: 'all', bookings: 4, patients: 2 },
    ]);
  });

  test('count who came, who did not, and the open and booked time', async () => {
    const templates = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
      providerId: '101',
      weekday,
      validFrom: '2026-01-01',
      codes: 'O'.repeat(12) + '_'.repeat(276),
    }));
    await clinic.database.inTransaction((tx) => tx.insert(recordsTemplate).values(templates));
    const came = await byPatient('11:00');
    const stayed = await byPatient('11:10', '2026-11-24');
    await clinic.database.inTransaction(async (tx) => {
      await tx.update(appointment).set({ state: 'completed' }).where(eq(appointment.id, came));
      await tx.update(appointment).set({ state: 'no-show' }).where(eq(appointment.id, stayed));
    });
    const { providers } = await reports();
    expect(providers[0]).toMatchObject({
      registered: 1,
      noShows: 1,
      offeredMinutes: 30 * 60,
      bookedMinutes: 10,
      patients: 1,
    });
  });

  // Shows: S-18
  test('tell the third free time that patients see, of each provider and type', async () => {
    const third = async () =>
      Object.fromEntries((await reports()).thirdNext.map(({ type, start }) => [type, start]));
    const before = await third();
    const { times } = (
      await askDesk(clinic, 'deskFreeTimes', {
        cookie,
        params: { id: casey.id },
        body: { type: 'O', providerId: '101', from: '2026-11-21' },
      })
    ).answer().extras;
    expect(before['O']).toBe(times[2]?.start);
    await askDesk(clinic, 'deskBook', {
      cookie,
      params: { id: casey.id },
      body: { type: 'O', providerId: '101', start: times[0]?.start ?? 0 },
    });
    expect((await third())['O']).toBe(times[3]?.start);
    await clinic.database.inTransaction((tx) =>
      tx.update(scheduleDay).set({ codes: `O${'_'.repeat(287)}` }),
    );
    expect((await third())['P']).toBeUndefined();
  });
});

describe('Reports of money, demand and who works here (S-18)', () => {
  test('sum what came in and went back on each day', async () => {
    const id = await byStaff('11:00');
    const feeAtClinic = {
      cents: 4_000,
      taken: { by: 'robin', means: 'cash' as const, at: at('11:00', '2026-11-20') },
      givenBack: {
        by: 'robin',
        means: 'cash' as const,
        reason: 'mistake' as const,
        at: at('09:00', '2026-11-22'),
      },
    };
    await clinic.database.inTransaction((tx) =>
      tx.update(appointment).set({ feeAtClinic }).where(eq(appointment.id, id)),
    );
    const { revenue = [] } = await reports();
    expect(revenue).toHaveLength(30);
    expect(revenue.filter(({ atClinic, refunded }) => atClinic + refunded > 0)).toEqual([
      { period: '2026-11-20', online: 0, atClinic: 4_000, refunded: 0 },
      { period: '2026-11-22', online: 0, atClinic: 0, refunded: 4_000 },
    ]);
    const { revenue: months } = await reports({ from: '2026-10-15', to: '2026-12-14' });
    expect(months?.map(({ period, atClinic }) => [period, atClinic])).toEqual([
      ['2026-10', 0],
      ['2026-11', 4_000],
      ['2026-12', 0],
    ]);
  });

  test('count by weekday and hour what was wanted, once where it was moved', async () => {
    const other = await aPatient(clinic);
    await cancelAtDesk(await byPatient('11:00'), 'patient');
    await moveAtDesk(await byStaff('11:10', MONDAY, other), '11:40', 'patient');
    const { demand = [] } = await reports();
    expect(demand).toEqual([{ weekday: 'Mon', hour: 11, appointments: 2 }]);
  });

  test('leave out who works here no more, but for the sums of the clinic', async () => {
    await byStaff('11:00');
    await clinic.database.inTransaction((tx) => tx.update(providerTable).set({ status: '0' }));
    const { providers, thirdNext } = await reports();
    expect(providers).toMatchObject([{ provider: 'all', bookings: 1 }]);
    expect(thirdNext).toEqual([]);
  });
});

describe('The figures as a file (S-17, S-18)', () => {
  const file = () => askDesk(clinic, 'deskStatistics', { cookie, body: RANGE });

  test('are those of npm run clinic -- statistics, and stand on the trail', async () => {
    await byPatient('11:00');
    const { name, csv } = (await file()).answer().extras;
    expect(name).toBe('statistics-2026-11-01-2026-11-30.csv');
    expect(parse(csv, { bom: true, columns: true })).toMatchObject([
      { month: '2026-11', provider: '101', bookings: '1', patients: '1' },
      { month: '2026-11', provider: 'all', bookings: '1' },
    ]);
    expect(
      await clinic.database.db.select().from(audit).where(eq(audit.action, 'statistics exported')),
    ).toMatchObject([{ subject: 'days:2026-11-01', details: { to: '2026-11-30' } }]);
  });

  test('are given after a recent code alone', async () => {
    clinic.clock.advance(RECENT_FACTOR);
    expect((await file()).code()).toBe('factorNeeded');
  });
});
