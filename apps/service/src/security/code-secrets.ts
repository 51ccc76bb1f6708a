import type { Keyring } from './keyring.ts';

/** In seconds. */
export const CODE_VALID_FOR = {
  confirm: 6 * 60 * 60,
  recovery: 15 * 60,
  reset: 15 * 60,
  dashboard: 5 * 60,
} as const;

export const RESET_TRIES = 5;
const RESET_LENGTH = 8;
/** 32 characters that nobody takes for another: 40 bits in eight. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

type MacParts = Pick<Keyring, 'mac'>;

/**
 * Secrets that are mailed follow from the id of their row under the keyring, so that they stand in
 * no table, and a mail that is sent again says the same.
 */
export function confirmToken(keyring: MacParts, id: string): string {
  return Buffer.from(keyring.mac('one-time.confirm', id)).toString('base64url');
}

export function resetCode(keyring: MacParts, id: string): string {
  const bytes = keyring.mac('one-time.reset', id).subarray(0, RESET_LENGTH);
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A code as it was typed: capitals, without space and dashes. */
export function readResetCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '');
}
