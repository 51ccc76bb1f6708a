import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { CommitBus } from './commits.ts';
import { listeningClients } from './listening-client.ts';

const CHANNEL = 'clinic_commits';
const AGAIN_MS = 1_000;

/**
 * LISTEN and NOTIFY, on a connection of its own. What is said is who says it, and words if any.
 * Nobody hears a connection fall silent that only listens: it is asked something every `waitMs`,
 * and made anew when it has not answered after as long again.
 */
export function postgresCommitBus(url: string, pool: pg.Pool, waitMs: number): CommitBus {
  const self = randomUUID();
  const { Client } = listeningClients(waitMs);
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(heard: (words: string | null) => void): Promise<void> {
    const mine = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: waitMs,
    });
    client = mine;
    const asking = setInterval(() => {
      mine.query('select 1').catch(() => undefined);
    }, waitMs).unref();
    const lost = () => {
      clearInterval(asking);
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
