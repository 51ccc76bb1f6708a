import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import { figure } from './report.ts';
import type { Row } from './report.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const main = join(root, 'apps/practice/src/main.ts');
const STARTS = 4;

/** `npm start` on a data folder that exists, until it says that the clinic is ready. */
export async function measureSecondStart(): Promise<Row[]> {
  if (!existsSync(main)) {
    console.log('     (there is no practice clinic to start yet)');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'clinic-bench-'));
  try {
    await startOnce(folder);
    const samples: number[] = [];
    for (let start = 0; start < STARTS; start++) samples.push(await startOnce(folder));
    return [
      {
        name: 'start, second time',
        ours: figure('ms', samples),
        limit: { what: 'aim', value: 1500 },
        aim: 'under',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from the command to the log's last line at start. */
async function startOnce(dataDir: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'tools/start.mjs')], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    return await new Promise<number>((resolve, reject) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Clinic ready at')) resolve(performance.now() - began);
      });
      child.once('exit', (code) => reject(new Error(`The start ended with ${code}: ${said}`)));
    });
  } finally {
    child.kill('SIGTERM');
    await gone;
  }
}
