import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import {
  MOST_DAYS_PER_CALL,
  WINDOW_DAYS,
  addDays,
  dateBounds,
  datesOf,
  daysBetween,
  isClinicDate,
  scheduledSlots,
  startOfDay,
  toClinic,
} from '@clinic/domain';
import type { ClinicDate, DateSpan, EpochSeconds } from '@clinic/domain';

import { together } from '../../database/db.ts';
import type {
  ProviderDayRow,
  ScheduleChanges,
  StandingHold,
  TakenFacts,
  TakenSteps,
} from './store.ts';

const compress = promisify(gzip);

type RangeRefusal = {
  readonly field: 'from' | 'to';
  readonly code: 'dateNotValid' | 'rangeReversed' | 'rangeTooLong';
};

const INSTANT = /^\d{1,12}$/;
/** The last second of the year 9999: later instants have no four-digit year. */
const LAST_INSTANT = 253_402_300_799;

function dateOf(bound: string): ClinicDate | null {
  if (!INSTANT.test(bound)) return isClinicDate(bound) ? bound : null;
  const at: EpochSeconds = Number(bound);
  return at <= LAST_INSTANT - 86_400 ? toClinic(at).date : null;
}

/**
 * The days that a schedule call means: `from` and `to` are clinic dates or epoch seconds, `to`
 * inclusive, six days at most. A range that lies wholly before today or after the booking window is
 * no valid date; of one that overlaps the window, the overlap is answered.
 */
export function scheduleRange(
  from: string,
  to: string,
  now: EpochSeconds,
): DateSpan | RangeRefusal {
  const first = dateOf(from);
  if (first === null) return { field: 'from', code: 'dateNotValid' };
  const last = dateOf(to);
  if (last === null) return { field: 'to', code: 'dateNotValid' };
  if (first > last) return { field: 'from', code: 'rangeReversed' };
  if (daysBetween(first, last) >= MOST_DAYS_PER_CALL) return { field: 'to', code: 'rangeTooLong' };
  const { today, max } = dateBounds(now);
  if (last < today) return { field: 'to', code: 'dateNotValid' };
  if (first > max) return { field: 'from', code: 'dateNotValid' };
  return { from: first < today ? today : first, to: last > max ? max : last };
}

const MOST_TEXTS = 2048;
const slotTexts = new Map<string, string>();

/** The slot list of a day as JSON; it depends on the template and the date alone, so it is kept. */
function slotsText(row: ProviderDayRow): string {
  const key = row.date + row.codes;
  let text = slotTexts.get(key);
  if (text === undefined) {
    text = scheduledSlots({ date: row.date, template: row.codes })
      .map(({ code, start, end }) => `{"code":"${code}","start":${start},"end":${end}}`)
      .join(',');
    if (slotTexts.size >= MOST_TEXTS) slotTexts.clear();
    slotTexts.set(key, text);
  }
  return text;
}

/**
 * The body of `GET /doctors/schedule`. Written as text because 25,920 slots are turned into objects
 * and back nowhere, and joined once, because a text that grows piece by piece is copied when it is
 * read; the contract test reads it. `own` is a hold whose steps are shown as free: its holder's.
 */
export function scheduleAnswer(
  days: readonly ClinicDate[],
  rows: readonly ProviderDayRow[],
  taken: readonly TakenSteps[],
  own: StandingHold | null = null,
): string {
  const firsts = days.map(startOfDay);
  const takenBy = new Map(taken.map((each) => [each.providerId, takenByDay(firsts, each, own)]));
  const byDay = Map.groupBy(rows, ({ date }) => date);
  const parts = ['{"success":true,"extras":['];
  for (const [at, day] of days.entries()) {
    parts.push(`${at === 0 ? '' : ','}{"date":"${day}","providers":[`);
    for (const [place, row] of (byDay.get(day) ?? []).entries()) {
      const doctor = JSON.stringify(row.providerId);
      const booked = takenBy.get(row.providerId)?.[at] ?? [];
      const opening = `{"doctor":${doctor},"start":`;
      parts.push(`${place === 0 ? '' : ','}{"doctor":${doctor},"schedule":[`, slotsText(row));
      parts.push('],"booked":[');
      if (booked.length > 0) parts.push(opening, booked.join(`},${opening}`), '}');
      parts.push(']}');
    }
    parts.push(']}');
  }
  parts.push(']}');
  return parts.join('');
}

/** A provider's taken starts, but for `own`, by days that begin at `firsts` and follow one another. */
function takenByDay(
  firsts: readonly EpochSeconds[],
  { providerId, starts }: TakenSteps,
  own: StandingHold | null,
): EpochSeconds[][] {
  const byDay: EpochSeconds[][] = firsts.map(() => []);
  let at = 0;
  for (const start of starts) {
    if (covers(own, providerId, start)) continue;
    // Most starts are on the day of the one before.
    while (at > 0 && start < (firsts[at] as number)) at--;
    while (at < firsts.length - 1 && start >= (firsts[at + 1] as number)) at++;
    byDay[at]?.push(start);
  }
  return byDay;
}

/** Whether a hold takes a provider's step. */
export function covers(hold: StandingHold | null, providerId: string, start: EpochSeconds) {
  return hold?.providerId === providerId && start >= hold.start && start < hold.end;
}

/** The version of a range of days; of no days, that of the templates alone. */
export type VersionOf = (range: DateSpan | null) => Promise<string>;

/**
 * For the look of others, which the database may not answer. Looks that overlap see a change twice at
 * most, and count it twice.
 */
const LOOK_PATIENCE_MS = 1_000;

/**
 * Versions of schedule days that no commit can outrun, whichever process made it: each look asks
 * the database which days were touched by transactions invisible to the look before. Calls that
 * arrive while a look is under way share the next one, so that many readers cost one statement. Equal
 * versions mean that no commit between the two looks touched those days.
 */
export function scheduleVersions(
  changesSince: (snapshot: string | null) => Promise<ScheduleChanges>,
): VersionOf {
  const changesOf = new Map<ClinicDate, number>();
  let epoch = 0;
  let snapshot: string | null = null;

  const look = together<void, void>(async (asked) => {
    const changes = await changesSince(snapshot);
    snapshot = changes.snapshot;
    if (changes.everything) {
      epoch++;
      changesOf.clear();
    }
    for (const day of changes.days) changesOf.set(day, (changesOf.get(day) ?? 0) + 1);
    return asked;
  }, LOOK_PATIENCE_MS);

  return async (range) => {
    await look();
    let changes = 0;
    for (const [day, count] of changesOf)
      if (range && day >= range.from && day <= range.to) changes += count;
    return `${epoch}:${changes}`;
  };
}

/** What is kept by key, each for one version; what failed is not kept. */
function keptByVersion<Value>(most: number) {
  const kept = new Map<string, { readonly version: string; readonly value: Promise<Value> }>();
  return {
    get(key: string, version: string) {
      const entry = kept.get(key);
      return entry?.version === version ? entry.value : undefined;
    },
    set(key: string, version: string, value: Promise<Value>) {
      const entry = { version, value };
      kept.delete(key);
      kept.set(key, entry);
      value.catch(() => kept.get(key) === entry && kept.delete(key));
      if (kept.size > most) kept.delete(kept.keys().next().value as string);
      return value;
    },
  };
}

/** What a schedule answer is made of, read after the version that it is kept under. */
export interface ScheduleFacts extends TakenFacts {
  readonly rows: readonly ProviderDayRow[];
}

const MOST_ANSWERS = 200;
/** As fast as level 1 on these texts, and a third smaller. */
const GZIP_LEVEL = 3;

/** Ready answers by range and provider; one is used only while its version still holds. */
export function scheduleCache(
  versionOf: VersionOf,
  read: (range: DateSpan, providerId: string | null, now: EpochSeconds) => Promise<ScheduleFacts>,
) {
  const kept = keptByVersion<Awaited<ReturnType<typeof load>>>(MOST_ANSWERS);

  async function load(range: DateSpan, providerId: string | null, now: EpochSeconds) {
    const facts = await read(range, providerId, now);
    const ends = facts.holds.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY);
    // From then on a hold among the facts no longer stands.
    return { facts, lapsesAt: Math.min(...ends), ...ready(range, facts, null) };
  }

  return async (
    range: DateSpan,
    providerId: string | null,
    { viewer, now }: { readonly viewer: string; readonly now: EpochSeconds },
  ): Promise<ReturnType<typeof ready>> => {
    const key = `${range.from}/${range.to}/${providerId ?? ''}`;
    const version = await versionOf(range);
    const fresh = () => kept.set(key, version, load(range, providerId, now));
    let found = await (kept.get(key, version) ?? fresh());
    if (now >= found.lapsesAt) found = await fresh();
    const own = found.facts.holds.find((hold) => hold.patientId === viewer);
    return own ? ready(range, found.facts, own) : found;
  };
}

function ready(range: DateSpan, { rows, taken }: ScheduleFacts, own: StandingHold | null) {
  let bytes: Buffer | undefined;
  let gzipped: Promise<Buffer> | undefined;
  const json = () => (bytes ??= Buffer.from(scheduleAnswer(datesOf(range), rows, taken, own)));
  return { json, gzipped: () => (gzipped ??= compress(json(), { level: GZIP_LEVEL })) };
}

/** The providers' days by date. */
export type DaysByDate = ReadonlyMap<ClinicDate, readonly ProviderDayRow[]>;

/**
 * The templates of the whole booking window, read again only when one of them, a provider or a policy
 * has changed: bookings leave them as they are. `today` is the window's first day.
 */
export function windowDays(
  versionOf: VersionOf,
  readDays: (range: DateSpan) => Promise<readonly ProviderDayRow[]>,
): (today: ClinicDate) => Promise<DaysByDate> {
  const kept = keptByVersion<DaysByDate>(1);

  async function read(from: ClinicDate): Promise<DaysByDate> {
    const rows = await readDays({ from, to: addDays(from, WINDOW_DAYS) });
    return Map.groupBy(rows, ({ date }) => date);
  }

  return async (today) => {
    const version = await versionOf(null);
    return kept.get(today, version) ?? kept.set(today, version, read(today));
  };
}
