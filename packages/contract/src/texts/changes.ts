import { formatFee } from '@clinic/domain';
import type { AllowedChanges, EpochSeconds } from '@clinic/domain';
import { fill } from './fill.ts';

/**
 * Every sentence about cancelling and rescheduling an appointment, in pages and emails alike.
 * The banners and dialogs that the specification words stand in the catalogue of the pages.
 */
const en = {
  cancel: {
    before: 'You can cancel it in My Appointments before {when}.',
    ahead: 'You can cancel it in My Appointments up to 6 hours before it starts.',
  },
  feeKept: 'The fee of {fee} is not given back.',
  cannotCancel: {
    noBooking: null,
    notEditable: null,
    paid: 'It cannot be cancelled: the fee of {fee} is not given back.',
    notCancellable: 'A private appointment like this one cannot be cancelled.',
    tooLate: 'It starts within 6 hours and can no longer be cancelled online.',
  },
  reschedule: {
    before: 'You can reschedule it in My Appointments before {when}.',
    ahead: 'You can reschedule it in My Appointments up to 24 hours before it starts.',
  },
  cannotReschedule: {
    noBooking: null,
    notEditable: null,
    notReschedulable: 'It cannot be rescheduled online.',
    tooLate: 'It starts within 24 hours and cannot be rescheduled.',
    neither: 'It cannot be rescheduled either.',
  },
} as const;

/**
 * Whether and until when an appointment can be cancelled and moved; null where nothing can be done
 * about it any more. `wallTime` writes an instant.
 */
export function changeWords(changes: AllowedChanges, wallTime: (at: EpochSeconds) => string) {
  const { cancel, reschedule } = changes;
  const until = ({ before, ahead }: { before: string; ahead: string }, end: EpochSeconds | null) =>
    end === null ? ahead : fill(before, { when: wallTime(end) });
  const bothTooLate = [cancel, reschedule].every((one) => !one.allowed && one.why === 'tooLate');
  return {
    cancel: cancel.allowed
      ? sentences(until(en.cancel, cancel.before), feeKeptWords(changes)).join(' ')
      : withFee(en.cannotCancel[cancel.why], changes),
    reschedule: reschedule.allowed
      ? until(en.reschedule, reschedule.before)
      : en.cannotReschedule[bothTooLate ? 'neither' : reschedule.why],
  };
}

/** The same as sentences in their order. */
export function changeSentences(...asked: Parameters<typeof changeWords>): string[] {
  const { cancel, reschedule } = changeWords(...asked);
  return sentences(cancel, reschedule);
}

type Fee = Pick<AllowedChanges, 'feeKeptCents'>;

/** What a patient who cancels does not get back, or null without a fee. */
export const feeKeptWords = (fee: Fee): string | null =>
  fee.feeKeptCents > 0 ? withFee(en.feeKept, fee) : null;

const withFee = (words: string | null, { feeKeptCents }: Fee): string | null =>
  words && fill(words, { fee: formatFee(feeKeptCents) });

const sentences = (...words: readonly (string | null)[]): string[] =>
  words.filter((each) => each !== null);
