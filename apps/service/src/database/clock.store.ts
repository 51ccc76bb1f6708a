import type { Clock } from '../server/ports.ts';
import { type Database, sql } from './db.ts';

const LOOK_EVERY_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
/** How far the host's two clocks may part between two looks, and how long a look may be on its way. */
const MOST_MS = 1_000;

export interface DatabaseClock extends Clock {
  /** How far the host's clock was before the database's when it was looked last, in seconds. */
  skew(): number;
  stop(): void;
}

/** The clocks of the host, in milliseconds: one that is set, and one that only goes on. */
export interface HostClocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

const hostClocks: HostClocks = { wall: () => Date.now(), steady: () => performance.now() };

/** What the database said, and what the host's clocks said then. */
interface Look {
  readonly database: number;
  readonly steady: number;
  readonly apart: number;
  readonly tookMs: number;
}

/**
 * The database's instant at the last look and the time that went by since, which no step of the
 * host's clock changes (ADR 9). It looks every minute, and when the host's clocks have parted.
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
      // While the database does not answer, the last look is the best there is.
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

/** Half of the way there and back is the way back. */
async function look(
  { db }: Pick<Database, 'db'>,
  { steady }: HostClocks,
  apart: () => number,
): Promise<Look> {
  const asked = steady();
  // As it was when asked: a host that sleeps meanwhile is noticed afterwards.
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
