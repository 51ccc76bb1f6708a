import { hash } from 'node:crypto';
import { type AccountFacts, type StaffRole, accessOf } from '@clinic/domain';
import type { Ids } from '../server/ports.ts';
import { type Database, type Db, type Part, type Tx, batched, part, sql } from '../database/db.ts';
import type { session } from './schema.ts';

declare const madeBySession: unique symbol;
/** The patient whose rows a store may touch. Only a valid session yields one, or a row that was read. */
export type PatientId = string & { readonly [madeBySession]: true };

/** The patient who sends this request. */
export interface SignedIn {
  readonly id: PatientId;
  readonly role: 'patient' | 'staff';
  readonly tokenHash: Uint8Array;
  /** The last activity that the database has stored. */
  readonly writtenActiveAt: number;
  /** True until the first call with this session. */
  readonly unused: boolean;
  /** Decides which appointment types are open to the patient. */
  readonly eligibility: string;
  readonly disabledTypes: readonly string[];
}

/** The staff member who sends this request. */
export interface SignedInStaff {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly StaffRole[];
  readonly providerId: string | null;
  readonly tokenHash: Uint8Array;
  readonly createdAt: number;
  readonly lastActiveAt: number;
  /** When the staff member last showed a second factor. */
  readonly factorAt: number;
  /** In which they read the front desk; null until they have chosen one. */
  readonly language: string | null;
  readonly isLocked: boolean;
}

export interface NewSession {
  /** 'Chrome, Android', as far as the browser says. */
  readonly device?: string;
  /** the token of a dashboard link's session, whose first use must be known; else a random token. */
  readonly linkToken?: string;
}

export type SessionFound =
  | { readonly kind: 'signedIn'; readonly patient: SignedIn }
  /** Signed in, but without 'appointment' visibility: may only sign out. */
  | { readonly kind: 'notVisible'; readonly patient: SignedIn }
  /** The session is unknown, expired, revoked or of a blocked account: one answer for all. */
  | { readonly kind: 'none' };

export interface OpenSession {
  readonly signedInAt: number;
  readonly lastActiveAt: number;
  readonly device: string;
  readonly current: boolean;
}

/** R-3, in seconds. */
export const IDLE_LIMIT = 20 * 60;
export const ABSOLUTE_LIMIT = 12 * 60 * 60;
const MONTH = 30 * 24 * 60 * 60;
const WRITE_EVERY = 60;
const MOST_REMEMBERED = 10_000;
/** The message that tells other processes whose sessions ended. */
const ENDED = 'sessions-of';
/** The longest that a lookup waits for the one before it, when the database does not answer. */
const LOOKUP_PATIENCE_MS = 1_000;

/** 43 characters of base64url: 256 bits. */
const TOKEN = /^[\w-]{43}$/;

const hashOf = (token: string): Uint8Array => hash('sha256', token, 'buffer');
const base64Of = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');

type FoundRow = Pick<
  typeof session.$inferSelect,
  'tokenHash' | 'patientId' | 'createdAt' | 'lastActiveAt'
> &
  Pick<SignedIn, 'eligibility' | 'disabledTypes'> & {
    readonly role: string;
    readonly account: AccountFacts;
  };

type ListedRow = Pick<
  typeof session.$inferSelect,
  'tokenHash' | 'createdAt' | 'lastActiveAt' | 'device'
>;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * `patients` selects id, role, account, eligibility and disabled_types of patients; the module that owns
 * their table provides it.
 */
export function createSessions(database: Database, ids: Ids, patients: Part) {
  /** Activity by session, in memory, so that the idle limit is exact although writes are rare. */
  const lastActive = new Map<string, number>();
  const remember = (key: string, now: number) => {
    lastActive.delete(key);
    lastActive.set(key, now);
    if (lastActive.size > MOST_REMEMBERED)
      lastActive.delete(lastActive.keys().next().value as string);
  };

  /**
   * Runs at every call of a patient, once for all calls that come at the same time. The hashes are a
   * subselect so that PostgreSQL plans once per connection: a bare parameter makes it plan each time.
   */
  const findRow = batched<Uint8Array, FoundRow | undefined>(async (hashes) => {
    const rows = await sql<FoundRow>(database.db, 'session-find')`
      select s.token_hash as "tokenHash", s.patient_id as "patientId",
             s.created_at_s as "createdAt", s.last_active_at_s as "lastActiveAt", p.role,
             p.account, p.eligibility, p.disabled_types as "disabledTypes"
        from session s join ${patients} p on p.id = s.patient_id
       where s.token_hash = any((select ${hashes}::bytea[])::bytea[])
         and s.revoked_at_s is null`;
    const byHash = new Map(rows.map((row) => [base64Of(row.tokenHash), row]));
    return hashes.map((each) => byHash.get(base64Of(each)));
  }, LOOKUP_PATIENCE_MS);

  function judged(row: FoundRow | undefined, now: number): SessionFound {
    if (!row) return { kind: 'none' };
    const { signIn } = accessOf(row.account);
    if (signIn === 'accountBlocked') return { kind: 'none' };
    const { tokenHash, createdAt, lastActiveAt, eligibility, disabledTypes } = row;
    const active = Math.max(createdAt, lastActiveAt, lastActive.get(base64Of(tokenHash)) ?? 0);
    if (now - active >= IDLE_LIMIT || now - createdAt >= ABSOLUTE_LIMIT) return { kind: 'none' };
    const patient: SignedIn = {
      id: row.patientId as PatientId,
      role: row.role === 'staff' ? 'staff' : 'patient',
      tokenHash,
      writtenActiveAt: lastActiveAt,
      unused: lastActiveAt < createdAt,
      eligibility,
      disabledTypes,
    };
    return { kind: signIn === null ? 'signedIn' : 'notVisible', patient };
  }

  let onEnd: ((patientId: string) => void) | undefined;
  const sayEndedAfterCommit = (patientId: string) =>
    database.afterCommit(() => {
      onEnd?.(patientId);
      database.tellOthers(`${ENDED} ${patientId}`);
    });

  return {
    /** Creates a session and returns its token, of which the database stores only the hash. */
    async start(
      tx: Tx,
      patientId: string,
      now: number,
      { device = '', linkToken }: NewSession = {},
    ): Promise<string> {
      const token = linkToken ?? ids.token();
      // A link's session has its last activity before its start, and so is unused, until its first call.
      const active = linkToken === undefined ? now : now - WRITE_EVERY;
      await sql(tx, 'session-start')`
        insert into session (token_hash, patient_id, created_at_s, last_active_at_s, device)
        values (${hashOf(token)}, ${patientId}, ${now}, ${active}, ${device})
            on conflict do nothing`;
      return token;
    },

    async find(token: string, now: number): Promise<SessionFound> {
      if (!TOKEN.test(token)) return { kind: 'none' };
      return judged(await findRow(hashOf(token)), now);
    },

    /** Restarts the idle limit. Writes to the database at most once a minute. */
    async touch({ tokenHash, writtenActiveAt }: SignedIn, now: number): Promise<void> {
      remember(base64Of(tokenHash), now);
      if (now - writtenActiveAt < WRITE_EVERY) return;
      await sql(database.db, 'session-touch')`
        update session set last_active_at_s = ${now}
         where token_hash = ${tokenHash} and revoked_at_s is null`;
    },

    async end(tx: Tx, { id, tokenHash }: SignedIn, now: number): Promise<void> {
      sayEndedAfterCommit(id);
      lastActive.delete(base64Of(tokenHash));
      await sql(tx, 'session-end')`
        update session set revoked_at_s = ${now}
         where token_hash = ${tokenHash} and revoked_at_s is null`;
    },

    /** Ends all sessions of a patient except `but`, such as after a change of password or a block. */
    async endAll(tx: Tx, patientId: string, now: number, but?: SignedIn): Promise<void> {
      sayEndedAfterCommit(patientId);
      await sql(tx, 'session-end-all')`
        update session set revoked_at_s = ${now}
         where patient_id = ${patientId} and revoked_at_s is null
           and token_hash is distinct from ${but?.tokenHash ?? null}::bytea`;
    },

    /** Calls the listener when any process has committed that some or all of a patient's sessions ended. */
    onEnded(listener: (patientId: string) => void): void {
      onEnd = listener;
      database.onTold((words) => {
        const [what, patientId] = words.split(' ');
        if (what === ENDED && patientId) listener(patientId);
      });
    },

    /** The patient's open sessions, the newest first. */
    async list({ id, tokenHash }: SignedIn, now: number): Promise<readonly OpenSession[]> {
      const rows = await sql<ListedRow>(database.db, 'session-list')`
        select token_hash as "tokenHash", created_at_s as "createdAt",
               last_active_at_s as "lastActiveAt", device
          from session
         where patient_id = ${id} and revoked_at_s is null
           and created_at_s > ${now - ABSOLUTE_LIMIT}
         order by created_at_s desc`;
      return rows.flatMap((row) => {
        const key = base64Of(row.tokenHash);
        const lastActiveAt = Math.max(row.createdAt, row.lastActiveAt, lastActive.get(key) ?? 0);
        if (now - lastActiveAt >= IDLE_LIMIT) return [];
        const current = key === base64Of(tokenHash);
        return [{ signedInAt: row.createdAt, lastActiveAt, device: row.device, current }];
      });
    },
  };
}

/** A patient's sessions for the copy of their data. */
export const ownSessions = (db: Db, patientId: PatientId) =>
  sql<object>(db)`
    select device, created_at_s as "signedInAt", last_active_at_s as "lastActiveAt",
           revoked_at_s as "endedAt"
      from session where patient_id = ${patientId} order by created_at_s`;

export const eraseSessions = (patientId: string) =>
  part`delete from session where patient_id = ${patientId}`;

/** Deletes the sessions that ended more than a month ago. */
export const spentSessions = (now: number) => part`
  delete from session
   where created_at_s < ${now - MONTH - ABSOLUTE_LIMIT} or revoked_at_s < ${now - MONTH}`;
