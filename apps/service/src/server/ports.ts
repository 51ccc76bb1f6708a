import { randomBytes, randomUUID } from 'node:crypto';
import { type Refusal, invalid, refuse } from './refusal.ts';

/** The service's current time in epoch seconds; the production adapter follows the database's clock. */
export interface Clock {
  now(): number;
  /**
   * Called before a request is handled: resolves once `now` is reliable, which is at once unless the host
   * slept or its clock was set. Never rejects, and takes no longer than a second.
   */
  sure?(): Promise<void>;
}

/** Randomness, handed in so that rules and tests stay repeatable. */
export interface Ids {
  /** A random UUID for rows and public ids. */
  uuid(): string;
  /** 256 random bits, base64url: access tokens and one-time links. */
  token(): string;
}

export const randomIds: Ids = {
  uuid: randomUUID,
  token: () => randomBytes(32).toString('base64url'),
};

/** One message to one patient. `key` identifies it for ever, so that a retry is not a second email. */
export interface Email {
  readonly key: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same content as an HTML page. */
  readonly html: string;
  readonly calendar?: { readonly method: 'PUBLISH' | 'CANCEL'; readonly content: string };
}

/**
 * The mail server refused the email for good: sending it again gets the same reply. Only the number of the
 * reply is kept, because its text may name the patient.
 */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  constructor(reply: number | null) {
    super(`The mail server refused the email for good (${reply ?? 'no such address'})`);
  }
}

export interface Mail {
  /**
   * Throws when the email was not taken: `MailRefused` when it never will be, any other error when a later
   * try may succeed. The outbox tries again.
   */
  send(email: Email): Promise<void>;
}

/** S-6: proof that a person (or their browser, at some cost) sends the request. */
export interface Captcha {
  /** A fresh challenge for the widget; `now` in epoch seconds. */
  challenge(now: number): Promise<Record<string, unknown>>;
  /** `ok` once per proof and while the proof is fresh; `unavailable` when the check cannot be made. */
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
