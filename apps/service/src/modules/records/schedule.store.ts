import {
  AS_USUAL,
  NOT_WORKING,
  STEPS_PER_DAY,
  STEP_SECONDS,
  addDays,
  datesOf,
  dayTemplate,
  daysBetween,
  overlaid,
  slotCodeName,
  stepOfTime,
} from '@clinic/domain';
import type { ClinicDate, DateSpan } from '@clinic/domain';
import { and, between, eq, inArray, lt } from 'drizzle-orm';

import { type Database, type Db, type Tx, part } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import { lockFor } from '../../database/shared-names.store.ts';
import { type Importing, type RowOf, type TableRow, noProvider } from '../../server/csv-import.ts';
import {
  WEEKDAYS,
  date,
  filledWords,
  gridTime,
  identifier,
  rowOf,
  weekday,
} from '../../server/table-columns.ts';
import type { TableProblem } from '../../server/table-text.ts';
import { recordsException, provider, recordsTemplate, scheduleDay, slotCode } from './schema.ts';

/** Every provider that the records know, and the codes of each provider's days. */
export const PROVIDERS = part`(
  select id, first_name, last_name, status = '1' as active from provider)`;
export const TEMPLATES = part`(select clinic_date, provider_id, codes from schedule_day)`;
/** The slot codes as JSON, for other modules' statements, which name them `c`. */
export const SLOT_CODES = part`(
  select types, json_build_object('code', code, 'description', description, 'types', types,
                                  'minutes', minutes, 'release', release,
                                  'releaseAt', release_at) as rules
    from slot_code)`;

/** The slot codes of the clinic. */
export const keptSlotCodes = (db: Db) => db.select().from(slotCode).orderBy(slotCode.code);

/** Writes slot codes as an import says them. */
export const saveSlotCodes = (tx: Tx, rows: readonly (typeof slotCode.$inferInsert)[]) =>
  putRows(tx, slotCode, rows);

/** One day more than the window, so that midnight finds tomorrow ready. */
const DAYS_AHEAD = 91;
const DAYS_KEPT = 7;
/** Sunday 2023-01-01: weekday 0. */
const A_SUNDAY = '2023-01-01';

type Template = typeof recordsTemplate.$inferSelect;
type Exception = typeof recordsException.$inferSelect;
type Day = typeof scheduleDay.$inferSelect;

export const NO_WORK = NOT_WORKING.repeat(STEPS_PER_DAY);
/** The exception of a day of which the clinic has said nothing. */
export const NO_EXCEPTION = AS_USUAL.repeat(STEPS_PER_DAY);

/** A provider's codes on a date: the exception over the newest template of that weekday. */
export function codesOn(
  date: ClinicDate,
  providerId: string,
  templates: readonly Template[],
  exceptions: readonly Exception[],
): string {
  const ofProvider = (each: { readonly providerId: string }) => each.providerId === providerId;
  const exception = exceptions.find((each) => ofProvider(each) && each.clinicDate === date);
  const day = weekdayOf(date);
  const [newest] = templates
    .filter((each) => ofProvider(each) && each.weekday === day && each.validFrom <= date)
    .sort((one, other) => (one.validFrom < other.validFrom ? 1 : -1));
  const codes = newest?.codes ?? NO_WORK;
  return exception ? overlaid(exception.codes, codes) : codes;
}

export const weekdayOf = (date: ClinicDate): number => ((daysBetween(A_SUNDAY, date) % 7) + 7) % 7;

/**
 * Updates `schedule_day` to what templates and exceptions say, from today to 91 days ahead, and returns
 * the number of days that changed. If an EMR keeps a provider's days, only the exceptions are ours and
 * lie over the EMR's days. Writes only differences, as every write changes the version that schedule
 * answers are kept under.
 */
export const expandSchedule = (database: Database, today: ClinicDate): Promise<number> =>
  database.inTransaction((tx) => expandIn(tx, today));

/** As `expandSchedule`, in the caller's transaction. */
export async function expandIn(tx: Tx, today: ClinicDate): Promise<number> {
  await lockSchedule(tx);
  const dates = { from: today, to: addDays(today, DAYS_AHEAD) };
  const standing = await standingDays(tx, dates);
  const ofEmr = Map.groupBy(
    standing.filter(({ fetchedAt }) => fetchedAt !== null),
    ({ providerId }) => providerId,
  );
  const exceptionOn = await exceptionsBetween(tx, dates);
  const codesOf = await codesBetween(tx, dates);
  const wanted = codesOf.flatMap(([providerId, codes]) => {
    const fromEmr = ofEmr.get(providerId);
    const days = datesOf(dates).map((clinicDate) => ({ clinicDate, providerId }));
    if (fromEmr === undefined)
      return days.map((day) => ({ ...day, codes: codes(day.clinicDate), fetchedAt: null }));
    return fromEmr.map((day) => ({
      ...day,
      codes: overlaid(exceptionOn(day), day.codes),
    }));
  });
  const changed = await writeDays(tx, standing, wanted);
  const providers = new Set(codesOf.map(([id]) => id));
  const gone = standing.map(({ providerId }) => providerId).filter((id) => !providers.has(id));
  if (gone.length > 0) await tx.delete(scheduleDay).where(inArray(scheduleDay.providerId, gone));
  const isOld = lt(scheduleDay.clinicDate, addDays(today, -DAYS_KEPT));
  if ((await tx.$count(scheduleDay, isOld)) > 0) await tx.delete(scheduleDay).where(isOld);
  return changed + gone.length;
}

/** Locks the schedule: templates and an EMR write the same days, one at a time. */
export const lockSchedule = (tx: Tx) => lockFor('schedule', tx);

export const standingDays = (tx: Tx, { from, to }: DateSpan) =>
  tx
    .select()
    .from(scheduleDay)
    .where(between(scheduleDay.clinicDate, from, to));

/** What the clinic has said here of each single day. */
export async function exceptionsBetween(db: Db, { from, to }: DateSpan) {
  const isBetween = between(recordsException.clinicDate, from, to);
  const found = await db.select().from(recordsException).where(isBetween);
  const byDay = new Map(found.map((row) => [keyOfDay(row), row.codes]));
  return (day: Parameters<typeof keyOfDay>[0]) => byDay.get(keyOfDay(day)) ?? NO_EXCEPTION;
}

/** Writes those wanted days that differ from the standing ones; returns how many it wrote. */
export async function writeDays(
  tx: Tx,
  standing: readonly Day[],
  wanted: readonly Day[],
): Promise<number> {
  const known = new Map(standing.map((row) => [keyOfDay(row), row.codes]));
  const changed = wanted.filter((row) => known.get(keyOfDay(row)) !== row.codes);
  await putRows(tx, scheduleDay, changed);
  return changed.length;
}

/** For each provider, a function that gives the codes of a date between `from` and `to`, both included. */
async function codesBetween(db: Db, { from, to }: DateSpan) {
  const providers = await db.select({ id: provider.id }).from(provider);
  const templates = await db.select().from(recordsTemplate);
  const exceptions = await db
    .select()
    .from(recordsException)
    .where(between(recordsException.clinicDate, from, to));
  return providers.map(({ id }) => {
    const own = templates.filter(({ providerId }) => providerId === id);
    const closed = exceptions.filter(({ providerId }) => providerId === id);
    return [id, (date: ClinicDate) => codesOn(date, id, own, closed)] as const;
  });
}

/** What keys a provider's day in a map. */
export const keyOfDay = (row: { clinicDate: string; providerId: string }) =>
  `${row.clinicDate}/${row.providerId}`;

/** Whether the clinic's records know a doctor of this id. */
export async function isDoctor(db: Db, providerId: string): Promise<boolean> {
  return (await db.$count(provider, eq(provider.id, providerId))) > 0;
}

/** Every provider, active or not. */
export const keptProviders = (db: Db) => db.select().from(provider).orderBy(provider.id);

export const knownProviders = async (db: Db): Promise<string[]> =>
  (await keptProviders(db)).map(({ id }) => id);

/** Writes providers as an import says them. */
export const saveProviders = (tx: Tx, rows: readonly (typeof provider.$inferInsert)[]) =>
  putRows(tx, provider, rows);

/** The minutes that each code has on the providers' days of a week, the most first. */
export async function minutesByCode(db: Db, from: ClinicDate) {
  const { clinicDate, providerId, codes } = scheduleDay;
  const days = await db
    .select({ codes })
    .from(scheduleDay)
    .innerJoin(provider, and(eq(provider.id, providerId), eq(provider.status, '1')))
    .where(between(clinicDate, from, addDays(from, 6)));
  const steps = Map.groupBy(
    days.flatMap((day) => Array.from(day.codes.replaceAll(NOT_WORKING, ''))),
    (code) => code,
  );
  return [...steps]
    .map(([code, all]) => ({ code, minutes: (all.length * STEP_SECONDS) / 60 }))
    .sort((one, other) => other.minutes - one.minutes || (one.code < other.code ? -1 : 1));
}

interface OfferedMinutes {
  /** 'YYYY-MM'. */
  readonly month: string;
  readonly providerId: string;
  readonly minutes: number;
}

/** The minutes that templates and exceptions offer by month and provider, also in the distant past. */
export async function offeredMinutes(
  db: Db,
  from: ClinicDate,
  to: ClinicDate,
): Promise<OfferedMinutes[]> {
  const byMonth = new Map<string, OfferedMinutes>();
  for (const [id, codes] of await codesBetween(db, { from, to })) {
    for (const day of datesOf({ from, to })) {
      const steps = codes(day).replaceAll(NOT_WORKING, '').length;
      if (steps === 0) continue;
      const month = day.slice(0, 7);
      const before = byMonth.get(`${month} ${id}`)?.minutes ?? 0;
      const minutes = before + (steps * STEP_SECONDS) / 60;
      byMonth.set(`${month} ${id}`, { month, providerId: id, minutes });
    }
  }
  return [...byMonth.values()];
}

const columns = {
  provider: rowOf('providers', identifier),
  weekday,
  from: gridTime,
  to: gridTime,
  code: rowOf('codes', filledWords(4)),
  validFrom: date,
};
type SpanRow = RowOf<typeof columns>;

const WEEK = [0, 1, 2, 3, 4, 5, 6];
const weekOf = ({ provider, validFrom }: SpanRow) => `${provider} ${validFrom}`;

/**
 * Each row is a span of working time. The rows of one provider and date are a whole week that applies
 * from that date on: a weekday without a row is a day without work.
 */
export const scheduleFile: Importing<SpanRow> = {
  what: 'schedule',
  columns,
  key: ['provider', 'validFrom', 'weekday', 'from'],
  whole: ['provider', 'validFrom'],
  async check(tx, rows) {
    const known = await knownProviders(tx);
    const ids = new Set(known);
    const charactersOf = await characters(tx);
    const named = [...charactersOf.keys()].join(', ');
    const wrong = rows.flatMap((each) => [
      ...(ids.has(each.row.provider)
        ? []
        : [problem(each, 'provider', noProvider(each.row.provider, known))]),
      ...(charactersOf.has(each.row.code)
        ? []
        : [problem(each, 'code', `must be one of ${named}, not '${each.row.code}'`)]),
    ]);
    const days = Map.groupBy(rows, ({ row }) => `${weekOf(row)} ${row.weekday}`);
    const ofSpans = [...days.values()].flatMap(spanProblems);
    return [...wrong, ...ofSpans].sort((one, other) => one.line - other.line);
  },
  async write(tx, rows) {
    const charactersOf = await characters(tx);
    const written = rows.map((row) => ({
      ...row,
      code: charactersOf.get(row.code) ?? NOT_WORKING,
    }));
    const weeks = [...Map.groupBy(written, weekOf).values()];
    await putRows(tx, recordsTemplate, weeks.flatMap(templatesOf));
  },
  async kept(db) {
    const templates = await db.select().from(recordsTemplate);
    const begins = new Map(templates.map((each) => [`${each.providerId} ${each.validFrom}`, each]));
    return [...begins]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, { providerId, validFrom }]) =>
        datesOf({ from: validFrom, to: addDays(validFrom, WEEK.length - 1) }).flatMap((day) => {
          // A weekday that this week does not have keeps what applied before.
          const inForce = templates.filter((each) => each.validFrom <= validFrom);
          const spans = spansOf(codesOn(day, providerId, inForce, []));
          const named = {
            provider: providerId,
            weekday: WEEKDAYS[weekdayOf(day)] ?? '',
            validFrom,
          };
          return spans.map((span) => ({ ...named, ...span }));
        }),
      );
  },
};

/** The working time of a day, each span with its one code. */
export function spansOf(codes: string) {
  const timeOf = (step: number) => {
    const [hours, minutes] = [Math.floor(step / 12), (step % 12) * 5];
    return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  };
  return [...codes.matchAll(/([^_])\1*/g)].map(({ 0: { length }, 1: code = '', index }) => ({
    from: timeOf(index),
    to: timeOf(index + length),
    code,
  }));
}

/**
 * The character of each code that a file may name: by itself, or by the one type that it serves
 * where no other code serves that type alone.
 */
async function characters(tx: Tx): Promise<ReadonlyMap<string, string>> {
  const codes = await keptSlotCodes(tx);
  const named = [...Map.groupBy(codes, slotCodeName)];
  return new Map([
    ...named.flatMap(([name, [only, another]]) =>
      only && !another ? [[name, only.code] as const] : [],
    ),
    ...codes.map(({ code }) => [code, code] as const),
  ]);
}

function templatesOf(week: readonly SpanRow[]) {
  const [first] = week;
  if (!first) return [];
  return WEEK.map((day) => ({
    providerId: first.provider,
    weekday: day,
    validFrom: first.validFrom,
    codes: dayTemplate(
      week
        .filter((row) => row.weekday === day)
        .map(({ from, to, code }) => ({ from: stepOfTime(from), to: stepOfTime(to), code })),
    ),
  }));
}

const problem = (
  { line }: TableRow<SpanRow>,
  column: keyof SpanRow,
  why: string,
): TableProblem => ({ line, column, why });

/** The wrong lines about one day: each that ends before it begins, and the later of two that overlap. */
function spanProblems(sameDay: readonly TableRow<SpanRow>[]): TableProblem[] {
  const backwards = sameDay.filter(({ row }) => row.to <= row.from);
  const spans = sameDay
    .filter(({ row }) => row.from < row.to)
    .sort((one, other) => stepOfTime(one.row.from) - stepOfTime(other.row.from));
  const wrong = backwards.map((each) =>
    problem(
      each,
      'to',
      `must come after ${each.row.from}, not ${each.row.to}${each.row.to === '00:00' ? '; the end of the day is 24:00' : ''}`,
    ),
  );
  // Among the spans that began earlier, the one that ends last.
  let longest: TableRow<SpanRow> | null = null;
  for (const each of spans) {
    if (longest !== null && each.row.from < longest.row.to) {
      const [first, second] = longest.line < each.line ? [longest, each] : [each, longest];
      wrong.push(problem(second, 'from', `overlaps the time of line ${first.line}`));
    }
    if (longest === null || each.row.to > longest.row.to) longest = each;
  }
  return wrong;
}
