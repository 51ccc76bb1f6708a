import { type Locale, type Values, addPart, translate } from '@clinic/texts';

/** What nginx tells patients, from a file, while the service does not answer. */
export const away = {
  title: 'We cannot be reached online right now',
  booked: 'What you have booked stays booked.',
  again: 'Please try again in a few minutes, or call {clinicName}: {phone}.',
} as const;

addPart('away', away, 'away.');

export const awayText = (locale: Locale, code: keyof typeof away, values?: Values): string =>
  translate(locale, `away.${code}`, values);
