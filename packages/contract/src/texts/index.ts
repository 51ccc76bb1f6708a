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

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A wait in words that is long enough: '8 seconds', '15 minutes', '20 hours'; rounded up. */
export function waitText(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole === 1) return text('waitOneSecond');
  if (whole < 2 * MINUTE) return text('waitSeconds', { n: whole });
  if (whole < 2 * HOUR) return text('waitMinutes', { n: Math.ceil(whole / MINUTE) });
  return text('waitHours', { n: Math.ceil(whole / HOUR) });
}
