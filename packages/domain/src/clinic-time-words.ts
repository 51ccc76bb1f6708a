import type { ClinicDate } from './clinic-time.ts';

const made = new Map<string, Intl.DateTimeFormat>();

/** A day of the clinic's calendar, which no zone moves, in the manner of a language ('fr-CA'). */
export function writtenDate(
  language: string,
  date: ClinicDate,
  options: Intl.DateTimeFormatOptions,
): string {
  const key = `${language} ${JSON.stringify(options)}`;
  const format =
    made.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  made.set(key, format);
  return format.format(new Date(`${date}T00:00Z`));
}
