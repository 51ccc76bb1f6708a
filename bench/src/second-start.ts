import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { postgresTemplate } from '../../apps/service/testing/database-templates.ts';
import { startPostgresServer } from '../../apps/service/testing/postgres-server.ts';
import { startInstance } from './load/installation.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const STARTS = 4;
/** Milliseconds from the command until the clinic is ready, on a data folder that exists. */
const AIM = { npm: 1300, node: 1000 } as const;
/** Megabytes beyond those of the embedded engine by itself. */
const BEYOND = { idle: 100, peak: 50 } as const;
/** Megabytes of the service on a PostgreSQL server, as built. */
const PRODUCTION_IDLE = 200;
/** What a start leaves to be done is done by then. */
const IDLE_AFTER_MS = 5_000;

const npmStart = ['npm', 'start'] as const;
const nodeStart = [process.execPath, join(root, 'tools/start.mjs')] as const;
const engineAlone = [
  process.execPath,
  fileURLToPath(new URL('./engine-alone.ts', import.meta.url)),
] as const;

/** The practice clinic as a whole process: how soon it is ready, and what memory it takes. */
export async function measureSecondStart(): Promise<Row[]> {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'clinic-bench-')));
  const [clinic = '', alone = ''] = folders;
  try {
    const first = await startOnce(nodeStart, clinic);
    const engineFirst = await startOnce(engineAlone, alone);
    const byNpm: number[] = [];
    const byNode: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      byNpm.push((await startOnce(npmStart, clinic)).ms);
      byNode.push((await startOnce(nodeStart, clinic)).ms);
    }
    const idle = await startOnce(nodeStart, clinic, IDLE_AFTER_MS);
    const engineIdle = await startOnce(engineAlone, alone, IDLE_AFTER_MS);
    const ready = (name: string, samples: readonly number[], value: number): Row => ({
      name,
      ours: figure('ms', samples),
      limit: { what: 'aim', value },
      aim: 'under',
    });
    const memory = (what: keyof typeof BEYOND, ours: number, engine: number): Row => ({
      name: `memory of the practice clinic, ${what}`,
      ours: figure('MB', [ours]),
      limit: { what: `PGlite alone and ${BEYOND[what]}`, value: engine + BEYOND[what] },
      aim: 'under',
    });
    return [
      ready('start, second time, npm start', byNpm, AIM.npm),
      ready('start, second time, tools/start.mjs', byNode, AIM.node),
      memory('idle', idle.resident, engineIdle.resident),
      memory('peak', first.peak, engineFirst.peak),
      await measureProductionIdle(),
    ];
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** What the service keeps of the machine while nobody asks it for anything. */
async function measureProductionIdle(): Promise<Row> {
  const server = await startPostgresServer({ durable: true });
  try {
    const database = await server.createDatabase('idle', await postgresTemplate(server.url));
    const instance = await startInstance(database);
    try {
      await pause(IDLE_AFTER_MS);
      return {
        name: 'memory of the service in production, idle',
        ours: figure('MB', [instance.memory() / 1024 / 1024]),
        limit: { what: 'aim', value: PRODUCTION_IDLE },
        aim: 'under',
      };
    } finally {
      await instance.stop();
    }
  } finally {
    await server.stop();
  }
}

interface Started {
  readonly ms: number;
  /** Megabytes, of the process that says that it is ready. */
  readonly resident: number;
  readonly peak: number;
}

/** From the command to the last line at start, and the memory `idleMs` later. */
async function startOnce(
  [command, ...args]: readonly [string, ...string[]],
  dataDir: string,
  idleMs = 0,
): Promise<Started> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that all of it ends.
    detached: true,
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const ms = (await said(child, 'ready at')) - began;
    await pause(idleMs);
    const status = readFileSync(`/proc/${innermost(child.pid ?? 0)}/status`, 'utf8');
    const megabytes = (field: string) =>
      Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
    return { ms, resident: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await gone;
  }
}

/** When it said so. */
const said = (child: ChildProcess, words: string) =>
  new Promise<number>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(words)) resolve(performance.now());
    });
    child.once('exit', (code) => reject(new Error(`The start ended with ${code}: ${text}`)));
  });

/** The process that a command's first child, and so on, runs in. */
function innermost(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return child ? innermost(Number(child)) : pid;
}
