import { createHash, timingSafeEqual } from 'node:crypto';
import { type Database, type Db, type Tx, firstOf, hasRows, part, sql } from '../database/db.ts';
import { failureOf } from '../database/sqlstate.ts';
import type { Keyring } from './keyring.ts';
import type { oneTimeCode } from './schema.ts';

export type Purpose = 'confirm' | 'recovery' | 'reset' | 'dashboard';

/** In seconds. */
export const CODE_VALID_FOR: Readonly<Record<Purpose, number>> = {
  confirm: 6 * 60 * 60,
  recovery: 15 * 60,
  reset: 15 * 60,
  dashboard: 5 * 60,
};
const KEEP_SECONDS = 24 * 60 * 60;

export const RESET_TRIES = 5;
const RESET_LENGTH = 8;
/** 32 characters that are hard to confuse: eight of them hold 40 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/**
 * The keyring derives a mailed secret from the id of its row: no table stores the secret, and an email
 * that is sent again carries the same one.
 */
export function confirmToken(keyring: Pick<Keyring, 'mac'>, id: string): string {
  return Buffer.from(keyring.mac('one-time.confirm', id)).toString('base64url');
}

export function resetCode(keyring: Pick<Keyring, 'mac'>, id: string): string {
  return typedCode(keyring.mac('one-time.reset', id).subarray(0, RESET_LENGTH));
}

/** A code for people to type: one character from five bits of each byte. */
export const typedCode = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** Normalises a code that somebody typed: upper case, without spaces and dashes. */
export function readResetCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '');
}

export const eraseCodes = (patientId: string) =>
  part`delete from one_time_code where patient_id = ${patientId}`;

/** Deletes the codes that expired more than a day ago. */
export const spentCodes = (now: number) =>
  part`delete from one_time_code where expires_at_s < ${now - KEEP_SECONDS}`;

export interface NewCode {
  readonly id: string;
  readonly purpose: Purpose;
  readonly patientId: string;
  readonly secret: string;
  readonly now: number;
  readonly validFor: number;
}

/** Stores a code. When the same id is mailed again, its row stays and gets the new expiry. */
export async function issueCode(
  tx: Tx,
  keyring: Pick<Keyring, 'blindIndex'>,
  { id, purpose, patientId, secret, now, validFor }: NewCode,
): Promise<void> {
  await sql(tx, 'codes-forget')`${spentCodes(now)}`;
  // A new reset code ends the older ones, since each would bring its own tries. A new check of the
  // owner ends the older ones, since each could have another email sent.
  if (purpose === 'reset' || purpose === 'recovery') await endCode(tx, purpose, patientId, now);
  const hash = keyring.blindIndex(`one-time.${purpose}`, secret);
  await sql(tx, 'code-issue')`
    insert into one_time_code (id, purpose, patient_id, code_hash, created_at_s, expires_at_s)
    values (${id}, ${purpose}, ${patientId}, ${hash}, ${now}, ${now + validFor})
        on conflict (id) do update set code_hash = excluded.code_hash,
                                       expires_at_s = excluded.expires_at_s`;
}

export type CodeRow = Pick<
  typeof oneTimeCode.$inferSelect,
  'id' | 'purpose' | 'patientId' | 'codeHash' | 'expiresAt' | 'usedAt'
>;
const CODES = part`
  select id, purpose, patient_id as "patientId", code_hash as "codeHash", expires_at_s as "expiresAt", used_at_s as "usedAt"
    from one_time_code`;

/** The code with this secret, whether open, used or expired; null when there is none. */
export const findCode = (
  db: Db,
  keyring: Pick<Keyring, 'blindIndexes'>,
  purpose: Purpose,
  secret: string,
) =>
  // A link that was mailed before a change of the keys stays valid until it expires.
  firstOf(sql<CodeRow>(db, 'code-find')`
    ${CODES}
     where code_hash = any(${keyring.blindIndexes(`one-time.${purpose}`, secret)}::bytea[])
       and purpose = ${purpose}`);

/** Whether this is the code's secret: compared without the database, so that no counted guess is lost to it. */
export function isCode(
  keyring: Pick<Keyring, 'blindIndexes'>,
  { purpose, codeHash }: CodeRow,
  secret: string,
): boolean {
  const hashes = keyring.blindIndexes(`one-time.${purpose}`, secret);
  return hashes.some((hash) => timingSafeEqual(hash, codeHash));
}

/** The newest code of a patient that is neither used nor expired. */
export const latestCode = (db: Db, purpose: Purpose, patientId: string, now: number) =>
  firstOf(sql<CodeRow>(db, 'code-latest')`
    ${CODES}
     where patient_id = ${patientId} and purpose = ${purpose}
       and used_at_s is null and expires_at_s > ${now}
     order by created_at_s desc limit 1`);

/** Counts a guess before the caller compares it; returns the number of guesses, this one included. */
export async function countTry(tx: Tx, id: string): Promise<number> {
  const [row] = await sql<{ tries: number }>(tx, 'code-try')`
    update one_time_code set tries = tries + 1 where id = ${id} returning tries`;
  return row?.tries ?? Number.POSITIVE_INFINITY;
}

/** Marks a code as used. False when it is used or expired: of two parallel calls only one succeeds. */
export const takeCode = (tx: Tx, id: string, now: number, sessionHash: Uint8Array | null = null) =>
  hasRows(sql(tx, 'code-take')`
    update one_time_code set used_at_s = ${now}, session_hash = ${sessionHash}
     where id = ${id} and used_at_s is null and expires_at_s > ${now}
    returning id`);

/** Marks codes as used whose work was done in another way. */
export async function spendCodes(
  tx: Tx,
  purpose: Purpose,
  patientIds: readonly string[],
  now: number,
): Promise<void> {
  await sql(tx, 'codes-use-up')`
    update one_time_code set used_at_s = ${now}
     where patient_id = any(${patientIds}::uuid[]) and purpose = ${purpose}
       and used_at_s is null and expires_at_s > ${now}`;
}

/** Ends every open code of a patient for this purpose. */
export async function endCode(
  tx: Tx,
  purpose: Purpose,
  patientId: string,
  now: number,
): Promise<void> {
  await sql(tx, 'codes-end')`
    update one_time_code set expires_at_s = ${now}
     where patient_id = ${patientId} and purpose = ${purpose} and expires_at_s > ${now}`;
}

/** S-6: accepts each proof once across all processes, and remembers it until it would expire anyway. */
export async function spendProof(
  database: Database,
  { proof, expiresAt, now }: { readonly proof: string; expiresAt: number; readonly now: number },
): Promise<'ok' | 'refused' | 'unavailable'> {
  try {
    return await database.inTransaction(async (tx) => {
      await sql(tx, 'proofs-forget')`${spentProofs(now)}`;
      return (await spendOnce(tx, proof, expiresAt)) ? 'ok' : 'refused';
    });
  } catch (error) {
    if (failureOf(error)?.kind === 'unavailable') return 'unavailable';
    throw error;
  }
}

/** Remembers a proof until `expiresAt`. False when it was spent before. */
export const spendOnce = (tx: Tx, proof: string, expiresAt: number) =>
  hasRows(sql(tx, 'proof-spend')`
    insert into spent_proof (proof_hash, expires_at_s)
    values (${createHash('sha256').update(proof).digest()}, ${expiresAt})
        on conflict do nothing
    returning expires_at_s`);

/** Deletes the proofs that have expired. */
export const spentProofs = (now: number) =>
  part`delete from spent_proof where expires_at_s < ${now}`;
