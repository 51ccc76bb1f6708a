import {
  ELIGIBILITIES,
  hasUnseen,
  isAppointmentTypeCode,
  isBlank,
  toSheetText,
} from '@clinic/domain';
import { z } from 'zod';
import {
  AS_TEXT,
  Unread,
  isDayOfMonth,
  readDate,
  readDollars,
  readTime,
  readYesOrNo,
  shown,
  textOf,
  valueOf,
  whyLost,
  wholeNumberOf,
} from './sheet-values.ts';

/** Columns whose cells a spreadsheet may take for what they are: dates, times and amounts. */
const valueColumns = new WeakSet<z.ZodType>();
const ofValues = <Column extends z.ZodType>(column: Column): Column => {
  valueColumns.add(column);
  return column;
};

export const isText = (column: z.ZodType): boolean => !valueColumns.has(column);

/** A field as a file has it, so that it comes back from a spreadsheet. */
export const fieldOf = (column: z.ZodType, words: string): string =>
  isText(column) ? toSheetText(words) : words;

/** A cell that is read by what it says without marks. */
const cell = <Value>(read: (text: string, cell: string) => Value | Unread) =>
  z.string().transform((raw, context): Value => {
    const lost = whyLost(raw);
    const value = lost === null ? read(valueOf(raw), raw) : new Unread(lost);
    if (!(value instanceof Unread)) return value;
    context.addIssue(value.why);
    return z.NEVER;
  });

const mustBe = (what: string, text: string) => new Unread(`must be ${what}, not ${shown(text)}`);

const matching = (form: RegExp, what: string) =>
  cell((text) => (form.test(text) ? text : mustBe(what, text)));

/** Text for people. */
export const words = (most: number) =>
  cell((_, raw) => {
    const text = textOf(raw);
    const why =
      (Array.from(text).length > most ? `is longer than ${most} characters` : null) ??
      (text.includes('\n') ? 'stands on several lines; write it on one' : null) ??
      (hasUnseen(text) ? 'holds a character that cannot be seen' : null);
    return why === null ? text : new Unread(why);
  });

export const filledWords = (most: number) =>
  words(most).refine((text) => !isBlank(text), 'is empty');

/** A character of a day's template; `_`, for time without work, is not among them. */
export const character = matching(/^[A-Za-z0-9]$/, 'one letter or digit');

export const identifier = cell((text, raw) => {
  if (text === raw && isDayOfMonth(text))
    return new Unread(
      `${shown(text)} may be a code that was taken for a date; write the code, ${AS_TEXT}`,
    );
  const form = /^[\w.-]{1,40}$/;
  return form.test(text) ? text : mustBe('1 to 40 letters, digits, dots or dashes', text);
});

/** Yes or no; an empty column means no. */
export const yesOrNo = cell((text) => (text === '' ? false : readYesOrNo(text))).prefault('');

/** Yes or no; an empty column means yes. */
export const yesUnlessNo = cell((text) => (text === '' ? true : readYesOrNo(text))).prefault('');

export const providerStatus = cell((text) => {
  const status = wholeNumberOf(text) || '1';
  return /^[01]$/.test(status) ? status : mustBe('1 (active) or 0', text);
}).prefault('');

export const date = ofValues(cell(readDate));

/** The index in this list is the weekday's number: Sunday is 0. */
export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** A weekday's name, read as its number; Sunday is 0. */
export const weekday = cell((text) => {
  const number = WEEKDAYS.findIndex((name) => name.toLowerCase() === text.toLowerCase());
  return number >= 0 ? number : mustBe('a weekday such as Monday', text);
});

/** A time of day from 00:00 to 23:59. */
export const clockTime = ofValues(
  cell((text) => {
    const time = readTime(text);
    return time === '24:00' ? mustBe('a time such as 09:30', text) : time;
  }),
);

/** A time of day on the 5-minute grid, up to 24:00. */
export const gridTime = ofValues(
  cell((text) => {
    const time = readTime(text);
    return time instanceof Unread || Number(time.slice(3)) % 5 === 0
      ? time
      : new Unread(`must lie on the 5-minute grid, not '${time}'`);
  }),
);

/** The length of an appointment, or of the gap between two. */
export const minutes = cell((text) => {
  const number = wholeNumberOf(text);
  if (!/^\d{1,3}$/.test(number)) return mustBe('minutes such as 15', text);
  const count = Number(number);
  return count > 0 && count % 5 === 0 ? count : mustBe('a multiple of 5', text);
});

export const oneOf = <Code extends string>(codes: readonly Code[]) =>
  cell((text) => codes.find((code) => code === text) ?? mustBe(`one of ${codes.join(', ')}`, text));

export const typeCode = cell((text) =>
  isAppointmentTypeCode(text)
    ? text
    : mustBe('a capital letter and up to 3 letters or digits, other than A', text),
);

/** A column that means `otherwise` when it is left empty. */
export const emptyIs = <Value, Other>(otherwise: Other, column: z.ZodType<Value, string>) => {
  const read = z
    .string()
    .transform((text, context): Value | Other => {
      if (text === '') return otherwise;
      const inner = column.safeParse(text);
      if (inner.success) return inner.data;
      for (const { message } of inner.error.issues) context.addIssue(message);
      return z.NEVER;
    })
    .prefault('');
  return valueColumns.has(column) ? ofValues(read) : read;
};

/** Text whose absence says nothing: a file without the column leaves what is kept; an empty cell is null. */
export const keptWords = (most: number) =>
  words(most)
    .transform((text) => text.trim() || null)
    .optional();

/** The same for one of a few words. */
export const keptOneOf = <Code extends string>(codes: readonly Code[]) =>
  emptyIs(null, oneOf(codes)).unwrap().optional();

export const eligibility = oneOf(ELIGIBILITIES);

/** Writes cents in the form that `dollars` below reads. */
export const inDollars = (cents: number) => (cents / 100).toFixed(2);

/** Dollars such as 10 or 10.00, read as cents. */
export const dollars = ofValues(cell(readDollars));

/** Codes of types, with spaces between them. */
export const typeList = cell((text) => text.split(' ').filter((type) => type !== ''));
