import { type NodemailerError, createTransport } from 'nodemailer';
import { type Email, type Mail, MailRefused } from '../server/ports.ts';

export interface SmtpOptions {
  /** `smtps://user:password@host:465`, or `smtp://…` with STARTTLS. */
  readonly url: string;
  /** What patients see as the sender. */
  readonly from: string;
  readonly replyTo?: string;
  readonly dkim?: DkimKey;
  /** The envelope's sender for a recipient: undeliverable emails come back to this address. */
  readonly returnTo?: (recipient: string) => string;
}

/** Signs for the domain of `from`; DNS has the public key under the selector. */
export interface DkimKey {
  readonly selector: string;
  /** RSA, PEM. */
  readonly privateKey: string;
}

const TIMEOUT_MS = 15_000;

/**
 * Sends emails as text and HTML, with the appointment as a calendar file. The Message-ID comes from the
 * email's key, so that a repeat is recognised.
 */
export function smtpMail(options: SmtpOptions): Mail & { close: () => void } {
  const { url, from, replyTo, dkim, returnTo } = options;
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  const transport = createTransport(url, {
    from,
    // RFC 3834: mailboxes then send no automatic answer, such as that their owner is away.
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

/** Rejects when the server accepts no connection, or not the credentials in `url`. */
export async function smtpServerAnswers(url: string): Promise<void> {
  const transport = createTransport(url);
  try {
    await withTimeout(transport.verify());
  } finally {
    transport.close();
  }
}

const SENDING: readonly unknown[] = ['MAIL FROM', 'RCPT TO', 'DATA'];
/** The server wants a sign-in, or a better one: SMTP_URL must be corrected, and the email is not refused. */
const ABOUT_US: readonly unknown[] = [530, 534, 535, 538];

/** The refusal of an email: a 5xx to its sender, recipient or text, or an unusable address; else null. */
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
