import { awayText } from '@clinic/contract/away';
import { english } from '@clinic/contract/english';
import { escapeHtml } from '@clinic/service/server/email-layout.ts';
import { directionOf } from '@clinic/texts';
import { readCatalogues } from '@clinic/texts/catalogues';
import type { Commands } from './command.ts';

/** Needs the clinic's settings alone. */
export const awayCommands: Commands = {
  'away-page': {
    summary: 'Print the page that nginx shows patients while the service does not answer.',
  },
};

interface AwayClinic {
  readonly CLINIC_NAME: string;
  readonly CLINIC_PHONE: string;
  readonly LANGUAGES: readonly string[];
}

/** The page, line by line: whole in itself, in each language of the clinic, English first. */
export function awayPage({
  CLINIC_NAME: clinicName,
  CLINIC_PHONE: phone,
  LANGUAGES: ids,
}: AwayClinic) {
  readCatalogues(english);
  const languages = ids.toSorted((one, other) => Number(other === 'en') - Number(one === 'en'));
  const title = languages.map((id) => awayText(id, 'title')).join(' · ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    '<style>main{max-width:32rem;margin:10vh auto;padding:0 1rem;font:1.0625rem/1.55 Arial,sans-serif}a{color:LinkText}</style>',
    '</head>',
    '<body>',
    '<main>',
    ...languages.flatMap((id, at) => {
      const heading = at === 0 ? 'h1' : 'h2';
      return [
        `<section lang="${id}" dir="${directionOf(id)}">`,
        `<${heading}>${escapeHtml(awayText(id, 'title'))}</${heading}>`,
        `<p>${escapeHtml(awayText(id, 'booked'))}</p>`,
        `<p>${escapeHtml(awayText(id, 'again', { clinicName, phone })).replace(
          escapeHtml(phone),
          () => `<a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${escapeHtml(phone)}</a>`,
        )}</p>`,
        '</section>',
      ];
    }),
    '</main>',
    '</body>',
    '</html>',
  ];
}
