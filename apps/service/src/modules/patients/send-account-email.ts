import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { emailHead } from '../../server/email-head.ts';
import type { Outbox } from '../../database/outbox.ts';
import type { Platform } from '../../platform.ts';
import { patient } from './schema.ts';
import { CODE_VALID_FOR, confirmToken, resetCode } from '../../security/code-secrets.ts';
import { issueCode } from '../../security/one-time-codes.store.ts';
import { waitingFormsBeside } from './pending-sign-ups.store.ts';
import { type AccountEmailFacts, accountEmail } from './account-emails.ts';

const ACCOUNT_LETTER = 'account-email';
export type AccountEmail = AccountEmailFacts['email'];

/**
 * The row names nobody but by id, of an account or of a sign-up form, and holds no secret (S-8). An id
 * of neither sends nothing: whoever asks on behalf of an absent account costs the same row (S-7).
 */
export async function enqueueAccountEmail(
  outbox: Outbox,
  tx: Tx,
  email: AccountEmail,
  patientId: string,
  now: number,
): Promise<void> {
  await outbox.enqueue(tx, ACCOUNT_LETTER, { email, patientId, at: now }, now);
}

export type AccountEmailParts = Pick<
  Platform,
  'outbox' | 'database' | 'mail' | 'clock' | 'keyring' | 'config'
>;

/** Writes and sends the emails; codes are made here, when they are mailed. */
export function handleAccountEmails(parts: AccountEmailParts): void {
  const head = emailHead(parts.config);
  parts.outbox.handle(ACCOUNT_LETTER, async ({ email, patientId, at }, key) => {
    if (typeof patientId !== 'string') throw new Error('This outbox row is no account letter');
    const written =
      email === 'confirmEmail'
        ? await confirmation(parts, patientId)
        : await toOwner(parts, email, patientId, key, typeof at === 'number' ? at : null);
    if (written === null) return;
    const { to, facts } = written;
    await parts.mail.send(accountEmail(facts, { key: `account:${key}`, to, head }));
  });
}

interface Written {
  readonly to: string;
  readonly facts: AccountEmailFacts;
}

/**
 * the links of every form of the address, since only who filled one in knows which is
 * theirs. A form has one link, however often it is mailed.
 */
async function confirmation(
  { database, keyring, config, clock }: AccountEmailParts,
  formId: string,
): Promise<Written | null> {
  const now = clock.now();
  const waiting = await waitingFormsBeside(database.db, formId, now);
  const [newest] = waiting;
  if (newest === undefined) return null;
  const forms = waiting.map(({ id, createdAt, expiresAt }) => ({
    id,
    filledIn: createdAt,
    validUntil: expiresAt ?? now + CODE_VALID_FOR.confirm,
    secret: confirmToken(keyring, id),
  }));
  await database.inTransaction(async (tx) => {
    for (const { id, validUntil, secret } of forms)
      await issueCode(tx, keyring, {
        id,
        purpose: 'confirm',
        patientId: id,
        secret,
        now,
        validFor: validUntil - now,
      });
  });
  const links = forms.map(({ secret, ...form }) => ({
    ...form,
    link: `${config.publicUrl}/confirm/${secret}`,
  }));
  return { to: newest.email, facts: { email: 'confirmEmail', forms: links } };
}

async function toOwner(
  parts: AccountEmailParts,
  email: unknown,
  patientId: string,
  key: string,
  askedAt: number | null,
): Promise<Written | null> {
  const to = await addressOf(parts.database.db, patientId);
  if (to === null) return null;
  return { to, facts: await factsOf(parts, email, patientId, key, askedAt) };
}

async function addressOf(db: Db, id: string): Promise<string | null> {
  const [row] = await db.select({ email: patient.email }).from(patient).where(eq(patient.id, id));
  return row?.email ?? null;
}

async function factsOf(
  { keyring, config, clock, database }: AccountEmailParts,
  email: unknown,
  patientId: string,
  key: string,
  askedAt: number | null,
): Promise<AccountEmailFacts> {
  const now = clock.now();
  switch (email) {
    case 'accountExists':
      return { email, loginLink: `${config.publicUrl}/login` };
    case 'resetCode': {
      const code = resetCode(keyring, key);
      await database.inTransaction((tx) =>
        issueCode(tx, keyring, {
          id: key,
          purpose: 'reset',
          patientId,
          secret: `${patientId}:${code}`,
          now,
          validFor: CODE_VALID_FOR.reset,
        }),
      );
      return { email, code };
    }
    case 'passwordChanged':
      return { email, at: askedAt ?? now };
    default:
      throw new Error('This outbox row is no account letter');
  }
}
