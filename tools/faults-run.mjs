import { spawn } from 'node:child_process';

import { environment, root } from './node-path.mjs';

/** Runs the fault proofs in their short form; their closing line says how many passed. */
export function runFaults(environmentOfRun = {}) {
  const args = environmentOfRun.LONG === '1' ? ['--seconds', '60', '--self-test'] : ['--short'];
  const child = spawn(process.execPath, ['e2e/faults/main.ts', ...args], {
    cwd: root,
    env: { ...environment(), ...environmentOfRun },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const [, passed = '0', failed = '0'] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
      const outside = failed === '0' && code !== 0 ? 1 : 0;
      resolve({ passed: Number(passed), failed: Number(failed) + outside });
    });
  });
}
