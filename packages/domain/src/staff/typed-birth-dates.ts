import { type ClinicDate, calendarDate } from '../clinic-time.ts';

/** Months as they are typed in English and French: the beginning of one of these will do. */
const MONTHS = [
  'january janvier',
  'february fevrier',
  'march mars',
  'april avril',
  'may mai',
  'june juin',
  'july juillet',
  'august aout',
  'september septembre',
  'october octobre',
  'november novembre',
  'december decembre',
].map((names) => names.split(' '));

/**
 * The dates among the words that were typed, each in every way in which it can be read, and the other words.
 * A date is one word, as 1960-12-04 or 04/12/1960, or three with the name of a month, as 4 Dec 1960.
 */
export function datesIn(words: readonly string[]): {
  readonly dates: readonly (readonly ClinicDate[])[];
  readonly rest: readonly string[];
} {
  const dates: ClinicDate[][] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const [word = '', ...more] = words.slice(at, at + 3);
    const inOne = readDates(word.split(/[-/.]/));
    const three = [word, ...more];
    const inThree = three.some((each) => monthsOf(each).length > 0) ? readDates(three) : [];
    if (inThree.length > 0) at += 2;
    const read = inThree.length > 0 ? inThree : inOne;
    if (read.length > 0) dates.push(read);
    else rest.push(word);
  }
  return { dates, rest };
}

/** Three parts as year, month and day in the orders that are in use. */
function readDates(parts: readonly string[]): ClinicDate[] {
  const [one = '', two = '', three = ''] = parts;
  if (parts.length !== 3) return [];
  const read = [...dated(one, two, three), ...dated(three, two, one), ...dated(three, one, two)];
  return [...new Set(read)];
}

function dated(year: string, month: string, day: string): ClinicDate[] {
  const [, number] = /^(\d{1,2})(?:st|nd|rd|th|er)?$/i.exec(day) ?? [];
  if (!/^\d{4}$/.test(year) || number === undefined) return [];
  return monthsOrNumber(month)
    .map((each) => calendarDate(Number(year), each, Number(number)))
    .filter((date) => date !== null);
}

const monthsOrNumber = (typed: string): number[] =>
  /^\d{1,2}$/.test(typed) ? [Number(typed)] : monthsOf(typed);

function monthsOf(typed: string): number[] {
  const word = typed
    .normalize('NFD')
    .replace(/\p{M}|\.$/gu, '')
    .toLowerCase();
  if (word.length < 3) return [];
  return MONTHS.flatMap((names, at) =>
    names.some((name) => name.startsWith(word)) ? [at + 1] : [],
  );
}
