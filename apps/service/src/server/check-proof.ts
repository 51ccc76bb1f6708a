import type { Captcha } from './captcha.ts';
import { type Refusal, invalid, refuse } from './refusal.ts';

/** S-6: null when the proof is good, else the refusal to answer with. */
export async function checkProof(
  captcha: Pick<Captcha, 'verify'>,
  proof: string,
  now: number,
): Promise<Refusal | null> {
  const found = await captcha.verify(proof, now);
  if (found === 'ok') return null;
  if (found === 'unavailable') return refuse('captchaUnavailable');
  const { errors = [] } = invalid('recaptcha', 'captchaFailed').details;
  return refuse('captchaFailed', { errors });
}
