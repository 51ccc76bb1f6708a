import { UNDO_SECONDS, toInstant } from '@clinic/domain';
import { mulberry32 } from '@clinic/practice/appointments.ts';
import { expect, onTestFinished, test } from 'vitest';
import { fixedClock } from '../../../../testing/clock-fixed.ts';
import { aStaffMember, askDesk, deskClinic, deskSession } from '../../../../testing/desk.ts';
import { aPatient, testLog } from '../../../../testing/index.ts';
import { patientWaits } from '../../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../../testing/test-database.ts';
import { databaseOn, sql } from '../../../database/db.ts';
import { openPostgres } from '../../../database/engine-postgres.ts';
import { violations } from '../../../database/invariants.store.ts';
import { createOutbox } from '../../../database/outbox.store.ts';
import { appointment, appointmentStep, outbox, staffAct } from '../../../schema.ts';
import { randomIds } from '../../../server/ports.ts';

const SEEDS = process.env.LONG === '1' ? 1_000 : 100;
/** So many runs have one member of staff. */
const EACH = 50;
const WHEN = ['11:00', '11:30', '13:00', '13:30'].map((time) => toInstant('2026-11-23', time));
const OVER = { providerId: '101', overrideReason: 'urgent' } as const;

// Shows: R-125
test(`What staff undo while it is being mailed is told or undone and never both, and no time is lost or taken twice, in ${SEEDS} runs`, async () => {
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, poolSize: 12, waits: patientWaits }));
  const { clinic, casey, ...desk } = await deskClinic('receptionist', { database });
  let { cookie } = desk;
  onTestFinished(() => clinic.close());
  await clinic.app.stopJob('outbox');
  const other = await aPatient(clinic);
  // The mailer is another process, whose second has come while the request's has not.
  const clock = fixedClock(clinic.clock.now());
  const log = testLog();
  const mailer = createOutbox({ database, clock, ids: randomIds, log });
  let told: unknown[] = [];
  mailer.handle('appointment-email', async ({ appointmentId, event }) => {
    told.push(`${String(event)} ${String(appointmentId)}`);
  });

  const book = async (id: string, start: number) =>
    askDesk(clinic, 'deskBook', { cookie, params: { id }, body: { ...OVER, type: 'O', start } });
  const ends = { told: 0, undone: 0 };

  for (let seed = 1; seed <= SEEDS; seed++) {
    // Nobody cancels more of a day than this without a manager.
    if (seed % EACH === 0)
      cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    const chance = mulberry32(seed);
    const below = (end: number) => Math.floor(chance() * end);
    const [first = 0, second = 0, third = 0] = WHEN;
    const made = (await book(casey.id, first)).answer().extras;
    const kind = (['booked', 'rescheduled', 'cancelled'] as const)[below(3)];
    if (kind !== 'booked') {
      clinic.clock.advance(UNDO_SECONDS + 1);
      clock.set(clinic.clock.now());
      await mailer.drain();
    }
    const params = { id: made.id };
    const act =
      kind === 'booked'
        ? made
        : kind === 'rescheduled'
          ? (
              await askDesk(clinic, 'deskMoveAppointment', {
                cookie,
                params,
                body: { ...OVER, start: second },
              })
            ).answer().extras
          : (
              await askDesk(clinic, 'deskCancelAppointment', {
                cookie,
                params,
                body: { wantedBy: 'clinic' },
              })
            ).answer().extras;
    const subject = 'id' in act ? act.id : made.id;
    told = [];
    clinic.clock.advance(UNDO_SECONDS - 1);
    clock.set(clinic.clock.now() + 1);
    const undo = () =>
      askDesk(clinic, 'deskUndo', { cookie, params: { act: act.undo?.act ?? '' } });
    /** Begins after the database has answered some questions: an act asks about as many. */
    const after = async <T>(questions: number, work: () => Promise<T>) => {
      for (let asked = 0; asked < questions; asked++) await sql(database.db)`select 1`;
      return work();
    };
    const rival = below(4);
    const [undoing, again] = await Promise.all([
      after(below(6), undo),
      after(below(18), undo),
      after(below(18), () => mailer.drain()),
      rival === 0 ? after(below(12), () => book(other.id, first)) : null,
      rival === 1 ? after(below(12), () => book(casey.id, third)) : null,
    ]);
    const codes = [undoing, again].map((each) =>
      each.statusCode === 200 ? 'undone' : each.code(),
    );
    const isUndone = codes.includes('undone');
    await mailer.drain();
    const isTold = told.includes(`${kind} ${subject}`);
    expect({ seed, kind, codes, isTold }).toEqual({ seed, kind, codes, isTold: !isUndone });
    if (isUndone) expect([seed, ...codes]).toEqual([seed, 'undone', 'undone']);
    ends[isTold ? 'told' : 'undone'] += 1;

    const rows = await database.db.select().from(appointment);
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    const stands = kind === 'booked' ? !isUndone : isUndone;
    expect([seed, states.get(made.id)]).toEqual([
      seed,
      stands ? 'booked' : kind === 'booked' ? 'released' : kind,
    ]);
    expect(await violations(database.db, clinic.clock.now())).toEqual([]);
    await database.inTransaction(async (tx) => {
      for (const table of [appointment, appointmentStep, outbox, staffAct]) await tx.delete(table);
    });
  }
  expect(log.failures).toEqual([]);
  // Each end was reached, or the interleavings show little.
  expect(Math.min(ends.told, ends.undone)).toBeGreaterThan(SEEDS / 10);
});
