import { formatFee } from '@clinic/domain';
import type { AllowedChanges, EpochSeconds } from '@clinic/domain';

/**
 * Every sentence about cancelling and rescheduling an appointment, in pages and mails alike.
 * The banners and dialogs that the specification words stand in the catalogue of the pages.
 */
export const changeTexts = {
  en: {
    cancelBefore: 'You can cancel it in My Appointments before {when}.',
    cancelAhead: 'You can cancel it in My Appointments up to 6 hours before it starts.',
    feeKept: 'The fee of {fee} is not given back.',
    cancelPaid: 'It cannot be cancelled: the fee of {fee} is not given back.',
    cancelNotCancellable: 'A private appointment like this one cannot be cancelled.',
    cancelTooLate: 'It starts within 6 hours and can no longer be cancelled online.',
    rescheduleBefore: 'You can reschedule it in My Appointments before {when}.',
    rescheduleAhead: 'You can reschedule it in My Appointments up to 24 hours before it starts.',
    rescheduleNotReschedulable: 'It cannot be rescheduled online.',
    rescheduleTooLate: 'It starts within 24 hours and cannot be rescheduled.',
    rescheduleNeither: 'It cannot be rescheduled either.',
  },
} as const;

type ChangeText = keyof (typeof changeTexts)['en'];

/** What is said of each change; null where nothing can be done about the appointment any more. */
export interface ChangeWords {
  readonly cancel: string | null;
  readonly reschedule: string | null;
}

/** Whether and until when an appointment can be cancelled and moved; `wallTime` writes an instant. */
export function changeWords(
  changes: AllowedChanges,
  wallTime: (at: EpochSeconds) => string,
): ChangeWords {
  return { cancel: cancelWords(changes, wallTime), reschedule: rescheduleWords(changes, wallTime) };
}

/** The same as sentences in their order. */
export function changeSentences(
  changes: AllowedChanges,
  wallTime: (at: EpochSeconds) => string,
): string[] {
  const { cancel, reschedule } = changeWords(changes, wallTime);
  return [cancel, reschedule].filter((words) => words !== null);
}

/** What a patient who cancels does not get back, or null without a fee. */
export function feeKeptWords({
  feeKeptCents,
}: Pick<AllowedChanges, 'feeKeptCents'>): string | null {
  return feeKeptCents > 0 ? say('feeKept', { fee: formatFee(feeKeptCents) }) : null;
}

function cancelWords(
  { cancel, feeKeptCents }: AllowedChanges,
  wallTime: (at: EpochSeconds) => string,
): string | null {
  if (cancel.allowed) {
    const until =
      cancel.before === null
        ? say('cancelAhead')
        : say('cancelBefore', { when: wallTime(cancel.before) });
    return [until, feeKeptWords({ feeKeptCents })].filter((words) => words !== null).join(' ');
  }
  switch (cancel.why) {
    case 'noBooking':
    case 'notEditable':
      return null;
    case 'paid':
      return say('cancelPaid', { fee: formatFee(feeKeptCents) });
    case 'notCancellable':
      return say('cancelNotCancellable');
    case 'tooLate':
      return say('cancelTooLate');
  }
}

function rescheduleWords(
  { cancel, reschedule }: AllowedChanges,
  wallTime: (at: EpochSeconds) => string,
): string | null {
  if (reschedule.allowed)
    return reschedule.before === null
      ? say('rescheduleAhead')
      : say('rescheduleBefore', { when: wallTime(reschedule.before) });
  switch (reschedule.why) {
    case 'noBooking':
    case 'notEditable':
      return null;
    case 'notReschedulable':
      return say('rescheduleNotReschedulable');
    case 'tooLate': {
      const bothTooLate = !cancel.allowed && cancel.why === 'tooLate';
      return say(bothTooLate ? 'rescheduleNeither' : 'rescheduleTooLate');
    }
  }
}

function say(code: ChangeText, values: Readonly<Record<string, string>> = {}): string {
  return changeTexts.en[code].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
