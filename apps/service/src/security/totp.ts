import { Secret, TOTP } from 'otpauth';

/** RFC 6238, as every app of one-time codes reads it: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30;
export const TOTP_SECRET_BYTES = 20;
/** A phone's clock may be this many periods ahead of ours or behind it. */
const WINDOW = 1;

const totp = (secret: string, label = '', issuer = '') =>
  new TOTP({ issuer, label, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });

/** A key of one-time codes, in base32. */
export const totpSecret = (bytes: Uint8Array): string =>
  new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;

/** What an app reads from a QR code. */
export const totpUri = (secret: string, label: string, issuer: string): string =>
  totp(secret, label, issuer).toString();

/** The code that an app shows in the period of an instant. */
export const totpCode = (secret: string, now: number): string =>
  totp(secret).generate({ timestamp: now * 1000 });

/** The period of a code, for the caller to accept only once; null when the code fits none near `now`. */
export function totpStep(secret: string, code: string, now: number): number | null {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totp(secret).validate({ token, timestamp: now * 1000, window: WINDOW });
  return delta === null ? null : Math.floor(now / PERIOD_SECONDS) + delta;
}
