import { fromSheetText, isClinicDate } from '@clinic/domain';

/** What a spreadsheet made of a cell, read back where one reading fits. */

/** Why a cell cannot be read; completes a sentence. */
export class Unread {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

export const shown = (cell: string): string => `'${cell.slice(0, 40)}'`;

const TEXT_AS_FORMULA = /^="(.*)"$/s;
const INVISIBLE = /[\u200B\u200E\u200F\u2060\uFEFF]/g;

/** A text for people as it was typed, without the mark that a spreadsheet reads. */
export const textOf = (cell: string): string => fromSheetText(cell.replace(TEXT_AS_FORMULA, '$1'));

/** A cell that is no text for people, without marks and without what nobody sees. */
export const valueOf = (cell: string): string =>
  textOf(cell)
    .replace(INVISIBLE, '')
    .replace(/\s/g, ' ')
    .trim()
    .replace(/^['’‘](?=.)/, '')
    .replace(/^[“”"](.+)[“”"]$/, '$1');

const ROUNDED = /^\d([.,]\d+)?E[+-]\d{2,}$/i;
const DIGITS_LOST = /^\d{15}0+$/;
const NARROW = /^#+$/;
const ERROR = /^#(n\/a|[\p{L}/\d]+[?!])$/iu;
export const AS_TEXT = 'in a column that is formatted as text, or behind an apostrophe';

/** Why nobody can say what stood in a cell before a spreadsheet changed it, or null. */
export function whyLost(cell: string): string | null {
  if (ROUNDED.test(cell))
    return `${shown(cell)} is a rounded number; write all of its digits, ${AS_TEXT}`;
  if (DIGITS_LOST.test(cell))
    return `${shown(cell)} may have lost its last digits; write them, ${AS_TEXT}`;
  if (NARROW.test(cell))
    return 'the column was too narrow for it; widen it and save the file again';
  if (ERROR.test(cell))
    return `${shown(cell)} is the error of a formula; write the text, ${AS_TEXT}`;
  if (cell.includes('\uFFFD')) return `${shown(cell)} has lost a letter (\uFFFD); write it again`;
  const meant = meantBy(cell);
  if (meant === null) return null;
  return `${shown(cell)} was read in another character set than UTF-8; write ${shown(meant)}, or open the file as UTF-8 (in Excel: Data, From Text/CSV, 65001: Unicode)`;
}

/** The byte of each character, in the character sets for which programs take UTF-8. */
const BYTES = ['windows-1252', 'macintosh'].map((charset) => {
  const decoder = new TextDecoder(charset);
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  return new Map(all.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
});
/** Letters that stand in Latin scripts, and the punctuation of books. */
const LATIN = /^[\p{ASCII}\u0080-\u017F\u2000-\u206F\u20AC\u2122]*$/u;
/** A capital with a mark at the end of capitals, and a sign behind it: 'SANTÉ™'. */
const CAPITALS = /\p{Lu}[Æ-Ë][^\p{L}]/u;
/** 'Ã©', 'Â°' and 'â€™' stand in no text of anybody. */
const TELLING = /Ã[¡-¿]|Â[¡-¿]|â€[^\p{L}\s]|√[©ß®†¢™¥¨´]|ï»¿/u;

/** 'Amélia' of 'AmÃ©lia': a text of which the bytes of UTF-8 were read as something else. */
function meantBy(text: string): string | null {
  if (/^\p{ASCII}*$/u.test(text)) return null;
  for (const [set, byteOf] of BYTES.entries()) {
    const bytes = Array.from(text, (character) => byteOf.get(character));
    if (!bytes.every((byte) => byte !== undefined)) continue;
    try {
      const meant = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
      const isLikely = set === 0 ? !CAPITALS.test(text) : LATIN.test(meant);
      if (isLikely) return meant;
    } catch {
      // These bytes are no UTF-8.
    }
  }
  return TELLING.test(text) ? '…' : null;
}

/** English and French; the month is the remainder by twelve. */
const MONTHS = [
  'january february march april may june july august september october november december',
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
].flatMap((names) => names.split(' '));

function monthOf(name: string): number | null {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase();
  const found = MONTHS.flatMap((month, at) => (month.startsWith(plain) ? [(at % 12) + 1] : []));
  return plain.length >= 3 && new Set(found).size === 1 ? (found[0] ?? null) : null;
}

/** '1-Mar' is what spreadsheets make of the codes 'MAR1' and '3-1'. */
export const isDayOfMonth = (cell: string): boolean => {
  const name = /^(?:\d{1,2}-(\p{L}{3,4}\.?)|(\p{L}{3,4}\.?)-\d{2})$/u.exec(cell);
  return name !== null && monthOf(name[1] ?? name[2] ?? '') !== null;
};

const dateOf = (year: number | string, month: number | string, day: number | string) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

const MIDNIGHT = /(?:[ T]|, )(?:0?0:00(?::00(?:\.0+)?)?Z?|12:00(?::00)? ?a\.?m\.?|00? h 00)$/i;
const WEEKDAY_BEFORE = /^\p{L}{3,}\.?,? (?=\p{L}{3,}|\d)/u;

/** A date as 2026-12-01. */
export function readDate(cell: string): string | Unread {
  const text = cell.replace(MIDNIGHT, '');
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (iso) return theOnly([dateOf(iso[1] ?? '', iso[3] ?? '', iso[4] ?? '')], cell);
  const short = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/.exec(text);
  if (short) {
    const [, one = '', , other = '', year = ''] = short;
    return theOnly([dateOf(year, one, other), dateOf(year, other, one)], cell);
  }
  const parts = /^(?:(\d{1,4})(?:er)?[ ./-]*)?(\p{L}{3,}\.?)[ ./-]*(\d{1,4})?,?[ -]?(\d{4})?$/u;
  for (const words of new Set([text, text.replace(WEEKDAY_BEFORE, '')])) {
    const [, first = '', name = '', second = '', third = ''] = parts.exec(words) ?? [];
    const month = monthOf(name);
    const numbers = [first, second, third].filter((number) => number !== '');
    const [year, ...others] = numbers.filter((number) => number.length === 4);
    const [day] = numbers.filter((number) => number.length <= 2);
    if (month !== null && year && day && numbers.length === 2 && others.length === 0)
      return theOnly([dateOf(year, month, day)], cell);
  }
  if (/^\d{5}$/.test(text))
    return new Unread(`${shown(cell)} is a day's number; format the column as yyyy-mm-dd`);
  if (/\b\d{1,2}$/.test(text) && /^\d{1,2}\D+\d/.test(text))
    return new Unread(
      `${shown(cell)} has no year of four digits; write a date such as 2026-12-01, ${AS_DATE}`,
    );
  return theOnly([], cell);
}

const AS_DATE = 'in a column that is formatted as yyyy-mm-dd or as text';

function theOnly(dates: readonly string[], cell: string): string | Unread {
  const [only, other] = new Set(dates.filter((date) => isClinicDate(date)));
  if (only === undefined)
    return new Unread(`must be a date such as 2026-12-01, not ${shown(cell)}`);
  if (other === undefined) return only;
  return new Unread(
    `${shown(cell)} may be ${only} or ${other}; write the one you mean, ${AS_DATE}`,
  );
}

const TIME =
  /^(\d{1,2}) ?[h:](?: ?(\d{2}))?(?: ?min)?(?:(?:: ?| )00(?:[.,]0+)?(?: ?s)?)?(?: ?([ap])\.? ?m\.?)?$/i;

/** A time of day as 09:30, up to 24:00. */
export function readTime(cell: string): string | Unread {
  const refused = new Unread(
    /^0?[.,]\d+$/.test(cell)
      ? `${shown(cell)} is a part of a day; format the column as hh:mm`
      : `must be a time such as 09:30, not ${shown(cell)}`,
  );
  const [, hours = '', minutes, half] = TIME.exec(cell) ?? [];
  if (hours === '' || (minutes === undefined && !/h$/i.test(cell))) return refused;
  const isAfternoon = half?.toLowerCase() === 'p';
  const count = Number(hours);
  // Nobody writes 13:00 PM; some write 00:30 AM.
  if (half !== undefined && (count > 12 || (count === 0 && isAfternoon))) return refused;
  const hour = half === undefined ? count : (count % 12) + (isAfternoon ? 12 : 0);
  const time = `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
  return /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(time) ? time : refused;
}

/** Cents of an amount in dollars such as 10 or 10.00, with a point or a comma before the cents. */
export function readDollars(cell: string): number | Unread {
  const text = cell.replace(/^(?:CA)?\$ ?| ?\$(?: ?CA)?$/g, '');
  if (/^\d{1,3}[.,]\d{3}$/.test(text)) {
    const [whole, part] = text.split(/[.,]/);
    return new Unread(
      `${shown(cell)} may be ${whole}${part} dollars or a little more than ${whole}; write the amount such as 10.00`,
    );
  }
  const isWritten =
    /^\d{1,4}(?:[.,]\d{1,2})?$/.test(text) ||
    /^\d( \d{3})(?:[.,]\d{1,2})?$/.test(text) ||
    /^\d(?:,\d{3}\.|\.\d{3},)\d{1,2}$/.test(text);
  if (!isWritten)
    return new Unread(`must be an amount in dollars such as 10.00, not ${shown(cell)}`);
  const [, dollars = '', cents = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  return Number(dollars.replace(/\D/g, '')) * 100 + Number(cents.padEnd(2, '0'));
}

/** In English, French and German. */
const YES = ['yes', 'oui', 'true', 'vrai', 'wahr', '1'];
const NO = ['no', 'non', 'false', 'faux', 'falsch', '0'];

/** Yes or no, also as spreadsheets write what is true. */
export function readYesOrNo(cell: string): boolean | Unread {
  if (YES.includes(cell.toLowerCase())) return true;
  if (NO.includes(cell.toLowerCase())) return false;
  return new Unread(`must be yes or no, not ${shown(cell)}`);
}

/** A whole number, also with zeros behind its point. */
export const wholeNumberOf = (cell: string): string => cell.replace(/^(\d+)[.,]0{1,2}$/, '$1');
