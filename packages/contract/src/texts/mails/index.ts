import { en } from './en.ts';

/** Mail texts by locale. */
export const mailTexts = { en } as const;

export type MailText = keyof typeof en;

/** Fills `{name}` placeholders; a name without a value stays as it stands. */
export function mailText(
  code: MailText,
  values: Readonly<Record<string, string | number>> = {},
  locale: keyof typeof mailTexts = 'en',
): string {
  return mailTexts[locale][code].replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  );
}
