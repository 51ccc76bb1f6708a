import { CHANGE_STEPS, OFFSETS, OFFSET_INDEX, STEP_SECONDS } from './clinic-zone.generated.ts';

/** An instant: whole seconds since 1970-01-01T00:00Z. */
export type EpochSeconds = number;
/** A day on the clinic's wall calendar, 'YYYY-MM-DD'. Never an instant. */
export type ClinicDate = string;
/** The time on the clinic's wall, 'HH:mm', 24 hours. */
export type WallTime = string;

/** Clinic dates, both inclusive. */
export interface DateSpan {
  readonly from: ClinicDate;
  readonly to: ClinicDate;
}

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** What the calendar and the clock on the clinic's wall say. */
export interface ClinicMoment {
  readonly date: ClinicDate;
  readonly time: WallTime;
  readonly weekday: Weekday;
}

const DAY_SECONDS = 86_400;

const changes: EpochSeconds[] = [];
for (const step of CHANGE_STEPS.split(' '))
  changes.push((changes.at(-1) ?? 0) + Number.parseInt(step, 36) * STEP_SECONDS);

/** How many changes of the offset have happened at or before the instant. */
function changesUntil(at: EpochSeconds): number {
  return changes.findLastIndex((change) => change <= at) + 1;
}

/** The clinic's offset at an instant, in minutes east of UTC: -420 is UTC-7.. */
export function offsetAt(at: EpochSeconds): number {
  return OFFSETS[Number(OFFSET_INDEX[changesUntil(at)])] as number;
}

/** The first change of the offset after `from` and before `to`, or null. */
export function offsetChangeBetween(from: EpochSeconds, to: EpochSeconds): EpochSeconds | null {
  const change = changes[changesUntil(from)];
  return change !== undefined && change < to ? change : null;
}

/** Seconds since 1970 of midnight UTC of that calendar date, or NaN when there is no such date. */
function utcMidnight(date: ClinicDate): number {
  const at = /^[1-9]\d{3}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00Z`) : Number.NaN;
  // Some engines move a 30 February on to March instead of refusing it.
  return new Date(at).getUTCDate() === Number(date.slice(8)) ? at / 1000 : Number.NaN;
}

function knownMidnight(date: ClinicDate): number {
  const midnight = utcMidnight(date);
  if (Number.isNaN(midnight)) throw new RangeError(`There is no clinic date '${date}'`);
  return midnight;
}

/** Whether the text is a date of the calendar, written 'YYYY-MM-DD', from the year 1000 on. */
export function isClinicDate(text: string): boolean {
  return !Number.isNaN(utcMidnight(text));
}

/** Whether the text is a clinic date whose end is an instant too: 9999-12-31 has no next day. */
export function isWholeDay(text: string): boolean {
  return isClinicDate(text) && text < '9999-12-31';
}

/**
 * A date from its parts (month 1 to 12), or null when the calendar has no such date, such as 30 February. For
 * birthdays, crash and passport dates, which must never become instants..
 */
export function calendarDate(year: number, month: number, day: number): ClinicDate | null {
  const padded = (n: number, length: number) => String(n).padStart(length, '0');
  const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  return isClinicDate(date) ? date : null;
}

/** What the clinic's calendar and clock show at an instant. Throws a RangeError when it is not an instant. */
export function toClinic(at: EpochSeconds): ClinicMoment {
  const wall = new Date((at + offsetAt(at) * 60) * 1000);
  const text = wall.toISOString();
  return {
    date: text.slice(0, -14),
    time: text.slice(-13, -8),
    weekday: wall.toUTCString().slice(0, 3) as Weekday,
  };
}

/**
 * The instant of a wall time. A time that the clocks skipped moves forward by the skipped hour; a time that
 * came twice means the earlier. A date that is not in the calendar and a malformed time throw a RangeError.
 */
export function toInstant(date: ClinicDate, time: WallTime): EpochSeconds {
  const midnight = knownMidnight(date);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) throw new RangeError(`There is no time '${time}'`);
  const wall = midnight + Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60;
  const before = offsetAt(wall - DAY_SECONDS);
  const after = offsetAt(wall + 2 * DAY_SECONDS);
  const early = wall - before * 60;
  const late = wall - after * 60;
  return offsetAt(early) === before || offsetAt(late) !== after ? early : late;
}

/** The instant at which a clinic date begins. Throws a RangeError when there is no such date. */
export function startOfDay(date: ClinicDate): EpochSeconds {
  return toInstant(date, '00:00');
}

/** The calendar date `days` later (earlier when negative). Throws when there is no such date. */
export function addDays(date: ClinicDate, days: number): ClinicDate {
  return dateAt(knownMidnight(date) + days * DAY_SECONDS);
}

/** The Monday of the week that a day is in. */
export const mondayOf = (date: ClinicDate): ClinicDate =>
  addDays(date, -((new Date(knownMidnight(date) * 1000).getUTCDay() + 6) % 7));

const dateAt = (midnight: number) => new Date(midnight * 1000).toISOString().slice(0, 10);

/** Calendar days from `from` to `to`: 1 for tomorrow, negative when `to` is earlier. */
export function daysBetween(from: ClinicDate, to: ClinicDate): number {
  return (knownMidnight(to) - knownMidnight(from)) / DAY_SECONDS;
}

/** The dates of a span, ascending. */
export function datesOf({ from, to }: DateSpan): ClinicDate[] {
  const first = knownMidnight(from);
  const length = Math.max(0, daysBetween(from, to) + 1);
  return Array.from({ length }, (_, n) => dateAt(first + n * DAY_SECONDS));
}

/** 'Tue Dec 15'. Throws a RangeError when there is no such date. */
export function formatDay(date: ClinicDate): string {
  // 'Tue, 15 Dec 2026 00:00:00 GMT', in every engine and language.
  const text = new Date(knownMidnight(date) * 1000).toUTCString();
  return `${text.slice(0, 3)} ${text.slice(8, 11)} ${text.slice(5, 7)}`;
}

/** 'HH:mm' on the clinic's wall. */
export function formatTime(at: EpochSeconds): WallTime {
  return toClinic(at).time;
}

/** 'ddd MMM DD YYYY HH:mm' on the clinic's wall, as in 'Tue Dec 15 2026 13:00'. */
export function formatAppointment(at: EpochSeconds): string {
  const { date, time } = toClinic(at);
  return `${formatDay(date)} ${date.slice(0, 4)} ${time}`;
}

const made = new Map<string, Intl.DateTimeFormat>();

/** A clinic date written as in a language ('fr-CA'). Formatted in UTC, so no time zone shifts the day. */
export function writtenDate(
  language: string,
  date: ClinicDate,
  options: Intl.DateTimeFormatOptions,
): string {
  const key = `${language} ${JSON.stringify(options)}`;
  const format =
    made.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  made.set(key, format);
  return format.format(new Date(`${date}T00:00Z`));
}
