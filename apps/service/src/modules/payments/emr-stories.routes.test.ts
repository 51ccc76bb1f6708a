import { expect, onTestFinished, test } from 'vitest';

import { toInstant } from '@clinic/domain';
import { mulberry32 } from '@clinic/practice/appointments.ts';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { aClinic, aPatient, ask, signIn, testApp } from '../../../testing/index.ts';
import type { TestApp } from '../../../testing/index.ts';
import { violations } from '../../../testing/invariants.ts';
import { charge, portsOf, privateAppointment } from '../../../testing/paying.ts';
import { appointment, payment } from '../../schema.ts';
import { appointments, expireHolds } from '../appointments/index.ts';
import {
  emrBook,
  retryCancellations,
  placeInEmr,
  resolveUnknown,
  syncFromEmr,
} from '../emr/index.ts';
import { type Emr, type EmrAppointmentId, EmrOutcomeUnknown } from '../records/emr.ts';
import { sweepPayments } from './advance-payment.ts';

const SEED = 20_261_122;
const STORIES = 30;
const DAYS = ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28'];
const MINUTE = 60;

type Pick = <Option>(options: readonly Option[]) => Option;

function pickFrom(seed: number): Pick {
  const chance = mulberry32(seed);
  return (options) => {
    const option = options[Math.floor(chance() * options.length)];
    if (option === undefined) throw new Error('There is nothing to choose from');
    return option;
  };
}

/** What jobs do every few seconds. */
async function jobs({ platform, clock, ...clinic }: TestApp): Promise<void> {
  const ports = { ...platform, appointments, emrBook };
  await expireHolds(ports, clock.now());
  await resolveUnknown(ports, clock.now());
  await retryCancellations(ports, clock.now());
  await sweepPayments(portsOf(clinic));
  await platform.outbox.drain();
}

/** A patient books, pays, moves, cancels and gives up, while the EMR does what it likes. */
async function story(clinic: TestApp, { faults }: FakeEmr, pick: Pick): Promise<void> {
  const token = await signIn(clinic, await aPatient(clinic));
  const at = (time: string) => toInstant(pick(DAYS), time) + 300 * pick([0, 1, 2, 3, 4, 5]);
  const slot = () => {
    const start = at('08:00');
    return { doctor: '101', start, end: start + 300, selectedType: 'O' as const };
  };
  const standing = async () => {
    const { appointments: listed } = (await ask(clinic, 'listAppointments', { token })).answer();
    return listed.filter(({ status }) => status === 'booked');
  };
  const deeds = {
    book: () => ask(clinic, 'createBooking', { token, body: { ...slot(), reason: 'A cough' } }),
    pay: () => charge(clinic, token, privateAppointment({ start: at('13:00') })),
    move: async () => {
      const [one] = await standing();
      const body = { ...slot(), reason: 'A cough', rescheduleOf: one?.id ?? null };
      if (one?.code === 'O') await ask(clinic, 'createBooking', { token, body });
    },
    cancel: async () => {
      const [one] = await standing();
      if (one) await ask(clinic, 'cancelAppointment', { token, params: { id: one.id } });
    },
    giveUp: () => ask(clinic, 'releaseHold', { token, query: { confirming: 'true' } }),
    time: async () => clinic.clock.advance(pick([5, 15, 4 * MINUTE])),
    jobs: () => jobs(clinic),
  };
  for (let step = 0; step < 7; step += 1) {
    faults.loseNextAnswer = pick([null, null, 'written', 'notWritten']);
    faults.staffBooksInBetween = pick([false, false, false, true]);
    faults.offline = pick([false, false, false, true]);
    const deed = pick(['book', 'book', 'pay', 'move', 'cancel', 'giveUp', 'time', 'jobs'] as const);
    await deeds[deed]();
  }
}

const CHANGES = ['move', 'cancel'] as const;
/** What goes wrong there while a patient moves or cancels, or what the clinic's staff did just before. */
const MISHAPS: Readonly<Record<string, (emr: FakeEmr, key: string) => unknown>> = {
  none: () => undefined,
  written: ({ faults }) => (faults.loseNextAnswer = 'written'),
  notWritten: ({ faults }) => (faults.loseNextAnswer = 'notWritten'),
  offline: ({ faults }) => (faults.offline = true),
  rival: ({ faults }) => (faults.staffBooksInBetween = true),
  arrived: ({ staff }, key) => staff.note(key, 'arrived'),
  cancelled: ({ staff }, key) => staff.cancel(key),
  deleted: ({ staff }, key) => staff.remove(key),
  moved: ({ staff, busy }, key) => {
    const entry = busy().find((each) => each.key === key);
    return entry && staff.move(key, { ...entry, start: '19:00', end: '19:05' });
  },
};

/** A patient moves or cancels an appointment, with one mishap, and presses once more later. */
async function change(
  clinic: TestApp,
  emr: FakeEmr,
  what: (typeof CHANGES)[number],
  { mishap, start }: { readonly mishap: string; readonly start: number },
): Promise<void> {
  const token = await signIn(clinic, await aPatient(clinic));
  const slot = (at: number) => ({ doctor: '101', start: at, end: at + 300, selectedType: 'O' });
  const body = { ...slot(start), reason: 'A cough' };
  const made = (await ask(clinic, 'createBooking', { token, body })).answer().extras.appointment;
  MISHAPS[mishap]?.(emr, placeInEmr({ providerId: '101', start, end: start, id: made.id }).key);
  const to = { ...slot(start + 86_400), reason: 'A cough', rescheduleOf: made.id };
  for (let press = 0; press < 2; press += 1) {
    if (what === 'cancel')
      await ask(clinic, 'cancelAppointment', { token, params: { id: made.id } });
    else await ask(clinic, 'createBooking', { token, body: to });
    clinic.clock.advance(MINUTE);
    await jobs(clinic);
    Object.assign(emr.faults, { offline: false, loseNextAnswer: null, staffBooksInBetween: false });
  }
}

/** What is called booked and does not stand in the EMR's book, and which invariants do not hold. */
async function untrue(wrapped: (emr: FakeEmr) => Emr): Promise<string[]> {
  const emr = fakeEmr({ days: null });
  const clinic = await testApp({ emr: wrapped(emr) });
  try {
    await aClinic(clinic);
    for (const what of CHANGES)
      for (const [n, mishap] of Object.keys(MISHAPS).entries()) {
        const start = toInstant('2026-11-29', what === 'move' ? '08:00' : '11:00') + n * 300;
        await change(clinic, emr, what, { mishap, start });
      }
    for (let n = 0; n < STORIES; n += 1) await story(clinic, emr, pickFrom(SEED + n));
    Object.assign(emr.faults, { offline: false, loseNextAnswer: null, staffBooksInBetween: false });
    for (let round = 0; round < 3; round += 1) {
      clinic.clock.advance(31 * MINUTE);
      await jobs(clinic);
    }
    const rows = await clinic.database.db.select().from(appointment);
    const inBook = new Set(emr.busy().map(({ key, date, start }) => `${key} ${date} ${start}`));
    const booked = rows.filter(({ state }) => state === 'booked').map(placeInEmr);
    const stands = new Set(
      rows.filter(({ state }) => state === 'booked' || state === 'registered').map(({ id }) => id),
    );
    expect(booked.length).toBeGreaterThan(STORIES / 4);
    expect(rows.filter(({ state }) => state === 'held')).toEqual([]);
    return [
      ...booked
        .map(({ key, date, start }) => `${key} ${date} ${start}`)
        .filter((each) => !inBook.has(each)),
      // Nor does it have one of ours that nobody has here.
      ...emr
        .busy()
        .map(({ key }) => key)
        .filter((key) => key.startsWith('claim:') && !stands.has(key.slice('claim:'.length))),
      ...(await violations(clinic.database.db, clinic.clock.now())),
    ];
  } finally {
    await clinic.close();
  }
}

// Shows: R-94
test('whatever the EMR does, nothing is called booked that it does not have, it has no second one, and no money is without an appointment', async () => {
  expect(await untrue((emr) => emr)).toEqual([]);
});

test('an adapter that takes an unknown outcome for a booking is caught', async () => {
  const trusting = (emr: FakeEmr): Emr => ({
    ...emr,
    book: (request, reached) =>
      emr.book(request, reached).catch((error: unknown) => {
        if (!(error instanceof EmrOutcomeUnknown)) throw error;
        return { kind: 'booked', id: request.key as EmrAppointmentId };
      }),
  });
  expect(await untrue(trusting)).not.toEqual([]);
});

test('an adapter that says cancelled of what it has not cancelled is caught', async () => {
  const careless = (emr: FakeEmr): Emr => ({ ...emr, cancel: async () => ({ kind: 'cancelled' }) });
  expect(await untrue(careless)).not.toEqual([]);
});

// Shows
test('what staff delete of a paid appointment is paid back in full, after ten minutes without an answer', async () => {
  const emr = fakeEmr({ days: null });
  const clinic = await testApp({ emr });
  onTestFinished(() => clinic.close());
  await aClinic(clinic);
  const token = await signIn(clinic, await aPatient(clinic));
  await charge(clinic, token, privateAppointment({ start: toInstant('2026-11-24', '13:00') }));
  await jobs(clinic);
  const [paid] = await clinic.database.db.select().from(appointment);
  expect(paid).toMatchObject({ state: 'booked', paidCents: 20_000 });
  await syncFromEmr({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
  emr.staff.remove(emr.busy()[0]?.key ?? '');
  const payments = () => clinic.database.db.select().from(payment);
  const passes = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      clinic.clock.advance(20);
      await syncFromEmr({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
      await jobs(clinic);
    }
  };
  // A minute to the first look, and 20 s to the second, which puts it on the desk's list.
  await passes(3 + 1 + 29);
  expect((await payments())[0]?.state).not.toBe('refunded');
  await passes(3);
  expect(await payments()).toMatchObject([{ state: 'refunded' }]);
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
});
