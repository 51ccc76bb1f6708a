import { type NodemailerError, createTransport } from 'nodemailer';
import { type Email, type Mail, MailRefused } from '../server/ports.ts';

export interface SmtpOptions {
  /** `smtps://user:password@host:465`, or `smtp://…` with STARTTLS. */
  readonly url: string;
  /** What patients see as the sender. */
  readonly from: string;
  readonly replyTo?: string;
  readonly dkim?: DkimKey;
  /** The envelope's sender, to whom what cannot be delivered to a recipient comes back. */
  readonly returnTo?: (recipient: string) => string;
}

/** Signs for the domain of `from`; its public half stands in DNS under the selector. */
export interface DkimKey {
  readonly selector: string;
  /** RSA, PEM. */
  readonly privateKey: string;
}

const TIMEOUT_MS = 15_000;

/** Text and HTML, with the appointment as a calendar file; the key makes the Message-ID, so that a repeat is seen as one. */
export function smtpMail(options: SmtpOptions): Mail & { close: () => void } {
  const { url, from, replyTo, dkim, returnTo } = options;
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  const transport = createTransport(url, {
    from,
    // RFC 3834: nobody's mailbox answers that its owner is away.
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(replyTo !== undefined && { replyTo }),
    ...(dkim && {
      dkim: { domainName: domain, keySelector: dkim.selector, privateKey: dkim.privateKey },
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(email) {
      const { to } = email;
      const envelope = returnTo && { from: returnTo(to), to };
      try {
        await withTimeout(
          transport.sendMail({ ...messageOf(email, domain), ...(envelope && { envelope }) }),
        );
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
    },
    close: () => transport.close(),
  };
}

/** Rejects where the server takes no connection, or not the credentials of its address. */
export async function smtpServerAnswers(url: string): Promise<void> {
  const transport = createTransport(url);
  try {
    await withTimeout(transport.verify());
  } finally {
    transport.close();
  }
}

const SENDING: readonly unknown[] = ['MAIL FROM', 'RCPT TO', 'DATA'];
/** The server asks us to sign in, or better: that is mended in SMTP_URL, and says nothing of the email. */
const ABOUT_US: readonly unknown[] = [530, 534, 535, 538];

/** A 5xx to the sender, the recipient or the text; an address that no email can be sent to. */
function refusalOf(error: unknown): MailRefused | null {
  const { code, command, permanent, responseCode } = error as Partial<NodemailerError>;
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused(null);
  if (permanent !== true || !SENDING.includes(command) || ABOUT_US.includes(responseCode))
    return null;
  return new MailRefused(responseCode ?? null);
}

function messageOf({ key, to, subject, text, html, calendar }: Email, domain: string) {
  return {
    to,
    subject,
    text,
    html,
    messageId: `<${Buffer.from(key).toString('hex')}@${domain}>`,
    ...(calendar && { icalEvent: { ...calendar, filename: 'appointment.ics' } }),
  };
}

function withTimeout<T>(sending: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The mail server took too long')), TIMEOUT_MS);
  return Promise.race([sending, promise]).finally(() => clearTimeout(timer));
}
