import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import {
  MOST_DAYS_PER_CALL,
  STEP_SECONDS,
  dateBounds,
  datesOf,
  dayRuler,
  daysBetween,
  instantsOf,
  isClinicDate,
  keptBack,
  releasedFrom,
  scheduledSlots,
  servedMinutes,
  slotCodeName,
  starts,
  stepAt,
  stepStart,
  stretchesOf,
  takenSteps,
  toClinic,
} from '@clinic/domain';
import type {
  ClinicDate,
  DateSpan,
  DayRuler,
  EpochSeconds,
  StepMask,
  Stretch,
} from '@clinic/domain';

import { together } from '../../database/db.ts';
import type {
  LengthFacts,
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
const keptStretches = new Map<string, Stretch[]>();

/** What is kept under a key, made where it is not; emptied when there is too much of it. */
function keptAt<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  let value = kept.get(key);
  if (value === undefined) {
    value = make();
    if (kept.size >= MOST_TEXTS) kept.clear();
    kept.set(key, value);
  }
  return value;
}

/** `name` is JSON already. */
const slotText = (name: string, start: EpochSeconds, end: EpochSeconds) =>
  `{"code":${name},"start":${start},"end":${end}}`;

/** The steps of a day as JSON; they depend on template, date and codes alone, so they are kept. */
function stepsText(row: ProviderDayRow, names: ReadonlyMap<string, string>): string {
  return keptAt(slotTexts, `${row.date}${row.codes}${[...names].join()}`, () =>
    scheduledSlots({ date: row.date, template: row.codes }, names)
      .map(({ code, start, end }) => slotText(code, start, end))
      .join(','),
  );
}

/** Where a type's appointments may be on a provider's day. */
export function stretchesOn(
  row: ProviderDayRow,
  ruler: DayRuler,
  lengths: LengthFacts,
  code: string,
): Stretch[] {
  const type = lengths.types.find((each) => each.code === code);
  if (!type) return [];
  const pace = lengths.paces.find(
    (each) => each.providerId === row.providerId && each.type === code,
  );
  const served = servedMinutes({ type, codes: lengths.codes, pace: pace ?? null });
  const { startEvery } = type;
  const change = `${ruler.gapFrom} ${ruler.shiftedFrom}`;
  const key = `${change} ${startEvery} ${[...served].join(' ')} ${row.codes}`;
  return keptAt(keptStretches, key, () => stretchesOf(row.codes, served, startEvery, ruler));
}

/** What of a provider's day cannot be had: what is booked, and what is not released yet. */
export const takenOn = (
  row: ProviderDayRow,
  ruler: DayRuler,
  { codes }: LengthFacts,
  { booked, now }: { readonly booked: readonly EpochSeconds[]; readonly now: EpochSeconds },
): StepMask => takenSteps(ruler, booked, keptBack(row.codes, codes, row.date, now));

/** What the schedule is asked for, besides days and doctors. */
interface Asked {
  /** Null for 5-minute steps, as the specification lists them. */
  readonly type: string | null;
  /** The caller's hold, whose steps are free to them. */
  readonly own: StandingHold | null;
  readonly now: EpochSeconds;
}

/**
 * The body of `GET /doctors/schedule`. Written as text because 25,920 slots are turned into objects
 * and back nowhere, and joined once, because a text that grows piece by piece is copied when it is
 * read; the contract test reads it.
 */
export function scheduleAnswer(
  days: readonly ClinicDate[],
  { rows, taken: busySteps, lengths }: Pick<ScheduleFacts, 'rows' | 'taken' | 'lengths'>,
  { type, own, now }: Asked,
): string {
  const rulers = days.map(dayRuler);
  const firsts = rulers.map(({ start }) => start);
  const takenBy = new Map(
    busySteps.map((each) => [each.providerId, takenByDay(firsts, each, own)]),
  );
  const byDay = Map.groupBy(rows, ({ date }) => date);
  const names = new Map(
    lengths.codes.map((code) => [code.code, JSON.stringify(slotCodeName(code))]),
  );
  const parts = ['{"success":true,"extras":['];
  for (const [at, day] of days.entries()) {
    const ruler = rulers[at] as DayRuler;
    const isAllReleased = lengths.codes.every((code) => (releasedFrom(code, day) ?? now) <= now);
    parts.push(`${at === 0 ? '' : ','}{"date":"${day}","providers":[`);
    for (const [place, row] of (byDay.get(day) ?? []).entries()) {
      const doctor = JSON.stringify(row.providerId);
      const booked = takenBy.get(row.providerId)?.[at] ?? [];
      const taken = () => takenOn(row, ruler, lengths, { booked, now });
      parts.push(`${place === 0 ? '' : ','}{"doctor":${doctor},"schedule":[`);
      if (type !== null) {
        parts.push(startsText({ row, ruler, taken: taken(), names, lengths }, { type, own }));
        parts.push('],"booked":[]}');
        continue;
      }
      const opening = `{"doctor":${doctor},"start":`;
      const busy = isAllReleased
        ? booked
        : instantsOf(ruler, taken()).filter((at) => !covers(own, row.providerId, at));
      parts.push(stepsText(row, names), '],"booked":[');
      if (busy.length > 0) parts.push(opening, busy.join(`},${opening}`), '}');
      parts.push(']}');
    }
    parts.push(']}');
  }
  parts.push(']}');
  return parts.join('');
}

interface DayOfProvider {
  readonly row: ProviderDayRow;
  readonly ruler: DayRuler;
  readonly taken: StepMask;
  readonly names: ReadonlyMap<string, string>;
  readonly lengths: LengthFacts;
}

/** The caller's starts of a type as JSON, each with its end; a hold of theirs is always among them. */
function startsText(
  { row, ruler, taken, names, lengths }: DayOfProvider,
  { type, own }: Pick<Asked, 'own'> & { readonly type: string },
): string {
  const free = starts(stretchesOn(row, ruler, lengths, type), taken);
  const hold = own?.providerId === row.providerId && own.type === type ? own : null;
  const held = hold && stepAt(ruler, hold.start);
  const found =
    hold === null || held === null
      ? free
      : [
          ...free.filter(({ step }) => step !== held),
          { step: held, steps: (hold.end - hold.start) / STEP_SECONDS },
        ].sort((one, other) => one.step - other.step);
  const texts: string[] = [];
  for (const { step, steps } of found) {
    const start = stepStart(ruler, step);
    const name = names.get(row.codes[step] ?? '') ?? JSON.stringify(type);
    if (start !== null) texts.push(slotText(name, start, start + steps * STEP_SECONDS));
  }
  return texts.join(',');
}

/** A provider's taken starts, but for `own`, by days that begin at `firsts` and follow one another. */
export function takenByDay(
  firsts: readonly EpochSeconds[],
  { providerId, starts: taken }: TakenSteps,
  own: StandingHold | null,
): EpochSeconds[][] {
  const byDay: EpochSeconds[][] = firsts.map(() => []);
  const [first = 0] = firsts;
  for (const start of taken) {
    if (covers(own, providerId, start)) continue;
    // A change of the clocks may put it an hour off.
    let at = Math.max(0, Math.min(firsts.length - 1, Math.floor((start - first) / 86_400)));
    while (at > 0 && start < (firsts[at] as number)) at--;
    while (at < firsts.length - 1 && start >= (firsts[at + 1] as number)) at++;
    byDay[at]?.push(start);
  }
  return byDay;
}

/** Whether a hold takes a provider's step. */
function covers(hold: StandingHold | null, providerId: string, start: EpochSeconds) {
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
export function keptByVersion<Value>(most: number) {
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
  readonly lengths: LengthFacts;
}

const MOST_ANSWERS = 200;
/** As fast as level 1 on these texts, and a third smaller. */
const GZIP_LEVEL = 3;

/** A call of the schedule. */
export interface ScheduleCall {
  readonly range: DateSpan;
  /** Null for all providers. */
  readonly providerId: string | null;
  readonly type: string | null;
}

/** Ready answers by call; one is used only while its version still holds. */
export function scheduleCache(
  versionOf: VersionOf,
  read: (call: ScheduleCall, now: EpochSeconds) => Promise<ScheduleFacts>,
) {
  const kept = keptByVersion<Awaited<ReturnType<typeof load>>>(MOST_ANSWERS);

  async function load(call: ScheduleCall, now: EpochSeconds) {
    const facts = await read(call, now);
    const ends = facts.holds.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY);
    const releases = datesOf(call.range).flatMap((date) =>
      facts.lengths.codes.flatMap((code) => releasedFrom(code, date) ?? []),
    );
    // From then on a hold among the facts no longer stands, or a code is released.
    const lapsesAt = Math.min(...ends, ...releases.filter((at) => at > now));
    return { facts, lapsesAt, ...ready(call, facts, { own: null, now }) };
  }

  return async (
    call: ScheduleCall,
    { viewer, now }: { readonly viewer: string; readonly now: EpochSeconds },
  ): Promise<ReturnType<typeof ready>> => {
    const { range, providerId, type } = call;
    const key = `${range.from}/${range.to}/${type ?? ''}/${providerId ?? ''}`;
    const version = await versionOf(range);
    const fresh = () => kept.set(key, version, load(call, now));
    let found = await (kept.get(key, version) ?? fresh());
    if (now >= found.lapsesAt) found = await fresh();
    const own = found.facts.holds.find((hold) => hold.patientId === viewer);
    return own ? ready(call, found.facts, { own, now }) : found;
  };
}

function ready({ range, type }: ScheduleCall, facts: ScheduleFacts, by: Omit<Asked, 'type'>) {
  let bytes: Buffer | undefined;
  let gzipped: Promise<Buffer> | undefined;
  const json = () =>
    (bytes ??= Buffer.from(scheduleAnswer(datesOf(range), facts, { ...by, type })));
  return { json, gzipped: () => (gzipped ??= compress(json(), { level: GZIP_LEVEL })) };
}
