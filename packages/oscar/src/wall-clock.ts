/**
 * OSCAR's times are wall clock times without a zone. It prints them with the offset of its JVM, which may run
 * in UTC or have old zone data, so the offset is ignored: the digits are the clinic's time.
 */
import { OscarFault } from './errors.ts';
import { textOf } from './reading.ts';

/** `date` is 'YYYY-MM-DD'; `start` and `end` are 'HH:mm', with an exclusive end up to 24:00. */
export interface WallSpan {
  readonly date: string;
  readonly start: string;
  readonly end: string;
}

const two = (number: number) => String(number).padStart(2, '0');
export const clockOf = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

export function overlap(a: WallSpan, b: WallSpan): boolean {
  return a.date === b.date && a.start < b.end && b.start < a.end;
}

/** Date and minute of the day of a time in an answer, such as '2026-11-23T10:00:00-07:00'. */
export function momentOf(value: unknown): { readonly date: string; readonly minute: number } {
  const [, date, hours, minutes] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(textOf(value)) ?? [];
  if (date === undefined) throw new OscarFault('OSCAR answered with a time in an unknown form');
  return { date, minute: Number(hours) * 60 + Number(minutes) };
}

/**
 * Stored ends are inclusive: a minute early (11:44 for an appointment until 11:45) when REST or the pages
 * wrote them, a millisecond early (13:14:59) when SOAP did. Both are the minute before the end.
 */
export function spanOf(start: unknown, lastMinute: unknown): WallSpan {
  const { date, minute: first } = momentOf(start);
  const last = Math.max(momentOf(lastMinute).minute, first);
  return { date, start: clockOf(first), end: clockOf(last + 1) };
}

/** 'YYYY-MM-DDTHH:mm:ss' without an offset, as OSCAR takes it; 24:00 is midnight of the next day. */
export function naive(date: string, clock: string): string {
  return clock === '24:00' ? `${dayAfter(date)}T00:00:00` : `${date}T${clock}:00`;
}

export function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/**
 * The instant that stands for a date in OSCAR's JSON. OSCAR would read 'YYYY-MM-DD' as midnight in UTC, which
 * is the day before in Canada; noon in UTC is the same day in all of Canada.
 */
export function instantOfDate(date: string): number {
  return Date.parse(`${date}T12:00:00Z`);
}

/** An impossible date rolls over into the next month, or does not parse. */
export function isSpan({ date, start, end }: WallSpan): boolean {
  const clock = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;
  const day = Date.parse(`${date}T00:00:00Z`);
  const isDate = !Number.isNaN(day) && new Date(day).toISOString().slice(0, 10) === date;
  return isDate && clock.test(start) && clock.test(end) && start < end;
}
