import {
  type SlotRequest,
  STEP_SECONDS,
  calendarUid,
  dayTemplate,
  toClinic,
  toInstant,
} from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { testSeed } from '../../../tools/test-seed.ts';
import { type PayingClinic, payingClinic } from '../testing/paying-clinic.ts';
import { aPatient, datesFromToday } from '../testing/rows.ts';
import { testDatabase } from '../testing/test-database.ts';
import { createOutbox } from '../src/database/outbox.store.ts';
import { sendAppointmentEmails } from '../src/modules/appointments/emails/emails.ts';
import {
  cancelAppointment,
  cancelByClinic,
  cancelForPatient,
} from '../src/modules/appointments/cancel.ts';
import { resolveUnknown } from '../src/modules/emr/confirm.ts';
import { expireHolds } from '../src/modules/appointments/holds.ts';
import { book, bookForPatient, move } from '../src/modules/appointments/reserve.ts';
import { endPaymentLink } from '../src/modules/appointments/by-staff/staff-booking.ts';
import { applyStaffChange } from '../src/modules/emr/apply-staff-change.ts';
import { appointments } from '../src/modules/appointments/store.ts';
import { chargeAppointment } from '../src/modules/payments/charge.ts';
import { refundFee } from '../src/modules/payments/ask-refund.ts';
import { handleRefundEmails } from '../src/modules/payments/refund-email.ts';
import { sweepPayments } from '../src/modules/payments/advance-payment.ts';
import { type Emr, EmrOutcomeUnknown } from '../src/modules/records/emr.ts';
import { appointment, appointmentStep, outbox, payment } from '../src/schema.ts';
import type { PatientId } from '../src/security/sessions.store.ts';
import { emailTime } from '../src/server/email-layout.ts';
import { LONG } from './every-call.ts';
import { MOODS, moodyMailServer } from './moody-mail-server.ts';
import { emrBook } from '../src/modules/emr/index.ts';

/** Of one test. */
const HISTORIES = 100;
const FIRST_SEED = testSeed(1);
const STEPS = 7;
const PHASES = ['greeting', 'mail', 'rcpt', 'data', 'text'] as const;
const DAYS = 60;
/** How often a process looks at its outbox, here: shortly before its lease ends. */
const BEAT_SECONDS = 29;
const STAFF_ID = '4b5e1d1c-0000-4000-8000-000000000001';
const CODES = dayTemplate([
  { code: 'V', from: 8 * 12, to: 14 * 12 },
  { code: 'O', from: 14 * 12, to: 20 * 12 },
]);

let clinic: PayingClinic;
/** Another process on the same database. */
let other: PayingClinic['platform']['outbox'];
let server: Awaited<ReturnType<typeof moodyMailServer>>;
let random = seeded(1);
let used = 0;
/** How often each event of an appointment that was never booked was told. */
const told = new Map<string, number>();

function seeded(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  return {
    below: (end: number) => Math.floor(next() * end),
    of: <One>(all: readonly One[]) => all[Math.floor(next() * all.length)] as One,
  };
}

beforeAll(async () => {
  clinic = await payingClinic(await testDatabase(), { days: DAYS, codes: CODES });
  const { platform } = clinic;
  other = createOutbox(platform);
  server = await moodyMailServer({ pass });
  platform.mail.send = server.send;
  const beside = { ...platform, outbox: other };
  sendAppointmentEmails(beside);
  handleRefundEmails(beside);
  fakeLongTimers();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  await server.close();
  await clinic.close();
});

/** Of the waits for replies, which `pass` ends; what waits a moment to open a connection anew goes on at once. */
function fakeLongTimers(): void {
  const real = { setTimeout, clearTimeout };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const fake = { setTimeout, clearTimeout };
  const short = new WeakSet<object>();
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0) => {
    if (ms > 1_000) return fake.setTimeout(work, ms);
    const timer = real.setTimeout(work, 0);
    short.add(timer);
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer?: NodeJS.Timeout) =>
    (timer && short.has(timer) ? real : fake).clearTimeout(timer),
  );
}

const immediately = () => new Promise((resolve) => setImmediate(resolve));
async function pass(seconds: number, isQuiet: () => boolean): Promise<void> {
  for (let passed = 0; passed < seconds; passed += BEAT_SECONDS) {
    await clinic.platform.outbox.start('emails');
    await other.start('emails');
    while (!isQuiet()) await immediately();
    clinic.clock.advance(BEAT_SECONDS);
    vi.advanceTimersByTime(BEAT_SECONDS * 1_000);
  }
}

/** One process or both send what is due. What the other begins while time passes is waited for, too. */
async function drain(): Promise<void> {
  const both = [clinic.platform.outbox, other];
  let whose = random.of([both.slice(0, 1), both.slice(1), both, both.toReversed()]);
  for (let before: unknown; before !== server.isIdle(); whose = both) {
    before = server.isIdle();
    await Promise.all(whose.map((each) => each.drain('emails')));
    await server.isIdle();
  }
}

const now = () => clinic.clock.now();
const ports = () => ({ ...clinic.platform, ...clinic.ports(), appointments, emrBook });
const nextStart = (paid: boolean) => {
  used += 1;
  const [day, step] = [Math.floor(used / 72) % (DAYS - 12), used % 72];
  const date = datesFromToday(DAYS)[day + 10] ?? '';
  return toInstant(date, paid ? '08:00' : '14:00') + step * STEP_SECONDS;
};
const withPaymentLink = (wish: {
  patientId: PatientId;
  slot: SlotRequest;
  requestKey: string;
}) => ({
  staffId: STAFF_ID,
  owner: wish.patientId,
  slot: wish.slot,
  minutes: null,
  overrideReason: null,
  movedByClinic: false,
  withPaymentLink: true,
  paymentLinkHoldId: null,
  rescheduleOf: null,
  requestKey: wish.requestKey,
});
const slotAt = (start: number, type: 'V' | 'O') => ({
  providerId: '101',
  start,
  end: start + STEP_SECONDS,
  type,
});

/** One patient, who books, moves and cancels, as do the desk, the clinic and its EMR. */
async function history(seed: number): Promise<{ readonly patientId: PatientId }> {
  random = seeded(seed * 7919 + 17);
  server.empty();
  used = 0;
  // Each begins on the same day in an empty book, so that it can always book.
  clinic.clock.set(NOW);
  await clinic.database.inTransaction(async (tx) => {
    for (const table of [appointmentStep, appointment, payment, outbox]) await tx.delete(table);
  });
  const isPaid = random.below(2) === 0;
  const patientId = isPaid ? await clinic.aPayer() : (await aPatient(clinic)).id;
  const type = isPaid ? ('V' as const) : ('O' as const);
  let key = 0;
  let freed: number | null = null;
  const own = () =>
    clinic.database.db.select().from(appointment).where(eq(appointment.patientId, patientId));
  const asked = (start: number) => ({
    patientId,
    slot: slotAt(start, type),
    answers: { reason: 'A cough' },
    requestKey: `sent:late-${seed}-${(key += 1)}`,
    claimed: { ticklers: [], paymentToken: null },
  });
  const act = async () => {
    const all = await own();
    const standing = all.filter(({ state }) => state === 'booked');
    const one = standing[random.below(Math.max(1, standing.length))];
    const link = all.find(({ state, bookedBy }) => state === 'held' && bookedBy !== null);
    const who = { actor: `staff:${STAFF_ID}`, now: now() };
    if (link) {
      const wish = { ...clinic.aAppointment(patientId), ...asked(link.start) };
      const what = random.of(['pay', 'end', 'leave']);
      if (what === 'pay') await chargeAppointment(clinic.ports(), wish, now());
      else if (what === 'end') await endPaymentLink(ports(), { ...link, patientId }, who);
      return;
    }
    const what = one === undefined ? random.of(isPaid ? FIRST_PAID : FIRST) : random.of(ACTS);
    if (what === 'book' || what === 'unconfirmed' || what === 'link') {
      const wish = asked(freed ?? nextStart(isPaid));
      freed = null;
      if (what === 'link') await bookForPatient(ports(), withPaymentLink(wish), now());
      else if (isPaid)
        await chargeAppointment(
          clinic.ports(),
          { ...clinic.aAppointment(patientId), ...wish },
          now(),
        );
      else if (what === 'book') await book(ports(), wish, now());
      else await unconfirmed((emr) => book({ ...ports(), emr }, wish, now()));
      return;
    }
    if (one === undefined) return;
    if (what !== 'move' && what !== 'moveInEmr') freed = random.below(2) === 0 ? one.start : null;
    const whose = { id: one.id, patientId, recordId: one.recordId };
    const span = { providerId: one.providerId, start: one.start, end: one.end };
    if (what === 'move') {
      const wanted = asked(nextStart(isPaid));
      await move(ports(), { ...wanted, rescheduleOf: one.id }, now());
    } else if (what === 'moveInEmr') {
      const to = slotAt(nextStart(isPaid), type);
      const change = { kind: 'moved', to: { ...to, clinicDate: toClinic(to.start).date } } as const;
      await applyStaffChange(
        ports(),
        { ...span, id: one.id, patientId, state: 'booked' },
        change,
        now(),
      );
    } else if (what === 'moveUnconfirmed') {
      if (isPaid) return;
      const wanted = { ...asked(nextStart(isPaid)), rescheduleOf: one.id };
      await unconfirmed((emr) => move({ ...ports(), emr }, wanted, now()));
    } else if (what === 'giveBack') {
      const fees = await clinic.database.db.select().from(payment);
      const fee = fees.find(({ appointmentId }) => appointmentId === one.id);
      if (fee) await refundFee(clinic.ports(), fee.id, 'goodwill', who);
    } else if (what === 'cancel') await cancelAppointment(ports(), patientId, one.id, now());
    else if (what === 'cancelForPatient')
      await cancelForPatient(ports(), whose, who, { overrideReason: 'urgent' });
    else
      await cancelByClinic(ports(), whose, who, {
        ofClosing: {
          isClosed: async () => true,
          offered: [{ doctor: '101', start: nextStart(isPaid) }],
          note: async () => undefined,
        },
      });
  };
  for (let step = 0; step < STEPS; step++) {
    const meanwhile = random.below(2) === 0 ? act : undefined;
    const [at, seconds] = [random.of(PHASES), random.of([40, 40, 120, 580])];
    server.feels(random.of(MOODS), { at, seconds, meanwhile });
    if (random.below(3) > 0) await act();
    if (random.below(4) === 0) await sweepPayments(clinic.ports());
    if (random.below(4) === 0) await expireHolds(ports(), now());
    clinic.clock.advance(random.of([0, 0, 1, 45, 600, 4_000, 40_000]));
    // Now and then something changes while a process reads what stands.
    const changing = random.below(3) === 0 ? act() : Promise.resolve();
    await Promise.all([drain(), changing]);
  }
  server.feels('takes');
  for (let hour = 0; hour < 3; hour++) {
    await sweepPayments(clinic.ports());
    clinic.clock.advance(3_600);
    await drain();
  }
  return { patientId };
}
const ACTS = [
  'book',
  'move',
  'move',
  'moveInEmr',
  'cancel',
  'cancelForPatient',
  'cancelByClinic',
  'giveBack',
  'moveUnconfirmed',
] as const;
const FIRST = ['book', 'book', 'unconfirmed'] as const;
const FIRST_PAID = ['book', 'book', 'link'] as const;

/** A request whose answer from the EMR is lost; later the EMR says that it has nothing of it. */
async function unconfirmed(ask: (emr: Emr) => Promise<unknown>): Promise<void> {
  const book: Emr['book'] = async ({ key }, reached) => {
    await reached?.('writing');
    throw new EmrOutcomeUnknown(key);
  };
  const resolve = async () => 'cancelled' as const;
  const emr = { book, findByKey: async () => null, resolve } as unknown as Emr;
  await ask(emr);
  clinic.clock.advance(11);
  await resolveUnknown({ ...ports(), emr }, now());
}

/** RFC 5546 2.1.5: the higher SEQUENCE counts, and of one SEQUENCE the later DTSTAMP. */
function replayed(files: readonly string[]) {
  const calendar = new Map<string, { readonly order: readonly [number, string]; line: string }>();
  for (const file of files) {
    const value = (name: string) => new RegExp(`^${name}:(.*)\r$`, 'm').exec(file)?.[1] ?? '';
    const order = [Number(value('SEQUENCE')), value('DTSTAMP')] as const;
    const before = calendar.get(value('UID'))?.order ?? [-1, ''];
    const isNewer = order[0] > before[0] || (order[0] === before[0] && order[1] >= before[1]);
    const line = `${value('METHOD')} ${value('DTSTART')}`;
    if (isNewer) calendar.set(value('UID'), { order, line });
  }
  return new Map([...calendar].map(([uid, { line }]) => [uid, line]));
}
const utc = (at: number) => new Date(at * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '');

/** All that is wrong with what the patient was sent. */
async function wrong(patientId: PatientId): Promise<string[]> {
  const inbox = server.inbox();
  const found: string[] = [];
  const { db } = clinic.database;
  const rows = await db.select().from(appointment).where(eq(appointment.patientId, patientId));
  const paid = await db.select().from(payment).where(eq(payment.patientId, patientId));
  const isPaidFor = rows.some(({ type }) => type === 'V');
  const chains = rows.filter(({ state }) => state === 'booked' || state === 'cancelled');
  const inOrder = inbox.filter(({ calendar }) => calendar).map(({ calendar }) => calendar ?? '');
  for (const files of [inOrder, inOrder.toReversed(), inOrder.toSorted()]) {
    const calendar = replayed(files);
    for (const { bookingNumber, state, start } of chains) {
      const stands = `${state === 'cancelled' ? 'CANCEL' : 'PUBLISH'} ${utc(start)}`;
      const has = calendar.get(calendarUid(bookingNumber ?? ''));
      if (has !== stands) found.push(`the calendar has ${has} instead of ${stands}`);
    }
  }
  for (const { id, bookingNumber, state, start, paidCents, changedAt } of chains) {
    const uid = `UID:${calendarUid(bookingNumber ?? '')}\r`;
    const emails = inbox.filter(({ calendar }) => calendar?.includes(uid));
    const last = emails.at(-1);
    const isCancelled = last?.subject.includes('is cancelled') === true;
    if (last === undefined) found.push(`nothing tells of ${id}`);
    else if (isCancelled !== (state === 'cancelled')) found.push(`'${last.subject}' of ${state}`);
    else if (!last.text.includes(emailTime('en', start))) found.push(`another time than ${start}`);
    const sequences = emails.map(({ calendar }) =>
      Number(/^SEQUENCE:(\d+)/m.exec(calendar ?? '')?.[1]),
    );
    if (sequences.some((each, at) => each < (sequences[at - 1] ?? 0)))
      found.push(`the order ${sequences.join(' ')}`);
    if (last && !last.calendar?.includes(`DTSTAMP:${utc(changedAt)}\r`))
      found.push('a DTSTAMP that is not of the change');
    const fee = paid.find((each) => each.appointmentId === id);
    const all = emails.map(({ text }) => text).join('\n');
    // The email of a refund has the reference, too.
    if (paidCents > 0 && fee && fee.state !== 'refunded' && !all.includes(fee.reference))
      found.push('no receipt');
    if (paidCents > 0 && fee?.state === 'kept' && !last?.text.includes('non-refundable'))
      found.push('the fee that is kept is not told');
  }
  for (const { id, state, bookedBy } of rows) {
    if (state !== 'released' && state !== 'held') continue;
    if (isPaidFor && bookedBy === null) continue;
    const event = bookedBy === null ? 'notBooked' : state === 'held' ? 'payLink' : 'linkOver';
    const last = inbox.findLast(({ key }) => key.includes(id));
    if (!last?.key.startsWith(`appointment:${event}:`)) found.push(`${last?.key} and not ${event}`);
    else told.set(event, (told.get(event) ?? 0) + 1);
  }
  for (const each of paid.filter(({ state }) => state === 'refunded'))
    if (!inbox.some(({ key }) => key === `refund:${each.id}`)) found.push('a refund is not told');
  const keys = Map.groupBy(inbox, ({ key }) => key);
  for (const [key, emails] of keys)
    if (emails.slice(0, -1).some(({ isLost }) => !isLost))
      found.push(`${key} came ${emails.length} times`);
  if (inbox.some(({ text }) => text.includes('undefined'))) found.push('a hole in a text');
  return found;
}

// Shows: R-84
test.each(Array.from({ length: LONG ? 10 : 1 }, (_, n) => FIRST_SEED + n * HISTORIES))(
  `the last email is true in ${HISTORIES} histories from %i on, with a mail server that is away, slow, refusing or dropping`,
  async (first) => {
    const failed: string[] = [];
    let sent = 0;
    told.clear();
    for (let seed = first; seed < first + HISTORIES; seed++) {
      const { patientId } = await history(seed);
      sent += server.inbox().length;
      for (const each of await wrong(patientId)) failed.push(`history ${seed}: ${each}`);
    }
    clinic.log.failures.splice(0);
    expect(failed).toEqual([]);
    expect(sent).toBeGreaterThan(3 * HISTORIES);
    expect([...told.keys()].toSorted()).toEqual(['linkOver', 'notBooked', 'payLink']);
  },
);
