import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Client, escapeIdentifier } from 'pg';

import { freePort } from './free-port.ts';
import { type ServerUser, postgresBinaries } from './postgres-binaries.ts';

export type PostgresServer = {
  /** Of the database `postgres`, as the superuser. */
  url: string;
  /** The postmaster, for runs that kill it. */
  readonly pid: number;
  /** Its data folder. */
  readonly data: string;
  /** Stops at once, as a crash would: nothing is written that was not already on its way. */
  crash: () => Promise<void>;
  /** Starts again on the same data and the same port, and waits until it answers. */
  startAgain: () => Promise<void>;
  /** Gives the URL of a new database; a template that nobody is connected to makes it fast. */
  createDatabase: (name?: string, template?: string) => Promise<string>;
  stop: () => Promise<void>;
};

export type PostgresServerOptions = {
  /** With fsync and all, as in production. Otherwise nothing waits for the disk. */
  durable?: boolean;
  /** Further settings of postgresql.conf. */
  settings?: Record<string, string>;
  /** The folder of another PostgreSQL's programs than those of the npm package. */
  programs?: string;
  /** A data folder to start on a copy of, with the URL of the server that it is from. */
  from?: { readonly data: string; readonly url: string };
  /** A running server to be a streaming replica of. */
  follows?: PostgresServer;
};

const carefree = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const common = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  timezone: 'UTC',
  log_min_messages: 'fatal',
};

/** One PostgreSQL server, 18 unless told otherwise, on a free port, gone when `stop` is called or this process ends. */
export async function startPostgresServer(
  options: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const { initdb, postgres, user, temporaryFolders } = await postgresBinaries(options.programs);
  const folder = mkdtempSync(join(tmpdir(), 'clinic-postgres-'));
  const folders = [folder, ...temporaryFolders];
  const removeFolders = () => {
    for (const each of folders) rmSync(each, { recursive: true, force: true });
  };
  try {
    const { follows, from = follows } = options;
    const password = from ? new URL(from.url).password : randomBytes(12).toString('hex');
    const data = join(folder, 'data');
    if (follows) await beginAsStandby(follows, data);
    else if (from) cpSync(from.data, data, { recursive: true });
    if (from) makeItsOwn(data, folder, user);
    else await initialise({ initdb, folder, data, password, user });
    const port = await freePort();
    const settings = {
      ...common,
      ...(options.durable === true ? {} : carefree),
      ...(follows && { primary_conninfo: follows.url }),
      ...options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    const start = async () => {
      const server = spawn(postgres, ['-D', data, '-p', String(port), ...flags], {
        ...user,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const guarded = guard(server, folders);
      await answers(server, url);
      return { server, ...guarded };
    };
    let running = await start();
    return {
      url,
      data,
      get pid() {
        return running.server.pid ?? 0;
      },
      crash: async () => {
        running.dismiss();
        await stop(running.server, 'SIGQUIT');
      },
      startAgain: async () => {
        running = await start();
      },
      createDatabase: (name, template) => createDatabase(url, name, template),
      stop: async () => {
        await stop(running.server, 'SIGINT');
        running.letGo();
        removeFolders();
      },
    };
  } catch (error) {
    removeFolders();
    throw error;
  }
}

interface NewData {
  readonly initdb: string;
  readonly folder: string;
  readonly data: string;
  readonly password: string;
  readonly user: ServerUser;
}

async function initialise({ initdb, folder, data, password, user }: NewData) {
  const passwordFile = join(folder, 'password');
  mkdirSync(data);
  writeFileSync(passwordFile, password);
  handOver(folder, user);
  const flags = ['--auth=password', '--username=postgres', '--encoding=UTF8', '--locale=C'];
  await promisify(execFile)(
    initdb,
    [`--pgdata=${data}`, `--pwfile=${passwordFile}`, '--no-sync', '--no-instructions', ...flags],
    { ...user, cwd: folder },
  );
}

/** Copies a server's data folder while it serves: by pg_basebackup, which the npm package lacks, where it is. */
export async function baseBackup(
  { data, url }: Pick<PostgresServer, 'data' | 'url'>,
  backup: string,
): Promise<void> {
  const { TEST_POSTGRES: programs } = process.env;
  if (programs !== undefined) {
    const args = [`--pgdata=${backup}`, '--checkpoint=fast', `--dbname=${url}`];
    await promisify(execFile)(join(programs, 'pg_basebackup'), args);
    return;
  }
  const client = new Client(url);
  await client.connect();
  await client.query(`select pg_backup_start('copy', fast => true)`);
  const left = new Set(['pg_wal', 'postmaster.pid', 'postmaster.opts']);
  cpSync(data, backup, { recursive: true, filter: (path) => !left.has(basename(path)) });
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop()',
  );
  await client.end();
  mkdirSync(join(backup, 'pg_wal'));
  writeFileSync(join(backup, 'backup_label'), rows[0]?.labelfile ?? '');
}

async function beginAsStandby(server: PostgresServer, data: string) {
  await baseBackup(server, data);
  writeFileSync(join(data, 'standby.signal'), '');
}

function makeItsOwn(data: string, folder: string, user: ServerUser) {
  chmodSync(data, 0o700);
  handOver(folder, user);
}

/** Makes a folder the server's own. */
export function handOver(folder: string, user: ServerUser) {
  if ('uid' in user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
}

/** Waits until the server takes connections, or throws what it said before it ended. */
async function answers(server: ChildProcess, url: string) {
  let said = '';
  server.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
    const client = new Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function guard(server: ChildProcess, folders: string[]) {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'postgres-guard.mjs');
  const child = spawn(process.execPath, [script, String(server.pid), ...folders], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  // Neither the server nor its guard keeps the process alive that started them.
  server.unref();
  for (const stream of [child.stdin, server.stderr]) {
    if (stream !== null && 'unref' in stream) (stream as { unref: () => void }).unref();
  }
  return {
    /** The server is gone for good: the guard removes what is left and ends. */
    letGo: () => child.stdin.end(),
    /** The server will be started again: the guard ends and leaves the folders. */
    dismiss: () => child.kill('SIGKILL'),
  };
}

async function stop(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT') {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  const gone = once(server, 'exit');
  server.kill(signal);
  await gone;
}

async function createDatabase(serverUrl: string, name?: string, template = 'template1') {
  const database = name ?? `clinic_${randomBytes(6).toString('hex')}`;
  const client = new Client(serverUrl);
  await client.connect();
  try {
    await client.query(
      `CREATE DATABASE ${escapeIdentifier(database)} TEMPLATE ${escapeIdentifier(template)}`,
    );
  } finally {
    await client.end();
  }
  return Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
}
