import {
  ENGLISH,
  dateOrder,
  formatFullDate,
  formatMonthOfYear,
  formatWeekdayName,
  monthNames,
} from '@clinic/texts';
import { type Values, addPart, translate } from '@clinic/texts/translate';
import type { UiWords } from '@clinic/ui/words';
import { desk } from './messages/index.ts';

addPart('desk', desk);

/** Staff are spoken to in English. */
export const locale = ENGLISH.id;

export const t = (key: keyof typeof desk, values?: Values): string =>
  translate(locale, key, values);

/** What the controls say of themselves. */
export const uiWords: UiWords = {
  loading: t('desk.loading'),
  failed: t('desk.failed'),
  tryAgain: t('desk.tryAgain'),
  optional: t('desk.optional'),
  error: t('desk.error'),
  errorSummary: t('desk.errorSummary'),
  show: t('desk.show'),
  hide: t('desk.hide'),
  charactersLeft: (left) => t('desk.charactersLeft', { left }),
  charactersOver: (over) => t('desk.charactersOver', { over }),
  steps: t('desk.steps'),
  stepDone: t('desk.stepDone'),
  previousMonth: t('desk.previousMonth'),
  nextMonth: t('desk.nextMonth'),
  day: t('desk.day'),
  month: t('desk.month'),
  year: t('desk.year'),
  monthNames: () => monthNames(locale),
  dateOrder: () => dateOrder(locale),
  monthOf: (date) => formatMonthOfYear(locale, date),
  weekdayOf: (date) => formatWeekdayName(locale, date),
  fullDate: (date) => formatFullDate(locale, date),
};
