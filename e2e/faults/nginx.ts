import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { serverUser } from '../../apps/service/testing/postgres-binaries.ts';
import { freePort } from '../../apps/service/testing/free-port.ts';
import { pause } from './clinic/patient.ts';

export interface Nginx {
  readonly port: number;
  /** Sends nothing new to this service until it is put back; docs/operating.md says how. */
  takeOut(index: number): void;
  putBack(): void;
  close(): Promise<void>;
}

const operating = join(import.meta.dirname, '../../docs/operating.md');

/** The configuration that operators are given, at other addresses and without TLS. */
function configuration([first, second]: readonly [number, number], port: number, folder: string) {
  const [main, given] = [
    ...readFileSync(operating, 'utf8').matchAll(/^```nginx\n([^]*?)^```$/gm),
  ].map(([, text]) => text);
  if (main === undefined || given === undefined)
    throw new Error('docs/operating.md lacks a configuration of nginx');
  const here = given
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${second}`)
    .replace('listen 443 ssl ', `listen 127.0.0.1:${port} `)
    .replaceAll('/var/log/nginx', folder)
    .replaceAll(/^ *ssl_certificate.*\n/gm, '');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  return `daemon off;
pid ${join(folder, 'nginx.pid')};
error_log stderr crit;
${main}
http {
access_log off;
${folders}
${here}
}
`;
}

/** nginx before two services, on a free port, until it is closed. */
export async function startNginx(services: readonly [number, number]): Promise<Nginx> {
  const program = process.env['NGINX'] ?? 'nginx';
  const folder = mkdtempSync(join(tmpdir(), 'clinic-nginx-'));
  const port = await freePort();
  const user = serverUser();
  const file = join(folder, 'nginx.conf');
  const whole = configuration(services, port, folder);
  writeFileSync(file, whole);
  if ('uid' in user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', file], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-4_000)));
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${said}`);
    await pause(20);
  }
  const reload = (text: string) => {
    writeFileSync(file, text);
    child.kill('SIGHUP');
  };
  return {
    port,
    takeOut: (index) =>
      reload(whole.replace(new RegExp(`(:${services[index]} .*);`, 'g'), '$1 backup;')),
    putBack: () => reload(whole),
    async close() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
