import type { Database } from '../../database/db.ts';
import type { Log } from '../../server/log.ts';
import type { Captcha } from '../../server/captcha.ts';
import { spendProof } from '../../security/spend-proof.ts';

export interface RecaptchaSettings {
  readonly secret: string;
  readonly siteKey: string;
  /** The host of the pages that show the widget. */
  readonly hostname: string;
  /** Google's own unless a test brings another. */
  readonly verifyUrl?: string;
  readonly timeoutMs?: number;
}

export interface RecaptchaParts {
  readonly database: Database;
  readonly log: Pick<Log, 'error'>;
}

const VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify';
const TIMEOUT_MS = 5_000;
/** S-6, in seconds; Google itself forgets a proof after two minutes. */
const VALID_FOR = 10 * 60;
const CLOCKS_DIFFER = 60;
const LONGEST = 8_192;

/** https://developers.google.com/recaptcha/docs/verify */
interface Verdict {
  readonly success: boolean;
  readonly hostname?: string;
  /** ISO, when the challenge was solved. */
  readonly challenge_ts?: string;
  readonly 'error-codes'?: readonly string[];
}

/** Google's checkbox (v2). Who cannot be asked refuses with a retry text: nobody passes unseen. */
export function recaptchaCaptcha(
  { database, log }: RecaptchaParts,
  settings: RecaptchaSettings,
): Captcha {
  const { secret, hostname, verifyUrl = VERIFY_URL, timeoutMs = TIMEOUT_MS } = settings;

  async function ask(response: string): Promise<Verdict | null> {
    try {
      const answer = await fetch(verifyUrl, {
        method: 'POST',
        body: new URLSearchParams({ secret, response }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const read: unknown = answer.ok ? await answer.json() : null;
      return isVerdict(read) ? read : null;
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
      const verdict = await ask(proof);
      if (verdict === null) return 'unavailable';
      if (verdict['error-codes']?.some((code) => code.endsWith('-input-secret'))) {
        log.error('captcha-misconfigured', new Error('The captcha secret is not accepted'));
        return 'unavailable';
      }
      const solvedAt = Date.parse(verdict.challenge_ts ?? '') / 1000;
      const isFresh = now - solvedAt <= VALID_FOR && solvedAt - now <= CLOCKS_DIFFER;
      if (!verdict.success || verdict.hostname !== hostname || !isFresh) return 'refused';
      return spendProof(database, { proof, expiresAt: now + 2 * VALID_FOR, now });
    },
  };
}

function isVerdict(read: unknown): read is Verdict {
  return (
    typeof read === 'object' &&
    read !== null &&
    'success' in read &&
    typeof read.success === 'boolean'
  );
}
