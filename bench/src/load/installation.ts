import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../../../apps/service/testing/free-port.ts';
import { smallClinic } from '../../../apps/service/testing/small-clinic.ts';

const root = join(import.meta.dirname, '../../..');
const clinic = smallClinic();

/** What an open page of the clinic says that it is. */
export const ORIGIN = clinic.PUBLIC_URL;

/** The service as built, in a process of its own. */
export interface Instance {
  readonly port: number;
  readonly pid: number;
  /** In bytes, what it has of the memory of the machine now. */
  readonly memory: () => number;
  stop(): Promise<void>;
}

export async function startInstance(databaseUrl: string, directUrl?: string): Promise<Instance> {
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/service.mjs'], {
    cwd: root,
    env: {
      ...clinic,
      DATABASE_URL: databaseUrl,
      ...(directUrl === undefined ? {} : { DATABASE_DIRECT_URL: directUrl }),
      PORT: String(port),
      TRUST_PROXY: 'on',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Nobody is left to serve when the run is gone.
  process.once('exit', () => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-4_000)));
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`The service did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    pid: child.pid ?? 0,
    memory: () => residentBytes(child),
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok === true;
}

function residentBytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}
