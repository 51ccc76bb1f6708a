import { setTimeout as pause } from 'node:timers/promises';
import { type Db, type Engine, type Replica, type ReplicaStanding, part, sql } from './db.ts';
import { sqlStateOf } from './sqlstate.ts';

/** How long a read waits for the replica to catch up, by default. */
const PATIENCE_MS = 1_000;
const LOOK_AGAIN_MS = 10;
/** How long a replica that could not be read is not tried again. */
const AWAY_MS = 5_000;
const WRITES_REFUSED = '25006';

/** Identifies the server, its database and the schema. A replica has the same as its primary. */
const WHOSE = part`(select system_identifier from pg_control_system())::text
  || ' ' || current_database() || ' ' || coalesce(current_schema(), '')`;

/** What the primary has, and a replica must have to be read in its place. */
interface Wanted {
  readonly whose: string;
  readonly lsn: string;
  /** Changes with each promotion: positions of two servers that have split cannot be compared. */
  readonly timeline: number;
}

/**
 * A position that covers all earlier commits: a commit becomes visible once it is flushed, or at once where
 * the role's sessions do not wait for the flush.
 */
async function wantedOf(primary: Db): Promise<Wanted> {
  const [row] = await sql<Wanted>(primary, 'replica-wanted')`
    select ${WHOSE} as whose,
           case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
                else pg_current_wal_flush_lsn() end::text as lsn,
           ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;
  if (!row) throw new Error('The database did not say what it has');
  return row;
}

export interface ReplicaFacts {
  readonly standing: ReplicaStanding;
  /** How many bytes of the log it lacks. 0 and 'behind': it still follows a server that was replaced. */
  readonly lacksBytes: number;
}

/** A standby reports a new timeline only after minutes; until then it counts as behind. */
async function standsNow(replica: Db, { whose, lsn, timeline }: Wanted): Promise<ReplicaFacts> {
  interface Row {
    readonly isOurs: boolean;
    readonly isReplica: boolean;
    readonly lacksBytes: number;
    readonly timeline: number;
  }
  const [row] = await sql<Row>(replica, 'replica-standing')`
    select ${WHOSE} = ${whose} as "isOurs", pg_is_in_recovery() as "isReplica",
           greatest(0, ${lsn}::pg_lsn - coalesce(pg_last_wal_replay_lsn(), '0/0'))::float8 as "lacksBytes",
           (select greatest(c.timeline_id, r.min_recovery_end_timeline)
              from pg_control_checkpoint() c, pg_control_recovery() r) as timeline`;
  const lacksBytes = row?.lacksBytes ?? 0;
  const standsAs = (standing: ReplicaStanding) => ({ standing, lacksBytes });
  if (row?.isOurs !== true) return standsAs('foreign');
  if (!row.isReplica) return standsAs('promoted');
  return standsAs(lacksBytes === 0 && row.timeline === timeline ? 'caught-up' : 'behind');
}

/** How a replica stands, after `patienceMs` at the latest; throws when the primary does not answer. */
export async function replicaFacts(
  primary: Db,
  replica: () => Promise<Db>,
  patienceMs = PATIENCE_MS,
): Promise<ReplicaFacts> {
  const wanted = await wantedOf(primary);
  const silent: ReplicaFacts = { standing: 'silent', lacksBytes: 0 };
  let found = silent;
  const late = new AbortController();
  const look = async () => {
    const db = await replica();
    do {
      found = await standsNow(db, wanted);
      if (found.standing === 'behind') await pause(LOOK_AGAIN_MS);
    } while (found.standing === 'behind' && !late.signal.aborted);
  };
  await Promise.race([
    look().catch(() => (found = silent)),
    pause(patienceMs, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  return found;
}

export interface ReplicaPorts {
  readonly primary: Db;
  /** Called again when it fails: a replica may be away when the service starts. */
  readonly open: () => Promise<Engine>;
  readonly patienceMs?: number | undefined;
  /** Called when the standing has changed. */
  readonly onStanding: (standing: ReplicaStanding) => void;
}

/**
 * Reads a replica when it has all that the primary had at the time of the call, so that nobody gets an answer
 * from before their own change. Otherwise, and when the replica fails, the primary is read.
 */
export function createReplica({ primary, open, patienceMs, onStanding }: ReplicaPorts): Replica {
  let opening: Promise<Engine> | null = null;
  let engine: Engine | null = null;
  let isClosed = false;
  let known: ReplicaStanding | null = null;
  let awayUntil = -Infinity;

  async function opened(): Promise<Db> {
    opening ??= open();
    try {
      engine = await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
    if (isClosed) await engine.close();
    return engine.db;
  }

  function stands(standing: ReplicaStanding): ReplicaStanding {
    awayUntil = standing === 'caught-up' ? -Infinity : performance.now() + AWAY_MS;
    if (standing !== known) onStanding((known = standing));
    return standing;
  }

  async function standing(): Promise<ReplicaStanding> {
    if (known !== null && performance.now() < awayUntil) return known;
    const found = await replicaFacts(primary, opened, patienceMs);
    return stands(found.standing);
  }

  return {
    standing,
    async read(work) {
      // When the primary is away, the read below fails and tells so.
      const found = await standing().catch(() => null);
      if (found !== 'caught-up' || engine === null) return work(primary);
      try {
        return await work(engine.db);
      } catch (error) {
        // The read tried to write: on the primary it would succeed.
        if (sqlStateOf(error) === WRITES_REFUSED) throw error;
        const answer = await work(primary);
        stands('silent');
        return answer;
      }
    },
    async close() {
      isClosed = true;
      await engine?.close();
    },
  };
}
