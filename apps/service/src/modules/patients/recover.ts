import { isOwnNameOrEmail } from '@clinic/domain';
import type { Platform } from '../../platform.ts';
import { giveBackAll, countInTurn } from '../../server/rate-limit.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import { openCard } from '../../security/sealed-card.ts';
import { enqueueAccountEmail } from './send-account-email.ts';
import { forgetDevices } from './known-devices.store.ts';
import { guessLimits } from './device.ts';
import { CODE_VALID_FOR, RESET_TRIES, readResetCode } from '../../security/code-secrets.ts';
import {
  countTry,
  endCode,
  findCode,
  issueCode,
  latestCode,
  takeCode,
} from '../../security/one-time-codes.store.ts';
import { type SaidDetails, isOwner } from './is-owner.ts';
import { recoverableAccount, setPassword } from './recovery.store.ts';

export type RecoveryPorts = Pick<
  Platform,
  'database' | 'keyring' | 'ids' | 'outbox' | 'sessions' | 'appendAudit' | 'rateLimit' | 'config'
> & { readonly hashPassword: (password: string) => Promise<string> };

export interface IdentifyRequest {
  readonly email: string;
  readonly said: SaidDetails;
  readonly address: string;
  readonly deviceToken: string | null;
  readonly now: number;
}

/**
 * Identify: null when it fits, and one answer for whatever does not fit. A fit is remembered for 15 minutes and is
 * good for one mail, which is counted here: only the owner is ever told that there were too many.
 */
export async function identify(
  ports: RecoveryPorts,
  request: IdentifyRequest,
): Promise<Refusal | null> {
  const { email, said, address, deviceToken, now } = request;
  const { database, keyring, ids, rateLimit, config } = ports;
  const { recoveryPerAccount, recoveryPerAddress, resetMailsPerAccount } = config.rates;
  const account = await recoverableAccount(database.db, email);
  const limits = await guessLimits(
    { db: database.db, ids },
    { perAccount: recoveryPerAccount, perAddress: recoveryPerAddress },
    { email, patientId: account?.id ?? null, address, deviceToken, now },
  );
  // Counted before it is tried, so that parallel guesses count too (S-5).
  const tooMany = await countInTurn(rateLimit, now, limits);
  if (tooMany !== null) return tooMany;
  if (account === null) return refuse('recoveryRefused');
  const cardNumber = openCard(keyring, account.id, account.cardSealed);
  if (!isOwner({ ...account, cardNumber }, said)) return refuse('recoveryRefused');
  await giveBackAll(rateLimit, now, limits);
  const tooManyMails = await rateLimit.use(resetMailsPerAccount, email, now);
  if (tooManyMails !== null) return tooManyMails;
  const id = ids.uuid();
  await database.inTransaction((tx) =>
    issueCode(tx, keyring, {
      id,
      purpose: 'recovery',
      patientId: account.id,
      secret: id,
      now,
      validFor: CODE_VALID_FOR.recovery,
    }),
  );
  return null;
}

/** Mails a code to an owner who was identified, once; costs the same for anybody else (S-7). */
export async function sendResetCode(
  ports: RecoveryPorts,
  email: string,
  now: number,
): Promise<void> {
  const { database, ids, outbox } = ports;
  const account = await recoverableAccount(database.db, email);
  const nobody = ids.uuid();
  await database.inTransaction(async (tx) => {
    const mark = await latestCode(tx, 'recovery', account?.id ?? nobody, now);
    const isFirst = mark !== null && (await takeCode(tx, mark.id, now));
    await enqueueAccountEmail(outbox, tx, 'resetCode', isFirst ? mark.patientId : nobody, now);
  });
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
): Promise<'reset' | 'refused' | 'tooCommon'> {
  const { database, keyring } = ports;
  const account = await recoverableAccount(database.db, email);
  const patientId = account?.id ?? ports.ids.uuid();
  const waiting = await latestCode(database.db, 'reset', patientId, now);
  if (waiting === null) return 'refused';
  const tries = await database.inTransaction((tx) => countTry(tx, waiting.id));
  const guessed = `${patientId}:${readResetCode(typed)}`;
  const found = await findCode(database.db, keyring, 'reset', guessed);
  if (tries > RESET_TRIES || found?.id !== waiting.id) return 'refused';
  // Said to whoever has the code alone: nobody learns a stranger's name by trying (S-7).
  if (account !== null && isOwnNameOrEmail(password, { ...account, email })) return 'tooCommon';
  const passwordHash = await ports.hashPassword(password);
  return database.inTransaction(async (tx) => {
    if (!(await takeCode(tx, waiting.id, now))) return 'refused';
    await setPassword(tx, patientId, passwordHash);
    await endCode(tx, 'recovery', patientId, now);
    await ports.sessions.endAll(tx, patientId, now);
    // Who guessed from a browser of the account's is a stranger from now on.
    await forgetDevices(tx, patientId);
    const subject = `patient:${patientId}`;
    await ports.appendAudit(tx, { actor: subject, action: 'password reset', subject, at: now });
    await enqueueAccountEmail(ports.outbox, tx, 'passwordChanged', patientId, now);
    return 'reset';
  });
}
