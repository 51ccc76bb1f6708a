import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { formatAppointment, toClinic, toInstant } from '@clinic/domain';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { appointments } from '@clinic/service/modules/appointments/index.ts';
import { emrBook, emrBesideService, syncFromEmr } from '@clinic/service/modules/emr/index.ts';
import type { ProviderId } from '@clinic/service/modules/records/emr.ts';
import type { Platform } from '@clinic/service/platform.ts';
import { aClinic, aPatientRow } from '@clinic/service/testing/a-clinic.ts';
import { type TestApp, ask, signIn, testApp } from '@clinic/service/testing/index.ts';
import { type PayingClinic, payingClinic } from '@clinic/service/testing/paying-clinic.ts';
import { testDatabase } from '@clinic/service/testing/test-database.ts';
import { operate } from '@clinic/service/testing/operator.ts';
import { chargeAppointment } from '@clinic/service/modules/payments/charge.ts';

let clinic: PayingClinic;
const run = (...typed: string[]) => operate(clinic.platform, ...typed);

beforeEach(async () => {
  clinic = await payingClinic(await testDatabase());
});
afterEach(() => clinic.close());

/** A patient with a paid appointment; when it is. */
async function aPaidAppointment() {
  const patientId = await clinic.aPayer();
  const request = clinic.aAppointment(patientId);
  await chargeAppointment(clinic.ports(), request, clinic.clock.now());
  await clinic.sweep();
  return { patientId, day: toClinic(request.slot.start).date };
}

describe('npm run clinic -- cancel-day', () => {
  // Shows: R-44
  test('cancels what stands, tells the patients, gives the money back and offers no more (R-44)', async () => {
    const { patientId, day } = await aPaidAppointment();
    expect(await clinic.ends(patientId)).toEqual(['booked captured succeeded']);
    await clinic.platform.outbox.drain();
    const before = clinic.mail.sent.length;

    const cancelled = await run('cancel-day', '101', day, '--yes');
    expect(cancelled.lines).toEqual([
      expect.stringMatching(/  told by mail, CAD 200\.00 goes back$/),
      '1 appointment cancelled, 0 held times taken back.',
    ]);
    await clinic.sweep();
    expect(await clinic.ends(patientId)).toEqual([expect.stringMatching(/^cancelled refunded/)]);
    await clinic.platform.outbox.drain();
    const emails = clinic.mail.sent.slice(before);
    expect(emails.map(({ subject }) => subject).sort()).toEqual([
      'Your appointment is cancelled - Test Clinic',
      'Your payment has been refunded - Test Clinic',
    ]);
    const email = emails.find(({ calendar }) => calendar?.method === 'CANCEL');
    expect(email?.text).toContain('the clinic had to cancel your appointment');
    expect(email?.text).toContain('will be refunded to your card in full');
    const { rows } = await clinic.database.db.execute<{ open: number }>(
      sql`select length(replace(codes, '_', ''))::int as open from schedule_day
           where provider_id = '101' and clinic_date = ${day}`,
    );
    expect(rows).toEqual([{ open: 0 }]);
    expect(await clinic.violations()).toEqual([]);
    expect((await run('cancel-day', '101', day, '--yes')).lines).toEqual([
      '0 appointments cancelled, 0 held times taken back.',
    ]);
  });

  test('says beforehand what would happen, and changes nothing', async () => {
    const { patientId, day } = await aPaidAppointment();
    const tables = async () => {
      const { rows } = await clinic.database.db.execute(
        sql`select (select json_agg(c) from appointment c) as appointments, (select json_agg(o) from outbox o) as mails,
                   (select json_agg(s) from schedule_day s) as days, (select json_agg(e) from records_exception e) as closed`,
      );
      return rows;
    };
    const before = await tables();
    const foreseen = await run('cancel-day', '101', day, '--dry-run');
    expect(foreseen).toMatchObject({ code: 0, refused: '' });
    expect(foreseen.lines).toEqual([
      expect.stringMatching(/  told by mail, CAD 200\.00 goes back$/),
      'The day of 101 would be closed: nothing of it is offered any more.',
      '1 appointment would be cancelled with 2 mails, 1 refund of CAD 200.00 in all, 0 held times taken back.',
      'Nothing is changed yet.',
    ]);
    expect((await run('cancel-day', '101', day)).code).toBe(1);
    expect(await tables()).toEqual(before);
    expect(await clinic.ends(patientId)).toEqual(['booked captured succeeded']);
  });

  test.each([
    [['cancel-day', '999', '2026-12-01'], "No doctor has the id '999'."],
    [['cancel-day', '101', '2026-13-01'], '<date> must be a date such as 2026-12-01.'],
    [['cancel-day', '101', '2020-01-01'], 'This day is over.'],
  ])('refuses %j', async (typed, why) => {
    for (const way of ['--yes', '--dry-run'])
      expect(await run(...typed, way)).toMatchObject({ code: 1, refused: why });
  });
});

describe('Where an EMR keeps the book, npm run clinic --', () => {
  const day = '2026-11-23';
  const start = toInstant(day, '08:00');
  const cancelDay = (platform: Platform) => operate(platform, 'cancel-day', '101', day, '--yes');
  let emr: FakeEmr;
  let served: TestApp;

  beforeEach(async () => {
    emr = fakeEmr({ days: null });
    served = await testApp({ emr });
    await served.app.stopJob('emr');
    await aClinic(served.database, { providers: [{ id: '101' }] });
    await sync();
    const token = await signIn(served, { id: await aPatientRow(served.database) });
    const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
    await ask(served, 'createBooking', { token, body: { ...slot, reason: 'Cough' } });
    await served.platform.outbox.drain();
    served.mail.sent.length = 0;
  });
  afterEach(() => served.close());

  const sync = () => syncFromEmr({ ...served.platform, appointments, emrBook }, served.clock.now());
  /** What is booked here, in the EMR, and told. */
  async function standing() {
    const { rows } = await served.database.db.execute<{ state: string }>(
      sql`select state from appointment`,
    );
    const emails = served.mail.sent.map(({ subject }) => subject);
    return [rows.map(({ state }) => state), emr.busy().length, emails];
  }
  const CANCELLED = ['Your appointment is cancelled - Test Clinic'];

  test('cancel-day cancels there at once from within the service', async () => {
    expect((await cancelDay(served.platform)).lines.slice(1)).toEqual([
      '1 appointment cancelled, 0 held times taken back.',
    ]);
    expect(await standing()).toEqual([['cancelled'], 0, []]);
  });

  // Shows: R-44
  test('cancel-day has the service tell the EMR where it runs beside it (R-44)', async () => {
    const beside = { ...served.platform, emr: await emrBesideService(served.database.db) };
    expect((await cancelDay(beside)).lines.slice(1)).toEqual([
      '1 appointment cancelled, 0 held times taken back.',
      'The EMR hears of it from the running service.',
    ]);
    expect(await standing()).toEqual([['cancelled'], 1, []]);
    await served.platform.outbox.drain();
    expect(await standing()).toEqual([['cancelled'], 0, CANCELLED]);
    await sync();
    expect(await standing()).toEqual([['cancelled'], 0, CANCELLED]);
  });

  test('cancel-day is not undone by a sync that comes before the EMR has heard of it', async () => {
    await cancelDay({ ...served.platform, emr: await emrBesideService(served.database.db) });
    served.clock.advance(1_800);
    await sync();
    const taken = async () =>
      (await served.database.db.execute(sql`select 1 from appointment_step`)).rows.length;
    expect([await taken(), ...(await standing())]).toEqual([1, ['cancelled'], 1, []]);
    await served.platform.outbox.drain();
    await sync();
    expect([await taken(), ...(await standing())]).toEqual([0, ['cancelled'], 0, CANCELLED]);
  });

  test('cancel-day cancels here while the EMR is offline, and there once it answers', async () => {
    emr.faults.offline = true;
    expect((await cancelDay(served.platform)).lines.at(-1)).toBe(
      'The EMR hears of it from the running service.',
    );
    emr.faults.offline = false;
    await served.platform.outbox.drain();
    expect(await standing()).toEqual([['cancelled'], 0, CANCELLED]);
  });

  test('overlaps and status tell of what staff have booked over, until it is gone', async () => {
    const status = async () => (await operate(served.platform, 'status')).lines;
    const overlaps = async () => (await operate(served.platform, 'overlaps')).lines;
    emr.staff.book({ providerId: '101' as ProviderId, date: day, start: '08:02', end: '08:20' });
    await sync();
    expect(await overlaps()).toEqual([
      `${formatAppointment(start)}  provider 101, O, 5 minutes`,
      '1 appointment overlapped; each stands until it is moved or cancelled.',
    ]);
    expect(await status()).toContain(
      'overlaps: staff have booked over 1 appointment (npm run clinic -- overlaps).',
    );
    const theirs = emr.busy().find(({ key }) => key.startsWith('staff:'));
    emr.staff.cancel(theirs?.key ?? '');
    await sync();
    expect(await overlaps()).toEqual(['No appointment ahead is overlapped.']);
    expect((await status()).join()).not.toContain('overlaps');
  });
});

test('npm run clinic -- statistics counts by month and doctor, and says who cancelled', async () => {
  const { day } = await aPaidAppointment();
  await aPaidAppointment();
  await run('cancel-day', '101', day, '--yes');
  await clinic.database.db.execute(
    sql.raw(`insert into records_template
      select '101', weekday, '2026-01-01', repeat('O', 12) || repeat('_', 276)
        from generate_series(0, 6) as weekday`),
  );
  const counted = await run('statistics', '--from', '2026-11-01', '--to', '2026-12-31');
  const csv =
    [...counted.files.values()][0]?.toString('utf8').replace('\uFEFF', '').split('\n') ?? [];
  expect(csv[0]).toBe(
    'month,provider,bookings,patients,offeredMinutes,bookedMinutes,cancelledByPatient,cancelledByClinic,rescheduled,rescheduledByClinic,registered,noShows',
  );
  const month = day.slice(0, 7);
  const own = csv.find((line) => line.startsWith(`${month},101,`))?.split(',') ?? [];
  expect(own.slice(2, 4)).toEqual(['2', '2']);
  expect(Number(own[4])).toBe(60 * (month === '2026-11' ? 29 : 30));
  expect(own.slice(6)).toEqual(['0', '2', '0', '0', '0', '0']);
  expect(csv.find((line) => line.startsWith(`${month},all,`))).toBeDefined();
});

describe('npm run clinic -- outside-schedule', () => {
  // Shows: R-93
  test('lists what stands outside of the hours, or has another length now, and leaves it (R-93)', async () => {
    const { patientId, day } = await aPaidAppointment();
    expect((await run('outside-schedule')).lines).toEqual([
      'Every appointment ahead is as the schedule offers it.',
    ]);
    const { db } = clinic.database;
    await db.execute(sql`update appointment_type set minutes = 25`);
    expect((await run('outside-schedule')).lines).toEqual([
      expect.stringMatching(/provider 101, V, 5 minutes: would last 25 minutes now$/),
      '1 appointment outside of the schedule; each stands until it is moved or cancelled.',
    ]);
    await db.execute(
      sql`update schedule_day set codes = repeat('_', 288) where clinic_date = ${day}`,
    );
    expect((await run('outside-schedule')).lines[0]).toMatch(/: not offered at this time$/);
    expect(await clinic.ends(patientId)).toEqual(['booked captured succeeded']);
  });
});

describe('npm run clinic -- told-since', () => {
  const typed = (at: number) => {
    const { date, time } = toClinic(at);
    return ['told-since', date, time];
  };

  test('lists what patients were told of appointments since an instant, and how to reach them', async () => {
    const since = clinic.clock.now();
    const { patientId, day } = await aPaidAppointment();
    expect((await run(...typed(since))).lines).toEqual([
      expect.stringMatching(/  booked: .+  .+, .+@/),
      '1 appointment changed since then.',
    ]);
    await run('cancel-day', '101', day, '--yes');
    expect((await run(...typed(since))).lines[0]).toMatch(/  cancelled: /);
    expect((await run(...typed(clinic.clock.now() + 3_600))).lines).toEqual([
      '0 appointments changed since then.',
    ]);
    await clinic.database.db.execute(
      sql`update appointment set patient_id = null where patient_id = ${patientId}`,
    );
    expect((await run(...typed(since))).lines[0]).toMatch(/  record \S+, no account$/);
  });

  test.each([
    [['2026-13-01', '09:30'], '<date> must be a date such as 2026-12-01.'],
    [['2026-12-01', '9:30'], '<time> must be a time such as 09:30.'],
  ])('refuses %j', async (when, why) => {
    expect(await run('told-since', ...when)).toMatchObject({ code: 1, refused: why });
  });
});
