import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../../apps/service/testing/free-port.ts';

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
  /** Ends the service, and starts it again on its data at the same address. */
  readonly restart: (whileAway: () => Promise<void>) => Promise<void>;
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
  const { PRACTICE_CLINIC: kind, EMR: oscar, TZ: zone } = options.env ?? {};
  // One on a fake OSCAR begins with the book of that, which nobody keeps.
  if (oscar === undefined) cpSync(await seededFolder(options.now, kind), data, { recursive: true });
  // The time zone is that of a whole process, as is what it notes for the map of the tests.
  const isOfProcess = zone !== undefined || process.env['NODE_V8_COVERAGE'] !== undefined;
  const open = isOfProcess ? startPractice : openInTurn;
  let running = await open(data, options);
  return {
    ...running,
    restart: async (whileAway) => {
      const { port: PORT } = new URL(running.url);
      const now = new Date((await running.clock()) * 1000).toISOString();
      await running.end('SIGKILL');
      await whileAway();
      running = await open(data, { now, env: { ...options.env, PORT } });
    },
    stop: async () => {
      // Its folder goes with it: nobody waits for the two seconds in which patients are still taken.
      // One that notes what it ran, for the map of the tests, writes that at its end.
      await running.end(process.env['NODE_V8_COVERAGE'] === undefined ? 'SIGKILL' : 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What `apps/practice/src/open-in-turn.ts` answers. */
type Answered =
  | { readonly ready: { readonly url: string; readonly daySheet: string | null } }
  | { readonly failed: string }
  | 'closed';

/** Processes between two clinics. */
const idle: ChildProcess[] = [];

/** In a process that has had other clinics before, and will have others after it. */
async function openInTurn(data: string, { now, env = {} }: ClinicOptions): Promise<Started> {
  const host = idle.pop() ?? startHost();
  const PORT = env['PORT'] ?? String(await freePort());
  const answered = await ask(host, { ...env, PORT, DATA_DIR: data, PRACTICE_NOW: now });
  if (answered === 'closed' || 'failed' in answered) {
    host.kill();
    throw new Error(`The clinic did not open: ${JSON.stringify(answered)}`);
  }
  const end = async () => {
    if ((await ask(host, 'close')) === 'closed') idle.push(host);
    else host.kill();
  };
  return { ...talkTo(answered.ready, data), end };
}

function startHost(): ChildProcess {
  const host = fork('dist/practice.mjs', {
    cwd: repository,
    execArgv: ['--liftoff-only'],
    stdio: 'ignore',
  });
  // It ends with this process, and does not keep it.
  host.unref();
  host.channel?.unref();
  return host;
}

async function ask(
  host: ChildProcess,
  asked: Readonly<Record<string, string>> | 'close',
): Promise<Answered> {
  const over = new AbortController();
  const { signal } = over;
  host.channel?.ref();
  host.send(asked);
  const answer = once(host, 'message', { signal });
  const end = once(host, 'exit', { signal }).then(() => [{ failed: 'Its process ended' }]);
  const [answered] = await Promise.race([answer, end]);
  over.abort();
  host.channel?.unref();
  return answered as Answered;
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

interface Started extends Omit<ClinicProcess, 'stop' | 'restart'> {
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
      const daySheet = /day sheet of the fake OSCAR is at (http:\/\/\S+)/.exec(output)?.[1] ?? null;
      const end = async (signal: NodeJS.Signals) => {
        child.kill(signal);
        await ended;
      };
      ready({ ...talkTo({ url, daySheet }, dataDir), end });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void ended.then(() => fail(new Error(`The clinic did not open:\n${output}`)));
  });
}

const talkTo = ({ url, daySheet }: { url: string; daySheet: string | null }, dataDir: string) => ({
  url,
  daySheet,
  clock: () => advanceClock(url, 0),
  advance: async (seconds: number) => void (await advanceClock(url, seconds)),
  command: (...words: readonly string[]) => command(dataDir, words),
});

/** Moves the clock of a practice clinic on, and gives what it shows then. */
export async function advanceClock(url: string, advanceSeconds: number): Promise<number> {
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
