import { createHash } from 'node:crypto';
import { type Database, type Tx, part, sql } from '../../database/db.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import type { Ids } from '../../server/ports.ts';

/** S-18, in seconds: the idle time after which the screen locks, and the longest life of a session. */
export const LOCK_AFTER = 15 * 60;
export const SESSION_LIMIT = 12 * 60 * 60;
const MONTH = 30 * 24 * 60 * 60;
/** Seconds between writes of the last activity; a screen may lock this much early. */
const WRITE_EVERY = 15;

/** 43 characters of base64url: 256 bits. */
const TOKEN = /^[\w-]{43}$/;
const hashOf = (token: string): Uint8Array => createHash('sha256').update(token).digest();

type FoundRow = Omit<SignedInStaff, 'isLocked'> & { readonly lockedAt: number | null };

export type StaffSessions = ReturnType<typeof createStaffSessions>;

export function createStaffSessions(database: Database, ids: Ids) {
  return {
    /** Makes a session and returns its token, which is stored nowhere. */
    async start(tx: Tx, staffId: string, now: number): Promise<string> {
      const token = ids.token();
      await sql(tx, 'staff-session-start')`
        insert into staff_session (token_hash, staff_id, created_at_s, last_active_at_s, factor_at_s)
        values (${hashOf(token)}, ${staffId}::uuid, ${now}, ${now}, ${now})`;
      return token;
    },

    /** Null when the token has no session, the session is over, or the staff account is closed. */
    async find(token: string, now: number): Promise<SignedInStaff | null> {
      if (!TOKEN.test(token)) return null;
      const [row] = await sql<FoundRow>(database.db, 'staff-session-find')`
        select s.id, s.name, s.roles, s.provider_id as "providerId", e.token_hash as "tokenHash",
               e.created_at_s as "createdAt", e.last_active_at_s as "lastActiveAt",
               e.factor_at_s as "factorAt", e.locked_at_s as "lockedAt"
          from staff_session e join staff s on s.id = e.staff_id and s.closed_at_s is null
         where e.token_hash = ${hashOf(token)} and e.revoked_at_s is null`;
      if (!row || now - row.createdAt >= SESSION_LIMIT) return null;
      const { lockedAt, ...session } = row;
      return { ...session, isLocked: lockedAt !== null || now - row.lastActiveAt >= LOCK_AFTER };
    },

    /** Restarts the idle time after an activity. */
    async touch({ tokenHash, lastActiveAt }: SignedInStaff, now: number): Promise<void> {
      if (now - lastActiveAt < WRITE_EVERY) return;
      await sql(database.db, 'staff-session-touch')`
        update staff_session set last_active_at_s = ${now}
         where token_hash = ${tokenHash} and revoked_at_s is null and locked_at_s is null`;
    },

    async lock(tx: Tx, { tokenHash }: SignedInStaff, now: number): Promise<void> {
      await sql(tx, 'staff-session-lock')`
        update staff_session set locked_at_s = coalesce(locked_at_s, ${now})
         where token_hash = ${tokenHash}`;
    },

    /** Unlocks the session. `byFactor`: a code or passkey did, which counts as a recent second factor. */
    async open(tx: Tx, session: SignedInStaff, now: number, byFactor: boolean): Promise<void> {
      await sql(tx, 'staff-session-open')`
        update staff_session set locked_at_s = null, last_active_at_s = ${now},
               factor_at_s = case when ${byFactor}::boolean then ${now}::bigint else factor_at_s end
         where token_hash = ${session.tokenHash} and revoked_at_s is null`;
    },

    async end(tx: Tx, { tokenHash }: SignedInStaff, now: number): Promise<void> {
      await sql(tx, 'staff-session-end')`
        update staff_session set revoked_at_s = ${now}
         where token_hash = ${tokenHash} and revoked_at_s is null`;
    },
  };
}

/** Ends all sessions of a member of staff, after a reset of their factors or when they leave. */
export async function endStaffSessions(tx: Tx, staffId: string, now: number): Promise<void> {
  await sql(tx, 'staff-session-end-all')`
    update staff_session set revoked_at_s = ${now}
     where staff_id = ${staffId}::uuid and revoked_at_s is null`;
}

/** Deletes sessions that began more than a month ago. */
export const spentStaffSessions = (now: number) =>
  part`delete from staff_session where created_at_s < ${now - MONTH}`;
