import {
  SPECIFIED_NAMES,
  addDays,
  stepOfTime,
  dayTemplate,
  scheduledSlots,
  toInstant,
} from '@clinic/domain';
import type { ClinicDate, EpochSeconds } from '@clinic/domain';

/** The reference work W of docs/performance.md: what every search is measured on. */
export const PROVIDERS = 40;
export const FREE = 17_280;
export const DAYS: readonly ClinicDate[] = [0, 1, 2, 3, 4, 5].map((day) =>
  addDays('2026-12-07', day),
);
/** The moment of the search: well before the first slot. */
export const SEARCHED_AT: EpochSeconds = toInstant('2026-11-21', '09:00');

const BOOKED_A_DAY = 36;
const SPANS = [
  ['08:00', '12:00'],
  ['13:00', '18:00'],
] as const;

/** 108 five-minute slots, all of one type. */
export const TEMPLATE = dayTemplate(
  SPANS.map(([from, to]) => ({ from: stepOfTime(from), to: stepOfTime(to), code: 'O' as const })),
);

export interface WorkDay {
  readonly providerId: string;
  readonly date: ClinicDate;
  readonly booked: readonly EpochSeconds[];
}

export const providerId = (provider: number) => `w${String(provider).padStart(2, '0')}`;

/** A repeatable stream of numbers in [0, 1): mulberry32. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Fisher-Yates from the end. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
  }
  return mixed;
}

/** 40 providers × 6 days, 36 of 108 slots booked on each: 8,640 booked, 17,280 free. */
export function referenceWork(): WorkDay[] {
  const work: WorkDay[] = [];
  for (let provider = 0; provider < PROVIDERS; provider++)
    for (const [day, date] of DAYS.entries()) {
      const starts = scheduledSlots({ date, template: TEMPLATE }, SPECIFIED_NAMES).map(
        ({ start }) => start,
      );
      const booked = shuffled(starts, mulberry32(1000 * provider + day + 7)).slice(0, BOOKED_A_DAY);
      work.push({ providerId: providerId(provider), date, booked });
    }
  return work;
}
