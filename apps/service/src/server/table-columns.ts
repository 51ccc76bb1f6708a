import type { ApiClinicTable, ApiColumnKind } from '@clinic/contract';
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

/** What a cell of a column holds, for forms. */
export interface ColumnKind {
  readonly kind: ApiColumnKind;
  /** The most characters of a text. */
  readonly most?: number;
  /** All that it may say. */
  readonly choices?: readonly string[];
  /** The table whose rows it names, by the first column of their key. */
  readonly of?: ApiClinicTable;
}

const kinds = z.registry<ColumnKind>();
/** The column, known to be of a kind; `column` itself stays as it is. */
const as = <Column extends z.ZodType>(kind: ColumnKind, column: Column): Column => {
  const own = column.clone();
  kinds.add(own, kind);
  return own;
};

/** What a column holds: it or what it is made of says so. */
export function kindOf(column: z.ZodType): ColumnKind {
  const own = kinds.get(column);
  const { def } = column as z.ZodType & { def: { innerType?: z.ZodType; in?: z.ZodType } };
  const inner = def.innerType ?? def.in;
  return own ?? (inner ? kindOf(inner) : { kind: 'text' });
}

/** A spreadsheet may take cells of the other columns for what they are: dates, times and amounts. */
export const isText = (column: z.ZodType): boolean =>
  !['date', 'time', 'dollars'].includes(kindOf(column).kind);

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

/** Text for people. */
export const words = (most: number) =>
  as(
    { kind: 'text', most },
    cell((_, raw) => {
      const text = textOf(raw);
      const why =
        (Array.from(text).length > most ? `is longer than ${most} characters` : null) ??
        (text.includes('\n') ? 'stands on several lines; write it on one' : null) ??
        (hasUnseen(text) ? 'holds a character that cannot be seen' : null);
      return why === null ? text : new Unread(why);
    }),
  );

export const filledWords = (most: number) =>
  words(most).refine((text) => !isBlank(text), 'is empty');

/** A character of a day's template; `_`, for time without work, is not among them. */
export const character = as(
  { kind: 'text', most: 1 },
  cell((text) => (/^[A-Za-z0-9]$/.test(text) ? text : mustBe('one letter or digit', text))),
);

export const identifier = as(
  { kind: 'text', most: 40 },
  cell((text, raw) => {
    if (text === raw && isDayOfMonth(text))
      return new Unread(
        `${shown(text)} may be a code that was taken for a date; write the code, ${AS_TEXT}`,
      );
    const form = /^[\w.-]{1,40}$/;
    return form.test(text) ? text : mustBe('1 to 40 letters, digits, dots or dashes', text);
  }),
);

const YES_OR_NO: ColumnKind = { kind: 'choice', choices: ['yes', 'no'] };
const saysYes = (otherwise: boolean) =>
  as(
    YES_OR_NO,
    cell((text) => (text === '' ? otherwise : readYesOrNo(text))),
  ).prefault('');

/** Yes or no; an empty column means no. */
export const yesOrNo = saysYes(false);

/** Yes or no; an empty column means yes. */
export const yesUnlessNo = saysYes(true);

export const providerStatus = as(
  { kind: 'choice', choices: ['1', '0'] },
  cell((text) => {
    const status = wholeNumberOf(text) || '1';
    return /^[01]$/.test(status) ? status : mustBe('1 (active) or 0', text);
  }),
).prefault('');

export const date = as({ kind: 'date' }, cell(readDate));

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
export const weekday = as(
  { kind: 'choice', choices: WEEKDAYS },
  cell((text) => {
    const number = WEEKDAYS.findIndex((name) => name.toLowerCase() === text.toLowerCase());
    return number >= 0 ? number : mustBe('a weekday such as Monday', text);
  }),
);

/** A time of day from 00:00 to 23:59. */
export const clockTime = as(
  { kind: 'time' },
  cell((text) => {
    const time = readTime(text);
    return time === '24:00' ? mustBe('a time such as 09:30', text) : time;
  }),
);

/** A time of day on the 5-minute grid, up to 24:00. */
export const gridTime = as(
  { kind: 'time' },
  cell((text) => {
    const time = readTime(text);
    return time instanceof Unread || Number(time.slice(3)) % 5 === 0
      ? time
      : new Unread(`must lie on the 5-minute grid, not '${time}'`);
  }),
);

/** The length of an appointment, or of the gap between two. */
export const minutes = as(
  { kind: 'number', most: 3 },
  cell((text) => {
    const number = wholeNumberOf(text);
    if (!/^\d{1,3}$/.test(number)) return mustBe('minutes such as 15', text);
    const count = Number(number);
    return count > 0 && count % 5 === 0 ? count : mustBe('a multiple of 5', text);
  }),
);

export const oneOf = <Code extends string>(codes: readonly Code[]) =>
  as(
    { kind: 'choice', choices: codes },
    cell(
      (text) => codes.find((code) => code === text) ?? mustBe(`one of ${codes.join(', ')}`, text),
    ),
  );

export const typeCode = as(
  { kind: 'text', most: 4 },
  cell((text) =>
    isAppointmentTypeCode(text)
      ? text
      : mustBe('a capital letter and up to 3 letters or digits, other than A', text),
  ),
);

/** A column that names a row of a table. */
export const rowOf = <Column extends z.ZodType>(of: ApiClinicTable, column: Column): Column =>
  as({ kind: 'choice', of }, column);

/** A column that means `otherwise` when it is left empty. */
export const emptyIs = <Value, Other>(otherwise: Other, column: z.ZodType<Value, string>) =>
  as(
    kindOf(column),
    z.string().transform((text, context): Value | Other => {
      if (text === '') return otherwise;
      const inner = column.safeParse(text);
      if (inner.success) return inner.data;
      for (const { message } of inner.error.issues) context.addIssue(message);
      return z.NEVER;
    }),
  ).prefault('');

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
export const dollars = as({ kind: 'dollars' }, cell(readDollars));

/** Codes of types, with spaces between them. */
export const typeList = as(
  { kind: 'choices', of: 'types' },
  cell((text) => text.split(' ').filter((type) => type !== '')),
);
