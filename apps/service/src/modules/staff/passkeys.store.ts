import { createHash } from 'node:crypto';
import { type Db, type Tx, part, sql } from '../../database/db.ts';

/** A passkey, which staff may show in place of a one-time code. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly signCount: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

const COLUMNS = part`
  k.id, k.name, k.credential_id as "credentialId", k.public_key as "publicKey",
  k.sign_count as "signCount", k.created_at_s as "createdAt", k.last_used_at_s as "lastUsedAt"`;

/** The passkeys of a member of staff, the oldest first. */
export const passkeysOf = (db: Db, staffId: string): Promise<Passkey[]> =>
  sql<Passkey>(db, 'passkeys-of')`
    select ${COLUMNS} from staff_passkey k
     where k.staff_id = ${staffId}::uuid order by k.created_at_s, k.id`;

/** A member's passkey by its WebAuthn credential id; null when it is unknown. */
export async function passkeyOf(
  db: Db,
  staffId: string,
  credentialId: Uint8Array,
): Promise<Passkey | null> {
  const [row] = await sql<Passkey>(db, 'passkey-of')`
    select ${COLUMNS} from staff_passkey k
     where k.staff_id = ${staffId}::uuid and k.credential_id = ${credentialId}`;
  return row ?? null;
}

export interface NewPasskey extends Omit<Passkey, 'createdAt' | 'lastUsedAt'> {
  readonly staffId: string;
  readonly now: number;
}

/** False when the credential id is registered already. */
export async function insertPasskey(tx: Tx, { now, ...row }: NewPasskey): Promise<boolean> {
  const inserted = await sql(tx, 'passkey-insert')`
    insert into staff_passkey
           (id, staff_id, name, credential_id, public_key, sign_count, created_at_s)
    values (${row.id}::uuid, ${row.staffId}::uuid, ${row.name}, ${row.credentialId},
            ${row.publicKey}, ${row.signCount}, ${now})
        on conflict (credential_id) do nothing
    returning id`;
  return inserted.length > 0;
}

/** Records a use; false when the passkey was removed, or a counting device's counter has not grown. */
export async function takePasskeyUse(
  tx: Tx,
  { id, signCount }: Pick<Passkey, 'id' | 'signCount'>,
  now: number,
): Promise<boolean> {
  const taken = await sql(tx, 'passkey-take')`
    update staff_passkey set sign_count = ${signCount}, last_used_at_s = ${now}
     where id = ${id}::uuid
       and (sign_count < ${signCount} or (sign_count = 0 and ${signCount}::bigint = 0))
    returning id`;
  return taken.length > 0;
}

/** False when the member has no such passkey, or no longer has it. */
export async function deletePasskey(tx: Tx, staffId: string, id: string): Promise<boolean> {
  const gone = await sql(tx, 'passkey-delete')`
    delete from staff_passkey where id = ${id}::uuid and staff_id = ${staffId}::uuid returning id`;
  return gone.length > 0;
}

export const deletePasskeys = (tx: Tx, staffId: string) =>
  sql(tx, 'passkeys-delete')`delete from staff_passkey where staff_id = ${staffId}::uuid`;

/** The one use that a challenge is valid for. */
export interface ChallengeUse {
  readonly purpose: 'sign-in' | 'unlock' | 'add';
  /** The session's token hash, or the blind indexes of the email address, the newest key first. */
  readonly boundTo: readonly [Uint8Array, ...Uint8Array[]];
}

const hashOf = (challenge: string): Uint8Array => createHash('sha256').update(challenge).digest();

export async function keepChallenge(
  tx: Tx,
  challenge: string,
  { purpose, boundTo: [boundTo] }: ChallengeUse,
  expiresAt: number,
): Promise<void> {
  await sql(tx, 'challenge-keep')`
    insert into staff_challenge (challenge_hash, purpose, bound_to, expires_at_s)
    values (${hashOf(challenge)}, ${purpose}, ${boundTo}, ${expiresAt})`;
}

/** Deletes older challenges of the same use: a session answers one at a time. */
export const endChallenges = (tx: Tx, { purpose, boundTo }: ChallengeUse) =>
  sql(tx, 'challenges-end')`
    delete from staff_challenge
     where bound_to = any(${boundTo}::bytea[]) and purpose = ${purpose}`;

/** Uses a challenge up; false when it is unknown, expired, used before or meant for another use. */
export async function takeChallenge(
  tx: Tx,
  challenge: string,
  { purpose, boundTo }: ChallengeUse,
  now: number,
): Promise<boolean> {
  const taken = await sql(tx, 'challenge-take')`
    delete from staff_challenge
     where challenge_hash = ${hashOf(challenge)} and purpose = ${purpose}
       and bound_to = any(${boundTo}::bytea[]) and expires_at_s > ${now}
    returning purpose`;
  return taken.length > 0;
}

/** Deletes challenges that nobody answered in time. */
export const spentChallenges = (now: number) =>
  part`delete from staff_challenge where expires_at_s < ${now}`;
