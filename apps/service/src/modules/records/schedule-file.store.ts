import { stepOfTime, dayTemplate } from '@clinic/domain';
import type { SlotCode } from '@clinic/domain';
import { sql } from 'drizzle-orm';

import { recordsProvider, recordsTemplate } from './schema.ts';
import {
  type Importing,
  type TableProblem,
  type TableRow,
  date,
  gridTime,
  identifier,
  slotCode,
  weekday,
} from '../../server/csv-import.ts';

interface SpanRow {
  readonly provider: string;
  readonly weekday: number;
  readonly from: string;
  readonly to: string;
  readonly code: SlotCode;
  readonly validFrom: string;
}

const WEEK = [0, 1, 2, 3, 4, 5, 6];
const weekOf = ({ provider, validFrom }: SpanRow) => `${provider} ${validFrom}`;

/**
 * A row is a span of working time. Every provider and date in the file is a whole week that holds
 * from that date on: a weekday without a row is a day without work.
 */
export const scheduleFile: Importing<SpanRow> = {
  what: 'schedule',
  columns: {
    provider: identifier,
    weekday,
    from: gridTime,
    to: gridTime,
    code: slotCode,
    validFrom: date,
  },
  async check(tx, rows) {
    const known = await tx.select({ id: recordsProvider.id }).from(recordsProvider);
    const ids = new Set(known.map(({ id }) => id));
    const days = new Map<string, TableRow<SpanRow>[]>();
    return rows.flatMap((each) => {
      const key = `${weekOf(each.row)} ${each.row.weekday}`;
      const sameDay = days.get(key) ?? [];
      days.set(key, sameDay);
      const wrong = [
        ...(ids.has(each.row.provider)
          ? []
          : [problem(each, 'provider', `no provider has the id '${each.row.provider}'`)]),
        ...spanProblems(each, sameDay),
      ];
      sameDay.push(each);
      return wrong;
    });
  },
  async write(tx, rows) {
    const weeks = new Map<string, SpanRow[]>();
    for (const row of rows) {
      const week = weeks.get(weekOf(row));
      if (week) week.push(row);
      else weeks.set(weekOf(row), [row]);
    }
    await tx
      .insert(recordsTemplate)
      .values([...weeks.values()].flatMap(templatesOf))
      .onConflictDoUpdate({
        target: [recordsTemplate.providerId, recordsTemplate.weekday, recordsTemplate.validFrom],
        set: { codes: sql`excluded.codes` },
      });
  },
};

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

function spanProblems(
  each: TableRow<SpanRow>,
  /** The lines before it about the same day. */
  sameDay: readonly TableRow<SpanRow>[],
): TableProblem[] {
  const { row } = each;
  if (row.to <= row.from)
    return [problem(each, 'to', `must come after ${row.from}, not ${row.to}`)];
  const other = sameDay.find((one) => one.row.from < row.to && row.from < one.row.to);
  return other ? [problem(each, 'from', `overlaps the time of line ${other.line}`)] : [];
}
