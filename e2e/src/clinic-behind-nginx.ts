import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPgbouncer } from '../../apps/service/testing/pgbouncer.ts';
import { freePort } from '../../apps/service/testing/free-port.ts';
import { startPostgresServer } from '../../apps/service/testing/postgres-server.ts';
import { startNginx } from '../faults/nginx.ts';
import { type ClinicOptions, type ClinicProcess, startPractice } from './clinic-process.ts';

/**
 * A practice clinic as docs/operating.md has one of several instances: two behind nginx, PgBouncer in
 * transaction mode before PostgreSQL.
 */
export async function openClinicBehindNginx({
  now,
  env = {},
}: ClinicOptions): Promise<ClinicProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const server = await startPostgresServer();
  const pooler = await startPgbouncer(server.url);
  const ports = [await freePort(), await freePort()] as const;
  const nginx = await startNginx(ports);
  const url = `http://127.0.0.1:${nginx.port}`;
  const own = {
    ...env,
    PUBLIC_URL: url,
    DATABASE_URL: pooler.through(await server.createDatabase()),
  };
  const start = (data: string, port: number) =>
    startPractice(data, { now, env: { ...own, PORT: String(port) } });
  const one = await start(first, ports[0]);
  mkdirSync(second);
  copyFileSync(join(first, 'keyring.json'), join(second, 'keyring.json'));
  const other = await start(second, ports[1]);
  // The other one started later.
  await other.advance((await one.clock()) - (await other.clock()));
  return {
    daySheet: null,
    url,
    advance: () => Promise.reject(new Error('Two clocks are not moved as one.')),
    command: one.command,
    restart: () => Promise.reject(new Error('Two services are not restarted as one.')),
    stop: async () => {
      await nginx.close();
      await Promise.all([one.end('SIGKILL'), other.end('SIGKILL')]);
      await pooler.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
