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
 * have them, as `<prefix><name>`.
 */
export function controlWords(locale: () => Locale, prefix = 'ui.') {
  const t = (name: string, values?: Values) => translate(locale(), `${prefix}${name}`, values);
  return {
    loading: t('loading'),
    failed: t('failed'),
    tryAgain: t('tryAgain'),
    optional: t('optional'),
    error: t('error'),
    errorSummary: t('errorSummary'),
    show: t('show'),
    hide: t('hide'),
    charactersLeft: (left: number) => t('charactersLeft', { left }),
    charactersOver: (over: number) => t('charactersOver', { over }),
    steps: t('progress'),
    stepDone: t('stepDone'),
    chooseOne: t('chooseOne'),
    chooseFirst: t('chooseFirst'),
    savedNow: (label: string) => t('savedNow', { label }),
    takeSaved: t('takeSaved'),
    keepMine: t('keepMine'),
    previousMonth: t('previousMonth'),
    nextMonth: t('nextMonth'),
    day: t('day'),
    month: t('month'),
    year: t('year'),
    monthNames: () => monthNames(locale()),
    dateOrder: () => dateOrder(locale()),
    monthOf: (date: ClinicDate) => formatMonthOfYear(locale(), date),
    weekdayOf: (date: ClinicDate) => formatWeekdayName(locale(), date),
    fullDate: (date: ClinicDate) => formatFullDate(locale(), date),
  };
}
