import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, aPatientRow, aPayment } from '../../../testing/a-clinic.ts';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { appointmentType, scheduleDay } from '../../schema.ts';
import { appointment } from '../appointments/schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { EmrBusy, EmrOffline, EmrOutcomeUnknown } from '../records/emr.ts';
import type {
  BookAnswer,
  BookRequest,
  BookingReached,
  BookingStage,
  EmrAppointmentId,
  EmrEntry,
} from '../records/emr.ts';
import { cancelAppointment, cancelByClinic } from '../appointments/cancel.ts';
import { standingIn } from '../closings/store.ts';
import { appointments } from '../appointments/store.ts';
import { resolveUnknown } from './confirm.ts';
import { expireHolds, releaseHold } from '../appointments/holds.ts';
import { requestKey } from '../appointments/appointment.ts';
import { book as bookFor, hold, move } from '../appointments/reserve.ts';
import { syncFromEmr } from './sync/sync.ts';
import { emrBook } from './emr-book.ts';

/** Records that another system keeps: what they were asked, and what they answer. */
function otherEmr() {
  const written = new Map<string, EmrEntry | 'cancelled'>();
  const emr = {
    ...fakeEmr(),
    requests: [] as BookRequest[],
    cancelled: [] as EmrAppointmentId[],
    next: 'booked' as 'booked' | 'taken' | 'unknown, yet written' | 'unknown' | 'offline',
    async book(request: BookRequest, reached?: BookingReached): Promise<BookAnswer> {
      emr.requests.push(request);
      const id = `r-${request.key}` as EmrAppointmentId;
      if (emr.next === 'offline') throw new EmrOffline('The records do not answer');
      if (emr.next === 'taken') return { kind: 'taken' };
      await reached?.('writing');
      if (emr.next !== 'unknown') written.set(request.key, { ...request, id, state: 'booked' });
      if (emr.next !== 'booked') throw new EmrOutcomeUnknown(request.key);
      return { kind: 'booked', id };
    },
    async cancel(_key: string, { id, key }: EmrEntry) {
      emr.cancelled.push(id);
      written.set(String(key), 'cancelled');
      return { kind: 'cancelled' as const };
    },
    findByKey: async (key: string): Promise<EmrEntry | 'cancelled' | null> =>
      written.get(key) ?? null,
  };
  return emr;
}

let clinic: TestApp;
let patientId: PatientId;
let emr: ReturnType<typeof otherEmr>;

beforeEach(async () => {
  emr = otherEmr();
  clinic = await testApp({ emr });
  await aClinic(clinic.database);
  patientId = await aPatientRow(clinic.database);
});
afterEach(() => clinic.close());

const ports = () => ({
  ...clinic.platform,
  appointments,
  emrBook,
  emr,
});
const start = toInstant('2026-11-23', '08:00');
const slotAt = (at: number) => ({
  providerId: '101',
  start: at,
  end: at + 300,
  type: 'O' as const,
});
const requestFor = (at: number) => ({
  patientId,
  slot: slotAt(at),
  answers: { reason: 'A cough' },
  requestKey: requestKey(undefined, slotAt(at)),
  claimed: { ticklers: [], paymentToken: null },
});
const book = (at = start, now = NOW) => bookFor(ports(), requestFor(at), now);
const giveUp = (includeConfirming: boolean) =>
  releaseHold(
    { ...ports(), heldPayments: { cancel: async () => undefined } },
    { patientId, key: null, includeConfirming },
    NOW,
  );
const NOT_BOOKED: unknown = expect.stringContaining('Your appointment is not booked');
/** The subjects of what was sent. */
const mailed = async () => {
  clinic.clock.advance(3600);
  await clinic.platform.outbox.drain();
  return clinic.mail.sent.map(({ subject }) => subject);
};
const states = async () =>
  (await clinic.database.db.select().from(appointment)).map(({ state }) => state).sort();

describe('booking in records that another system keeps', () => {
  test('the appointment is booked once the records say so, in wall time', async () => {
    expect(await book()).toMatchObject({ kind: 'booked' });
    expect(emr.requests).toMatchObject([
      { date: '2026-11-23', start: '08:00', end: '08:05', providerId: '101', reason: 'A cough' },
    ]);
    expect(await states()).toEqual(['booked']);
  });

  // Shows
  test('they learn the true end, and the trail says that the sent one was ignored', async () => {
    await clinic.database.inTransaction((tx) => tx.update(appointmentType).set({ minutes: 15 }));
    expect(await book()).toMatchObject({ appointment: { end: start + 900 } });
    expect(emr.requests).toMatchObject([{ start: '08:00', end: '08:15' }]);
    const trail = await clinic.trail();
    expect(trail.map(({ action, details }) => [action, details])).toContainEqual([
      'appointment booked',
      expect.objectContaining({ ignored: ['end'] }),
    ]);
  });

  test('one that lasts until midnight ends on its own day', async () => {
    const codes = 'O'.repeat(288);
    await clinic.database.inTransaction((tx) => tx.update(scheduleDay).set({ codes }));
    expect(await book(toInstant('2026-11-23', '23:55'))).toMatchObject({ kind: 'booked' });
    expect(emr.requests).toMatchObject([{ date: '2026-11-23', start: '23:55', end: '24:00' }]);
  });

  test('taken there, the slot is given back here', async () => {
    emr.next = 'taken';
    expect(await book()).toMatchObject({ kind: 'refused', code: 'slotTaken' });
    expect(await states()).toEqual(['released']);
  });

  test('taken there, it is offered to nobody here', async () => {
    emr.next = 'taken';
    await book();
    emr.next = 'booked';
    const rival = await aPatientRow(clinic.database);
    const again = { ...requestFor(start), patientId: rival };
    expect(await bookFor(ports(), again, NOW)).toMatchObject({ code: 'slotTaken' });
    expect(emr.requests).toHaveLength(1);
  });

  test('nothing written there, the time stays held and is booked by asking again', async () => {
    emr.next = 'offline';
    await expect(book()).rejects.toThrow(EmrOffline);
    const [held] = await clinic.database.db.select().from(appointment);
    expect(held).toMatchObject({ state: 'held', confirming: false, holdExpiresAt: NOW + 600 });
    emr.next = 'booked';
    expect(await book()).toMatchObject({ kind: 'booked', appointment: { id: held?.id } });
    expect(await states()).toEqual(['booked']);
  });

  // Shows: R-94
  test('known to be offline they are not asked: nothing is booked or moved, a time is held', async () => {
    await book();
    emr.faults.offline = true;
    for (let turn = 0; turn < 2; turn += 1) await syncFromEmr(ports(), NOW);
    expect(await book(start + 86_400)).toMatchObject({ code: 'clinicUnreachable' });
    expect(await book()).toMatchObject({ kind: 'booked' });
    const asked = { patientId, slot: slotAt(start + 86_400), rescheduleOf: null };
    const heldPayments = { cancel: async () => undefined };
    const holding = hold({ ...ports(), heldPayments }, { ...asked, forPayment: false }, NOW);
    expect(await holding).toMatchObject({ kind: 'held' });
    expect(emr.requests).toHaveLength(1);
  });

  test('an unknown outcome keeps the hold beyond its time and says so, again and again', async () => {
    emr.next = 'unknown, yet written';
    expect(await book()).toMatchObject({ kind: 'refused', code: 'clinicConfirming' });
    expect(await book()).toMatchObject({ kind: 'refused', code: 'clinicConfirming' });
    expect(emr.requests).toHaveLength(1);
    await expireHolds(ports(), NOW + 3600);
    expect(await states()).toEqual(['held']);
  });

  test('what was written after all is found by its key and booked', async () => {
    emr.next = 'unknown, yet written';
    await book();
    await resolveUnknown(ports(), NOW + 9);
    expect(await states()).toEqual(['held']);
    await resolveUnknown(ports(), NOW + 10);
    expect(await states()).toEqual(['booked']);
    expect(await book()).toMatchObject({ kind: 'booked' });
  });

  // Shows: R-94
  test('what is not found for 30 minutes ends as not booked and not charged, and its patient is told', async () => {
    emr.next = 'unknown';
    await book();
    await resolveUnknown(ports(), NOW + 30 * 60 - 1);
    expect(await states()).toEqual(['held']);
    await resolveUnknown(ports(), NOW + 30 * 60);
    expect([await states(), await mailed()]).toEqual([['released'], [NOT_BOOKED]]);
    const [mail] = clinic.mail.sent;
    expect([mail?.text, mail?.calendar]).toEqual([
      expect.stringContaining('It is not booked, and you have not been charged:'),
      undefined,
    ]);
  });

  // Shows: R-94
  test('confirming ends also while the records are silent', async () => {
    emr.next = 'unknown';
    await book();
    emr.findByKey = () => Promise.reject(new EmrOffline('The records do not answer'));
    await resolveUnknown(ports(), NOW + 30 * 60 - 1);
    expect(await states()).toEqual(['held']);
    await resolveUnknown(ports(), NOW + 30 * 60);
    expect(await states()).toEqual(['released']);
  });

  test('what was written after it had ended is cancelled there', async () => {
    emr.next = 'unknown';
    await book();
    await resolveUnknown(ports(), NOW + 30 * 60);
    emr.next = 'booked';
    const [late] = emr.requests;
    if (late) await emr.book(late);
    await mailed();
    expect(emr.cancelled).toEqual([`r-${late?.key}`]);
  });

  // Shows: R-94
  describe('that are silent', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    /** Books; the records are silent from these stages on, until `speak` is called. */
    async function silentFrom(stages: readonly BookingStage[]) {
      const silence = Promise.withResolvers<BookAnswer>();
      const asked = Promise.withResolvers<BookingReached>();
      emr.findByKey = async () => null;
      emr.book = async (_request, reached = async () => undefined) => {
        for (const stage of stages) await reached(stage);
        asked.resolve(reached);
        return silence.promise;
      };
      let answered = false;
      const answer = book()
        .catch((error: unknown) => error)
        .finally(() => {
          answered = true;
        });
      const reached = await asked.promise;
      return { answer, isAnswered: () => answered, reached, speak: silence };
    }
    const held = async () =>
      (await clinic.database.db.select().from(appointment)).map(({ state, confirming }) => [
        state,
        confirming,
      ]);

    // Shows: R-94
    test('as they write are waited for 8 seconds, and may be confirming then', async () => {
      const { answer, isAnswered } = await silentFrom(['queued', 'asking', 'writing']);
      await vi.advanceTimersByTimeAsync(7_999);
      expect(isAnswered()).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await answer).toMatchObject({ kind: 'refused', code: 'clinicConfirming' });
      expect(await held()).toEqual([['held', true]]);
    });

    test('before the write leave the time held as before, and nothing is written later', async () => {
      const { answer, reached } = await silentFrom(['queued', 'asking']);
      await vi.advanceTimersByTimeAsync(8_000);
      expect(await answer).toBeInstanceOf(EmrOffline);
      expect(await held()).toEqual([['held', false]]);
      await expect(reached('writing')).rejects.toThrow(EmrOffline);
    });

    test('are waited for again once others of ours are no longer before it', async () => {
      const { answer, isAnswered, reached } = await silentFrom(['queued']);
      await vi.advanceTimersByTimeAsync(7_999);
      await reached('asking');
      await vi.advanceTimersByTimeAsync(7_999);
      expect(isAnswered()).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await answer).not.toBeInstanceOf(EmrBusy);
    });

    test('while others of ours are before it are busy: nothing was asked, and it may be tried again', async () => {
      const { answer } = await silentFrom(['queued']);
      await vi.advanceTimersByTimeAsync(8_000);
      expect(await answer).toBeInstanceOf(EmrBusy);
      expect(await held()).toEqual([['held', false]]);
    });

    test('and then say that nothing was written leave the time held as before', async () => {
      const { answer, speak } = await silentFrom(['asking', 'writing']);
      await vi.advanceTimersByTimeAsync(8_000);
      await answer;
      expect(await held()).toEqual([['held', true]]);
      speak.reject(new EmrOffline('The records do not answer'));
      await expect.poll(held).toEqual([['held', false]]);
    });
  });

  // Shows: R-94
  test('what is being confirmed is given up by its patient alone, and is cancelled there', async () => {
    emr.next = 'unknown, yet written';
    await book();
    expect(await giveUp(false)).toMatchObject({ code: 'clinicConfirming' });
    expect(await giveUp(true)).toEqual({ kind: 'released' });
    await resolveUnknown(ports(), NOW + 3600);
    expect([await states(), await mailed()]).toEqual([['released'], []]);
    expect(new Set(emr.cancelled)).toEqual(new Set([`r-${emr.requests[0]?.key}`]));
  });

  // Shows: R-94
  test('what is given up while the records are silent is cancelled there when they speak', async () => {
    emr.next = 'unknown, yet written';
    await book();
    const { findByKey } = emr;
    emr.findByKey = () => Promise.reject(new EmrOffline('The records do not answer'));
    expect(await giveUp(true)).toEqual({ kind: 'released' });
    await mailed();
    expect(emr.cancelled).toEqual([]);
    emr.findByKey = findByKey;
    await mailed();
    expect(new Set(emr.cancelled)).toEqual(new Set([`r-${emr.requests[0]?.key}`]));
  });

  test('one that its patient moved meanwhile is not cancelled by the clinic', async () => {
    const appointment = await book();
    const id = appointment.kind === 'refused' ? '' : appointment.appointment.id;
    const found = await standingIn(
      clinic.database.db,
      clinic.platform.parts,
      { providerIds: ['101'], from: start, to: start + 300 },
      NOW,
    );
    const to = { ...requestFor(start + 86_400), rescheduleOf: id };
    expect(await move(ports(), to, NOW)).toMatchObject({ kind: 'rescheduled' });
    for (const each of found)
      expect(await cancelByClinic(ports(), each, { actor: 'clinic:test', now: NOW })).toBe(false);
    expect(found).toHaveLength(1);
    expect(await states()).toEqual(['booked', 'rescheduled']);
  });
});

describe('cancelling an appointment (§5, R-53)', () => {
  const ours = () => ({ ...clinic.platform, appointments, emrBook, emr: null });
  const cancel = (id: string, now = NOW, who = patientId) =>
    cancelAppointment(ours(), who, id, now);
  const booked = async () => {
    const appointment = await bookFor(ours(), requestFor(start), NOW);
    return appointment.kind === 'refused' ? '' : appointment.appointment.id;
  };

  test('frees its slot, writes an email and may be repeated', async () => {
    const id = await booked();
    expect(await cancel(id)).toEqual({ kind: 'cancelled' });
    expect(await cancel(id)).toEqual({ kind: 'cancelled' });
    await clinic.platform.outbox.drain();
    const [email] = clinic.mail.sent.filter(({ calendar }) => calendar?.method === 'CANCEL');
    expect(email?.calendar?.content).toContain('SEQUENCE:1');
    expect(await booked()).not.toBe('');
  });

  test('six hours ahead or less it stays', async () => {
    const id = await booked();
    expect(await cancel(id, start - 6 * 3600)).toMatchObject({ code: 'notCancellable' });
    expect(await cancel(id, start - 6 * 3600 - 1)).toEqual({ kind: 'cancelled' });
  });

  test.each([
    ['140 or more was paid', { amountCents: 14_000, isCancellable: true }],
    ['the clinic does not allow it', { amountCents: 1, isCancellable: false }],
  ])('stays when %s', async (_why, { amountCents, ...over }) => {
    const id = await booked();
    await clinic.database.inTransaction((tx) => tx.update(appointment).set(over));
    await aPayment(clinic.database, { patientId, appointmentId: id, amountCents });
    expect(await cancel(id)).toMatchObject({ code: 'notCancellable' });
  });

  test('is not found by another patient, nor is a hold or an unknown id', async () => {
    const id = await booked();
    const rival = await aPatientRow(clinic.database);
    expect(await cancel(id, NOW, rival)).toMatchObject({ code: 'notFound' });
    expect(await cancel('6b0f2f0e-2f2b-4c53-8f1c-0d7a3d5b9a11')).toMatchObject({
      code: 'notFound',
    });
    expect(await states()).toEqual(['booked']);
  });
});
