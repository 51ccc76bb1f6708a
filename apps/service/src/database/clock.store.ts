import type { Clock } from '../server/ports.ts';
import { type Database, sql } from './db.ts';

const LOOK_EVERY_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
/** How far the host's two clocks may drift apart between two looks, and how long a look may take. */
const MOST_MS = 1_000;

export interface DatabaseClock extends Clock {
  /** How many seconds the host's clock was ahead of the database's at the last look. */
  skew(): number;
  stop(): void;
}

/** The host's clocks in milliseconds: the wall clock, which can be set, and one that only moves forward. */
export interface HostClocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

const hostClocks: HostClocks = { wall: () => Date.now(), steady: () => performance.now() };

/**
 * The database's time at the last look plus the time that has passed since, which no change of the host's
 * clock affects (ADR 9). Looks every minute, and whenever the host's clocks have drifted apart.
 */
export async function databaseClock(
  database: Pick<Database, 'db'>,
  host: HostClocks = hostClocks,
): Promise<DatabaseClock> {
  const apart = () => host.wall() - host.steady();
  let last = await look(database, host, apart);
  const inDoubt = () => Math.abs(apart() - last.apart) > MOST_MS;

  let looking: Promise<void> | null = null;
  const lookAgain = (): Promise<void> => {
    if (looking !== null) return looking;
    const found = look(database, host, apart)
      .then((next) => {
        if (next.tookMs <= MOST_MS || inDoubt()) last = next;
      })
      // While the database does not answer, the last look is the best time known.
      .catch(() => undefined)
      .finally(() => (looking = null));
    const longEnough = new Promise<void>((resolve) => setTimeout(resolve, MOST_MS).unref());
    return (looking = Promise.race([found, longEnough]));
  };

  const timer = setInterval(() => {
    if (inDoubt() || host.steady() - last.steady >= LOOK_EVERY_MS) void lookAgain();
  }, CHECK_EVERY_MS);
  timer.unref();
  return {
    now: () => Math.floor((last.database + host.steady() - last.steady) / 1000),
    async sure() {
      if (inDoubt()) await lookAgain();
    },
    skew: () => (last.steady + last.apart - last.database) / 1000,
    stop: () => clearInterval(timer),
  };
}

/**
 * The database's time, and what the host's clocks said at that moment. Assumes that the answer took half of
 * the round trip.
 */
async function look({ db }: Pick<Database, 'db'>, { steady }: HostClocks, apart: () => number) {
  const asked = steady();
  // Read before asking, so that a host that sleeps during the look is noticed afterwards.
  const apartThen = apart();
  const [row] = await sql<{ ms: number }>(db)`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  const answered = steady();
  return {
    database: row?.ms ?? Number.NaN,
    steady: (asked + answered) / 2,
    apart: apartThen,
    tookMs: answered - asked,
  };
}
