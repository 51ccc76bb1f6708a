import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { serverUser } from './postgres-binaries.ts';
import { freePort } from './free-port.ts';
import type { Pooler } from './transaction-pooler.ts';

/** Where PGBOUNCER names it, or the system finds it. */
const program = (): string => process.env.PGBOUNCER ?? 'pgbouncer';

/** Such as [1, 24]. */
function versionOf(): readonly [major: number, minor: number] {
  const { stdout } = spawnSync(program(), ['--version'], { ...serverUser(), encoding: 'utf8' });
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  if (major === undefined) throw new Error(`${program()} is no PgBouncer that runs here`);
  return [Number(major), Number(minor)];
}

/** The first since 1.21, with the setting that 1.24 has unless told otherwise. */
const carriesNames = ([major, minor]: readonly [number, number]) => major > 1 || minor >= 21;

const operating = join(import.meta.dirname, '../../../docs/operating.md');

/** The configuration that operators are given, at other addresses. */
function configuration(server: URL, port: number, folder: string): string {
  const [, given] =
    /^```ini\n(\[databases\][^]*?)^```$/m.exec(readFileSync(operating, 'utf8')) ?? [];
  if (given === undefined) throw new Error('docs/operating.md has no configuration of PgBouncer');
  return given
    .replace(/^clinic = .*$/m, `* = host=${server.hostname} port=${server.port}`)
    .replace(/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1')
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${join(folder, 'users.txt')}`);
}

/** PgBouncer before the server of this address, for its role and those of `urls`, on a free port, until it is closed. */
export async function startPgbouncer(
  serverUrl: string,
  urls: readonly string[] = [],
): Promise<Pooler> {
  const server = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'clinic-pgbouncer-'));
  const port = await freePort();
  const user = serverUser();
  const users = [serverUrl, ...urls].map((url) => {
    const { username, password } = new URL(url);
    return `"${username}" "${password}"\n`;
  });
  writeFileSync(join(folder, 'users.txt'), users.join(''));
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration(server, port, folder));
  if ('uid' in user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const child = spawn(program(), [join(folder, 'pgbouncer.ini')], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-4_000)));
  const through = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  const isUp = async () => {
    const client = new Client(through(serverUrl));
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  };
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    namedStatements: carriesNames(versionOf()),
    through,
    async close() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
