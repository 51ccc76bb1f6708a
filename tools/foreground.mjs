// Plain JavaScript with built-ins only.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A terminal sends Ctrl-C to all its processes; a second signal would make them stop at once. */
const fromTerminal = () => process.stdin.isTTY;

/**
 * Runs programs that share the terminal until the first one ends. Hands signals on to them, ends the others,
 * and returns the exit code of the first. With `stdio: 'pipe'` their output goes through this process, along
 * with its own.
 */
export async function runTogether(programs) {
  const children = programs.map(([command, args, options]) =>
    spawn(command, args, { stdio: 'inherit', ...options }),
  );
  for (const { stdout, stderr } of children) {
    stdout?.pipe(process.stdout, { end: false });
    stderr?.pipe(process.stderr, { end: false });
  }
  const tell = (signal) => {
    for (const child of children) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    }
  };
  const handOn = (signal) => {
    if (signal === 'SIGTERM' || !fromTerminal()) tell(signal);
  };
  for (const signal of signals) process.on(signal, handOn);
  const ends = children.map(
    (child) =>
      new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
      }),
  );
  try {
    return await Promise.race(ends);
  } finally {
    tell('SIGTERM');
    await Promise.allSettled(ends);
    for (const signal of signals) process.off(signal, handOn);
  }
}

export const runInForeground = (command, args, options) => runTogether([[command, args, options]]);
