import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds within which a signature counts, as at Stripe. */
export const SIGNATURE_TOLERANCE = 300;

/** `t=…,v1=…`: the HMAC of time and raw body. */
export function signWebhook(secret: string, body: string, now: number): string {
  return `t=${now},v1=${hmac(secret, `${now}.${body}`)}`;
}

/** Whether one of the header's signatures is ours and fresh. */
export function isSignedBy(secret: string, body: string, header: string, now: number): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const at = Number(parts.find(([name]) => name === 't')?.[1]);
  if (!Number.isInteger(at) || Math.abs(now - at) > SIGNATURE_TOLERANCE) return false;
  const expected = Buffer.from(hmac(secret, `${at}.${body}`));
  return parts.some(([name, value]) => {
    const given = Buffer.from(value ?? '');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
