import { type Refusal, invalid, refuse } from './refusal.ts';

/** S-6: proof that a person (or their browser, at some cost) is there. */
export interface Captcha {
  /** A fresh challenge for the widget; `now` in epoch seconds. */
  challenge(now: number): Promise<Record<string, unknown>>;
  /** `ok` once per proof and while it is fresh; `unavailable` when nobody can tell. */
  verify(proof: string, now: number): Promise<'ok' | 'refused' | 'unavailable'>;
}

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
