import {
  type ClinicDate,
  type EpochSeconds,
  formatDay as englishDay,
  toClinic,
  writtenDate,
} from '@clinic/domain';
import { type Locale, addPart, translate } from './translate.ts';

/** How a date and a time are combined; in English as in the specification. */
export const formats = {
  moment: '{day} {time}',
} as const;

addPart('format', formats, 'format.');

const isEnglish = (locale: Locale) => locale === 'en' || locale.startsWith('en-X');

const tagOf = (locale: Locale) => (isEnglish(locale) ? 'en-CA' : `${locale}-CA`);

/** 'Tue'; 'mar.'. */
export const formatWeekday = (locale: Locale, date: ClinicDate): string =>
  isEnglish(locale)
    ? englishDay(date).slice(0, 3)
    : writtenDate(tagOf(locale), date, { weekday: 'short' });

/** 'Dec'; 'déc.'. */
export const formatMonth = (locale: Locale, date: ClinicDate): string =>
  isEnglish(locale)
    ? englishDay(date).slice(4, 7)
    : writtenDate(tagOf(locale), date, { month: 'short' });

/** 'Dec 15'; '15 déc.'. */
export const formatMonthDay = (locale: Locale, date: ClinicDate): string =>
  isEnglish(locale)
    ? englishDay(date).slice(4)
    : writtenDate(tagOf(locale), date, { month: 'short', day: 'numeric' });

/** 'Tue Dec 15'; 'mar. 15 déc.'. */
export const formatDay = (locale: Locale, date: ClinicDate): string =>
  isEnglish(locale)
    ? englishDay(date)
    : writtenDate(tagOf(locale), date, { weekday: 'short', month: 'short', day: 'numeric' });

/** 'Tue Dec 15 2026'; 'mar. 15 déc. 2026'. */
export const formatDate = (locale: Locale, date: ClinicDate): string =>
  isEnglish(locale)
    ? `${englishDay(date)} ${date.slice(0, 4)}`
    : writtenDate(tagOf(locale), date, {
        weekday: 'short',
        month: 'short',
        day: 'numeric',
        year: 'numeric',
      });

/** 'Tue Dec 15 2026 13:00' (§2), on the clinic's wall; 'mar. 15 déc. 2026 à 13:00'. */
export function formatMoment(locale: Locale, at: EpochSeconds): string {
  const { date, time } = toClinic(at);
  return translate(locale, 'format.moment', { day: formatDate(locale, date), time });
}

/** 'CAD 150.00'; '150,00 $'. */
export const formatMoney = (locale: Locale, cents: number): string =>
  isEnglish(locale) ? `CAD ${(cents / 100).toFixed(2)}` : formatPrice(locale, cents);

/** '$150.00', as legal texts write an amount; '150,00 $'. */
export const formatPrice = (locale: Locale, cents: number): string =>
  new Intl.NumberFormat(tagOf(locale), {
    style: 'currency',
    currency: 'CAD',
    currencyDisplay: 'narrowSymbol',
  }).format(cents / 100);

/** '2.4'; '2,4', with `digits` digits after the point. */
export const formatNumber = (locale: Locale, value: number, digits = 0): string =>
  new Intl.NumberFormat(tagOf(locale), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);

/** 'Tuesday'; 'mardi'. */
export const formatWeekdayName = (locale: Locale, date: ClinicDate): string =>
  writtenDate(tagOf(locale), date, { weekday: 'long' });

/** 'December 2026'; 'décembre 2026'. */
export const formatMonthOfYear = (locale: Locale, date: ClinicDate): string =>
  writtenDate(tagOf(locale), date, { month: 'long', year: 'numeric' });

/** 'Tuesday, December 15, 2026', as screen readers say a day; 'mardi 15 décembre 2026'. */
export const formatFullDate = (locale: Locale, date: ClinicDate): string =>
  writtenDate(tagOf(locale), date, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  });

/** 'December 15, 2026'; '15 décembre 2026'. */
export const formatLongDate = (locale: Locale, date: ClinicDate): string =>
  writtenDate(tagOf(locale), date, { dateStyle: 'long' });

type DatePart = 'day' | 'month' | 'year';

const isDatePart = (part: string): part is DatePart =>
  part === 'day' || part === 'month' || part === 'year';

/** The order of a long date's parts: month, day, year; in French day, month, year. */
export const dateOrder = (locale: Locale): DatePart[] =>
  new Intl.DateTimeFormat(tagOf(locale), { dateStyle: 'long' })
    .formatToParts(0)
    .map(({ type }) => type)
    .filter(isDatePart);

/** The twelve months by name, January first. */
export const monthNames = (locale: Locale): string[] =>
  Array.from({ length: 12 }, (_, month) =>
    writtenDate(tagOf(locale), `2026-${String(month + 1).padStart(2, '0')}-01`, { month: 'long' }),
  );

/**
 * The name of a country by its ISO code. Undefined in English: use the name in our own list, as addresses do.
 */
export function regionName(locale: Locale, region: string): string | undefined {
  if (isEnglish(locale)) return undefined;
  const tag = tagOf(locale);
  const names =
    regions.get(tag) ?? new Intl.DisplayNames(tag, { type: 'region', fallback: 'none' });
  regions.set(tag, names);
  return names.of(region);
}

const regions = new Map<string, Intl.DisplayNames>();

/** 'a, b or c'; 'a, b ou c'. */
export const formatChoice = (locale: Locale, items: readonly string[]): string =>
  new Intl.ListFormat(tagOf(locale), { type: 'disjunction' }).format(items);
