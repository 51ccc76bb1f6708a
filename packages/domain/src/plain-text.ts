/** C0 and C1 controls but tab and the two ends of a line, which a form's browser writes as CR LF. */
const CONTROL = /(?!\r?\n|\t)\p{Cc}/u;
const CONTROLS = new RegExp(CONTROL, 'gu');
/** Whatever steers a screen in place of being shown on it. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;
/** Embeddings, overrides and isolates: what follows is shown in another order than it is written. */
const DIRECTION_OVERRIDE = /[\u202A-\u202E\u2066-\u2069]/;

/**
 * Whether a text is text alone: whole characters, and of the control characters only newline
 * and tab. See S-17.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

/** The same text as plain text, as one pastes it: an unseen character is dropped. */
export function plainText(typed: string): string {
  return typed.toWellFormed().replace(CONTROLS, '');
}

/** Whether a text holds marks that turn the order of what is shown, which no name needs: S-17. */
export function hasDirectionOverride(text: string): boolean {
  return DIRECTION_OVERRIDE.test(text);
}

/** A name that somebody else gave, such as a file's, to be shown: what steers a screen is dropped. */
export function withoutControls(name: string): string {
  return name.toWellFormed().replace(UNSEEN, '');
}

const RIGHT_TO_LEFT = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`;
const RIGHT_TO_LEFT_WORDS = new RegExp(
  String.raw`${RIGHT_TO_LEFT}+(?:[\p{M} .'’-]{0,2}${RIGHT_TO_LEFT}+)*\p{M}*`,
  'gu',
);

/**
 * The same line with its words from right to left isolated (U+2068 … U+2069), so that they do not pull
 * along what stands beside them. For a line that markup cannot isolate.
 */
export function isolateRightToLeft(line: string): string {
  return line.replace(RIGHT_TO_LEFT_WORDS, '\u2068$&\u2069');
}
