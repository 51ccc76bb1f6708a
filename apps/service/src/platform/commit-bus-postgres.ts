import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { CommitBus } from './commits.ts';

const CHANNEL = 'clinic_commits';
const AGAIN_MS = 1_000;

/** LISTEN and NOTIFY, on a connection of its own. What is said is who says it, and words if any. */
export function postgresCommitBus(url: string, pool: pg.Pool): CommitBus {
  const self = randomUUID();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(heard: (words: string | null) => void): Promise<void> {
    const mine = new pg.Client({ connectionString: url, keepAlive: true });
    client = mine;
    const lost = () => {
      if (client !== mine) return;
      client = null;
      if (closed) return;
      timer = setTimeout(() => void connect(heard), AGAIN_MS);
      timer.unref();
    };
    mine.on('error', lost);
    mine.on('end', lost);
    mine.on('notification', ({ payload = '' }) => {
      const [from, ...words] = payload.split(' ');
      if (from !== self) heard(words.length === 0 ? null : words.join(' '));
    });
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      heard(null);
    } catch {
      lost();
      await mine.end().catch(() => undefined);
    }
  }

  return {
    async notify(words) {
      const said = words === undefined ? self : `${self} ${words}`;
      if (!closed) await pool.query('select pg_notify($1, $2)', [CHANNEL, said]);
    },
    listen(heard) {
      if (!closed) void connect(heard);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
