import { UNDO_SECONDS, addDays, startOfDay, toInstant } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type SomeStaff,
  aStaffMember,
  askDesk,
  deskClinic,
  deskSession,
  mailsOfActs,
} from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, ask, signIn } from '../../../../testing/index.ts';
import { charge, paymentRows, portsOf, privateAppointment } from '../../../../testing/paying.ts';
import { violations } from '../../../database/invariants.store.ts';
import { appointment, appointmentStep, staffAct } from '../../../schema.ts';
import { sweepPayments } from '../../payments/index.ts';
import { sweepSpent } from '../../privacy/index.ts';

let clinic: TestApp;
let casey: PatientRow;
let cookie: string;
let robin: SomeStaff;

beforeEach(async () => {
  ({ clinic, casey, robin, cookie } = await deskClinic());
});
afterEach(() => clinic.close());
const broken = () => violations(clinic.database.db, clinic.clock.now());

const MONDAY = '2026-11-23';
const at = (time: string) => ({ providerId: '101', start: toInstant(MONDAY, time) });
const book = async (time: string, over = {}, headers = {}) => {
  const body = { type: 'O', ...at(time), ...over };
  return askDesk(clinic, 'deskBook', { cookie, params: { id: casey.id }, headers, body });
};
const booked = async (time: string, over = {}) => (await book(time, over)).answer().extras;
const move = async (id: string, time: string, over = {}) =>
  (
    await askDesk(clinic, 'deskMoveAppointment', {
      cookie,
      params: { id },
      body: { ...at(time), ...over },
    })
  ).answer().extras;
const cancel = async (id: string, wantedBy: 'patient' | 'clinic' = 'patient') =>
  (
    await askDesk(clinic, 'deskCancelAppointment', { cookie, params: { id }, body: { wantedBy } })
  ).answer().extras;

type Offered = { readonly undo?: { readonly act: string } | null | undefined };
const undo = (of: Offered, as = cookie) =>
  askDesk(clinic, 'deskUndo', { cookie: as, params: { act: of.undo?.act ?? '' } });
const told = async () => (await mailsOfActs(clinic)).map(({ subject }) => subject.split(' - ')[0]);
const stateOf = async (id: string) =>
  (await clinic.database.db.select().from(appointment).where(eq(appointment.id, id)))[0]?.state;
const stepsOf = async (id: string) =>
  (
    await clinic.database.db
      .select()
      .from(appointmentStep)
      .where(eq(appointmentStep.appointmentId, id))
  ).map(({ stepStart }) => stepStart);
const seenByPatient = async () => {
  const token = await signIn(clinic, casey);
  return (await ask(clinic, 'listAppointments', { token })).answer().appointments;
};

// Shows: R-125
describe('What was just booked at the desk', () => {
  test('is told 30 seconds later, and seen at once', async () => {
    const made = await booked('11:00');
    expect(made.undo?.until).toBe(clinic.clock.now() + UNDO_SECONDS);
    expect(await seenByPatient()).toMatchObject([{ id: made.id }]);
    clinic.clock.advance(UNDO_SECONDS - 1);
    expect(await clinic.mails()).toEqual([]);
    clinic.clock.advance(1);
    expect(await clinic.mails()).toHaveLength(1);
  });

  test('is gone once it is undone, was never booked, and nobody is told', async () => {
    const made = await booked('11:00');
    (await undo(made)).answer();
    (await undo(made)).answer();
    expect(await seenByPatient()).toEqual([]);
    expect([await stateOf(made.id), await stepsOf(made.id)]).toEqual(['released', []]);
    expect(await told()).toEqual([]);
    expect(await clinic.trail('booking undone')).toMatchObject([
      { actor: `staff:${robin.id}`, subject: `appointment:${made.id}` },
    ]);
    expect(await clinic.trail('appointment booked')).toHaveLength(1);
    // It counts in no limit: two more may be booked.
    await booked('11:00');
    await booked('13:00', { overrideReason: 'urgent' });
    expect(await broken()).toEqual([]);
  });

  test('is not booked again by a request that comes late', async () => {
    const headers = { 'idempotency-key': 'one-press-of-robin' };
    const made = (await book('11:00', {}, headers)).answer().extras;
    (await undo(made)).answer();
    expect((await book('11:00', {}, headers)).code()).toBe('appointmentChanged');
    expect(await stepsOf(made.id)).toEqual([]);
  });

  test('is offered to be undone again where the answer was lost', async () => {
    const headers = { 'idempotency-key': 'one-press-of-robin' };
    const made = (await book('11:00', {}, headers)).answer().extras;
    const again = (await book('11:00', {}, headers)).answer().extras;
    expect(again.undo).toEqual(made.undo);
  });

  test('stands after its time, once its email is begun, its fee noted, or the patient has moved it', async () => {
    const late = await booked('11:00');
    clinic.clock.advance(UNDO_SECONDS);
    expect((await undo(late)).code()).toBe('undoTooLate');
    expect(await told()).toHaveLength(1);
    await cancel(late.id);
    clinic.clock.advance(UNDO_SECONDS);
    const left = await booked('11:30');
    await cancel(left.id);
    expect((await undo(left)).code()).toBe('appointmentChanged');
    expect(await stateOf(left.id)).toBe('cancelled');
  });

  test('is undone by whoever booked it, and by no colleague', async () => {
    const made = await booked('11:00');
    const colleague = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    expect((await undo(made, colleague)).code()).toBe('notFound');
    expect((await undo({ undo: { act: crypto.randomUUID() } })).code()).toBe('undoTooLate');
    expect(await stateOf(made.id)).toBe('booked');
  });
});

// Shows: R-125
describe('What was just cancelled at the desk', () => {
  test('stands again at its time, and nobody is told', async () => {
    const made = await booked('11:00');
    expect(await told()).toHaveLength(1);
    const steps = await stepsOf(made.id);
    const cancelled = await cancel(made.id);
    expect(await stepsOf(made.id)).toEqual([]);
    (await undo(cancelled)).answer();
    expect([await stateOf(made.id), await stepsOf(made.id)]).toEqual(['booked', steps]);
    expect(await told()).toHaveLength(1);
    // It is cancelled anew like any other, and by whom counts then.
    await cancel(made.id, 'clinic');
    expect(await told()).toHaveLength(2);
    expect(await broken()).toEqual([]);
  });

  test('stays cancelled where somebody has its time, or the patient has booked since', async () => {
    const made = await booked('11:00');
    const cancelled = await cancel(made.id);
    const other = await booked('11:00');
    expect((await undo(cancelled)).code()).toBe('undoBookedSince');
    (await undo(other)).answer();
    await clinic.database.inTransaction((tx) =>
      tx
        .insert(appointmentStep)
        .values({ ...at('11:00'), stepStart: at('11:00').start, appointmentId: other.id }),
    );
    expect((await undo(cancelled)).code()).toBe('undoTimeTaken');
    await clinic.database.inTransaction((tx) => tx.delete(appointmentStep));
    expect(await stateOf(made.id)).toBe('cancelled');
    expect(await told()).toEqual(['Your appointment is cancelled']);
  });

  test.each(['patient', 'clinic'] as const)(
    'at the wish of the %s moves no money before its time is over, and none where it is undone',
    async (wantedBy) => {
      const token = await signIn(clinic, casey);
      expect((await charge(clinic, token, privateAppointment())).answer.success).toBe(true);
      const paid = async () => (await paymentRows(clinic)).map(({ state }) => state);
      const sweep = () => sweepPayments(portsOf(clinic));
      await sweep();
      expect(await paid()).toEqual(['captured']);
      const [row] = await clinic.database.db.select().from(appointment);
      const id = row?.id ?? '';
      const overrideReason = 'urgent';
      const ending = async () =>
        (
          await askDesk(clinic, 'deskCancelAppointment', {
            cookie,
            params: { id },
            body: wantedBy === 'patient' ? { wantedBy, overrideReason } : { wantedBy },
          })
        ).answer().extras;
      const first = await ending();
      await sweep();
      expect(await paid()).toEqual(['captured']);
      (await undo(first)).answer();
      clinic.clock.advance(UNDO_SECONDS);
      await sweep();
      expect([await stateOf(id), await paid()]).toEqual(['booked', ['captured']]);
      await ending();
      clinic.clock.advance(UNDO_SECONDS);
      await sweep();
      expect(await paid()).toEqual([wantedBy === 'clinic' ? 'refunded' : 'kept']);
      expect(await broken()).toEqual([]);
    },
  );
});

// Shows: R-125
describe('What was just moved at the desk', () => {
  test('is back where it was, and nobody is told', async () => {
    const made = await booked('11:00');
    expect(await told()).toHaveLength(1);
    const [number, steps] = [(await seenByPatient())[0], await stepsOf(made.id)];
    const moved = await move(made.id, '11:05', { overrideReason: 'urgent' });
    (await undo(moved)).answer();
    expect(await seenByPatient()).toMatchObject([{ id: made.id, startTime: number?.startTime }]);
    expect([await stepsOf(made.id), await stepsOf(moved.id)]).toEqual([steps, []]);
    expect(await told()).toHaveLength(1);
    expect((await move(made.id, '11:30')).start).toBe(at('11:30').start);
    expect(await told()).toHaveLength(2);
    expect(await broken()).toEqual([]);
  });

  test('and undone takes back only the last act: the email of the booking still waits', async () => {
    const made = await booked('11:00');
    clinic.clock.advance(20);
    const moved = await move(made.id, '11:30');
    clinic.clock.advance(15);
    // The booking is due by now, and waits for what may be taken back.
    expect(await clinic.mails()).toEqual([]);
    (await undo(moved)).answer();
    expect(await told()).toEqual(['Your appointment is booked']);
  });

  test('keeps the fee with it, there and back', async () => {
    const token = await signIn(clinic, casey);
    await charge(clinic, token, privateAppointment());
    const [row] = await clinic.database.db.select().from(appointment);
    const body = {
      ...at('13:30'),
      start: toInstant('2026-11-26', '13:30'),
      overrideReason: 'urgent' as const,
    };
    const moved = await askDesk(clinic, 'deskMoveAppointment', {
      cookie,
      params: { id: row?.id ?? '' },
      body,
    });
    (await undo(moved.answer().extras)).answer();
    expect((await paymentRows(clinic)).map(({ appointmentId }) => appointmentId)).toEqual([
      row?.id,
    ]);
    expect(await broken()).toEqual([]);
  });
});

// Shows
describe('Undoing what would put an appointment into time that was closed since', () => {
  const close = async () =>
    (
      await askDesk(clinic, 'deskCloseTime', {
        cookie,
        body: {
          providerIds: ['101'],
          from: startOfDay(MONDAY),
          to: startOfDay(addDays(MONDAY, 1)),
        },
      })
    ).answer().extras.id;
  const TUESDAY = addDays(MONDAY, 1);

  test.each(['cancelled', 'moved'] as const)('undoes nothing of what was %s', async (kind) => {
    await clinic.app.stopJob('closings');
    const made = await booked('11:00');
    const acted =
      kind === 'cancelled'
        ? await cancel(made.id)
        : await move(made.id, '11:00', { start: toInstant(TUESDAY, '11:00') });
    clinic.clock.advance(20);
    const id = await close();
    expect((await undo(acted)).code()).toBe('undoTimeClosed');
    expect(await stateOf(made.id)).toBe(kind === 'cancelled' ? 'cancelled' : 'rescheduled');
    for (const action of ['cancellation undone', 'move undone'])
      expect(await clinic.trail(action)).toEqual([]);
    // Opened again, it is as free as it was.
    (await askDesk(clinic, 'deskReopenTime', { cookie, params: { id }, body: {} })).answer();
    (await undo(acted)).answer();
    expect(await stateOf(made.id)).toBe('booked');
    expect(await broken()).toEqual([]);
  });

  test('undoes what staff had put there in spite of the closing', async () => {
    await close();
    clinic.clock.advance(60);
    const made = await booked('11:00', { overrideReason: 'urgent' });
    (await undo(await cancel(made.id))).answer();
    expect(await stateOf(made.id)).toBe('booked');
  });

  test('undoes a booking: it leaves the time', async () => {
    await clinic.app.stopJob('closings');
    const made = await booked('11:00');
    await close();
    (await undo(made)).answer();
    expect(await stateOf(made.id)).toBe('released');
  });
});

test('What undoing needs is forgotten once its time is over', async () => {
  await booked('11:00');
  const kept = async () =>
    (await clinic.database.db.select().from(staffAct)).map(({ before }) => before !== null);
  await sweepSpent(clinic.platform, clinic.clock.now());
  expect(await kept()).toEqual([true]);
  clinic.clock.advance(UNDO_SECONDS);
  await sweepSpent(clinic.platform, clinic.clock.now());
  expect(await kept()).toEqual([false]);
  clinic.clock.advance(86_400 + 1);
  await sweepSpent(clinic.platform, clinic.clock.now());
  expect(await kept()).toEqual([]);
});
