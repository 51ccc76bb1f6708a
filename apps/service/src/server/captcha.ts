/** S-6: proof that a person (or their browser, at some cost) is there. */
export interface Captcha {
  /** A fresh challenge for the widget; `now` in epoch seconds. */
  challenge(now: number): Promise<Record<string, unknown>>;
  /** `ok` once per proof and while it is fresh; `unavailable` when nobody can tell. */
  verify(proof: string, now: number): Promise<'ok' | 'refused' | 'unavailable'>;
}
