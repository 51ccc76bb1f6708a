import { asciiDigits } from './ascii-digits.ts';
import {
  type ClinicDate,
  addDays,
  calendarDate,
  isWholeDay,
  toClinic,
  toInstant,
} from './clinic-time.ts';

/** Each with its names in English and in French, without marks. */
const MONTHS = [
  ['january', 'janvier'],
  ['february', 'fevrier'],
  ['march', 'mars'],
  ['april', 'avril'],
  ['may', 'mai'],
  ['june', 'juin'],
  ['july', 'juillet'],
  ['august', 'aout'],
  ['september', 'septembre'],
  ['october', 'octobre'],
  ['november', 'novembre'],
  ['december', 'decembre'],
];
const WEEKDAYS = [
  ['sunday', 'dimanche'],
  ['monday', 'lundi'],
  ['tuesday', 'mardi'],
  ['wednesday', 'mercredi'],
  ['thursday', 'jeudi'],
  ['friday', 'vendredi'],
  ['saturday', 'samedi'],
];
const SAID: Readonly<Record<string, number>> = {
  today: 0,
  "aujourd'hui": 0,
  tomorrow: 1,
  demain: 1,
};
/** A shorter beginning is that of too many names. */
const SHORTEST_BEGINNING = 3;

/**
 * The days that a typed text may mean, as seen on a day: none where it is no date, two where it could be either, such
 * as 4/12. Without a year it is the next such day; a weekday is the next one, never today.
 */
export function readTypedDay(typed: string, today: ClinicDate): ClinicDate[] {
  const text = asciiDigits(typed)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .replaceAll('−', '-')
    .toLowerCase()
    .trim();
  const days = [...new Set(daysOf(text, today))].filter((day) => day !== null && isWholeDay(day));
  return days.filter((day) => day !== null).toSorted();
}

function daysOf(text: string, today: ClinicDate): (ClinicDate | null)[] {
  const said = SAID[text];
  if (said !== undefined) return [addDays(today, said)];
  const [, sign, away] = /^([+-]) ?(\d{1,3})$/.exec(text) ?? [];
  if (away !== undefined) return [addDays(today, sign === '-' ? -Number(away) : Number(away))];
  const weekdays = namedBy(text.replace(/\.$/, ''), WEEKDAYS);
  if (weekdays.length > 0) return weekdays.map((weekday) => nextWeekday(weekday, today));
  const [, iso] = /^(\d{4}[-/.]?\d{2}[-/.]?\d{2}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})$/.exec(text) ?? [];
  if (iso !== undefined) return [ofIso(iso)];
  const [, one, other, year] =
    /^(\d{1,2})[-/. ](\d{1,2})(?:[-/. ](\d{4}|\d{2}))?$/.exec(text) ?? [];
  if (one !== undefined && other !== undefined)
    return [
      dayOf({ month: Number(one), day: Number(other), year }, today),
      dayOf({ month: Number(other), day: Number(one), year }, today),
    ];
  return ofNamedMonth(text, today);
}

/** Which of them the text is, or the beginning of. */
const namedBy = (text: string, names: readonly (readonly string[])[]): number[] =>
  text.length < SHORTEST_BEGINNING
    ? []
    : names.flatMap((each, at) => (each.some((name) => name.startsWith(text)) ? [at] : []));

function nextWeekday(weekday: number, today: ClinicDate): ClinicDate {
  const now = WEEKDAYS.findIndex(([name]) =>
    name?.startsWith(toClinic(toInstant(today, '12:00')).weekday.toLowerCase()),
  );
  return addDays(today, ((weekday - now + 6) % 7) + 1);
}

function ofIso(text: string): ClinicDate | null {
  const [, year, month, day] = /^(\d{4})\D?(\d{1,2})\D?(\d{1,2})$/.exec(text) ?? [];
  return calendarDate(Number(year), Number(month), Number(day));
}

/** Dec 4, 4 déc. 2026, Fri Dec 4: the weekday must be that of the day. */
function ofNamedMonth(text: string, today: ClinicDate): (ClinicDate | null)[] {
  const words = text
    .split(/[\s,./-]+/)
    .filter((word) => word !== '' && word !== 'de' && word !== 'le');
  const numbers = words.filter((word) => /^\d/.test(word));
  const names = words.filter((word) => !/^\d/.test(word));
  const [first = '', second] = numbers;
  const [, day] = /^(\d{1,2})(?:st|nd|rd|th|er|e)?$/.exec(first) ?? [];
  const isYear = second === undefined || /^(\d{4}|\d{2})$/.test(second);
  const month = names.at(-1);
  if (day === undefined || !isYear || month === undefined || numbers.length > 2 || names.length > 2)
    return [];
  const weekdays = names.length === 2 ? namedBy(names[0] ?? '', WEEKDAYS) : null;
  return namedBy(month, MONTHS)
    .map((at) => dayOf({ month: at + 1, day: Number(day), year: second }, today))
    .filter((date) => {
      if (date === null || weekdays === null) return true;
      return weekdays.some((weekday) => nextWeekday(weekday, addDays(date, -1)) === date);
    });
}

interface Written {
  readonly month: number;
  readonly day: number;
  readonly year: string | undefined;
}

/** A leap day comes within eight years. */
const YEARS_TO_A_LEAP_DAY = 8;

function dayOf({ month, day, year }: Written, today: ClinicDate): ClinicDate | null {
  if (year !== undefined) return calendarDate(Number(year.padStart(4, '20')), month, day);
  const from = Number(today.slice(0, 4));
  for (let ahead = 0; ahead <= YEARS_TO_A_LEAP_DAY; ahead += 1) {
    const date = calendarDate(from + ahead, month, day);
    if (date !== null && date >= today) return date;
  }
  return null;
}
