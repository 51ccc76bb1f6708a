import { createHash } from 'node:crypto';
import { type Tx, part, sql } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';

/** S-18, in seconds: the idle time after which the screen locks, and the longest life of a session. */
export const LOCK_AFTER = 15 * 60;
export const SESSION_LIMIT = 12 * 60 * 60;
const MONTH = 30 * 24 * 60 * 60;
/** When a session locks by itself, or is over, unless there is another activity. */
export const locksAt = ({
  createdAt,
  lastActiveAt,
}: Pick<SignedInStaff, 'createdAt' | 'lastActiveAt'>): number =>
  Math.min(lastActiveAt + LOCK_AFTER, createdAt + SESSION_LIMIT);
/** Seconds between writes of the last activity; a screen may lock this much early. */
const WRITE_EVERY = 15;

/** 43 characters of base64url: 256 bits. */
const TOKEN = /^[\w-]{43}$/;
const hashOf = (token: string): Uint8Array => createHash('sha256').update(token).digest();

type FoundRow = Omit<SignedInStaff, 'isLocked'> & { readonly lockedAt: number | null };

/** A session that is not over. */
export interface OpenStaffSession {
  readonly id: string;
  /** 'Chrome, Windows', as far as the browser said; '' when it said neither. */
  readonly device: string;
  readonly signedInAt: number;
  readonly lastActiveAt: number;
  readonly isLocked: boolean;
  readonly isCurrent: boolean;
}

type ListedRow = Pick<OpenStaffSession, 'id' | 'device' | 'signedInAt' | 'lastActiveAt'> & {
  readonly lockedAt: number | null;
  readonly tokenHash: Uint8Array;
};

type Ports = Pick<Platform, 'database' | 'realtime'>;

export type StaffSessions = ReturnType<typeof createStaffSessions>;

/** Sessions of staff. Once one has ended or was locked, its web sockets are closed in every process. */
export function createStaffSessions(ports: Ports & Pick<Platform, 'ids'>) {
  const { database, ids } = ports;
  return {
    /** Makes a session and returns its token, which is stored nowhere. */
    async start(tx: Tx, staffId: string, now: number, device = ''): Promise<string> {
      const token = ids.token();
      await sql(tx, 'staff-session-start')`
        insert into staff_session
               (token_hash, staff_id, device, created_at_s, last_active_at_s, factor_at_s)
        values (${hashOf(token)}, ${staffId}::uuid, ${device}, ${now}, ${now}, ${now})`;
      return token;
    },

    /** Ends the session of a token, of any member of staff: somebody signs in anew in its browser. */
    async endFormer(tx: Tx, token: string, now: number): Promise<void> {
      if (!TOKEN.test(token)) return;
      const [ended] = await sql<{ staffId: string }>(tx, 'staff-session-end-former')`
        update staff_session set revoked_at_s = ${now}
         where token_hash = ${hashOf(token)} and revoked_at_s is null
        returning staff_id as "staffId"`;
      if (ended !== undefined) sayEnded(ports, ended.staffId);
    },

    /** The open sessions of a member of staff, the newest first. */
    async list(staffId: string, asking: SignedInStaff, now: number): Promise<OpenStaffSession[]> {
      const rows = await sql<ListedRow>(database.db, 'staff-session-list')`
        select e.id, e.device, e.created_at_s as "signedInAt", e.last_active_at_s as "lastActiveAt",
               e.locked_at_s as "lockedAt", e.token_hash as "tokenHash"
          from staff_session e
         where e.staff_id = ${staffId}::uuid and e.revoked_at_s is null
           and e.created_at_s > ${now - SESSION_LIMIT}
         order by e.created_at_s desc, e.id`;
      return rows.map(({ lockedAt, tokenHash, ...row }) => ({
        ...row,
        isLocked: lockedAt !== null || now - row.lastActiveAt >= LOCK_AFTER,
        isCurrent: Buffer.compare(tokenHash, asking.tokenHash) === 0,
      }));
    },

    /** Null when the token has no session, the session is over, or the staff account is closed. */
    async find(token: string, now: number): Promise<SignedInStaff | null> {
      if (!TOKEN.test(token)) return null;
      const [row] = await sql<FoundRow>(database.db, 'staff-session-find')`
        select s.id, s.name, s.roles, s.provider_id as "providerId", s.language,
               e.token_hash as "tokenHash", e.created_at_s as "createdAt", e.last_active_at_s as "lastActiveAt",
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

    async lock(tx: Tx, { id, tokenHash }: SignedInStaff, now: number): Promise<void> {
      sayEnded(ports, id);
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

    async end(tx: Tx, { id, tokenHash }: SignedInStaff, now: number): Promise<void> {
      sayEnded(ports, id);
      await sql(tx, 'staff-session-end')`
        update staff_session set revoked_at_s = ${now}
         where token_hash = ${tokenHash} and revoked_at_s is null`;
    },
  };
}

const sayEnded = ({ database, realtime }: Ports, staffId: string) =>
  database.afterCommit(() => realtime.leftDesk(staffId));

interface Ending {
  readonly staffId: string;
  /** The one session that ends; left out, all do. */
  readonly id?: string | undefined;
  /** The session that stays in any case. */
  readonly but?: SignedInStaff;
}

/** Ends sessions of a member of staff; the number of those that were not over. */
export async function endStaffSessions(
  ports: Ports,
  tx: Tx,
  { staffId, id, but }: Ending,
  now: number,
): Promise<number> {
  sayEnded(ports, staffId);
  const ended = await sql(tx, 'staff-session-end-all')`
    update staff_session set revoked_at_s = ${now}
     where staff_id = ${staffId}::uuid and revoked_at_s is null
       and id = coalesce(${id ?? null}::uuid, id) and created_at_s > ${now - SESSION_LIMIT}
       and token_hash is distinct from ${but?.tokenHash ?? null}::bytea
    returning id`;
  return ended.length;
}

/** Deletes sessions that began more than a month ago. */
export const spentStaffSessions = (now: number) =>
  part`delete from staff_session where created_at_s < ${now - MONTH}`;
