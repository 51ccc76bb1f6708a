import { type Letter, type Mail, MailRefused } from '../ports/mail.ts';

/** Keeps what it was sent; a repeated key is one letter. */
export interface FakeMail extends Mail {
  readonly sent: Letter[];
  down: boolean;
  /** The server refuses every letter for good. */
  refuses: boolean;
}

export function fakeMail(): FakeMail {
  const keys = new Set<string>();
  return {
    sent: [],
    down: false,
    refuses: false,
    async send(letter) {
      if (this.down) throw new Error('The mail server does not answer');
      if (this.refuses) throw new MailRefused(550);
      if (!keys.has(letter.key)) this.sent.push(letter);
      keys.add(letter.key);
    },
  };
}
