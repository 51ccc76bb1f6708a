/** One message to one patient. `key` names it for ever, so that a retry is not a second mail. */
export interface Email {
  readonly key: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly calendar?: { readonly method: 'PUBLISH' | 'CANCEL'; readonly content: string };
}

/**
 * The mail server refused the email for good: sending the same again gets the same answer. Of that
 * answer only its number is kept, for its words may name the patient.
 */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  constructor(reply: number | null) {
    super(`The mail server refused the email for good (${reply ?? 'no such address'})`);
  }
}

export interface Mail {
  /**
   * Throws when the email was not taken: `MailRefused` when it never will be, any other error for
   * what may pass. The outbox tries again.
   */
  send(email: Email): Promise<void>;
}
