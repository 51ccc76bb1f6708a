import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { Database } from '../database/db.ts';
import { canonical } from '../security/audit.store.ts';
import type { Keyring } from '../security/keyring.ts';
import { spendProof } from '../security/one-time-codes.store.ts';
import type { Captcha } from '../server/ports.ts';
import type { Log } from '../server/log.ts';

/** In seconds. Google itself accepts a proof for only two minutes. */
const VALID_FOR = 10 * 60;
/** How many seconds the clock of the process that made a challenge may be ahead of this one's. */
const CLOCKS_APART = 2;

/** `tries` derivations of `cost` rounds: about 0.1 seconds on a fast machine and 1 on an old phone. */
export interface Effort {
  readonly cost: number;
  readonly tries: { readonly from: number; readonly to: number };
}
const EFFORT: Effort = { cost: 2_000, tries: { from: 100, to: 400 } };

/**
 * Self-hosted proof of work. The library makes the challenge, but this code judges the proof: the library
 * would ask the host for the time, and the clinic's clock decides (ADR 9).
 */
export function altchaCaptcha(
  database: Database,
  keyring: Keyring,
  { cost, tries }: Effort = EFFORT,
): Captcha {
  const hmacSignatureSecret = keyring.secretFor('altcha');
  const hmacKeySignatureSecret = keyring.secretFor('altcha-key');

  return {
    async challenge(now) {
      const { parameters, signature } = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        counter: randomInt(tries.from, tries.to),
        deriveKey,
        expiresAt: now + VALID_FOR,
        hmacSignatureSecret,
        hmacKeySignatureSecret,
      });
      return { parameters, signature };
    },

    async verify(text, now) {
      const proof = readProof(text);
      if (proof === null) return 'refused';
      const { parameters, signature } = proof.challenge;
      const { expiresAt, keySignature } = parameters;
      if (now > expiresAt || expiresAt > now + VALID_FOR + CLOCKS_APART) return 'refused';
      // The library signs the parameters with their keys sorted.
      const signed = hex(hmacSignatureSecret, canonical(parameters));
      const solved = hex(hmacKeySignatureSecret, Buffer.from(proof.solution.derivedKey, 'hex'));
      if (!same(signed, signature) || !same(solved, keySignature)) return 'refused';
      return spendProof(database, { proof: signature, expiresAt, now });
    },
  };
}

const hexText = z.string().regex(/^(?:[0-9a-f]{2}){1,64}$/);
/** The part of the payload of altcha's widget, sent in base64, that `verify` needs. */
const payload = z.object({
  challenge: z.object({
    parameters: z
      .object({ keySignature: hexText, expiresAt: z.number() })
      .catchall(z.union([z.string(), z.number()])),
    signature: hexText,
  }),
  solution: z.object({ derivedKey: hexText }),
});

function readProof(text: string) {
  try {
    return payload.parse(JSON.parse(Buffer.from(text, 'base64').toString('utf8')));
  } catch {
    return null;
  }
}

const hex = (secret: string, value: string | Buffer): string =>
  createHmac('sha256', secret).update(value).digest('hex');

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

export interface RecaptchaSettings {
  readonly secret: string;
  /** The host of the pages that show the widget. */
  readonly hostname: string;
  /** Google's address unless a test sets another. */
  readonly verifyUrl?: string;
  readonly timeoutMs?: number;
}

const VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify';
const TIMEOUT_MS = 5_000;
const CLOCKS_DIFFER_S = 60;
const LONGEST = 8_192;

/** https://developers.google.com/recaptcha/docs/verify */
const verdict = z.object({
  success: z.boolean(),
  hostname: z.string().catch(''),
  /** ISO, when the challenge was solved. */
  challenge_ts: z.string().catch(''),
  'error-codes': z.array(z.string()).catch([]),
});

/** Google's checkbox (v2). When Google does not answer, nobody passes: `verify` says 'unavailable'. */
export function recaptchaCaptcha(
  { database, log }: { database: Database; log: Pick<Log, 'error'> },
  settings: RecaptchaSettings,
): Captcha {
  const { secret, hostname, verifyUrl = VERIFY_URL, timeoutMs = TIMEOUT_MS } = settings;

  async function ask(response: string) {
    try {
      const answer = await fetch(verifyUrl, {
        method: 'POST',
        body: new URLSearchParams({ secret, response }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return answer.ok ? verdict.parse(await answer.json()) : null;
    } catch {
      return null;
    }
  }

  return {
    challenge: () => Promise.resolve({}),
    async verify(proof, now) {
      if (proof.trim() === '' || proof.length > LONGEST) return 'refused';
      const found = await ask(proof);
      if (found === null) return 'unavailable';
      if (found['error-codes'].some((code) => code.endsWith('-input-secret'))) {
        log.error('captcha-misconfigured', new Error('The captcha secret is not accepted'));
        return 'unavailable';
      }
      const solvedAt = Date.parse(found.challenge_ts) / 1000;
      const isFresh = now - solvedAt <= VALID_FOR && solvedAt - now <= CLOCKS_DIFFER_S;
      if (!found.success || found.hostname !== hostname || !isFresh) return 'refused';
      return spendProof(database, { proof, expiresAt: now + 2 * VALID_FOR, now });
    },
  };
}
