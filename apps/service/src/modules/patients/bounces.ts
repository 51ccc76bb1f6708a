import type { Platform } from '../../platform.ts';
import { type Who, ofPatient } from '../../security/audit.store.ts';
import type { Keyring } from '../../security/keyring.ts';
import { emailsOfAccounts } from './bounces.store.ts';
import { updatePatient } from './store.ts';

// Emails that come back (docs/adr/0025). Each has a sender of its own in its envelope, and whoever
// gives up delivering it writes there what became of it (RFC 3464).

const MARK = /\+([0-9a-f]{32})@/i;
/** A report stands before the email that it is about; more than this is not looked at. */
const MOST_CHARACTERS = 256 * 1024;

/** Where what cannot be delivered to a recipient comes back: nobody else can make the mark in it. */
export const returnAddress =
  (keyring: Pick<Keyring, 'blindIndex'>, mailbox: string) => (recipient: string) =>
    mailbox.replace('@', `+${markOf(keyring.blindIndex(CONTEXT, recipient))}@`);

const CONTEXT = 'email.return';
const markOf = (index: Uint8Array) => Buffer.from(index).toString('hex', 0, 16);

interface DeliveryReport {
  /** Of the recipient. */
  readonly mark: string;
  /** What whoever gave up says, such as 'failed' or 'delayed'. */
  readonly action: string;
  /** RFC 3463; null where it is not said. */
  readonly status: string | null;
}

/** The report in a message that came to a return address; null where it is none. */
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
 * Marks the address of the account whose email came back for good. 'delayed' is no failure yet;
 * 'unknown' is an address that no account has now.
 */
export async function recordBounce(
  { database, keyring, appendAudit }: Pick<Platform, 'database' | 'keyring' | 'appendAudit'>,
  message: string,
  { actor, now }: Who,
): Promise<'marked' | 'noReport' | 'notFailed' | 'unknown'> {
  const report = deliveryReport(message);
  if (report === null) return 'noReport';
  if (report.action !== 'failed') return 'notFailed';
  // A mark does not open: the addresses are tried one after the other, for so rare a message.
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

/** Whoever read an email of ours has shown that they arrive. */
export const EMAILS_ARRIVE = { bouncedEmail: null, bouncedAt: null, bounceStatus: null };
