import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db.ts';
import { letterHead } from '../../platform/letter-head.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { Platform } from '../../platform/platform.ts';
import { patient } from '../../platform/schema.ts';
import { CODE_VALID_FOR, confirmToken, issueCode, resetCode } from '../one-time-codes/index.ts';
import { type AccountLetterFacts, accountLetter } from './letters.ts';

const ACCOUNT_LETTER = 'account-letter';
export type AccountLetter = AccountLetterFacts['letter'];

/**
 * The row names nobody but by id, and holds no secret (S-8). An id of no account sends nothing: whoever
 * asks on behalf of an absent account costs the same row (S-7).
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

interface Owner {
  readonly id: string;
  readonly email: string;
  readonly emailConfirmed: boolean;
}

/** Writes and sends the letters; codes are made here, when they are mailed. */
export function handleAccountLetters(parts: AccountLetterParts): void {
  const head = letterHead(parts.config);
  parts.outbox.handle(ACCOUNT_LETTER, async ({ letter, patientId, at }, key) => {
    if (typeof patientId !== 'string') throw new Error('This outbox row is no account letter');
    const owner = await ownerOf(parts.database.db, patientId);
    if (owner === null) return;
    const askedAt = typeof at === 'number' ? at : parts.clock.now();
    const facts = await factsOf(parts, letter, owner, key, askedAt);
    if (facts === null) return;
    await parts.mail.send(accountLetter(facts, { key: `account:${key}`, to: owner.email, head }));
  });
}

async function ownerOf(db: Db, id: string): Promise<Owner | null> {
  const [row] = await db
    .select({ id: patient.id, email: patient.email, emailConfirmed: patient.emailConfirmed })
    .from(patient)
    .where(eq(patient.id, id));
  return row ?? null;
}

async function factsOf(
  parts: AccountLetterParts,
  letter: unknown,
  { id: patientId, emailConfirmed }: Owner,
  key: string,
  askedAt: number,
): Promise<AccountLetterFacts | null> {
  const { keyring, config, clock } = parts;
  const issue = (purpose: 'confirm' | 'reset', secret: string) =>
    parts.database.inTransaction((tx) =>
      issueCode(tx, keyring, {
        id: key,
        purpose,
        patientId,
        secret,
        now: clock.now(),
        validFor: CODE_VALID_FOR[purpose],
      }),
    );
  switch (letter) {
    case 'confirmEmail': {
      if (emailConfirmed) return null;
      const token = confirmToken(keyring, key);
      await issue('confirm', token);
      return { letter, link: `${config.publicUrl}/confirm/${token}` };
    }
    case 'accountExists':
      return { letter, loginLink: `${config.publicUrl}/login`, emailConfirmed };
    case 'resetCode': {
      const code = resetCode(keyring, key);
      await issue('reset', `${patientId}:${code}`);
      return { letter, code };
    }
    case 'passwordChanged':
      return { letter, at: askedAt };
    default:
      throw new Error('This outbox row is no account letter');
  }
}
