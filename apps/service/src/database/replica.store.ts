import { setTimeout as pause } from 'node:timers/promises';
import { type Db, type Engine, type Replica, type ReplicaStanding, part, sql } from './db.ts';
import { sqlStateOf } from './sqlstate.ts';

/** A read waits no longer for what the replica lacks, unless said otherwise. */
const PATIENCE_MS = 1_000;
const LOOK_AGAIN_MS = 10;
/** So long a replica that could not be read is not asked again. */
const AWAY_MS = 5_000;
const WRITES_REFUSED = '25006';

/** The server, the database in it and the schema in that. A replica has its primary's. */
const WHOSE = part`(select system_identifier from pg_control_system())::text
  || ' ' || current_database() || ' ' || coalesce(current_schema(), '')`;

/** What the primary has, and so must a replica that is read in its place. */
interface Wanted {
  readonly whose: string;
  readonly lsn: string;
  /** Another one after each promotion: of two servers that were one, positions say nothing. */
  readonly timeline: number;
}

/**
 * All that was committed before is below: a commit is seen once it is flushed, or, where the role's
 * sessions do not wait for that, at once.
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
  /** What it lacks of the log. None, and behind: it still follows a server that was replaced. */
  readonly lacksBytes: number;
}

/** The timeline that a standby tells follows its own after minutes: till then it counts as behind. */
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

/** How a replica stands, after `patienceMs` at the latest; throws where the primary does not say what it has. */
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
  /** Tried again where it fails: a replica may be away when the service starts. */
  readonly open: () => Promise<Engine>;
  readonly patienceMs?: number | undefined;
  /** Told when it stands otherwise than before. */
  readonly onStanding: (standing: ReplicaStanding) => void;
}

/**
 * A replica is read where it has all that the primary had when the read was asked for: nobody gets an
 * answer from before what they did. Otherwise, and where it fails, the primary is read.
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
      // Where the primary is away, what is read there next says so.
      const found = await standing().catch(() => null);
      if (found !== 'caught-up' || engine === null) return work(primary);
      try {
        return await work(engine.db);
      } catch (error) {
        // It would write at the primary.
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
