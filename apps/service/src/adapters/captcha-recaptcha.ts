import { z } from 'zod';
import type { Database } from '../database/db.ts';
import type { Log } from '../server/log.ts';
import type { Captcha } from '../server/ports.ts';
import { spendProof } from '../security/one-time-codes.store.ts';

export interface RecaptchaSettings {
  readonly secret: string;
  readonly siteKey: string;
  /** The host of the pages that show the widget. */
  readonly hostname: string;
  /** Google's own unless a test brings another. */
  readonly verifyUrl?: string;
  readonly timeoutMs?: number;
}

const VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify';
const TIMEOUT_MS = 5_000;
/** In seconds; Google itself forgets a proof after two minutes. */
const VALID_FOR = 10 * 60;
const CLOCKS_DIFFER = 60;
const LONGEST = 8_192;

/** https://developers.google.com/recaptcha/docs/verify */
const verdict = z.object({
  success: z.boolean(),
  hostname: z.string().catch(''),
  /** ISO, when the challenge was solved. */
  challenge_ts: z.string().catch(''),
  'error-codes': z.array(z.string()).catch([]),
});

/** Google's checkbox (v2). Who cannot be asked refuses with a retry text: nobody passes unseen. */
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
    async challenge() {
      return {};
    },
    async verify(proof, now) {
      if (proof.trim() === '' || proof.length > LONGEST) return 'refused';
      const found = await ask(proof);
      if (found === null) return 'unavailable';
      if (found['error-codes'].some((code) => code.endsWith('-input-secret'))) {
        log.error('captcha-misconfigured', new Error('The captcha secret is not accepted'));
        return 'unavailable';
      }
      const solvedAt = Date.parse(found.challenge_ts) / 1000;
      const isFresh = now - solvedAt <= VALID_FOR && solvedAt - now <= CLOCKS_DIFFER;
      if (!found.success || found.hostname !== hostname || !isFresh) return 'refused';
      return spendProof(database, { proof, expiresAt: now + 2 * VALID_FOR, now });
    },
  };
}
