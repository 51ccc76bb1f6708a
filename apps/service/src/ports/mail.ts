/** One message to one patient. `key` names it for ever, so that a retry is not a second mail. */
export interface Letter {
  readonly key: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly calendar?: { readonly method: 'PUBLISH' | 'CANCEL'; readonly content: string };
}

export interface Mail {
  /** Throws when the letter was not taken; the outbox tries again. */
  send(letter: Letter): Promise<void>;
}
