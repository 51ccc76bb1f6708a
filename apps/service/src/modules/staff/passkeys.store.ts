import { createHash } from 'node:crypto';
import { type Db, type Tx, part, sql } from '../../database/db.ts';

/** What somebody of the staff shows in place of a code. */
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

/** Their own, the oldest first. */
export const passkeysOf = (db: Db, staffId: string): Promise<Passkey[]> =>
  sql<Passkey>(db, 'passkeys-of')`
    select ${COLUMNS} from staff_passkey k
     where k.staff_id = ${staffId}::uuid order by k.created_at_s, k.id`;

/** One of their own, by what browsers call it. */
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

/** False where it is somebody's already. */
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

/** Notes a use; false where it was removed meanwhile, or its device has counted as far before. */
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

/** False where it is none of theirs, or not any more. */
export async function deletePasskey(tx: Tx, staffId: string, id: string): Promise<boolean> {
  const gone = await sql(tx, 'passkey-delete')`
    delete from staff_passkey where id = ${id}::uuid and staff_id = ${staffId}::uuid returning id`;
  return gone.length > 0;
}

export const deletePasskeys = (tx: Tx, staffId: string) =>
  sql(tx, 'passkeys-delete')`delete from staff_passkey where staff_id = ${staffId}::uuid`;

/** What a challenge is for: it counts for that alone. */
export interface ChallengeUse {
  readonly purpose: 'sign-in' | 'unlock' | 'add';
  /** The address that signs in, blindly, or the session; under each key that it may be kept by. */
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

/** A session asks for one thing at a time: a newer challenge ends the older ones. */
export const endChallenges = (tx: Tx, { purpose, boundTo }: ChallengeUse) =>
  sql(tx, 'challenges-end')`
    delete from staff_challenge
     where bound_to = any(${boundTo}::bytea[]) and purpose = ${purpose}`;

/** Uses a challenge up, once; false where it is none of ours for this, or is over. */
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

/** Challenges that nobody answered in time. */
export const spentChallenges = (now: number) =>
  part`delete from staff_challenge where expires_at_s < ${now}`;
