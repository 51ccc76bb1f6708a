import type { AllowedChanges, EpochSeconds } from '@clinic/domain';
import {
  type Locale,
  type Values,
  addPart,
  formatMoment,
  formatMoney,
  translate,
} from '@clinic/texts';

/**
 * Every sentence about cancelling and rescheduling an appointment, in pages and emails alike. The banners and
 * dialogs that the specification quotes are in the pages' catalogue.
 */
export const changes = {
  cancelBefore: 'You can cancel it in My Appointments before {when}.',
  cancelAhead: 'You can cancel it in My Appointments up to 6 hours before it starts.',
  feeKept: 'The fee of {fee} is non-refundable.',
  feeBack: 'The fee of {fee} is given back in full.',
  paidCannotCancel: 'It cannot be cancelled, and the fee of {fee} is non-refundable.',
  privateCannotCancel: 'A private appointment like this one cannot be cancelled.',
  tooLateToCancel: 'It starts within 6 hours and can no longer be cancelled online.',
  rescheduleBefore: 'You can reschedule it in My Appointments before {when}.',
  rescheduleAhead: 'You can reschedule it in My Appointments up to 24 hours before it starts.',
  notReschedulable: 'It cannot be rescheduled online.',
  tooLateToReschedule: 'It starts within 24 hours and cannot be rescheduled.',
  cannotBeRescheduledEither: 'It cannot be rescheduled either.',
} as const;

addPart('change', changes, 'change.');

const say = (locale: Locale, code: keyof typeof changes, values?: Values): string =>
  translate(locale, `change.${code}`, values);

type Ended = Extract<AllowedChanges['cancel' | 'reschedule'], { allowed: false }>['why'];

/** Why the change is refused, for the reasons that have a sentence. */
const refusals = {
  cancel: {
    paid: 'paidCannotCancel',
    notCancellable: 'privateCannotCancel',
    tooLate: 'tooLateToCancel',
  },
  reschedule: { notReschedulable: 'notReschedulable', tooLate: 'tooLateToReschedule' },
} as const satisfies Record<string, Partial<Record<Ended, keyof typeof changes>>>;

/** Formats an instant; in emails, with the words 'BC time'. */
type WriteMoment = (locale: Locale, at: EpochSeconds) => string;

/** Whether and until when an appointment can be cancelled and moved; null where there is nothing to say. */
export function changeWords(
  locale: Locale,
  allowed: AllowedChanges,
  write: WriteMoment = formatMoment,
) {
  const until = (change: 'cancel' | 'reschedule', end: EpochSeconds | null) =>
    end === null
      ? say(locale, `${change}Ahead`)
      : say(locale, `${change}Before`, { when: write(locale, end) });
  const refused = (change: 'cancel' | 'reschedule', why: Ended): string | null => {
    const said: Partial<Record<Ended, keyof typeof changes>> = refusals[change];
    const code = said[why];
    return code === undefined
      ? null
      : say(locale, code, { fee: formatMoney(locale, allowed.feeKeptCents) });
  };
  const { cancel, reschedule } = allowed;
  const bothTooLate = [cancel, reschedule].every((one) => !one.allowed && one.why === 'tooLate');
  return {
    cancel: cancel.allowed
      ? sentences(until('cancel', cancel.before), feeWords(locale, allowed)).join(' ')
      : refused('cancel', cancel.why),
    reschedule: reschedule.allowed
      ? until('reschedule', reschedule.before)
      : bothTooLate
        ? say(locale, 'cannotBeRescheduledEither')
        : refused('reschedule', reschedule.why),
  };
}

/** The same, as a list of sentences. */
export function changeSentences(...asked: Parameters<typeof changeWords>): string[] {
  const { cancel, reschedule } = changeWords(...asked);
  return sentences(cancel, reschedule);
}

type Fee = Pick<AllowedChanges, 'feeKeptCents' | 'feeBackCents'>;

/** What happens to the fee when the patient cancels; null without a fee. */
export function feeWords(locale: Locale, { feeKeptCents, feeBackCents }: Fee): string | null {
  if (feeBackCents > 0) return say(locale, 'feeBack', { fee: formatMoney(locale, feeBackCents) });
  return feeKeptCents > 0
    ? say(locale, 'feeKept', { fee: formatMoney(locale, feeKeptCents) })
    : null;
}

const sentences = (...words: readonly (string | null)[]): string[] =>
  words.filter((each) => each !== null);
