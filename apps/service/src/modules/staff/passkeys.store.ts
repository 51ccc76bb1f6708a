import { createHash } from 'node:crypto';
import { columnsOf } from '../../database/column-types.ts';
import { type Db, type Tx, firstOf, hasRows, part, sql } from '../../database/db.ts';
import { staffPasskey } from './schema.ts';

/** A passkey, which staff may show in place of a one-time code. */
export type Passkey = Readonly<typeof staffPasskey.$inferSelect>;

const PASSKEYS = part`select ${columnsOf(staffPasskey, 'k')} from staff_passkey k`;

/** The passkeys of a member of staff, the oldest first. */
export const passkeysOf = (db: Db, staffId: string): Promise<Passkey[]> =>
  sql<Passkey>(db, 'passkeys-of')`
    ${PASSKEYS}
     where k.staff_id = ${staffId}::uuid order by k.created_at_s, k.id`;

/** A member's passkey by its WebAuthn credential id; null when it is unknown. */
export const passkeyOf = (db: Db, staffId: string, credentialId: Uint8Array) =>
  firstOf(sql<Passkey>(db, 'passkey-of')`
    ${PASSKEYS}
     where k.staff_id = ${staffId}::uuid and k.credential_id = ${credentialId}`);

/** False when the credential id is registered already. */
export const insertPasskey = (tx: Tx, row: Omit<Passkey, 'lastUsedAt'>) =>
  hasRows(sql(tx, 'passkey-insert')`
    insert into staff_passkey
           (id, staff_id, name, credential_id, public_key, sign_count, created_at_s)
    values (${row.id}::uuid, ${row.staffId}::uuid, ${row.name}, ${row.credentialId},
            ${row.publicKey}, ${row.signCount}, ${row.createdAt})
        on conflict (credential_id) do nothing
    returning id`);

/** Records a use; false when the passkey was removed, or a counting device's counter has not grown. */
export const takePasskeyUse = (
  tx: Tx,
  { id, signCount }: Pick<Passkey, 'id' | 'signCount'>,
  now: number,
) =>
  hasRows(sql(tx, 'passkey-take')`
    update staff_passkey set sign_count = ${signCount}, last_used_at_s = ${now}
     where id = ${id}::uuid
       and (sign_count < ${signCount} or (sign_count = 0 and ${signCount}::bigint = 0))
    returning id`);

/** False when the member has no such passkey, or no longer has it. */
export const deletePasskey = (tx: Tx, staffId: string, id: string) =>
  hasRows(sql(tx, 'passkey-delete')`
    delete from staff_passkey where id = ${id}::uuid and staff_id = ${staffId}::uuid returning id`);

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
export const takeChallenge = (
  tx: Tx,
  challenge: string,
  { purpose, boundTo }: ChallengeUse,
  now: number,
) =>
  hasRows(sql(tx, 'challenge-take')`
    delete from staff_challenge
     where challenge_hash = ${hashOf(challenge)} and purpose = ${purpose}
       and bound_to = any(${boundTo}::bytea[]) and expires_at_s > ${now}
    returning purpose`);

/** Deletes challenges that nobody answered in time. */
export const spentChallenges = (now: number) =>
  part`delete from staff_challenge where expires_at_s < ${now}`;
