import { writtenDate } from '@clinic/domain';
import type { UiWords } from '../words.tsx';

/** The controls' words where no app gives them: in their tests and on the page that shows them. */
export const plainWords: UiWords = {
  loading: 'Loading…',
  failed: "We couldn't load this.",
  tryAgain: 'Try again',
  optional: '(optional)',
  error: 'Error:',
  errorSummary: 'There is a problem',
  show: 'Show',
  hide: 'Hide',
  charactersLeft: (left) => `${left} left`,
  charactersOver: (over) => `${over} too many`,
  steps: 'Steps',
  stepDone: 'done',
  chooseOne: 'You have changed this too. Choose what to save.',
  chooseFirst: 'Please choose what to save',
  savedNow: (label) => `${label}, as saved now:`,
  takeSaved: 'Use what is saved',
  keepMine: 'Keep mine',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  day: 'Day',
  month: 'Month',
  year: 'Year',
  monthNames: () =>
    Array.from({ length: 12 }, (_, month) =>
      writtenDate('en-CA', `2026-${String(month + 1).padStart(2, '0')}-01`, { month: 'long' }),
    ),
  dateOrder: () => ['month', 'day', 'year'],
  monthOf: (date) => writtenDate('en-CA', date, { month: 'long', year: 'numeric' }),
  weekdayOf: (date) => writtenDate('en-CA', date, { weekday: 'long' }),
  fullDate: (date) => writtenDate('en-CA', date, { dateStyle: 'full' }),
};
