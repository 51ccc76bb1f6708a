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
  TypeOffer,
} from './store.ts';

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
  /** The steps that are taken, by provider; those of the holds too. */
  readonly booked: ReadonlyMap<string, readonly EpochSeconds[]>;
  readonly holds: readonly StandingHold[];
  /** Whether a code is not released yet, and the steps of a template that carry such codes. */
  readonly hasUnreleased: boolean;
  readonly unreleased: (template: DayTemplate) => StepMask;
  /** From then on one of the holds no longer stands, or a code is released. */
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

/** What of a provider's day is booked to the caller. */
export function bookedOn(
  { booked }: DayFacts,
  providerId: string,
  own: OwnHold,
): readonly EpochSeconds[] {
  const starts = booked.get(providerId) ?? [];
  return own === null ? starts : starts.filter((at) => !covers(own, providerId, at));
}

/** What of a provider's day cannot be had: what is booked, and what is not released yet. */
export function takenOn(day: DayFacts, row: ProviderDayRow, own: OwnHold): StepMask {
  return takenSteps(day.ruler, bookedOn(day, row.providerId, own), day.unreleased(row.codes));
}

/** The facts of days that follow one another, from what was read of them. */
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

/** A provider's taken starts by days that begin at `firsts` and follow one another. */
function takenByDay(firsts: readonly EpochSeconds[], { starts }: TakenSteps): EpochSeconds[][] {
  const byDay: EpochSeconds[][] = firsts.map(() => []);
  const [first = 0] = firsts;
  for (const start of starts) {
    // A change of the clocks may put it an hour off.
    let at = Math.max(0, Math.min(firsts.length - 1, Math.floor((start - first) / 86_400)));
    while (at > 0 && start < (firsts[at] as number)) at--;
    while (at < firsts.length - 1 && start >= (firsts[at + 1] as number)) at++;
    byDay[at]?.push(start);
  }
  return byDay;
}

/** How new what is kept must be to be as new as the look that found it. */
export interface Versions {
  /** Of what holds for every day. */
  readonly ofRules: string;
  readonly ofDay: (day: ClinicDate) => string;
}

/**
 * Versions of schedule days that no commit can outrun, whichever process made it: each look asks
 * the database which days were touched by transactions invisible to the look before. Equal versions
 * mean that no commit between the two looks touched those days. Looks that overlap see a change twice
 * at most, and count it twice.
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
    /** The snapshot to ask from. */
    since: () => snapshot,
    heard(changes: ScheduleChanges): Versions {
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

/** What is kept by key, each of one version of what it is made of; what failed is not kept. */
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

/** How the schedule is read; each after the version that it is kept under. */
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

/** The booking window, and what a day that is just over leaves behind. */
const MOST_DAYS = 100;

/**
 * The schedule day by day, for as many calls as ask for it: a day is read again only when a commit
 * touched it or something of it lapsed, a template only when templates changed.
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

/** What is kept of each day; the days of which nothing is are read together. */
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
