import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { aPatient, signIn } from '../../../testing/index.ts';
import { Crashed } from '../../../testing/failpoints.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { charge, intentOf, practiceCard, privateAppointment } from '../../../testing/paying.ts';
import { type TestApp, testApp } from '../../../testing/test-app.ts';
import { unlimitedRates } from '../../../testing/test-config.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { type Database, databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { type BookingStage, type Emr, EmrOffline } from '../records/emr.ts';
import { requestKey } from '../appointments/appointment.ts';
import { confirmPaid, freeUnsent, resolveUnknown } from './confirm.ts';
import { releaseHold } from '../appointments/holds.ts';
import { book as bookFor } from '../appointments/reserve.ts';
import { appointment } from '../appointments/schema.ts';
import { appointments } from '../appointments/store.ts';
import { emrBook } from './emr-book.ts';

const RIVALS = 12;
const FIRST = toInstant('2026-11-23', '08:00');
/** When the EMR may not be asked any more by a process that began to ask at `NOW`. */
const OVER = NOW + 20;
const HALF_AN_HOUR = 1_800;

let clinic: TestApp;
let emr: FakeEmr;
let patientId: PatientId;

beforeEach(async () => {
  emr = fakeEmr({ days: null });
  const database = databaseOn(
    openPostgres({ url: await testDatabaseUrl(), poolSize: 32, waits: patientWaits }),
  );
  clinic = await testApp({ database, emr, config: { rates: unlimitedRates() } });
  await aClinic(clinic.database);
  patientId = await aPatientRow(clinic.database);
});
afterEach(() => clinic.close());

interface Process {
  readonly database: Database;
  readonly emr: Emr;
}
const portsOf = (process: Process) => ({ ...clinic.platform, appointments, emrBook, ...process });
const another = () => portsOf({ database: clinic.database, emr });

/** A process that ends at a point of its booking: nothing that it would have done later happens. */
function killed(at: 'before it notes the write' | 'before it writes' | 'after it has written') {
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Crashed();
  };
  const ours = clinic.database;
  const database: Database = {
    ...ours,
    inTransaction: async (work) => (isDead ? die() : ours.inTransaction(work)),
    inTransactionOrConflict: async (work) => (isDead ? die() : ours.inTransactionOrConflict(work)),
  };
  const book: Emr['book'] = async (request, reached = async () => undefined) => {
    await emr.book(request, async (stage) => {
      if (stage === 'writing' && at === 'before it notes the write') die();
      await reached(stage);
      if (stage === 'writing' && at === 'before it writes') die();
    });
    return die();
  };
  return portsOf({ database, emr: { ...emr, book } });
}

/** A process that is held up at a stage of its booking until it is let go, and then answered as said. */
function heldUp(at: BookingStage, answer: Emr['book'] = (...asked) => emr.book(...asked)) {
  const [arrived, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const book: Emr['book'] = async (request, reached = async () => undefined) => {
    await reached('asking');
    if (at === 'writing') await reached('writing');
    arrived.resolve();
    await goOn.promise;
    return answer(request, reached);
  };
  const ports = portsOf({ database: clinic.database, emr: { ...emr, book } });
  return { ports, arrived: arrived.promise, letGo: goOn.resolve };
}

const slotOf = (at: number) => ({
  providerId: '101',
  start: FIRST + at * 300,
  end: FIRST + (at + 1) * 300,
  type: 'O' as const,
});
const book = (ports: ReturnType<typeof portsOf>, now = NOW, of = { patientId, at: 0 }) =>
  bookFor(
    ports,
    {
      patientId: of.patientId,
      slot: slotOf(of.at),
      answers: { reason: 'A cough' },
      requestKey: requestKey(undefined, slotOf(of.at)),
      claimed: { ticklers: [], paymentToken: null },
    },
    now,
  );
const rows = () => clinic.database.db.select().from(appointment);
const states = async () =>
  (await rows()).map(({ state, confirming }) => (confirming ? 'confirming' : state));
const inEmr = () => emr.busy().map(({ key }) => key);
/** The jobs of the process that lives on. */
async function jobs(now: number) {
  await freeUnsent(another(), now);
  await resolveUnknown(another(), now);
}

// Shows: R-94
describe('a process that is killed while it books', () => {
  test('before it notes the write leaves a time that its patient books through another as soon as its own time is over', async () => {
    await expect(book(killed('before it notes the write'))).rejects.toThrow(Crashed);
    await jobs(OVER - 1);
    expect(await book(another(), OVER - 1)).toMatchObject({ code: 'clinicConfirming' });
    await jobs(OVER);
    expect(await states()).toEqual(['held']);
    expect(await book(another(), OVER)).toMatchObject({ kind: 'booked' });
    expect([await states(), inEmr().length]).toEqual([['booked'], 1]);
  });

  test('before it writes leaves a time for which the clinic confirms, as it may be written', async () => {
    await expect(book(killed('before it writes'))).rejects.toThrow(Crashed);
    await jobs(NOW + HALF_AN_HOUR - 1);
    expect(await states()).toEqual(['confirming']);
    await jobs(NOW + HALF_AN_HOUR);
    expect([await states(), inEmr()]).toEqual([['released'], []]);
  });

  test('after it has written leaves a booking that another finds by its key', async () => {
    await expect(book(killed('after it has written'))).rejects.toThrow(Crashed);
    await jobs(NOW + 10);
    expect([await states(), inEmr().length]).toEqual([['booked'], 1]);
  });

  // Version 0.2.0 does not say what it has sent.
  test('and is of version 0.2.0 leaves a time for which the clinic confirms', async () => {
    await expect(book(killed('before it notes the write'))).rejects.toThrow(Crashed);
    await clinic.database.inTransaction((tx) => tx.update(appointment).set({ unsentUntil: null }));
    await jobs(NOW + HALF_AN_HOUR - 1);
    expect(await states()).toEqual(['confirming']);
  });

  test('before it notes the write of a paid one leaves it to be booked and charged by another', async () => {
    const token = await signIn(clinic, await aPatient(clinic));
    const card = { payment_method_id: practiceCard('needsBank') };
    const intent = intentOf(await charge(clinic, token, privateAppointment(card)));
    await clinic.gateway.decide(intent, true);
    const [paid] = await rows();
    const ports = killed('before it notes the write');
    const now = clinic.clock.now();
    await expect(confirmPaid(ports, ports.emr, paid?.id ?? '', now)).rejects.toThrow(Crashed);
    const confirm = () => charge(clinic, token, { payment_intent_id: intent });
    clinic.clock.advance(19);
    await jobs(clinic.clock.now());
    await confirm();
    expect([await states(), inEmr()]).toEqual([['confirming'], []]);
    clinic.clock.advance(1);
    await jobs(clinic.clock.now());
    await confirm();
    expect([await states(), inEmr().length]).toEqual([['booked'], 1]);
  });
});

// Shows: R-94
describe('a process that is held up before it notes the write', () => {
  // However slow the machine, nobody here waits too long for an answer.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('writes nothing once its time is over, and takes nothing from whoever books then', async () => {
    const slow = heldUp('asking');
    const late = book(slow.ports).catch((error: unknown) => error);
    await slow.arrived;
    await jobs(OVER);
    const other = heldUp('writing');
    const again = book(other.ports, OVER);
    await Promise.race([other.arrived, again]);
    slow.letGo();
    expect(await late).toBeInstanceOf(EmrOffline);
    expect([await states(), inEmr()]).toEqual([['confirming'], []]);
    other.letGo();
    expect(await again).toMatchObject({ kind: 'booked' });
    expect([await states(), inEmr().length]).toEqual([['booked'], 1]);
  });

  test.each(['taken', 'notOffered', 'noRecord'] as const)(
    "and is answered '%s' once its time is over takes nothing from whoever books then",
    async (kind) => {
      const slow = heldUp('asking', async () => ({ kind }));
      const late = book(slow.ports);
      await slow.arrived;
      await jobs(OVER);
      const other = heldUp('writing');
      const again = book(other.ports, OVER);
      await Promise.race([other.arrived, again]);
      slow.letGo();
      expect(await late).toMatchObject({ kind: 'refused' });
      other.letGo();
      expect(await again).toMatchObject({ kind: 'booked' });
      expect([await states(), inEmr().length]).toEqual([['booked'], 1]);
    },
  );

  test('writes nothing where its patient has given the time up', async () => {
    const slow = heldUp('asking');
    const late = book(slow.ports).catch((error: unknown) => error);
    await slow.arrived;
    const ports = { ...another(), heldPayments: { cancel: async () => undefined } };
    const given = await releaseHold(ports, { patientId, key: null, includeConfirming: true }, NOW);
    slow.letGo();
    expect([given.kind, await late]).toEqual(['released', expect.any(EmrOffline)]);
    expect([await states(), inEmr()]).toEqual([['released'], []]);
  });

  test('and notes it at the moment in which others free its time either books it or writes nothing', async () => {
    const patients = await Promise.all(
      Array.from({ length: RIVALS }, () => aPatientRow(clinic.database)),
    );
    const slow = patients.map(() => heldUp('asking'));
    const booking = slow.map(({ ports }, at) =>
      book(ports, NOW, { patientId: patients[at] ?? patientId, at }).catch(
        (error: unknown) => error,
      ),
    );
    await Promise.all(slow.map(({ arrived }) => arrived));
    const freeing = freeUnsent(another(), OVER);
    for (const { letGo } of slow) letGo();
    await Promise.all([freeing, ...booking]);
    const after = await rows();
    expect(after).toHaveLength(RIVALS);
    for (const { id, state, confirming } of after)
      expect([state, confirming]).toEqual(
        inEmr().includes(`claim:${id}`) ? ['booked', false] : ['held', false],
      );
  });
});
