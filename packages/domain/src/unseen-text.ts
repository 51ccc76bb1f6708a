/** Characters that control how text is displayed and are not visible themselves. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;
/** Embeddings, overrides and isolates: they change the order in which the following text is shown. */
const DIRECTION_OVERRIDE = /[\u202A-\u202E\u2066-\u2069]/;

/** Whether a text holds marks that change the order of display, which no name needs. See S-17. */
export function hasDirectionOverride(text: string): boolean {
  return DIRECTION_OVERRIDE.test(text);
}

/** Spelling: a joiner within a word or after the mark that ends it, and what varies the form of a character. */
const SPELLING =
  /([\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])|(\p{M})[\u200C\u200D]|([^\s\p{DI}])[\p{VS}\u034F]/gu;
/** They order right-to-left words as they are read, and no others. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F]/g;
/** Whether a text holds marks of direction, which belong to right-to-left words. */
export const hasDirectionMark = (text: string): boolean => text.search(DIRECTION_MARKS) >= 0;
const CANNOT_BE_SEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{DI}\uFFF9-\uFFFB]/u;

/** Whether one line of text holds what cannot be seen: line ends, overrides, spaces of no width. See S-17. */
export function hasUnseen(line: string): boolean {
  const rest = line.replace(SPELLING, '$1$2$3').replace(DIRECTION_MARKS, '');
  return CANNOT_BE_SEEN.test(rest);
}

/** Whether nothing of a text can be seen. */
export function isBlank(text: string): boolean {
  return !/[^\p{Cc}\p{Cf}\p{Z}\p{M}\p{DI}\u2800]/u.test(text);
}

/** Prepares a name from outside, such as a file's, for display: invisible control characters are dropped. */
export function withoutControls(name: string): string {
  return name.toWellFormed().replace(UNSEEN, '');
}

const RIGHT_TO_LEFT = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`;
const RIGHT_TO_LEFT_WORDS = new RegExp(
  String.raw`${RIGHT_TO_LEFT}+(?:[\p{M} .'’-]{0,2}${RIGHT_TO_LEFT}+)*\p{M}*`,
  'gu',
);

/**
 * The line with its right-to-left words isolated (U+2068 … U+2069), so that they do not reorder the text
 * beside them. For lines that markup cannot isolate.
 */
export function isolateRightToLeft(line: string): string {
  return line.replace(RIGHT_TO_LEFT_WORDS, '\u2068$&\u2069');
}
