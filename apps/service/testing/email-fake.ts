import { type Email, type Mail, MailRefused } from '../src/server/ports.ts';

/** Keeps what it was sent; a repeated key is one email. */
export interface FakeMail extends Mail {
  readonly sent: Email[];
  down: boolean;
  /** The server refuses every email for good. */
  refuses: boolean;
}

export function fakeMail(): FakeMail {
  const keys = new Set<string>();
  return {
    sent: [],
    down: false,
    refuses: false,
    async send(email) {
      if (this.down) throw new Error('The mail server does not answer');
      if (this.refuses) throw new MailRefused(550);
      if (!keys.has(email.key)) this.sent.push(email);
      keys.add(email.key);
    },
  };
}
