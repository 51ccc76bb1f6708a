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

import { type Db, type Part, together } from '../../database/db.ts';

const compress = promisify(gzip);

/** One provider's expanded day, as `schedule_day` keeps it. */
export interface ProviderDayRow {
  readonly date: ClinicDate;
  readonly providerId: string;
  readonly codes: string;
}

/** The 5-minute steps of one provider that are taken in the range asked for. */
export interface TakenSteps {
  readonly providerId: string;
  readonly starts: readonly EpochSeconds[];
}

/** A standing hold: booked to everybody but its holder. */
export interface StandingHold {
  readonly patientId: string;
  readonly providerId: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** What is taken of a range of days. */
export interface TakenFacts {
  readonly taken: readonly TakenSteps[];
  readonly holds: readonly StandingHold[];
}

/** What the appointments, whose module comes after this one, say of the time that they take. */
export interface TakenTime {
  /** What appointments take of a range, and the standing holds among them. */
  readTaken(
    db: Db,
    range: DateSpan,
    providerId: string | null,
    now: EpochSeconds,
  ): Promise<TakenFacts>;
  /** Selects the dates whose appointments were touched by what the snapshot does not see. */
  changedDays(snapshot: string): Part;
}

/** What a schedule answer is made of, read after the version that it is kept under. */
export interface ScheduleFacts extends TakenFacts {
  readonly rows: readonly ProviderDayRow[];
}

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

const MOST_KEPT = 2048;
const slotTexts = new Map<string, string>();

/** The slot list of a day as JSON; it depends on the template and the date alone, so it is kept. */
function slotsText(row: ProviderDayRow): string {
  const key = row.date + row.codes;
  let text = slotTexts.get(key);
  if (text === undefined) {
    text = scheduledSlots({ date: row.date, template: row.codes })
      .map(({ code, start, end }) => `{"code":"${code}","start":${start},"end":${end}}`)
      .join(',');
    if (slotTexts.size >= MOST_KEPT) slotTexts.clear();
    slotTexts.set(key, text);
  }
  return text;
}

/** Taken starts by provider and day; a day is a pair of instants, so no start is converted. */
export function takenByDay(days: readonly ClinicDate[], taken: readonly TakenSteps[]) {
  const bounds = days.map((day) => startOfDay(day));
  bounds.push(startOfDay(addDays(days.at(-1) as ClinicDate, 1)));
  const first = bounds[0] as number;
  const placed = new Map<string, EpochSeconds[][]>();
  for (const { providerId, starts } of taken) {
    const perDay: EpochSeconds[][] = days.map(() => []);
    for (const start of starts) {
      // A day is 24 hours long but for an hour now and then: at most one step from the right one.
      let day = Math.max(0, Math.floor((start - first) / 86_400) - 1);
      while (day < days.length && start >= (bounds[day + 1] as number)) day++;
      if (start >= (bounds[day] as number)) perDay[day]?.push(start);
    }
    placed.set(providerId, perDay);
  }
  return placed;
}

/**
 * The body of `GET /doctors/schedule`. Written as text because 25,920 slots are turned into objects
 * and back nowhere, and joined once, because a text that grows piece by piece is copied when it is
 * read; the contract test reads it. `except` are steps shown as free: the holder's own.
 */
export function scheduleAnswer(
  days: readonly ClinicDate[],
  rows: readonly ProviderDayRow[],
  taken: readonly TakenSteps[],
  except: StandingHold | null = null,
): string {
  const placed = takenByDay(days, taken);
  const byDay = Map.groupBy(rows, ({ date }) => date);
  const parts = ['{"success":true,"extras":['];
  for (const [at, day] of days.entries()) {
    parts.push(`${at === 0 ? '' : ','}{"date":"${day}","providers":[`);
    for (const [place, row] of (byDay.get(day) ?? []).entries()) {
      const doctor = JSON.stringify(row.providerId);
      const booked = (placed.get(row.providerId)?.[at] ?? []).filter(
        (start) => except === null || !covers(except, row.providerId, start),
      );
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

/** Whether a hold takes a provider's step. */
export function covers(hold: StandingHold, providerId: string, start: EpochSeconds): boolean {
  return hold.providerId === providerId && start >= hold.start && start < hold.end;
}

/** What has changed in the schedule since a database snapshot. */
export interface ScheduleChanges {
  /** The snapshot at which this was looked up: `pg_current_snapshot()` as text. */
  readonly snapshot: string;
  /** Clinic dates on which an appointment changed. */
  readonly days: readonly ClinicDate[];
  /** Templates, providers or their policy changed: every day may differ. */
  readonly everything: boolean;
}

export type ScheduleVersions = ReturnType<typeof scheduleVersions>;

/**
 * For the look of others, which the database may not answer. Looks that overlap see a change twice at
 * most, and number its day twice.
 */
const LOOK_PATIENCE_MS = 1_000;

/**
 * Versions of schedule days that no commit can outrun, whichever process made it: each look asks
 * the database which days were touched by transactions invisible to the look before. Calls that
 * arrive while a look is under way share the next one, so that many readers cost one statement.
 */
export function scheduleVersions(
  changesSince: (snapshot: string | null) => Promise<ScheduleChanges>,
) {
  const versions = new Map<ClinicDate, number>();
  let epoch = 0;
  let snapshot: string | null = null;

  async function look(): Promise<void> {
    const changes = await changesSince(snapshot);
    snapshot = changes.snapshot;
    if (changes.everything) {
      epoch++;
      versions.clear();
    }
    for (const day of changes.days) versions.set(day, (versions.get(day) ?? 0) + 1);
  }

  const freshLook = together<void, void>(async (asked) => {
    await look();
    return asked;
  }, LOOK_PATIENCE_MS);

  return {
    /**
     * Numbers for the days, from a look at the database that began after this call did. Equal numbers
     * mean that no commit between the two looks touched those days.
     */
    async of(days: readonly ClinicDate[]): Promise<string> {
      await freshLook();
      return `${epoch}:${days.map((day) => versions.get(day) ?? 0).join(',')}`;
    },
  };
}

interface ReadyAnswer {
  readonly json: () => Buffer;
  readonly gzipped: () => Promise<Buffer>;
}

interface Loaded extends ReadyAnswer {
  /** From then on a hold among the facts no longer stands. */
  readonly lapsesAt: EpochSeconds;
  readonly facts: ScheduleFacts;
}

interface Kept {
  readonly days: readonly ClinicDate[];
  readonly version: string;
  readonly loaded: Promise<Loaded>;
}

const MOST_ANSWERS = 200;
/** As fast as level 1 on these texts, and a third smaller. */
const GZIP_LEVEL = 3;

/** Ready answers by range and provider; one is used only while its version still holds. */
export function scheduleCache(
  versions: ScheduleVersions,
  read: (range: DateSpan, providerId: string | null, now: EpochSeconds) => Promise<ScheduleFacts>,
) {
  const kept = new Map<string, Kept>();

  function load(
    key: string,
    version: string,
    days: readonly ClinicDate[],
    facts: Promise<ScheduleFacts>,
  ): Promise<Loaded> {
    const loaded = facts.then((known) => ({
      lapsesAt: Math.min(...known.holds.map((hold) => hold.expiresAt)),
      facts: known,
      ...ready(days, known, null),
    }));
    const entry = { days, version, loaded };
    kept.delete(key);
    kept.set(key, entry);
    loaded.catch(() => kept.get(key) === entry && kept.delete(key));
    if (kept.size > MOST_ANSWERS) kept.delete(kept.keys().next().value as string);
    return loaded;
  }

  return {
    async answer(
      range: DateSpan,
      providerId: string | null,
      viewer: string,
      now: EpochSeconds,
    ): Promise<ReadyAnswer> {
      const key = `${range.from}/${range.to}/${providerId ?? ''}`;
      const days = kept.get(key)?.days ?? datesOf(range);
      const version = await versions.of(days);
      const fresh = () => load(key, version, days, read(range, providerId, now));
      const entry = kept.get(key);
      let found = await (entry?.version === version ? entry.loaded : fresh());
      if (now >= found.lapsesAt) found = await fresh();
      const own = found.facts.holds.find((hold) => hold.patientId === viewer);
      return own ? ready(days, found.facts, own) : found;
    },
  };
}

function ready(
  days: readonly ClinicDate[],
  facts: ScheduleFacts,
  own: StandingHold | null,
): ReadyAnswer {
  let json: Buffer | undefined;
  let gzipped: Promise<Buffer> | undefined;
  const text = () => (json ??= Buffer.from(scheduleAnswer(days, facts.rows, facts.taken, own)));
  return {
    json: text,
    gzipped: () => (gzipped ??= compress(text(), { level: GZIP_LEVEL })),
  };
}

/** The providers' days by date. */
export type DaysByDate = ReadonlyMap<ClinicDate, readonly ProviderDayRow[]>;

/**
 * The templates of the whole booking window, read again only when one of them, a provider or a policy
 * has changed: bookings leave them as they are. `today` is the window's first day.
 */
export function windowDays(
  versions: ScheduleVersions,
  readDays: (range: DateSpan) => Promise<readonly ProviderDayRow[]>,
): (today: ClinicDate) => Promise<DaysByDate> {
  let kept: { readonly key: string; readonly days: Promise<DaysByDate> } | null = null;

  async function read(from: ClinicDate): Promise<DaysByDate> {
    const rows = await readDays({ from, to: addDays(from, WINDOW_DAYS) });
    const known = new Map<string, string>();
    const one = (codes: string) => known.get(codes) ?? (known.set(codes, codes), codes);
    const shared = rows.map((row) => ({ ...row, codes: one(row.codes) }));
    return Map.groupBy(shared, ({ date }) => date);
  }

  return async (today) => {
    const key = `${today}/${await versions.of([])}`;
    if (kept?.key === key) return kept.days;
    const entry = { key, days: read(today) };
    kept = entry;
    entry.days.catch(() => {
      if (kept === entry) kept = null;
    });
    return entry.days;
  };
}
