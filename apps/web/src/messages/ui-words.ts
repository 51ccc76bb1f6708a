import {
  dateOrder,
  formatFullDate,
  formatMonthOfYear,
  formatWeekdayName,
  monthNames,
} from '@clinic/texts';
import type { UiWords } from '@clinic/ui/words';
import { locale, t } from './t.ts';

/** What the controls say of themselves. */
export const uiWords = (): UiWords => ({
  loading: t('ui.loading'),
  failed: t('ui.failed'),
  tryAgain: t('ui.tryAgain'),
  optional: t('ui.optional'),
  error: t('ui.error'),
  errorSummary: t('ui.errorSummary'),
  show: t('ui.show'),
  hide: t('ui.hide'),
  charactersLeft: (left) => t('ui.charactersLeft', { left }),
  charactersOver: (over) => t('ui.charactersOver', { over }),
  steps: t('ui.progress'),
  stepDone: t('ui.stepDone'),
  previousMonth: t('ui.previousMonth'),
  nextMonth: t('ui.nextMonth'),
  day: t('ui.day'),
  month: t('ui.month'),
  year: t('ui.year'),
  monthNames: () => monthNames(locale()),
  dateOrder: () => dateOrder(locale()),
  monthOf: (date) => formatMonthOfYear(locale(), date),
  weekdayOf: (date) => formatWeekdayName(locale(), date),
  fullDate: (date) => formatFullDate(locale(), date),
});
