const MONTH =
  '(?:jan|feb|f[ée]v|mar|apr|avr|may|mai|jun|juin|jul|juil|aug|ao[uû]t|sep|oct|nov|dec|d[ée]c)[a-zéû]*\\.?';
const SHORT_WHOLE_NUMBER = String.raw`(?:[1-9]\d{0,10}|0)$`;
const AMERICAN_PHONE = String.raw`(?:1[ .-])?\d{3}[.-]\d{3}[.-]\d{4}$`;

const FORMULA = /^'*\s*[=+\-@]/;
/** Texts that a spreadsheet takes for something else, behind any number of apostrophes. */
const TAKEN = new RegExp(
  [
    FORMULA.source,
    // numbers, dates, times, fractions and amounts
    String.raw`^'*(?!${SHORT_WHOLE_NUMBER})(?!${AMERICAN_PHONE})\$?\d[\d.,:/\- \u00a0\u202f]*(?:e[+-]?\d+|%|\$)?$`,
    String.raw`^'*\d{1,2}(?::\d\d){0,2} ?[ap]\.?m?\.?$`,
    String.raw`^'*\d{1,4}[ ./-]*${MONTH}(?:[ .,/-]*\d{2,4})?$`,
    String.raw`^'*${MONTH}[ .,/-]*\d{1,4}(?:[ .,/-]+\d{2,4})?$`,
    String.raw`^'*(?:true|false|vrai|faux|wahr|falsch)$`,
    // what spreadsheets write themselves: an error, a column that was too narrow
    String.raw`^'*#(?:#+|n/a|[\p{L}/\d]+[?!])$`,
  ].join('|'),
  'iu',
);

const marked = (text: string) => `'${text}`;

/** S-17: a text as a field of a report: before one that a spreadsheet would run stands an apostrophe. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? marked(text) : text);

/**
 * S-17: a text as a field of a table that comes back from spreadsheets as it was: before one that they
 * would take for a formula, a number or a date stands an apostrophe.
 */
export const toSheetText = (text: string): string =>
  TAKEN.test(text) || /^'+\d+$/.test(text) ? marked(text) : text;

/** The text of a field that `toSheetText` wrote. Any number may have an apostrophe before it. */
export const fromSheetText = (field: string): string => {
  const rest = field.slice(1);
  return field.startsWith("'") && (TAKEN.test(rest) || /^'*\d+$/.test(rest)) ? rest : field;
};

/** The column that has the text of another in that language: `descriptionFr`. */
export const translatedColumn = (name: string, language: string): string =>
  `${name}${language.charAt(0).toUpperCase()}${language.slice(1)}`;
