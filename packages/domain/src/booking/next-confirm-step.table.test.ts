import { expect, test } from 'vitest';
import { confirmFacts } from '../testing/index.ts';
import { nextConfirmStep } from './questions.ts';
import type { ConfirmFacts, ConfirmStep } from './questions.ts';

/** Everything that §4 Next on confirm and R-39 tell apart, and the facts that each word stands for. */
const CONDITIONS = {
  answers: { ok: { answersValid: true }, bad: { answersValid: false } },
  appointment: { new: { isReschedule: false }, moved: { isReschedule: true } },
  type: {
    plain: { form: 'standard' },
    injury: { form: 'injuryClaim' },
    exam: { form: 'immigration' },
  },
  fee: { low: { chargeCents: 13_999 }, high: { chargeCents: 14_000 } },
  accepted: { no: { feeAccepted: false }, yes: { feeAccepted: true } },
  documents: {
    unneeded: { documentsNeeded: false, uploads: null },
    unchecked: { documentsNeeded: true, uploads: null },
    failed: { documentsNeeded: true, uploads: 'failed' },
    none: { documentsNeeded: true, uploads: { healthCard: false, pictureId: false } },
    card: { documentsNeeded: true, uploads: { healthCard: true, pictureId: false } },
    picture: { documentsNeeded: true, uploads: { healthCard: false, pictureId: true } },
    both: { documentsNeeded: true, uploads: { healthCard: true, pictureId: true } },
  },
  icbc: { open: { icbcConfirmed: false }, yes: { icbcConfirmed: true } },
  pharmacy: {
    off: { pharmacyPrompt: false, pharmacyAnswered: false },
    open: { pharmacyPrompt: true, pharmacyAnswered: false },
    yes: { pharmacyPrompt: true, pharmacyAnswered: true },
  },
  records: {
    unasked: { demographics: null },
    found: { demographics: 'found' },
    noEntry: { demographics: 'noEntry' },
    created: { demographics: 'created' },
  },
  notice: {
    none: { noticeNeeded: false, noticeUnderstood: false },
    open: { noticeNeeded: true, noticeUnderstood: false },
    yes: { noticeNeeded: true, noticeUnderstood: true },
  },
  details: { open: { detailsAgreed: false }, yes: { detailsAgreed: true } },
  limits: { unasked: { limits: null }, kept: { limits: 'kept' }, broken: { limits: 'broken' } },
  price: {
    unasked: { stateChargeCents: null },
    free: { stateChargeCents: 0 },
    low: { stateChargeCents: 13_999 },
    high: { stateChargeCents: 14_000 },
  },
  form: { open: { immigrationFormDone: false }, yes: { immigrationFormDone: true } },
} as const satisfies Record<string, Record<string, Partial<ConfirmFacts>>>;

type Conditions = typeof CONDITIONS;
type Column = keyof Conditions;
/** A row names what it looks at, each with one word or several; it is read if no row above applies. */
type Row = { readonly [C in Column]?: keyof Conditions[C] | readonly (keyof Conditions[C])[] } & {
  readonly step: ConfirmStep;
};

const TABLE: readonly Row[] = [
  { answers: 'bad', step: 'showProblems' },
  { appointment: 'new', fee: 'high', accepted: 'no', step: 'warnOfFee' },
  { appointment: 'new', documents: 'unchecked', step: 'checkUploads' },
  { appointment: 'new', documents: ['none', 'picture'], step: 'uploadHealthCard' },
  { appointment: 'new', documents: 'card', step: 'uploadPictureId' },
  { type: 'injury', icbc: 'open', step: 'confirmIcbc' },
  { pharmacy: 'open', step: 'choosePharmacy' },
  { records: 'unasked', step: 'checkDemographics' },
  { records: 'noEntry', step: 'askFamilyDoctor' },
  { notice: 'open', step: 'showNotice' },
  { details: 'open', step: 'agreeToDetails' },
  { appointment: 'new', limits: 'unasked', step: 'checkLimits' },
  { appointment: 'new', limits: 'broken', step: 'refuseOverLimit' },
  { price: 'unasked', step: 'fetchState' },
  { appointment: 'moved', step: 'book' },
  { price: 'high', accepted: 'no', step: 'warnOfFee' },
  { type: 'exam', form: 'open', step: 'fillImmigrationForm' },
  { price: ['low', 'high'], step: 'pay' },
  { price: 'free', step: 'book' },
];

const columns = Object.keys(CONDITIONS) as Column[];

/** The words of every column, as indexes: the combinations count up like the digits of a clock. */
const words = columns.map((column) => Object.keys(CONDITIONS[column]));
const facts = columns.map((column) => Object.values<Partial<ConfirmFacts>>(CONDITIONS[column]));
/** For every row and column, whether it takes the word of that index. */
const takes = TABLE.map((row) =>
  columns.map((column, at) => {
    const wanted: readonly string[] | undefined =
      row[column] === undefined ? undefined : [row[column]].flat();
    return (words[at] ?? []).map((word) => wanted === undefined || wanted.includes(word));
  }),
);

function* combinations(): Generator<readonly number[]> {
  const digits = columns.map(() => 0);
  for (;;) {
    yield digits;
    let at = 0;
    while (at < digits.length) {
      const next = (digits[at] ?? 0) + 1;
      if (next < (words[at]?.length ?? 0)) {
        digits[at] = next;
        break;
      }
      digits[at] = 0;
      at += 1;
    }
    if (at === digits.length) return;
  }
}

const named = (digits: readonly number[]) =>
  Object.fromEntries(columns.map((column, at) => [column, words[at]?.[digits[at] ?? 0]]));

// Shows: R-39
test('every combination that the specification distinguishes has the step of its row (R-39)', () => {
  const decided = TABLE.map(() => 0);
  const now: ConfirmFacts = confirmFacts();
  const wrong: unknown[] = [];
  let count = 0;
  for (const digits of combinations()) {
    count += 1;
    for (let at = 0; at < digits.length; at += 1) Object.assign(now, facts[at]?.[digits[at] ?? 0]);
    const row = takes.findIndex((steps) => steps.every((step, at) => step[digits[at] ?? 0]));
    decided[row] = (decided[row] ?? 0) + 1;
    const step = nextConfirmStep(now);
    if (step !== TABLE[row]?.step && wrong.length < 5)
      wrong.push({ ...named(digits), expected: TABLE[row]?.step, step });
  }
  expect(wrong).toEqual([]);
  expect(count).toBe(words.reduce((product, { length }) => product * length, 1));
  expect(decided.every((times) => times > 0)).toBe(true);
});
