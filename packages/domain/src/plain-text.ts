/** C0 and C1 controls except tab and line ends. Browsers send a line end in a form as CR LF. */
const CONTROL = /(?!\r?\n|\t)\p{Cc}/u;
const CONTROLS = new RegExp(CONTROL, 'gu');
/** Characters that control how text is displayed and are not visible themselves. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;
/** Embeddings, overrides and isolates: they change the order in which the following text is shown. */
const DIRECTION_OVERRIDE = /[\u202A-\u202E\u2066-\u2069]/;

/** Whether a text is well-formed Unicode and has no control characters except newline and tab. See S-17. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

/** Makes typed or pasted text plain: control characters are dropped. */
export function plainText(typed: string): string {
  return typed.toWellFormed().replace(CONTROLS, '');
}

/** Whether a text holds marks that change the order of display, which no name needs. See S-17. */
export function hasDirectionOverride(text: string): boolean {
  return DIRECTION_OVERRIDE.test(text);
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
