import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Database } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { Captcha } from '../../server/captcha.ts';
import { spendProof } from '../../security/spend-proof.ts';
import { readProof, signedText } from './proof.ts';

/** S-6, in seconds. */
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
      if (proof === null || now > proof.expiresAt || proof.expiresAt > now + VALID_FOR)
        return 'refused';
      const signed = hex(hmacSignatureSecret, signedText(proof.parameters));
      const solved = hex(hmacKeySignatureSecret, Buffer.from(proof.derivedKey, 'hex'));
      if (!same(signed, proof.signature) || !same(solved, proof.keySignature)) return 'refused';
      const { signature, expiresAt } = proof;
      return spendProof(database, { proof: signature, expiresAt, now });
    },
  };
}

const hex = (secret: string, value: string | Buffer): string =>
  createHmac('sha256', secret).update(value).digest('hex');

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
