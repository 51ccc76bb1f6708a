import type { Platform } from '../../platform/platform.ts';
import { openCard } from '../../platform/sealed-card.ts';
import { enqueueAccountLetter } from '../account-letters/index.ts';
import {
  CODE_VALID_FOR,
  RESET_TRIES,
  countTry,
  endCode,
  findCode,
  issueCode,
  latestCode,
  readResetCode,
  takeCode,
} from '../one-time-codes/index.ts';
import { type SaidDetails, isOwner } from './is-owner.ts';
import { recoverableAccount, setPassword } from './recovery.store.ts';

export type RecoveryPorts = Pick<
  Platform,
  'database' | 'keyring' | 'ids' | 'outbox' | 'sessions' | 'appendAudit'
> & { readonly hashPassword: (password: string) => Promise<string> };

/** Identify: one answer for whatever does not fit. A fit is remembered for 15 minutes. */
export async function identify(
  ports: RecoveryPorts,
  email: string,
  said: SaidDetails,
  now: number,
): Promise<boolean> {
  const account = await recoverableAccount(ports.database.db, email);
  if (account === null) return false;
  const cardNumber = openCard(ports.keyring, account.id, account.cardSealed);
  if (!isOwner({ ...account, cardNumber }, said)) return false;
  const id = ports.ids.uuid();
  await ports.database.inTransaction((tx) =>
    issueCode(tx, ports.keyring, {
      id,
      purpose: 'recovery',
      patientId: account.id,
      secret: id,
      now,
      validFor: CODE_VALID_FOR.recovery,
    }),
  );
  return true;
}

/** Mails a code to an owner who was identified; costs the same for anybody else (S-7). */
export async function sendResetCode(
  ports: RecoveryPorts,
  email: string,
  now: number,
): Promise<void> {
  const { db } = ports.database;
  const account = await recoverableAccount(db, email);
  const nobody = ports.ids.uuid();
  const mark = await latestCode(db, 'recovery', account?.id ?? nobody, now);
  const to = mark === null ? nobody : mark.patientId;
  await ports.database.inTransaction((tx) =>
    enqueueAccountLetter(ports.outbox, tx, 'resetCode', to, now),
  );
}

export interface ResetRequest {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly now: number;
}

/**
 * the guess is counted and committed before it is judged, so that parallel guesses count and
 * the sixth is refused even when it is right. A new password ends every session.
 */
export async function resetPassword(
  ports: RecoveryPorts,
  { email, code: typed, password, now }: ResetRequest,
): Promise<'reset' | 'refused'> {
  const { database, keyring } = ports;
  const account = await recoverableAccount(database.db, email);
  const patientId = account?.id ?? ports.ids.uuid();
  const waiting = await latestCode(database.db, 'reset', patientId, now);
  if (waiting === null) return 'refused';
  const tries = await database.inTransaction((tx) => countTry(tx, waiting.id));
  const guessed = `${patientId}:${readResetCode(typed)}`;
  const found = await findCode(database.db, keyring, 'reset', guessed);
  if (tries > RESET_TRIES || found?.id !== waiting.id) return 'refused';
  const passwordHash = await ports.hashPassword(password);
  return database.inTransaction(async (tx) => {
    if (!(await takeCode(tx, waiting.id, now))) return 'refused';
    await setPassword(tx, patientId, passwordHash);
    await endCode(tx, 'recovery', patientId, now);
    await ports.sessions.endAll(tx, patientId, now);
    const subject = `patient:${patientId}`;
    await ports.appendAudit(tx, { actor: subject, action: 'password reset', subject, at: now });
    await enqueueAccountLetter(ports.outbox, tx, 'passwordChanged', patientId, now);
    return 'reset';
  });
}
