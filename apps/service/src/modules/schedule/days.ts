import { addDays, datesOf, dayRuler, keptBack, releasedFrom, takenSteps } from '@clinic/domain';
import type {
  ClinicDate,
  DateSpan,
  DayRuler,
  DayTemplate,
  EpochSeconds,
  StepMask,
} from '@clinic/domain';

import type {
  LengthFacts,
  ListedProvider,
  ProviderDayRow,
  ScheduleChanges,
  StandingHold,
  TakenFacts,
  TakenSteps,
} from './store.ts';
import type { TypeOffer } from './types.store.ts';

/** What holds for every day while no template, provider, policy, type, fee or slot code changes. */
export interface ScheduleRules {
  readonly lengths: LengthFacts;
  readonly providers: readonly ListedProvider[];
  readonly offers: readonly TypeOffer[];
}

/** One clinic day: who works, and what of it is taken. */
export interface DayFacts {
  readonly date: ClinicDate;
  readonly ruler: DayRuler;
  readonly rows: readonly ProviderDayRow[];
  readonly lengths: LengthFacts;
  /** The steps that are taken, by provider; includes those of the holds. */
  readonly booked: ReadonlyMap<string, readonly EpochSeconds[]>;
  readonly holds: readonly StandingHold[];
  /** Whether a code is not released yet, and the steps of a template that carry such codes. */
  readonly hasUnreleased: boolean;
  readonly unreleased: (template: DayTemplate) => StepMask;
  /** The first instant at which one of the holds no longer stands, or a code is released. */
  readonly lapsesAt: EpochSeconds;
}

/** The caller's own hold, whose steps are free to them. */
export type OwnHold = StandingHold | null;

/** Whether a hold takes a provider's step. */
export const covers = (hold: OwnHold, providerId: string, at: EpochSeconds) =>
  hold?.providerId === providerId && at >= hold.start && at < hold.end;

/** The caller's hold on one of the days, or null. */
export function ownHold(days: readonly DayFacts[], viewer: string): OwnHold {
  for (const { holds } of days) {
    const own = holds.find(({ patientId }) => patientId === viewer);
    if (own) return own;
  }
  return null;
}

/** The steps of a provider's day that are booked, other than by the caller's own hold. */
export function bookedOn(
  { booked }: DayFacts,
  providerId: string,
  own: OwnHold,
): readonly EpochSeconds[] {
  const starts = booked.get(providerId) ?? [];
  return own === null ? starts : starts.filter((at) => !covers(own, providerId, at));
}

/** The steps of a provider's day that the caller cannot have: booked, or not released yet. */
export function takenOn(day: DayFacts, row: ProviderDayRow, own: OwnHold): StepMask {
  return takenSteps(day.ruler, bookedOn(day, row.providerId, own), day.unreleased(row.codes));
}

/** The facts of consecutive days, from what was read of them. */
export function factsOfDays(
  dates: readonly ClinicDate[],
  rowsOn: (date: ClinicDate) => readonly ProviderDayRow[],
  { lengths, taken, holds }: TakenFacts & Pick<ScheduleRules, 'lengths'>,
  now: EpochSeconds,
): DayFacts[] {
  const rulers = dates.map(dayRuler);
  const firsts = rulers.map(({ start }) => start);
  const byDay = taken.map((each) => [each.providerId, takenByDay(firsts, each)] as const);
  return dates.map((date, at) => {
    const ruler = rulers[at] as DayRuler;
    const end = rulers[at + 1]?.start ?? dayRuler(addDays(date, 1)).start;
    const standing = holds.filter((hold) => hold.start < end && hold.end > ruler.start);
    const lapses = standing.flatMap(({ expiresAt }) => expiresAt ?? []);
    const unreleased = lengths.codes.filter((code) => (releasedFrom(code, date) ?? now) > now);
    const releases = unreleased.flatMap((code) => releasedFrom(code, date) ?? []);
    return {
      date,
      ruler,
      rows: rowsOn(date),
      lengths,
      booked: new Map(byDay.map(([providerId, days]) => [providerId, days[at] ?? []])),
      holds: standing,
      hasUnreleased: unreleased.length > 0,
      unreleased: (template) => keptBack(template, unreleased, date, now),
      lapsesAt: Math.min(Infinity, ...lapses, ...releases),
    };
  });
}

/** A provider's taken starts, sorted into consecutive days that begin at `firsts`. */
function takenByDay(firsts: readonly EpochSeconds[], { starts }: TakenSteps): EpochSeconds[][] {
  const byDay: EpochSeconds[][] = firsts.map(() => []);
  // Walks on from the day of the start before: a search for each start makes free starts 1.4 times as slow.
  let at = 0;
  for (const start of starts) {
    while (at > 0 && start < (firsts[at] as number)) at--;
    while (at < firsts.length - 1 && start >= (firsts[at + 1] as number)) at++;
    byDay[at]?.push(start);
  }
  return byDay;
}

/** The versions that kept facts must have to be as new as the last look at the database. */
export interface Versions {
  /** The version of what holds for every day. */
  readonly ofRules: string;
  readonly ofDay: (day: ClinicDate) => string;
}

/**
 * Versions of schedule days that miss no commit of any process: each look asks the database which days
 * were changed by transactions that the look before did not see. Equal versions mean that no commit
 * between the two looks changed those days. Looks that overlap may count a change twice, which only
 * costs one more read.
 */
export function scheduleVersions() {
  const changesOf = new Map<ClinicDate, number>();
  let epoch = 0;
  let snapshot: string | null = null;
  const versions: Versions = {
    get ofRules() {
      return `${epoch}`;
    },
    ofDay: (day) => `${epoch}:${changesOf.get(day) ?? 0}`,
  };

  return {
    /** The snapshot of the last look, to ask from. */
    since: () => snapshot,
    /** The versions after these changes, which a look has found. */
    after(changes: ScheduleChanges): Versions {
      snapshot = changes.snapshot;
      if (changes.everything) {
        epoch++;
        changesOf.clear();
      }
      for (const day of changes.days) changesOf.set(day, (changesOf.get(day) ?? 0) + 1);
      return versions;
    },
  };
}

/** A cache of at most `most` values, each valid for one version; a promise that fails is dropped. */
export function keptBy<Version, Value>(
  most: number,
  isSame = (one: Version, other: Version) => one === other,
) {
  const kept = new Map<string, { readonly version: Version; readonly value: Value }>();
  return {
    get(key: string, version: Version) {
      const entry = kept.get(key);
      return entry && isSame(entry.version, version) ? entry.value : undefined;
    },
    set(key: string, version: Version, value: Value) {
      const entry = { version, value };
      kept.delete(key);
      kept.set(key, entry);
      if (value instanceof Promise) value.catch(() => kept.get(key) === entry && kept.delete(key));
      if (kept.size > most) kept.delete(kept.keys().next().value as string);
      return value;
    },
    drop: (key: string) => kept.delete(key),
  };
}

type KeptDays<Value> = ReturnType<typeof keptBy<string, Promise<Value>>>;

/** The reads of the schedule; each runs after the version that its result is kept under was found. */
export interface ScheduleReads {
  readonly rules: () => Promise<ScheduleRules>;
  readonly templates: (range: DateSpan) => Promise<readonly ProviderDayRow[]>;
  readonly taken: (range: DateSpan, now: EpochSeconds) => Promise<TakenFacts>;
}

/** The schedule as one call sees it. */
export interface ScheduleDays {
  rules(): Promise<ScheduleRules>;
  on(dates: readonly ClinicDate[]): Promise<readonly DayFacts[]>;
}

/** The booking window, with room for days that have just ended. */
const MOST_DAYS = 100;

/**
 * Keeps the schedule day by day for all calls: a day is read again only when a commit changed it or its
 * facts have lapsed (`lapsesAt`), templates only when what holds for every day has changed.
 */
export function scheduleDays(read: ScheduleReads) {
  const keptRules = keptBy<string, Promise<ScheduleRules>>(1);
  const keptRows: KeptDays<readonly ProviderDayRow[]> = keptBy(MOST_DAYS);
  const keptDays: KeptDays<DayFacts> = keptBy(MOST_DAYS);

  const rulesAt = ({ ofRules }: Versions) =>
    keptRules.get('', ofRules) ?? keptRules.set('', ofRules, read.rules());

  const rowsOn = (dates: readonly ClinicDate[], { ofRules }: Versions) =>
    eachDay(
      keptRows,
      dates,
      () => ofRules,
      async (missing) => {
        const byDay = Map.groupBy(await read.templates(spanOf(missing)), ({ date }) => date);
        return (date) => byDay.get(date) ?? [];
      },
    );

  const daysOn = (dates: readonly ClinicDate[], versions: Versions, now: EpochSeconds) =>
    eachDay(keptDays, dates, versions.ofDay, async (missing) => {
      const range = spanOf(missing);
      const [{ lengths }, rows, taken] = await Promise.all([
        rulesAt(versions),
        rowsOn(missing, versions),
        read.taken(range, now),
      ]);
      const rowsBy = new Map(missing.map((date, at) => [date, rows[at] ?? []]));
      const all = datesOf(range);
      const days = factsOfDays(all, (d) => rowsBy.get(d) ?? [], { lengths, ...taken }, now);
      return (date) => days[all.indexOf(date)] as DayFacts;
    });

  return (versions: Versions, now: EpochSeconds): ScheduleDays => ({
    rules: () => rulesAt(versions),
    async on(dates) {
      const days = await daysOn(dates, versions, now);
      const lapsed = days.filter(({ lapsesAt }) => now >= lapsesAt);
      if (lapsed.length === 0) return days;
      for (const { date } of lapsed) keptDays.drop(date);
      return daysOn(dates, versions, now);
    },
  });
}

const spanOf = (dates: readonly ClinicDate[]): DateSpan => ({
  from: dates[0] as ClinicDate,
  to: dates.at(-1) as ClinicDate,
});

/** The kept value of each day; days without one are read together. */
function eachDay<Value>(
  kept: KeptDays<Value>,
  dates: readonly ClinicDate[],
  versionOf: (date: ClinicDate) => string,
  readMissing: (missing: readonly ClinicDate[]) => Promise<(date: ClinicDate) => Value>,
): Promise<Value[]> {
  const found = dates.map((date) => kept.get(date, versionOf(date)));
  const missing = dates.filter((_, at) => found[at] === undefined);
  if (missing.length === 0) return Promise.all(found as Promise<Value>[]);
  const reading = readMissing(missing);
  return Promise.all(
    dates.map(
      (date, at) =>
        found[at] ??
        kept.set(
          date,
          versionOf(date),
          reading.then((valueOf) => valueOf(date)),
        ),
    ),
  );
}
