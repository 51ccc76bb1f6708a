import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, somePatients } from '../../../../testing/a-clinic.ts';
import { ask } from '../../../../testing/ask.ts';
import { violations } from '../../../../testing/invariants.ts';
import { patientWaits, untilSomeWait } from '../../../../testing/patient-waits.ts';
import { signIn } from '../../../../testing/sign-in.ts';
import { testApp } from '../../../../testing/test-app.ts';
import type { TestApp } from '../../../../testing/test-app.ts';
import { testDatabaseUrl } from '../../../../testing/test-database.ts';
import { type Tx, databaseOn, sql } from '../../../database/db.ts';
import { openPostgres } from '../../../database/engine-postgres.ts';
import { type BusySpan, replaceBusySpans, assignFreedTimeSteps } from './busy.store.ts';
import type { PatientId } from '../../../security/sessions.store.ts';
import { patientRecord } from '../../records/schema.ts';
import { appointment, busySpan } from '../schema.ts';
import { noteFee } from '../by-staff/fees.ts';
import { bookForPatient } from '../reserve.ts';
import { moveByStaff } from '../by-staff/staff-changes.store.ts';
import { type Appointments, appointments } from '../store.ts';
import { emrBook } from '../../emr/index.ts';

const DAY = '2026-11-23';
const eight = toInstant(DAY, '08:00');

let clinic: TestApp;
beforeEach(async () => {
  const url = await testDatabaseUrl();
  clinic = await testApp({
    database: databaseOn(openPostgres({ url, poolSize: 40, waits: patientWaits })),
  });
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
});
afterEach(() => clinic.close());

const busyAt = (steps: number, sourceId = 's'): BusySpan => ({
  sourceId,
  providerId: '101',
  clinicDate: DAY,
  start: eight + steps * 300,
  end: eight + (steps + 2) * 300,
});
const keepIn = (tx: Tx, ...spans: BusySpan[]) =>
  replaceBusySpans(tx, { providerId: '101', from: DAY, to: DAY }, spans, () => crypto.randomUUID());
async function book(token: string, steps: number): Promise<string> {
  const start = eight + steps * 300;
  const body = { doctor: '101', start, end: start + 300, selectedType: 'O', reason: 'A cough' };
  const response = await ask(clinic, 'createBooking', { token, body });
  return response.statusCode === 200 ? 'booked' : response.refusal().extras.code;
}

/** Gives what stands over others the steps that are free, while somebody ends one of them. */
async function whileStepsAreTaken(end: () => Promise<unknown>) {
  const [taken, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const taking = clinic.database.inTransaction(async (tx) => {
    await assignFreedTimeSteps(tx, NOW);
    taken.resolve();
    await mayCommit.promise;
  });
  await taken.promise;
  const ending = end();
  await Promise.race([ending, untilSomeWait(clinic.database)]);
  mayCommit.resolve();
  await Promise.all([taking, ending]);
}

async function idOf(patientId: string) {
  const [row] = await clinic.database.db
    .select()
    .from(appointment)
    .where(eq(appointment.patientId, patientId));
  if (!row) throw new Error('Nothing was booked');
  return row;
}

describe('What ends while it is given steps that were freed leaves none behind', () => {
  test('a busy span', async () => {
    const [patient = ''] = await somePatients(clinic.database, 1);
    const token = await signIn(clinic, { id: patient });
    await book(token, 0);
    await clinic.database.inTransaction((tx) => keepIn(tx, busyAt(0)));
    const { id } = await idOf(patient);
    (await ask(clinic, 'cancelAppointment', { token, params: { id } })).answer();
    await whileStepsAreTaken(() => clinic.database.inTransaction((tx) => keepIn(tx)));
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
  });

  test('an appointment that staff have put over another', async () => {
    const [one = '', other = ''] = await somePatients(clinic.database, 2);
    const [token, rival] = [await signIn(clinic, { id: one }), await signIn(clinic, { id: other })];
    await book(token, 0);
    await book(rival, 2);
    const [under, over] = [await idOf(one), await idOf(other)];
    const { providerId, start, end, clinicDate } = under;
    await clinic.database.inTransaction((tx) =>
      moveByStaff(
        tx,
        { ...over, state: 'booked', patientId: null },
        { providerId, start, end, clinicDate },
        NOW,
      ),
    );
    const cancel = async (by: string, id: string) =>
      (await ask(clinic, 'cancelAppointment', { token: by, params: { id } })).answer();
    await cancel(token, under.id);
    await whileStepsAreTaken(() => cancel(rival, over.id));
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
  });
});

describe('A busy span and a booking that want one time', () => {
  test('the booking waits for a span that came first, and is told that it is taken', async () => {
    const [patient] = await somePatients(clinic.database, 1);
    const token = await signIn(clinic, { id: patient ?? '' });
    const [taken, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const keeping = clinic.database.inTransaction(async (tx) => {
      await keepIn(tx, busyAt(0));
      taken.resolve();
      await mayCommit.promise;
    });
    await taken.promise;
    const booking = book(token, 1);
    await untilSomeWait(clinic.database);
    mayCommit.resolve();
    await keeping;
    expect(await booking).toBe('slotTaken');
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
  });

  test('of 30 bookings and a span at once none is lost and none overlaps unnoticed', async () => {
    const patients = await somePatients(clinic.database, 30);
    const tokens = await Promise.all(patients.map((id) => signIn(clinic, { id })));
    const spans = [0, 3, 6, 9].map((steps) => busyAt(steps, `s${steps}`));
    const [answers] = await Promise.all([
      Promise.all(tokens.map((token, at) => book(token, at % 12))),
      clinic.database.inTransaction((tx) => keepIn(tx, ...spans)),
    ]);
    expect(new Set(answers)).toEqual(new Set(['booked', 'slotTaken']));
    const kept = await clinic.database.db.select().from(busySpan);
    expect(kept).toHaveLength(4);
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
    // What was booked before the span came, and nothing else, overlaps it.
    const overlapped = await sql<{ steps: number }>(clinic.database.db)`
      select count(*)::int as steps from appointment a join busy_span b
          on b.provider_id = a.provider_id and a.start_s < b.end_s and b.start_s < a.end_s`;
    expect(overlapped[0]?.steps === 0).toBe(kept.every(({ lacksSteps }) => !lacksSteps));
  });
});

describe('A fee that is taken while its appointment is moved', () => {
  // Shows: R-98
  test.each(['an account', 'a record without one'])(
    'goes with it, or is not taken, of %s',
    async (of) => {
      const [patient = ''] = await somePatients(clinic.database, 1);
      await book(await signIn(clinic, { id: patient }), 0);
      const { id } = await idOf(patient);
      const patientId = of === 'an account' ? (patient as PatientId) : null;
      const recordId = 'W1';
      await clinic.database.inTransaction(async (tx) => {
        await tx.insert(patientRecord).values({
          id: recordId,
          firstName: 'Ola',
          lastName: 'Berg',
          birthDate: '1951-03-02',
          cardProvince: 'BC',
        });
        const own = patientId === null ? { patientId, recordId } : {};
        await tx.update(appointment).set({ ...own, feeAtClinic: { cents: 1_000 } });
      });
      const whose = patientId ?? { recordId };
      const staffId = crypto.randomUUID();
      const fee = { id, patientId, recordId, staffId };
      const who = { actor: `staff:${staffId}`, now: NOW };
      const [read, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow: Appointments = {
        ...appointments,
        async listOwn(...given) {
          const standing = await appointments.listOwn(...given);
          read.resolve();
          await mayGoOn.promise;
          return standing;
        },
      };
      const heldPayments = { cancel: () => Promise.reject(new Error('Nothing is being paid for')) };
      const ports = { ...clinic.platform, appointments: slow, emrBook, heldPayments };
      const start = eight + 4 * 300;
      const slot = { providerId: '101', start, end: start + 300, type: 'O' };
      const moving = bookForPatient(
        ports,
        {
          staffId,
          owner: whose,
          slot,
          minutes: null,
          overrideReason: null,
          movedByClinic: false,
          withPaymentLink: false,
          paymentLinkHoldId: null,
          rescheduleOf: id,
          requestKey: 'sent:a-move',
        },
        NOW,
      );
      await read.promise;
      const taking = noteFee(
        { ...clinic.platform, appointments },
        fee,
        { kind: 'taken', means: 'cash' },
        who,
      );
      await Promise.race([taking, untilSomeWait(clinic.database)]);
      mayGoOn.resolve();
      expect((await moving).kind).toBe('rescheduled');
      expect(await taking).toBe(false);
      const kept = await clinic.database.db.select().from(appointment);
      expect(kept.map(({ feeAtClinic }) => feeAtClinic)).toEqual([
        { cents: 1_000 },
        { cents: 1_000 },
      ]);
    },
  );
});
