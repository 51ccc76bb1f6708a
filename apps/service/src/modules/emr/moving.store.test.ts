import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { formatTime, toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { type Failpoints, endedAtEachPoint } from '../../../testing/failpoints.ts';
import { violations } from '../../../testing/invariants.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { EmrOffline, type ProviderId } from '../records/emr.ts';
import { requestKey } from '../appointments/appointment.ts';
import { retryCancellations } from './cancel-in-emr.ts';
import { resolveUnknown } from './confirm.ts';
import { book, move as moveTo } from '../appointments/reserve.ts';
import { type BookingPorts } from '../appointments/ports.ts';
import { appointment, appointmentStep } from '../appointments/schema.ts';
import { appointments } from '../appointments/store.ts';
import { emrBook } from './emr-book.ts';

const OLD = toInstant('2026-11-24', '08:00');
const NEW = toInstant('2026-11-25', '09:00');
const PLACES = { old: '2026-11-24 08:00', new: '2026-11-25 09:00' };

let clinic: TestApp;
let emr: FakeEmr;
let patientId: PatientId;
let oldId: string;

beforeEach(open);
afterEach(() => clinic.close());

/** A patient with an appointment, in a clinic whose EMR keeps the book. */
async function open() {
  emr = fakeEmr({ days: null });
  clinic = await testApp({ emr });
  await aClinic(clinic.database, { providers: [{ id: '101', codes: 'O'.repeat(288) }] });
  patientId = await aPatientRow(clinic.database);
  const made = await book(ports(), requestFor(OLD), now());
  if (made.kind === 'refused') throw new Error(made.code);
  oldId = made.appointment.id;
  await clinic.platform.outbox.drain();
}

const now = () => clinic.clock.now();
const ports = (over: Partial<BookingPorts> = {}) => ({
  ...clinic.platform,
  appointments,
  emrBook,
  ...over,
});
const requestFor = (start: number) => {
  const slot = { providerId: '101', start, end: start + 300, type: 'O' };
  const answers = { reason: 'A cough' };
  const claimed = { ticklers: [], paymentToken: null };
  return { patientId, slot, answers, requestKey: requestKey(undefined, slot), claimed };
};
const move = (over: Partial<BookingPorts> = {}) =>
  moveTo(ports(over), { ...requestFor(NEW), rescheduleOf: oldId }, now());
/** What the jobs do once nothing is on its way any more. */
async function jobs(seconds = 60) {
  clinic.clock.advance(seconds);
  await resolveUnknown(ports(), now());
  await retryCancellations({ ...clinic.platform, appointments, emrBook }, now());
  await clinic.platform.outbox.drain();
}
/** After the one that it is booked. */
const mails = async () =>
  (await clinic.mails()).slice(1).map(({ subject, text }) => `${subject}\n${text}`);
const inEmr = () =>
  emr
    .busy()
    .map(({ date, start }) => `${date} ${start}`)
    .sort();
async function here() {
  const rows = await clinic.database.db.select().from(appointment);
  return Object.fromEntries(
    rows.map(({ start, state }) => [start === OLD ? 'old' : 'new', state]),
  ) as { readonly old?: string; readonly new?: string };
}
const takenTimes = async () =>
  (await clinic.database.db.select().from(appointmentStep))
    .map(({ stepStart }) => formatTime(stepStart))
    .sort();
const healthy = async () => expect(await violations(clinic.database.db, now())).toEqual([]);
const goesOffline = () =>
  ports({
    emr: {
      ...emr,
      async book(request, reached) {
        const answer = await emr.book(request, reached);
        emr.faults.offline = true;
        return answer;
      },
    },
  });
const elsewhere = {
  providerId: '101' as ProviderId,
  date: '2026-11-26',
  start: '10:00',
  end: '10:05',
};

// Shows: R-94
describe('An appointment that moves in an EMR', () => {
  test('is booked anew there before the old one is cancelled: two for a moment, never none', async () => {
    const seen: string[][] = [];
    const watched = {
      ...emr,
      cancel: (...asked: Parameters<FakeEmr['cancel']>) => {
        seen.push(inEmr());
        return emr.cancel(...asked);
      },
    };
    expect(await move({ emr: watched })).toMatchObject({ kind: 'rescheduled' });
    expect(seen).toEqual([[PLACES.old, PLACES.new]]);
    expect([await here(), inEmr(), await takenTimes()]).toEqual([
      { old: 'rescheduled', new: 'booked' },
      [PLACES.new],
      ['09:00'],
    ]);
    await healthy();
  });

  test('keeps its old time taken until the EMR has let it go, which a job sees to', async () => {
    expect(await move(goesOffline())).toMatchObject({ kind: 'rescheduled' });
    expect([await takenTimes(), inEmr()]).toEqual([
      ['08:00', '09:00'],
      [PLACES.old, PLACES.new],
    ]);
    await healthy();
    await jobs();
    expect(await takenTimes()).toEqual(['08:00', '09:00']);
    emr.faults.offline = false;
    await jobs();
    expect([await takenTimes(), inEmr()]).toEqual([['09:00'], [PLACES.new]]);
    await healthy();
  });

  test.each(['written', 'notWritten'] as const)(
    'is cancelled at its old time once when the answer to that is lost, and it was %s',
    async (lost) => {
      const losing = {
        ...emr,
        async cancel(...asked: Parameters<FakeEmr['cancel']>) {
          emr.faults.loseNextAnswer = lost;
          return emr.cancel(...asked);
        },
      };
      expect(await move({ emr: losing })).toMatchObject({ kind: 'rescheduled' });
      expect(await takenTimes()).toEqual(['08:00', '09:00']);
      await jobs();
      expect([await takenTimes(), inEmr()]).toEqual([['09:00'], [PLACES.new]]);
    },
  );

  test('stands as it stood where staff took the new time in between', async () => {
    emr.faults.staffBooksInBetween = true;
    expect(await move()).toMatchObject({ code: 'slotTaken' });
    expect(await here()).toEqual({ old: 'booked', new: 'released' });
    expect(inEmr()).toEqual([PLACES.old, PLACES.new]);
    await healthy();
  });

  test('stands as it stood while the EMR is offline', async () => {
    emr.faults.offline = true;
    await expect(move()).rejects.toThrow(EmrOffline);
    // The new time stays held: the same page moves it once the EMR is back.
    expect(await here()).toEqual({ old: 'booked', new: 'held' });
    expect(inEmr()).toEqual([PLACES.old]);
    await healthy();
  });

  test('has moved once an unknown outcome is found to be written', async () => {
    emr.faults.loseNextAnswer = 'written';
    expect(await move()).toMatchObject({ code: 'clinicConfirming' });
    expect(await here()).toEqual({ old: 'booked', new: 'held' });
    await jobs();
    expect(await here()).toEqual({ old: 'rescheduled', new: 'booked' });
    await jobs();
    expect([await takenTimes(), inEmr()]).toEqual([['09:00'], [PLACES.new]]);
    expect(await mails()).toEqual([expect.stringContaining('Your appointment is rescheduled')]);
    await healthy();
  });

  test('stands as before where the new time was not written in 30 minutes, and its patient reads so', async () => {
    emr.faults.loseNextAnswer = 'notWritten';
    await move();
    await jobs(30 * 60);
    expect([await here(), inEmr()]).toEqual([{ old: 'booked', new: 'released' }, [PLACES.old]]);
    const [mail] = await mails();
    expect(mail).toContain('Your appointment is not booked');
    expect(mail).toContain('Your appointment on Tue Nov 24 2026 08:00 BC time stands as before.');
    await healthy();
  });

  test('keeps nothing else for the EMR waiting for more than 8 seconds where that is silent about it', async () => {
    emr.faults.loseNextAnswer = 'notWritten';
    await move();
    clinic.clock.advance(30 * 60);
    await resolveUnknown(ports(), now());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asked = Promise.withResolvers<void>();
      emr.findByKey = () => {
        asked.resolve();
        return new Promise(() => undefined);
      };
      const drained = clinic.platform.outbox.drain('forEmr');
      await asked.promise;
      await vi.advanceTimersByTimeAsync(8_000);
      expect(await drained).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ['moved', () => emr.staff.move(`claim:${oldId}`, elsewhere), 'booked', ['2026-11-26 10:00']],
    ['cancelled', () => emr.staff.cancel(`claim:${oldId}`), 'cancelled', []],
    [
      'noted as arrived',
      () => emr.staff.note(`claim:${oldId}`, 'arrived'),
      'registered',
      [PLACES.old],
    ],
  ] as const)('is not moved when staff have %s it', async (_what, staffDid, state, book) => {
    staffDid();
    expect(await move()).toMatchObject({ code: 'changedByClinic' });
    const rows = await clinic.database.db.select().from(appointment);
    const old = rows.find(({ id }) => id === oldId);
    expect([old?.state, inEmr()]).toEqual([state, book]);
    expect(rows.filter(({ id }) => id !== oldId)).toMatchObject([{ state: 'released' }]);
    await healthy();
  });

  test.each([
    [1, [PLACES.new]],
    [9, [PLACES.new, '2026-11-26 10:02']],
  ])('is looked at twice where staff move it %i times while it is let go', async (times, book) => {
    let looks = 0;
    const between: FakeEmr = {
      ...emr,
      cancel(...asked) {
        looks += 1;
        const start = `10:0${looks}`;
        if (looks <= times) emr.staff.move(`claim:${oldId}`, { ...elsewhere, start });
        return emr.cancel(...asked);
      },
    };
    expect(await move({ emr: between })).toMatchObject({ kind: 'rescheduled' });
    expect([looks, inEmr(), await here()]).toEqual([
      2,
      book,
      { old: 'rescheduled', new: 'booked' },
    ]);
    await healthy();
  });

  test('is booked neither here nor there when the clinic ended it while that was confirmed', async () => {
    emr.faults.loseNextAnswer = 'written';
    await move();
    await clinic.database.inTransaction((tx) =>
      appointments.endAppointment(
        tx,
        clinic.platform.parts,
        { id: oldId, patientId, byClinic: true, movedTo: null },
        now(),
      ),
    );
    await jobs();
    expect([await here(), inEmr()]).toEqual([{ old: 'cancelled', new: 'released' }, [PLACES.old]]);
    expect(await mails()).toEqual([expect.stringContaining('Your appointment is not booked')]);
    await healthy();
  });

  test('stands once, here and there, wherever the process ended', async () => {
    const moveDying = (dying: Failpoints) =>
      move({
        emr: dying.wrap('emr', emr),
        database: dying.wrap('database', clinic.database),
        appointments: dying.wrap('appointments', appointments),
      });
    for await (const at of endedAtEachPoint(moveDying)) {
      await jobs();
      await jobs(31 * 60);
      const standing = await here();
      const stands = standing.old === 'booked' ? 'old' : 'new';
      expect([at, standing.new === 'booked' ? 'new' : 'old', inEmr()]).toEqual([
        at,
        stands,
        [PLACES[stands]],
      ]);
      await healthy();
      await clinic.close();
      await open();
    }
  });
});
