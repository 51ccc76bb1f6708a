/** What patients agree to. */
export const AGREEMENT_KINDS = ['feeWarning', 'icbc', 'general', 'signUp'] as const;
export type AgreementTextKind = (typeof AGREEMENT_KINDS)[number];

interface Placeholders {
  readonly may: readonly string[];
  readonly must: readonly string[];
}

/** What is filled in where a text of a kind is shown, and what no text of the kind may lack. */
export const AGREEMENT_PLACEHOLDERS: Readonly<Record<AgreementTextKind, Placeholders>> = {
  feeWarning: { may: ['clinicName', 'fee', 'bookingFee'], must: ['fee'] },
  icbc: { may: ['clinicName', 'bookingFee'], must: [] },
  general: { may: ['clinicName', 'bookingFee'], must: [] },
  signUp: { may: ['clinicName'], must: [] },
};

/** A text as its paragraphs: an empty line parts two of them, any other line break is a blank. */
export function paragraphsOf(typed: string): string[] {
  return typed
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .map(inOneLine)
    .filter((paragraph) => paragraph !== '');
}

/** A no-break space, as French sets before a colon, stays. */
export const inOneLine = (typed: string): string => typed.replaceAll(/[ \t\n\r]+/g, ' ').trim();

export interface TypedText {
  readonly title: string;
  readonly text: string;
}

export interface TextProblem {
  readonly field: keyof TypedText;
  readonly why: 'empty' | 'unknownPlaceholder' | 'missingPlaceholder';
  /** As it stands, or would stand, in the text. */
  readonly placeholder: string;
}

/** Why a text of that kind cannot be shown to patients as it was typed. */
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

/** The text with its placeholders filled; what has no value stays as it stands. */
export const filledText = (
  text: string,
  values: Readonly<Record<string, string | undefined>>,
): string => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
