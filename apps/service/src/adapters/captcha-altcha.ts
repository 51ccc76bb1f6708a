import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { Database } from '../database/db.ts';
import type { Keyring } from '../security/keyring.ts';
import type { Captcha } from '../server/ports.ts';
import { spendProof } from '../security/one-time-codes.store.ts';

/** In seconds. */
const VALID_FOR = 10 * 60;

/** About a tenth of a second here and one on an old phone: `tries` derivations of `cost` rounds. */
export interface Effort {
  readonly cost: number;
  readonly tries: { readonly from: number; readonly to: number };
}
const EFFORT: Effort = { cost: 2_000, tries: { from: 100, to: 400 } };

/**
 * Self-hosted proof of work. The library makes the challenge; what comes back is judged here, because
 * the library asks the host for the time and the clinic's clock decides (ADR 9).
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
      if (now > expiresAt || expiresAt > now + VALID_FOR) return 'refused';
      // The library signs the parameters with their keys in order.
      const signed = hex(hmacSignatureSecret, JSON.stringify(inOrder(parameters)));
      const solved = hex(hmacKeySignatureSecret, Buffer.from(proof.solution.derivedKey, 'hex'));
      if (!same(signed, signature) || !same(solved, keySignature)) return 'refused';
      return spendProof(database, { proof: signature, expiresAt, now });
    },
  };
}

const hexText = z.string().regex(/^(?:[0-9a-f]{2}){1,64}$/);
/** What altcha's widget sends in base64, as far as it must be judged. */
const payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({ keySignature: hexText, expiresAt: z.number() }),
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

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, each]) => [key, inOrder(each)]));
}

const hex = (secret: string, value: string | Buffer): string =>
  createHmac('sha256', secret).update(value).digest('hex');

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
