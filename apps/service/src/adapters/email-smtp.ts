import { setTimeout as pause } from 'node:timers/promises';
import { type NodemailerError, type SendMailOptions, createTransport } from 'nodemailer';
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

const MINUTE = 60_000;
/** RFC 5321 4.5.3.2: the greeting and each reply until the text is sent, and the reply to the text. */
const REPLY_MS = 5 * MINUTE;
const REPLY_TO_TEXT_MS = 10 * MINUTE;
const VERIFY_MS = 15_000;
/** Shorter than mail servers keep a silent connection, so that it is we who end it. */
const KEPT_OPEN_MS = 5_000;

/**
 * Sends emails as text and HTML, with the appointment as a calendar file. The Message-ID comes from the
 * email's key, so that a repeat is recognised. Once the server has the text, its reply is waited for as long
 * as it may come: an email that may have been taken is not to be sent again meanwhile. Emails at the same
 * time have a connection each, which the next ones use.
 */
export function smtpMail(options: SmtpOptions): Mail & { close: () => void } {
  const { url, from, replyTo, dkim, returnTo } = options;
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  const closing = new AbortController();
  const free: ReturnType<typeof lineTo>[] = [];
  const always = {
    from,
    // RFC 3834: mailboxes then send no automatic answer, such as that their owner is away.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(replyTo !== undefined && { replyTo }),
    ...(dkim && {
      dkim: { domainName: domain, keySelector: dkim.selector, privateKey: dkim.privateKey },
    }),
  };
  return {
    async send(email) {
      const to = oneRecipient(email.to);
      const envelope = returnTo && { from: returnTo(email.to), to };
      const message = { ...always, ...messageOf(email, domain), ...(envelope && { envelope }) };
      const line = free.pop() ?? lineTo(url);
      try {
        await line.send(message, closing.signal);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === null) line.close();
        else free.push(line);
        throw refusal ?? error;
      }
      free.push(line);
    },
    close() {
      closing.abort();
      for (const line of free) line.close();
    },
  };
}

/** One email at a time, over a connection that is open while it is used; its log tells how far an email is. */
function lineTo(url: string) {
  let hear: (entry: unknown, said?: unknown) => void = () => undefined;
  let isUsed = false;
  const log = (entry: unknown, said?: unknown) => hear(entry, said);
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    // The library's own repetitions do not know whether the server may have the email.
    maxRequeues: 0,
    idleTimeout: KEPT_OPEN_MS,
    logger: { trace: log, debug: log, info: log, warn: log, error: log, fatal: log },
    transactionLog: true,
    connectionTimeout: REPLY_MS,
    greetingTimeout: REPLY_MS,
    socketTimeout: REPLY_TO_TEXT_MS + MINUTE,
  });
  async function send(message: SendMailOptions, closing: AbortSignal): Promise<void> {
    const mayBeClosed = isUsed;
    isUsed = true;
    const patience = patient();
    hear = patience.hear;
    try {
      await transport.sendMail({
        ...message,
        signal: AbortSignal.any([patience.signal, closing]),
      });
    } catch (error) {
      const { responseCode } = error as Partial<NodemailerError>;
      const wasClosed = mayBeClosed && responseCode === undefined && !patience.isTextAsked();
      if (!wasClosed || patience.signal.aborted || closing.aborted) throw error;
      // The server had ended the connection since the last email.
      isUsed = false;
      await send(message, closing);
    } finally {
      patience.end();
    }
  }
  return { send, close: () => transport.close({ force: true }) };
}

/** Gives up when a reply takes too long: hears in the log of a connection what is waited for. */
function patient() {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isTextAsked = false;
  let isSent = false;
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => over.abort(new Error('The mail server took too long')), ms);
  };
  const hear = (entry: unknown, said: unknown) => {
    const { tnx } = entry as { readonly tnx?: string };
    if (tnx === 'client' && said === 'DATA') isTextAsked = true;
    if (tnx === 'message') {
      isSent = true;
      wait(REPLY_TO_TEXT_MS);
    } else if (tnx === 'server' && !isSent) wait(REPLY_MS);
  };
  wait(REPLY_MS);
  return {
    signal: over.signal,
    hear,
    /** Whether the server was asked to take the text, so that it may have the email. */
    isTextAsked: () => isTextAsked,
    end: () => clearTimeout(timer),
  };
}

/** Rejects when the server accepts no connection, or not the credentials in `url`. */
export async function smtpServerAnswers(url: string): Promise<void> {
  const transport = createTransport(url);
  try {
    const late = pause(VERIFY_MS, undefined, { ref: false }).then(() => {
      throw new Error('The mail server took too long');
    });
    await Promise.race([transport.verify(), late]);
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

/** As an object the address is never read as a list: one kept since before today's rules may look like one. */
const oneRecipient = (address: string) => ({ name: '', address });

function messageOf({ key, to, subject, text, html, calendar }: Email, domain: string) {
  return {
    to: oneRecipient(to),
    subject,
    text,
    html,
    messageId: `<${Buffer.from(key).toString('hex')}@${domain}>`,
    ...(calendar && { icalEvent: { ...calendar, filename: 'appointment.ics' } }),
  };
}
