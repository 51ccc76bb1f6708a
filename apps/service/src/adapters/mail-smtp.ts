import { createTransport } from 'nodemailer';
import type { Letter, Mail } from '../ports/mail.ts';

export interface SmtpOptions {
  /** `smtps://user:password@host:465`, or `smtp://…` with STARTTLS. */
  readonly url: string;
  /** What patients see as the sender. */
  readonly from: string;
  readonly replyTo?: string;
}

const TIMEOUT_MS = 15_000;

/** Plain text with the visit as a calendar file; the key makes the Message-ID, so that a repeat is seen as one. */
export function smtpMail({ url, from, replyTo }: SmtpOptions): Mail & { close: () => void } {
  const transport = createTransport(url, {
    from,
    ...(replyTo === undefined ? {} : { replyTo }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(letter) {
      await withTimeout(transport.sendMail(messageOf(letter, domain)));
    },
    close: () => transport.close(),
  };
}

function messageOf({ key, to, subject, text, calendar }: Letter, domain: string) {
  return {
    to,
    subject,
    text,
    messageId: `<${Buffer.from(key).toString('hex')}@${domain}>`,
    ...(calendar === undefined
      ? {}
      : {
          icalEvent: { method: calendar.method, filename: 'visit.ics', content: calendar.content },
        }),
  };
}

function withTimeout<T>(sending: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The mail server took too long')), TIMEOUT_MS);
  return Promise.race([sending, promise]).finally(() => clearTimeout(timer));
}
