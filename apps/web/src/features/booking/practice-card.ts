import { practicePaymentMethod, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

/** What is typed into the practice card form. */
export interface TypedCard {
  readonly number: string;
  /** 'MM/YY' */
  readonly expiry: string;
  readonly cvc: string;
}

export type CardField = keyof TypedCard;

/** What is wrong with a typed card, field by field; empty when it can be used. */
export function cardProblems(
  { number, expiry, cvc }: TypedCard,
  now: EpochSeconds,
): readonly CardField[] {
  return [
    ...(practicePaymentMethod(number, 'x') === null ? (['number'] as const) : []),
    ...(isExpiry(expiry, now) ? [] : (['expiry'] as const)),
    ...(/^\d{3}$/.test(cvc) ? [] : (['cvc'] as const)),
  ];
}

function isExpiry(expiry: string, now: EpochSeconds): boolean {
  const [, month = '', year = ''] = /^(\d{2})\/(\d{2})$/.exec(expiry) ?? [];
  const valid = Number(month) >= 1 && Number(month) <= 12;
  return valid && `20${year}-${month}` >= toClinic(now).date.slice(0, 7);
}

/** '4242 4242 4242 4242' as it is typed. */
export function asCardNumber(typed: string): string {
  const digits = typed.replaceAll(/\D/g, '').slice(0, 16);
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** '12/30' as it is typed. */
export function asExpiry(typed: string): string {
  const digits = typed.replaceAll(/\D/g, '').slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}
