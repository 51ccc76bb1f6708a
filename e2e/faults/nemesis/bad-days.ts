import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { serverUser } from '../../../apps/service/testing/postgres-binaries.ts';
import { type PostgresServer, handOver } from '../../../apps/service/testing/postgres-server.ts';
import { type Cluster, withDatabase } from '../clinic/cluster.ts';
import { pause } from '../clinic/patient.ts';

/** A fault that lasts, as operators meet it. */
export interface BadDay {
  readonly what: string;
  /** Patients are refused meanwhile; otherwise they notice nothing. */
  readonly isFelt: boolean;
  /** What the database needs before services are on it. */
  readonly prepare?: (server: PostgresServer, databaseUrl: string) => Promise<void>;
  /** Begins it, and gives what ends it. */
  readonly begin: (cluster: Cluster) => Promise<() => Promise<void>>;
}

/** Room for a clinic and some minutes of bookings, and soon full. */
const DISK_MB = 256;

/** A disk of its own, which the process's end takes away with its namespace of mounts. */
function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    /** For the database's files. */
    place() {
      const place = join(folder, 'data');
      mkdirSync(place, { mode: 0o700 });
      handOver(folder, serverUser());
      return place;
    },
    fill() {
      const file = openSync(filler, 'w');
      for (let size = 2 ** 20; size >= 1;) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size /= 2;
        }
      }
      closeSync(file);
    },
    free: () => rmSync(filler),
  };
}

function diskFull(): BadDay {
  const disk = smallDisk();
  return {
    what: 'disk full',
    isFelt: true,
    prepare: (server, databaseUrl) =>
      withDatabase(server.url, async (database) => {
        const name = database.escapeIdentifier(new URL(databaseUrl).pathname.slice(1));
        const place = database.escapeLiteral(disk.place());
        await database.query(`create tablespace small location ${place}`);
        await database.query(`alter database ${name} set tablespace small`);
      }),
    async begin() {
      disk.fill();
      return async () => disk.free();
    },
  };
}

/** PostgreSQL ends itself when it can write no log; who looks after it starts it again. */
function logFull(): BadDay {
  const disk = smallDisk();
  return {
    what: 'disk of the log (pg_wal) full',
    isFelt: true,
    async prepare(server) {
      const [log, place] = [join(server.data, 'pg_wal'), disk.place()];
      await server.crash();
      cpSync(log, place, { recursive: true });
      handOver(place, serverUser());
      rmSync(log, { recursive: true });
      symlinkSync(place, log);
      await server.startAgain();
    },
    async begin({ server }) {
      disk.fill();
      await withDatabase(server.url, async (database) => {
        for (;;) {
          await database.query(`select pg_logical_emit_message(false, '', ''), pg_switch_wal()`);
        }
      }).catch(() => undefined);
      return async () => {
        disk.free();
        await server.crash();
        await server.startAgain();
      };
    },
  };
}

const connectionsUsedUp: BadDay = {
  what: 'connections used up',
  isFelt: true,
  async begin({ server, databaseUrl }) {
    const others: Client[] = [];
    const take = async () => {
      const other = new Client({ connectionString: server.url, application_name: 'others' });
      other.on('error', () => undefined);
      await other.connect();
      others.push(other);
    };
    const takeAll = async () => {
      await others[0]?.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`,
        [new URL(databaseUrl).pathname.slice(1)],
      );
      for (;;)
        if (
          !(await take().then(
            () => true,
            () => false,
          ))
        )
          return;
    };
    await take();
    const over = new AbortController();
    const taking = (async () => {
      for (; !over.signal.aborted; await pause(200)) await takeAll();
    })();
    return async () => {
      over.abort();
      await taking;
      await Promise.all(others.map((other) => other.end()));
    };
  },
};

const readOnly: BadDay = {
  what: 'database takes no writes',
  isFelt: true,
  async begin({ server }) {
    const alter = (what: string) =>
      withDatabase(server.url, async (database) => {
        await database.query(`alter system ${what}`);
        await database.query('select pg_reload_conf()');
      });
    await alter('set default_transaction_read_only = on');
    return () => alter('reset default_transaction_read_only');
  },
};

/** Each made when its turn comes. */
export const badDays: readonly (() => BadDay)[] = [
  diskFull,
  () => connectionsUsedUp,
  () => readOnly,
  logFull,
];
