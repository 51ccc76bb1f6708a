import type { Letter, Mail } from '../ports/mail.ts';

/** Keeps what it was sent; a repeated key is one letter. */
export interface FakeMail extends Mail {
  readonly sent: Letter[];
  down: boolean;
}

export function fakeMail(): FakeMail {
  return {
    sent: [],
    down: false,
    async send(letter) {
      if (this.down) throw new Error('The mail server does not answer');
      if (!this.sent.some(({ key }) => key === letter.key)) this.sent.push(letter);
    },
  };
}
