import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { type Failpoints, endedAtEachPoint } from '../../../testing/failpoints.ts';
import { violations } from '../../../testing/invariants.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { type Emr, EmrOutcomeUnknown, EmrRefused, type ProviderId } from '../records/emr.ts';
import { cancelAppointment, cancelForPatient, releaseByClinic } from '../appointments/cancel.ts';
import { type CancelPauses, retryCancellations } from './cancel-in-emr.ts';
import { resolveUnknown } from './confirm.ts';
import { book as bookFor, move } from '../appointments/reserve.ts';
import { type BookingPorts } from '../appointments/ports.ts';
import { appointment, appointmentStep } from '../appointments/schema.ts';
import { appointments } from '../appointments/store.ts';
import { syncFromEmr } from './sync/sync.ts';
import { emrBook } from './emr-book.ts';

const START = toInstant('2026-11-24', '08:00');

let clinic: TestApp;
let emr: FakeEmr;
let patientId: PatientId;
let id: string;

beforeEach(open);
afterEach(() => clinic.close());

/** A patient with an appointment, in a clinic whose EMR keeps the book. */
async function open() {
  emr = fakeEmr({ days: null });
  clinic = await testApp({ emr });
  await aClinic(clinic.database, { providers: [{ id: '101', codes: 'O'.repeat(288) }] });
  patientId = await aPatientRow(clinic.database);
  id = await book(START);
  await clinic.platform.outbox.drain();
}
async function book(start: number, requestKey = `slot:101:${start}`): Promise<string> {
  const slot = { providerId: '101', start, end: start + 300, type: 'O' };
  const claimed = { ticklers: [], paymentToken: null };
  const request = { patientId, slot, answers: { reason: 'A cough' }, requestKey, claimed };
  const made = await bookFor(ports(), request, now());
  if (made.kind === 'refused') throw new Error(made.code);
  return made.appointment.id;
}
const now = () => clinic.clock.now();
const ports = (over: Partial<BookingPorts> = {}) => ({
  ...clinic.platform,
  appointments,
  emrBook,
  ...over,
});
const cancel = (over: Partial<BookingPorts> = {}) =>
  cancelAppointment(ports(over), patientId, id, now());
/** What the jobs do once nothing is on its way any more. */
async function jobs(seconds = 60) {
  clinic.clock.advance(seconds);
  await resolveUnknown(ports(), now());
  await retryCancellations(ports(), now());
  await clinic.platform.outbox.drain();
}
const row = async () => (await clinic.database.db.select().from(appointment))[0];
const taken = () => clinic.database.db.$count(appointmentStep);
/** After the one that it is booked. */
const mails = async () =>
  (await clinic.mails()).slice(1).map(({ subject, text }) => `${subject}\n${text}`);
const healthy = async () => expect(await violations(clinic.database.db, now())).toEqual([]);
const elsewhere = {
  providerId: '101' as ProviderId,
  date: '2026-11-26',
  start: '10:00',
  end: '10:05',
};
const staffMove = () => emr.staff.move(`claim:${id}`, elsewhere);
const staffNote = () => emr.staff.note(`claim:${id}`, 'arrived');

test('a cancelled appointment is cancelled in the EMR, and its time is free', async () => {
  expect(await cancel()).toEqual({ kind: 'cancelled' });
  expect([(await row())?.state, emr.busy(), await taken()]).toEqual(['cancelled', [], 0]);
  expect(await mails()).toEqual([expect.stringContaining('Your appointment is cancelled')]);
  await healthy();
});

test('a cancellation that the EMR cannot be told is kept: sent to the clinic, the time stays taken, a job delivers it', async () => {
  const token = await signIn(clinic, { id: patientId });
  const press = () => ask(clinic, 'cancelAppointment', { token, params: { id } });
  const listed = async () => {
    const { appointments: all } = (await ask(clinic, 'listAppointments', { token })).answer();
    return all.map(({ status, isEditable, bookingId }) => [status, isEditable, bookingId]);
  };
  emr.faults.offline = true;
  expect((await press()).answer().extras).toEqual({
    code: 'cancelSent',
    message:
      'Your cancellation is sent to the clinic as soon as the clinic can be reached. You will get an email then.',
  });
  expect((await press()).answer().extras.code).toBe('cancelSent');
  expect(await listed()).toEqual([['cancelling', true, null]]);
  await jobs();
  expect([(await row())?.state, await taken(), await mails()]).toEqual(['booked', 1, []]);
  await healthy();
  emr.faults.offline = false;
  await jobs();
  expect([await listed(), emr.busy(), await taken()]).toEqual([
    [['cancelled', false, expect.any(String)]],
    [],
    0,
  ]);
  expect(await mails()).toEqual([expect.stringContaining('Your appointment is cancelled')]);
  await healthy();
});

test('one that is sent to the clinic is not moved', async () => {
  emr.faults.offline = true;
  await cancel();
  const slot = { providerId: '101', start: START + 3600, end: START + 3900, type: 'O' };
  const claimed = { ticklers: [], paymentToken: null };
  const request = { patientId, slot, answers: { reason: 'A cough' }, requestKey: 'k', claimed };
  const moving = { ...request, rescheduleOf: id };
  expect(await move(ports(), moving, now())).toMatchObject({ code: 'notReschedulable' });
});

// Shows
test('what a cancellation allows is decided when it is pressed, not when the EMR hears of it', async () => {
  emr.faults.offline = true;
  clinic.clock.set(START - 6 * 3600 - 1);
  expect(await cancel()).toEqual({ kind: 'cancelSent' });
  emr.faults.offline = false;
  await jobs(3 * 3600);
  expect((await row())?.state).toBe('cancelled');
});

test.each(['written', 'notWritten'] as const)(
  'a cancellation whose answer is lost, and that was %s, is made once',
  async (lost) => {
    emr.faults.loseNextAnswer = lost;
    expect(await cancel()).toEqual({ kind: 'cancelSent' });
    expect([(await row())?.state, await taken()]).toEqual(['booked', 1]);
    await jobs();
    expect([(await row())?.state, emr.busy(), await taken()]).toEqual(['cancelled', [], 0]);
    expect(await mails()).toEqual([expect.stringContaining('Your appointment is cancelled')]);
    await healthy();
  },
);

// Shows: R-95
test('a patient who cancels waits 8 seconds for the EMR', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const asked = Promise.withResolvers<void>();
    const silent: Emr = {
      ...emr,
      findByKey: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    };
    const cancelling = cancel({ emr: silent });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await cancelling).toEqual({ kind: 'cancelSent' });
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['moved', staffMove, 'booked', 'Your appointment is rescheduled'],
  ['cancelled', () => emr.staff.cancel(`claim:${id}`), 'cancelled', 'the clinic had to cancel'],
  ['noted the arrival of', staffNote, 'registered', null],
] as const)(
  'what staff have %s is not cancelled, and stands here as there',
  async (_what, staffDid, state, mail) => {
    staffDid();
    expect(await cancel()).toMatchObject({ kind: 'refused', code: 'changedByClinic' });
    expect((await row())?.state).toBe(state);
    expect(await mails()).toEqual(mail === null ? [] : [expect.stringContaining(mail)]);
    await healthy();
  },
);

test.each([
  ['moved', staffMove, 'booked', 'Previous time: Tue Nov 24 2026 08:00'],
  ['noted the arrival of', staffNote, 'registered', 'Tue Nov 24 2026 08:00'],
] as const)(
  'what staff have %s before a cancellation reached the EMR stands, and its patient is told',
  async (_what, staffDid, state, words) => {
    emr.faults.offline = true;
    await cancel();
    staffDid();
    emr.faults.offline = false;
    await jobs();
    expect([(await row())?.state, (await row())?.cancelAskedAt]).toEqual([state, null]);
    const [mail, ...others] = await mails();
    expect([mail, others]).toEqual([
      expect.stringContaining('Your appointment is not cancelled'),
      [],
    ]);
    expect(mail).toContain(words);
    await healthy();
  },
);

/** Staff cancel it in the EMR at the wish of its patient, and our database is gone before it ends here. */
async function cancelledThereAlone(): Promise<void> {
  const { database } = clinic;
  const lost: typeof database = {
    ...database,
    inTransactionOrConflict: () => Promise.reject(new Error('The database is gone')),
  };
  const { recordId, patientId: whose } = (await row()) ?? { recordId: '', patientId: null };
  const own = { id, patientId: whose as PatientId | null, recordId };
  const who = { actor: 'staff:robin', now: now() };
  await expect(cancelForPatient(ports({ database: lost }), own, who)).rejects.toThrow('gone');
  expect([(await row())?.state, emr.busy()]).toEqual(['booked', []]);
  for (const seconds of [60, 60]) {
    clinic.clock.advance(seconds);
    await syncFromEmr(ports(), now());
  }
  expect((await row())?.state).toBe('cancelled');
}

test('what staff cancel for a record without an account is not put down to a patient', async () => {
  await clinic.database.db.update(appointment).set({ patientId: null });
  await cancelledThereAlone();
  expect((await clinic.trail()).at(-1)).toMatchObject({ actor: 'clinic:emr' });
  expect(await mails()).toEqual([]);
});

// Shows: R-98
test('what staff cancel at the wish of the patient counts as theirs, whoever finds it cancelled', async () => {
  await cancelledThereAlone();
  const [mail] = await mails();
  expect(mail).toContain('Your appointment is cancelled');
  expect(mail).not.toContain('the clinic had to cancel');
  await healthy();
});

test('what the EMR has cancelled for staff is not asked of it again', async () => {
  const { outbox } = clinic.platform;
  const later: string[] = [];
  const enqueue: typeof outbox.enqueue = (tx, kind, ...rest) => {
    later.push(kind);
    return outbox.enqueue(tx, kind, ...rest);
  };
  const { recordId } = (await row()) ?? { recordId: '' };
  const cancelled = cancelForPatient(
    ports({ outbox: { ...outbox, enqueue } }),
    { id, patientId, recordId },
    { actor: 'staff:robin', now: now() },
  );
  expect(await cancelled).toBe('cancelled');
  expect(later).toEqual(['appointment-email']);
});

test('what staff keep in the EMR is not cancelled at the wish of the patient either', async () => {
  staffNote();
  const { recordId } = (await row()) ?? { recordId: '' };
  const who = { actor: 'staff:robin', now: now() };
  expect(await cancelForPatient(ports(), { id, patientId, recordId }, who)).toBe(false);
  await jobs();
  expect([(await row())?.state, await mails()]).toEqual(['booked', []]);
});

test('a time that the EMR is asked to book is not taken back by the clinic', async () => {
  emr.faults.loseNextAnswer = 'written';
  await expect(book(START + 86_400)).rejects.toThrow('clinicConfirming');
  const [held] = await clinic.database.db
    .select()
    .from(appointment)
    .where(eq(appointment.state, 'held'));
  const own = { id: held?.id ?? '', patientId, recordId: held?.recordId ?? '' };
  expect(await releaseByClinic(ports(), own, { actor: 'staff:robin', now: now() })).toBe(false);
  await jobs();
  expect([emr.busy().length, await taken()]).toEqual([2, 2]);
  await healthy();
});

test('a sync that finds it first follows it the same', async () => {
  emr.faults.offline = true;
  await cancel();
  staffMove();
  emr.faults.offline = false;
  clinic.clock.advance(60);
  await syncFromEmr(ports(), now());
  await jobs();
  expect([(await row())?.state, emr.busy().length]).toEqual(['booked', 1]);
  expect(await mails()).toEqual([expect.stringContaining('Your appointment is not cancelled')]);
});

test('what staff change while the EMR is asked to cancel it stands', async () => {
  const between: Emr = {
    ...emr,
    cancel(...asked) {
      staffMove();
      return emr.cancel(...asked);
    },
  };
  expect(await cancel({ emr: between })).toEqual({ kind: 'cancelSent' });
  await jobs();
  expect([(await row())?.state, emr.busy().length]).toEqual(['booked', 1]);
  expect(await mails()).toEqual([expect.stringContaining('Your appointment is not cancelled')]);
});

test.each([
  ['does not say what it did with', () => new EmrOutcomeUnknown(`claim:${id}`)],
  ['fails at', () => new Error('An entry that nobody can read')],
] as const)('one that the EMR %s keeps no other waiting', async (_what, failure) => {
  const second = await book(START + 86_400);
  emr.faults.offline = true;
  await cancel();
  await cancelAppointment(ports(), patientId, second, now());
  emr.faults.offline = false;
  clinic.clock.advance(60);
  const findByKey: Emr['findByKey'] = async (key) => {
    if (key === `claim:${id}`) throw failure();
    return emr.findByKey(key);
  };
  await retryCancellations(ports({ emr: { ...emr, findByKey } }), now());
  expect(emr.busy().map(({ key }) => key)).toEqual([`claim:${id}`]);
  await jobs();
  expect([emr.busy(), await taken()]).toEqual([[], 0]);
});

test('one that an EMR which answers does not cancel is asked for less and less often', async () => {
  await cancel({ emr: { ...emr, findByKey: () => Promise.reject(new EmrRefused('No role')) } });
  const asked: number[] = [];
  const began = now();
  const findByKey: Emr['findByKey'] = async () => {
    asked.push(now() - began);
    throw new EmrRefused('No role');
  };
  const pauses: CancelPauses = new Map();
  for (let second = 0; second < 600; second += 5) {
    clinic.clock.advance(5);
    await retryCancellations(ports({ emr: { ...emr, findByKey } }), now(), pauses);
  }
  expect(asked.slice(-4)).toEqual([90, 150, 270, 510]);
  clinic.clock.advance(600);
  await retryCancellations(ports(), now(), pauses);
  expect([emr.busy(), await taken(), pauses.size]).toEqual([[], 0, 1]);
  await retryCancellations(ports(), now(), pauses);
  expect(pauses.size).toBe(0);
});

test('a second press that comes as the first is done is not told that staff were first', async () => {
  const findByKey: Emr['findByKey'] = async (key) => {
    await cancel();
    return emr.findByKey(key);
  };
  expect(await cancel({ emr: { ...emr, findByKey } })).toEqual({ kind: 'cancelled' });
});

test('it stands where another tab began to move it while the EMR was read', async () => {
  const start = START + 86_400;
  const slot = { providerId: '101', start, end: start + 300, type: 'O' };
  const between: Emr = {
    ...emr,
    async findByKey(key) {
      const found = await emr.findByKey(key);
      emr.faults.loseNextAnswer = 'written';
      const claimed = { ticklers: [], paymentToken: null };
      const moved = {
        patientId,
        slot,
        answers: { reason: 'A cough' },
        requestKey: 'move',
        claimed,
      };
      await move(ports(), { ...moved, rescheduleOf: id }, now());
      return found;
    },
  };
  expect(await cancel({ emr: between })).toMatchObject({ code: 'clinicConfirming' });
  await jobs();
  const rows = await clinic.database.db.select().from(appointment);
  expect(rows.map(({ state }) => state).toSorted()).toEqual(['booked', 'rescheduled']);
  await healthy();
});

test('it ends as cancelled or stands, here as there, wherever the process ended', async () => {
  const cancelDying = (dying: Failpoints) =>
    cancel({
      emr: dying.wrap('emr', emr),
      database: dying.wrap('database', clinic.database),
      appointments: dying.wrap('appointments', appointments),
    });
  for await (const at of endedAtEachPoint(cancelDying)) {
    await jobs();
    const stands = (await row())?.state === 'booked';
    expect([at, stands ? 1 : 0, await taken()]).toEqual([at, emr.busy().length, stands ? 1 : 0]);
    await healthy();
    await clinic.close();
    await open();
  }
});
