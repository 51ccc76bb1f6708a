import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db.ts';
import { letterHead } from '../../platform/letter-head.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { Platform } from '../../platform/platform.ts';
import { patient } from '../../platform/schema.ts';
import { CODE_VALID_FOR, confirmToken, issueCode, resetCode } from '../one-time-codes/index.ts';
import { waitingFormsBeside } from '../pending-sign-ups/index.ts';
import { type AccountLetterFacts, accountLetter } from './letters.ts';

const ACCOUNT_LETTER = 'account-letter';
export type AccountLetter = AccountLetterFacts['letter'];

/**
 * The row names nobody but by id, of an account or of a sign-up form, and holds no secret (S-8). An id
 * of neither sends nothing: whoever asks on behalf of an absent account costs the same row (S-7).
 */
export async function enqueueAccountLetter(
  outbox: Outbox,
  tx: Tx,
  letter: AccountLetter,
  patientId: string,
  now: number,
): Promise<void> {
  await outbox.enqueue(tx, ACCOUNT_LETTER, { letter, patientId, at: now }, now);
}

export type AccountLetterParts = Pick<
  Platform,
  'outbox' | 'database' | 'mail' | 'clock' | 'keyring' | 'config'
>;

/** Writes and sends the letters; codes are made here, when they are mailed. */
export function handleAccountLetters(parts: AccountLetterParts): void {
  const head = letterHead(parts.config);
  parts.outbox.handle(ACCOUNT_LETTER, async ({ letter, patientId, at }, key) => {
    if (typeof patientId !== 'string') throw new Error('This outbox row is no account letter');
    const written =
      letter === 'confirmEmail'
        ? await confirmation(parts, patientId)
        : await toOwner(parts, letter, patientId, key, typeof at === 'number' ? at : null);
    if (written === null) return;
    const { to, facts } = written;
    await parts.mail.send(accountLetter(facts, { key: `account:${key}`, to, head }));
  });
}

interface Written {
  readonly to: string;
  readonly facts: AccountLetterFacts;
}

/**
 * the links of every form of the address, since only who filled one in knows which is
 * theirs. A form has one link, however often it is mailed.
 */
async function confirmation(
  { database, keyring, config, clock }: AccountLetterParts,
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
  return { to: newest.email, facts: { letter: 'confirmEmail', forms: links } };
}

async function toOwner(
  parts: AccountLetterParts,
  letter: unknown,
  patientId: string,
  key: string,
  askedAt: number | null,
): Promise<Written | null> {
  const to = await addressOf(parts.database.db, patientId);
  if (to === null) return null;
  return { to, facts: await factsOf(parts, letter, patientId, key, askedAt) };
}

async function addressOf(db: Db, id: string): Promise<string | null> {
  const [row] = await db.select({ email: patient.email }).from(patient).where(eq(patient.id, id));
  return row?.email ?? null;
}

async function factsOf(
  { keyring, config, clock, database }: AccountLetterParts,
  letter: unknown,
  patientId: string,
  key: string,
  askedAt: number | null,
): Promise<AccountLetterFacts> {
  const now = clock.now();
  switch (letter) {
    case 'accountExists':
      return { letter, loginLink: `${config.publicUrl}/login` };
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
      return { letter, code };
    }
    case 'passwordChanged':
      return { letter, at: askedAt ?? now };
    default:
      throw new Error('This outbox row is no account letter');
  }
}
