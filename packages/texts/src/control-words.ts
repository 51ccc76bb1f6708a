import type { ClinicDate } from '@clinic/domain';
import {
  dateOrder,
  formatFullDate,
  formatMonthOfYear,
  formatWeekdayName,
  monthNames,
} from './formats.ts';
import { type Locale, type Values, translate } from './translate.ts';

/**
 * The words of the controls of `@clinic/ui`, in the language that `locale` returns. The app's catalogue must
 * have them, as `ui.<name>`.
 */
export function controlWords(locale: () => Locale) {
  const t = (id: string, values?: Values) => translate(locale(), id, values);
  return {
    loading: t('ui.loading'),
    failed: t('ui.failed'),
    tryAgain: t('ui.tryAgain'),
    optional: t('ui.optional'),
    error: t('ui.error'),
    errorSummary: t('ui.errorSummary'),
    show: t('ui.show'),
    hide: t('ui.hide'),
    charactersLeft: (left: number) => t('ui.charactersLeft', { left }),
    charactersOver: (over: number) => t('ui.charactersOver', { over }),
    steps: t('ui.progress'),
    stepDone: t('ui.stepDone'),
    chooseOne: t('ui.chooseOne'),
    chooseFirst: t('ui.chooseFirst'),
    savedNow: (label: string) => t('ui.savedNow', { label }),
    takeSaved: t('ui.takeSaved'),
    keepMine: t('ui.keepMine'),
    previousMonth: t('ui.previousMonth'),
    nextMonth: t('ui.nextMonth'),
    day: t('ui.day'),
    month: t('ui.month'),
    year: t('ui.year'),
    monthNames: () => monthNames(locale()),
    dateOrder: () => dateOrder(locale()),
    monthOf: (date: ClinicDate) => formatMonthOfYear(locale(), date),
    weekdayOf: (date: ClinicDate) => formatWeekdayName(locale(), date),
    fullDate: (date: ClinicDate) => formatFullDate(locale(), date),
  };
}
