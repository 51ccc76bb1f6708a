import { currentAgreement } from '@clinic/contract/agreements';
import { toInstant } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { aStaffMember, askDesk, deskClinic, deskSession } from '../../../../testing/desk.ts';
import { aClinic, aPatient, testApp } from '../../../../testing/index.ts';
import { patientWaits, untilSomeWait } from '../../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../../testing/test-database.ts';
import { databaseOn, sql } from '../../../database/db.ts';
import { openPostgres } from '../../../database/engine-postgres.ts';
import { violations } from '../../../database/invariants.store.ts';
import {
  agreement,
  appointment,
  appointmentStep,
  audit,
  outbox,
  staffAct,
} from '../../../schema.ts';

// Shows: R-98
test('Consents that two receptionists note at one moment are noted once', async () => {
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, waits: patientWaits }));
  const clinic = await testApp({ database });
  onTestFinished(() => clinic.close());
  await aClinic(clinic);
  const casey = await aPatient(clinic);
  const aDesk = async () => deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
  const desks = [await aDesk(), await aDesk()];
  const made = await askDesk(clinic, 'deskBook', {
    cookie: desks[0],
    params: { id: casey.id },
    body: { type: 'O', providerId: '101', start: toInstant('2026-11-23', '11:00') },
  });
  const { id } = made.answer().extras;
  const { kind, version, hash } = currentAgreement('general');
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = database.inTransaction(async (tx) => {
    await sql(tx)`select 1 from patient for update`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const body = { texts: [{ kind, version, hash }] };
  const asked = desks.map((cookie) =>
    askDesk(clinic, 'deskNoteConsents', { cookie, params: { id }, body }),
  );
  await untilSomeWait(database, 2);
  released.resolve();
  await holding;
  for (const noted of await Promise.all(asked)) noted.answer();
  expect(await database.db.select().from(agreement)).toHaveLength(1);
  const isNote = eq(audit.action, 'consents read out');
  expect(await database.db.select().from(audit).where(isNote)).toHaveLength(1);
});

// Shows: R-98
test('A time that a no-show has freed goes to who takes it back or to who books it, and to one of them', async () => {
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, poolSize: 8, waits: patientWaits }));
  const { clinic, casey, robin } = await deskClinic('receptionist', { database });
  onTestFinished(() => clinic.close());
  const other = await aPatient(clinic);
  const start = toInstant('2026-11-23', '11:00');
  const book = (cookie: string, id: string) =>
    askDesk(clinic, 'deskBook', {
      cookie,
      params: { id },
      body: { type: 'O', providerId: '101', start, overrideReason: 'walkIn' },
    });
  clinic.clock.set(start);
  const cookie = await deskSession(clinic, robin);
  const ends = { takenBack: 0, booked: 0 };
  for (let round = 0; round < 40; round += 1) {
    const { id } = (await book(cookie, casey.id)).answer().extras;
    const note = (from: string, to: string) =>
      askDesk(clinic, 'deskNoteAttendance', { cookie, params: { id }, body: { from, to } });
    (await note('expected', 'noShow')).answer();
    // Each begins a little after the other in some of the rounds.
    const after = async <T>(questions: number, work: () => Promise<T>) => {
      for (let asked = 0; asked < questions; asked += 1) await sql(database.db)`select 1`;
      return work();
    };
    const [back, rival] = await Promise.all([
      after(round % 5, () => note('noShow', round % 2 === 0 ? 'expected' : 'arrived')),
      after((round * 3) % 7, () => book(cookie, other.id)),
    ]);
    const isBack = back.statusCode === 200;
    expect([round, isBack ? rival.code() : back.code(), rival.statusCode === 200]).toEqual([
      round,
      isBack ? 'slotTaken' : 'noShowStands',
      !isBack,
    ]);
    ends[isBack ? 'takenBack' : 'booked'] += 1;
    expect(await violations(database.db, clinic.clock.now())).toEqual([]);
    await database.inTransaction(async (tx) => {
      for (const table of [appointment, appointmentStep, outbox, staffAct]) await tx.delete(table);
    });
  }
  expect(Math.min(ends.takenBack, ends.booked)).toBeGreaterThan(0);
});
