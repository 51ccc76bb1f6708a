/** What patients agree to. */
export const AGREEMENT_KINDS = ['feeWarning', 'icbc', 'general', 'signUp'] as const;
export type AgreementTextKind = (typeof AGREEMENT_KINDS)[number];
/** The texts that patients agree to on the way to a booking. */
export type BookingAgreement = Exclude<AgreementTextKind, 'signUp'>;

interface Placeholders {
  readonly may: readonly string[];
  readonly must: readonly string[];
}

/** For each kind of text, the placeholders that it may contain and those that it must. */
export const AGREEMENT_PLACEHOLDERS: Readonly<Record<AgreementTextKind, Placeholders>> = {
  feeWarning: { may: ['clinicName', 'fee', 'bookingFee'], must: ['fee'] },
  icbc: { may: ['clinicName', 'bookingFee'], must: [] },
  general: { may: ['clinicName', 'bookingFee'], must: [] },
  signUp: { may: ['clinicName'], must: [] },
};

/** The paragraphs of a text. An empty line separates them; any other line break counts as a space. */
export function paragraphsOf(typed: string): string[] {
  return typed
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .map(inOneLine)
    .filter((paragraph) => paragraph !== '');
}

/** Collapses white space. Keeps no-break spaces, such as French has before a colon. */
export const inOneLine = (typed: string): string => typed.replaceAll(/[ \t\n\r]+/g, ' ').trim();

export interface TypedText {
  readonly title: string;
  readonly text: string;
}

export interface TextProblem {
  readonly field: keyof TypedText;
  readonly why: 'empty' | 'unknownPlaceholder' | 'missingPlaceholder';
  /** As written in the text, with braces. */
  readonly placeholder: string;
}

/** Everything wrong with a typed text of a kind, before patients are shown it. */
export function whyTextRefused(kind: AgreementTextKind, typed: TypedText): TextProblem[] {
  const { may, must } = AGREEMENT_PLACEHOLDERS[kind];
  const known = may.map(inBraces);
  const problems: TextProblem[] = [];
  for (const field of ['title', 'text'] as const) {
    if (inOneLine(typed[field]) === '') problems.push({ field, why: 'empty', placeholder: '' });
    const unknown = (typed[field].match(/\{[^{}]*\}|[{}]/g) ?? []).find(
      (found) => !known.includes(found),
    );
    if (unknown !== undefined)
      problems.push({ field, why: 'unknownPlaceholder', placeholder: unknown });
  }
  const missing = must.map(inBraces).find((needed) => !typed.text.includes(needed));
  if (missing !== undefined && inOneLine(typed.text) !== '')
    problems.push({ field: 'text', why: 'missingPlaceholder', placeholder: missing });
  return problems;
}

const inBraces = (name: string) => `{${name}}`;

/** The text with its placeholders filled; one without a value stays. */
export const filledText = (
  text: string,
  values: Readonly<Record<string, string | undefined>>,
): string => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
