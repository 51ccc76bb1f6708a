import type { Platform } from '../../../platform.ts';
import { type Who, ofPatient } from '../../../security/audit.store.ts';
import type { Keyring } from '../../../security/keyring.ts';
import { emailsOfAccounts } from './bounces.store.ts';
import { updatePatient } from '../store.ts';

// Emails that come back (docs/adr/0025). Each recipient has an envelope sender of its own, to which the
// mail server that gives up delivering an email sends its report (RFC 3464).

const MARK = /\+([0-9a-f]{32})@/i;
/** How much of a message is read: its report comes before the email that it is about. */
const MOST_CHARACTERS = 256 * 1024;

/** The address to which a recipient's undeliverable email returns; only our keys can make its mark. */
export const returnAddress =
  (keyring: Pick<Keyring, 'blindIndex'>, mailbox: string) => (recipient: string) =>
    mailbox.replace('@', `+${markOf(keyring.blindIndex(CONTEXT, recipient))}@`);

const CONTEXT = 'email.return';
const markOf = (index: Uint8Array) => Buffer.from(index).toString('hex', 0, 16);

interface DeliveryReport {
  /** The mark of the recipient's return address. */
  readonly mark: string;
  /** What became of the email, such as 'failed' or 'delayed'. */
  readonly action: string;
  /** RFC 3463; null when the report gives none. */
  readonly status: string | null;
}

/** Parses the report in a message that came to a return address; null when it has none. */
export function deliveryReport(message: string): DeliveryReport | null {
  const looked = message.slice(0, MOST_CHARACTERS).replaceAll('\r\n', '\n');
  const mark = MARK.exec(looked)?.[1]?.toLowerCase();
  const [, ...parts] = looked.split(/^content-type:[ \t]*message\/delivery-status\b/im);
  const fields = parts[0]?.split(/^--/m)[0] ?? '';
  const action = /^action:[ \t]*([a-z]+)/im.exec(fields)?.[1]?.toLowerCase();
  if (mark === undefined || action === undefined) return null;
  const status = /^status:[ \t]*(\d\.\d{1,3}\.\d{1,3})(?!\d)/im.exec(fields)?.[1] ?? null;
  return { mark, action, status };
}

/**
 * Marks the account's address from which an email came back for good. Returns 'notFailed' for any other
 * report, such as of a delay, and 'unknown' when no open account has the address now.
 */
export async function recordBounce(
  { database, keyring, appendAudit }: Pick<Platform, 'database' | 'keyring' | 'appendAudit'>,
  message: string,
  { actor, now }: Who,
): Promise<'marked' | 'noReport' | 'notFailed' | 'unknown'> {
  const report = deliveryReport(message);
  if (report === null) return 'noReport';
  if (report.action !== 'failed') return 'notFailed';
  // A mark cannot be decrypted, so each address is tried: these messages are rare.
  const found = (await emailsOfAccounts(database.db)).find(({ email }) =>
    keyring.blindIndexes(CONTEXT, email).some((index) => markOf(index) === report.mark),
  );
  if (found === undefined) return 'unknown';
  const { id, email } = found;
  const bounceStatus = report.status;
  await database.inTransaction(async (tx) => {
    await updatePatient(tx, id, { bouncedEmail: email, bouncedAt: now, bounceStatus });
    await appendAudit(tx, {
      ...ofPatient(id, 'email came back', now, { status: bounceStatus }),
      actor,
    });
  });
  return 'marked';
}

/** Clears the bounce of a patient who has evidently read one of the emails. */
export const EMAILS_ARRIVE = { bouncedEmail: null, bouncedAt: null, bounceStatus: null };
