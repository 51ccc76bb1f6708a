import { describe, expect, test } from 'vitest';

import { type ProfileName, type WriteFault, bookByStaff, profiles } from '../fake/index.ts';
import {
  type AppointmentDraft,
  type BookAnswer,
  type Oscar,
  OscarOutcomeUnknown,
  demographicNo,
  overlap,
  providerNo,
} from '../src/index.ts';
import { clockOf } from '../src/wall-clock.ts';
import { secondsOf } from '../fake/memory.ts';
import { MONDAY, draft, openClinic } from './clinic.ts';

/** The same choices for the same seed. */
function chance(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Book = (oscar: Oscar, request: AppointmentDraft) => Promise<BookAnswer>;

const careful: Book = (oscar, request) => oscar.book(request);

/** Planted: looks once, and calls it booked because the write was answered. */
const trusting: Book = async ({ urgent }, request) => {
  const { date } = request.span;
  const day = { providers: [request.providerNo], from: date, to: date };
  const standing = await urgent.appointments(day);
  if (standing.some(({ span }) => overlap(span, request.span))) return { kind: 'taken' };
  return { kind: 'booked', no: await urgent.createAppointment(request) };
};

/** Planted: takes a write whose answer was lost for one that was not done. */
const repeating: Book = async (oscar, request) => {
  try {
    return await oscar.book(request);
  } catch {
    return { kind: 'booked', no: await oscar.urgent.createAppointment(request) };
  }
};

/**
 * Patients book while staff do as they like and answers are lost; whoever was not answered asks
 * again. Counts what must never be at the moment at which somebody is told that it is booked.
 */
async function storm(profile: ProfileName, book: Book) {
  let now = Date.parse('2026-11-20T18:00:00Z');
  // A clock that never stands still orders what was written.
  const { oscar, fake } = await openClinic(profile, {}, { now: () => (now += 1000) });
  const { memory, switches } = fake;
  const random = chance(20_261_123);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const add = memory.addAppointment.bind(memory);
  const counts = { told: 0, missing: 0, doubled: 0, second: 0 };

  function judge({ key, span, providerNo }: AppointmentDraft) {
    counts.told += 1;
    const live = memory.appointments.filter(({ status }) => !status.startsWith('C'));
    const ours = live.filter(({ notes }) => notes.includes(`[${key}]`));
    counts.missing += ours.length === 0 ? 1 : 0;
    counts.doubled += ours.length > 1 ? 1 : 0;
    const from = secondsOf(span.start);
    const before = live.filter(
      (row) =>
        !ours.includes(row) &&
        row.providerNo === providerNo &&
        row.date === span.date &&
        row.start < from + 15 * 60 &&
        row.end >= from &&
        row.updatedAt < (ours[0]?.updatedAt ?? 0),
    );
    counts.second += before.length > 0 ? 1 : 0;
  }

  for (let round = 0; round < 80; round += 1) {
    if (random() < 0.5) fake.act(random);
    const start = 540 + Math.floor(random() * 24) * 5;
    const request = draft({
      key: `key-${round}`,
      providerNo: providerNo(pick(['101', '102', '103'])),
      demographicNo: demographicNo(pick(['1', '2', '3', '4'])),
      span: { date: MONDAY, start: clockOf(start), end: clockOf(start + 15) },
    });
    const interferes = random() < 0.3;
    memory.addAppointment = (row) => {
      memory.addAppointment = add;
      const at = { providerNo: request.providerNo, date: MONDAY, start: start + 5 };
      if (interferes) bookByStaff(memory, { ...at, minutes: 10, demographicNo: 5 });
      return add(row);
    };
    switches.nextWrite = pick<WriteFault>(['none', 'none', 'doneBut500', 'cutAfter']);
    let answer: BookAnswer | null = null;
    try {
      answer = await book(oscar, request);
    } catch (error) {
      if (!(error instanceof OscarOutcomeUnknown)) throw error;
    }
    memory.addAppointment = add;
    switches.nextWrite = 'none';
    answer ??= await oscar.book(request);
    if (answer.kind === 'booked' || answer.kind === 'alreadyBooked') judge(request);
  }
  return counts;
}

const withSoap = (Object.keys(profiles) as ProfileName[]).filter((name) => name !== 'kai');

describe.each(withSoap)('with staff at work on %s', (profile) => {
  test('who is told that it is booked stands there once, and came before whoever stands there too', async () => {
    const counts = await storm(profile, careful);
    expect(counts).toMatchObject({ missing: 0, doubled: 0, second: 0 });
    expect(counts.told).toBeGreaterThan(15);
  });
});

describe('planted faults are caught', () => {
  test('a program that trusts its first answer books over staff', async () => {
    expect((await storm('classic', trusting)).second).toBeGreaterThan(0);
  });

  test('a program that repeats a write after a lost answer books twice', async () => {
    expect((await storm('classic', repeating)).doubled).toBeGreaterThan(0);
  });
});
