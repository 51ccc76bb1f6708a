import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const repository = resolve(import.meta.dirname, '../..');
const seeded = join(repository, 'node_modules/.cache/seeded-clinics');

export interface ClinicProcess {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Where a person plays the receptionist, in a clinic on a fake OSCAR. */
  readonly daySheet: string | null;
  /** Moves the clinic's clock on. */
  readonly advance: (seconds: number) => Promise<void>;
  /** `npm run clinic -- …` beside the running clinic; gives what it printed. */
  readonly command: (...words: readonly string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface ClinicOptions {
  /** An ISO instant: the moment at which the clinic's clock starts. */
  readonly now: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A practice clinic on a free port, on its own copy of a folder that was seeded once. */
export async function openClinic(options: ClinicOptions): Promise<ClinicProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-'));
  const data = join(folder, 'data');
  const { PRACTICE_CLINIC: kind, EMR: oscar } = options.env ?? {};
  // One on a fake OSCAR begins with the book of that, which nobody keeps.
  if (oscar === undefined) cpSync(await seededFolder(options.now, kind), data, { recursive: true });
  const running = await startPractice(data, options);
  return {
    ...running,
    stop: async () => {
      // Its folder goes with it: nobody waits for the two seconds in which patients are still taken.
      await running.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Seeds a folder with a practice clinic for an instant unless that is done; two at once end with
 * the same folder.
 */
export async function seededFolder(now: string, kind = 'specified'): Promise<string> {
  const folder = join(seeded, `${kind}-${now.replaceAll(':', '')}`);
  if (existsSync(folder)) return folder;
  mkdirSync(seeded, { recursive: true });
  const making = mkdtempSync(join(seeded, 'making-'));
  const running = await startPractice(making, { now, env: { PRACTICE_CLINIC: kind } });
  await running.end('SIGTERM');
  try {
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Folders that an earlier run seeded, perhaps from other code, are of no use to this one. */
export function forgetSeededFolders(): void {
  rmSync(seeded, { recursive: true, force: true });
}

interface Started extends Omit<ClinicProcess, 'stop'> {
  /** What the clinic's clock shows, in epoch seconds. */
  readonly clock: () => Promise<number>;
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

/** On a folder, at the port of `env` or a free one. */
export async function startPractice(
  dataDir: string,
  { now, env = {} }: ClinicOptions,
): Promise<Started> {
  // Chosen beforehand: the clinic must know its own address, to which the bank sends patients back.
  const { PORT = String(await freePort()) } = env;
  // A clinic lives for some seconds: to compile the database's code better takes longer than it saves.
  const child = spawn(process.execPath, ['--liftoff-only', 'dist/practice.mjs'], {
    cwd: repository,
    env: { ...process.env, ...env, PORT, DATA_DIR: dataDir, PRACTICE_NOW: now },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  let output = '';
  return new Promise((ready, fail) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Clinic ready at (http:\/\/\S+)/.exec(output)?.[1];
      if (url === undefined) return;
      ready({
        url,
        daySheet: /day sheet of the fake OSCAR is at (http:\/\/\S+)/.exec(output)?.[1] ?? null,
        clock: () => advance(url, 0),
        advance: async (seconds) => void (await advance(url, seconds)),
        command: (...words) => command(dataDir, words),
        end: async (signal) => {
          child.kill(signal);
          await ended;
        },
      });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void ended.then(() => fail(new Error(`The clinic did not open:\n${output}`)));
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free');
  return address.port;
}

async function advance(url: string, advanceSeconds: number): Promise<number> {
  const answer = await fetch(`${url}/practice/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds }),
  });
  if (!answer.ok) throw new Error(`The clock was not moved: ${await answer.text()}`);
  return ((await answer.json()) as { now: number }).now;
}

async function command(dataDir: string, words: readonly string[]): Promise<string> {
  const args = ['dist/clinic.mjs', ...words];
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository, env });
  return stdout;
}
