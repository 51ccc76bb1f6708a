import { en } from './en.ts';

/** Text catalogues by locale, for service, mails and web. */
export const texts = { en } as const;

export type TextCode = keyof typeof en;

/** Codes that an error envelope can carry: every text above is one, so a code always has words. */
export const refusalCodes = Object.keys(en) as [TextCode, ...TextCode[]];

/** Fills `{name}` placeholders; a name without a value stays as it stands. */
export function text(
  code: TextCode,
  values: Readonly<Record<string, string | number>> = {},
  locale: keyof typeof texts = 'en',
): string {
  return texts[locale][code].replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  );
}
