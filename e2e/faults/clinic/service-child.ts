import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

import type { OscarOrders, SaidOfMail, TimeIs } from '../../../apps/service/testing/on-oscar.ts';
import type { ServiceOnOptions } from '../../../apps/service/testing/service-on.ts';
import { type TcpProxy, startTcpProxy } from '../tcp-proxy.ts';
import { REASON, pause } from './patient.ts';
import { workingTree } from './version.ts';

/** What one is told whose requests go elsewhere. */
export const SENT_ELSEWHERE = 'sent elsewhere';

/** What a service process is told; `defect` names one of defects.ts, in runs that must be caught. */
export interface ServiceOrders {
  readonly databaseUrl: string;
  /** Past a pooler, and past the wire that breaks. */
  readonly directUrl?: string;
  readonly keys: { current: string; index: string; keys: Record<string, string> };
  readonly defect: string | null;
  /** Where it listens, for a proxy that must know. */
  readonly port?: number;
  /** Asked to end, it accepts requests until it is told that they go elsewhere, and not for two seconds. */
  readonly endsWhenTold?: boolean | undefined;
  /** Of a transaction, when other than in production. */
  readonly waits?: ServiceOnOptions['waits'];
  readonly config?: ServiceOnOptions['config'];
  /** The EMR that keeps the book, if one does. */
  readonly oscar?: OscarOrders | undefined;
}

export interface ServiceChildOptions extends Omit<ServiceOrders, 'keys' | 'config'> {
  /** Hears of each email that the process sends, where an EMR keeps the book. */
  readonly hears?: ((mail: SaidOfMail['mail']) => void) | undefined;
  /** The folder of a built version, whose pages it serves too; the working tree without them if none. */
  readonly version?: string | undefined;
}

/** One service process that is started again whenever it ends, and the two wires it hangs on. */
export interface ServiceChild {
  readonly name: string;
  /** Between the patients and the service. */
  readonly front: TcpProxy;
  /** Between the service and the database. */
  readonly back: TcpProxy;
  /** The service's own port while it listens. */
  readonly port: () => number | null;
  readonly listens: () => Promise<void>;
  readonly kill: () => void;
  /** Tells the time of the EMR's orders to the process that runs. */
  readonly tellTime: () => void;
  /** Stops the process where it is and lets it go on later. */
  freeze(ms: number): Promise<void>;
  /** Asks it to end, tells it once its requests go elsewhere, if it ends when told, and waits until it is gone. */
  readonly terminate: (sentElsewhere?: () => Promise<void>) => Promise<void>;
  /** Asks it to end, and waits until the version of that folder listens in its place. */
  replaceBy(version: string): Promise<void>;
  /** Ends that nobody caused, with what the process said last. */
  readonly ownEnds: readonly string[];
  /** Pieces of its log that quote what a patient said. */
  readonly leaks: readonly string[];
  /** The end of the log of the process that runs. */
  readonly lastWords: () => string;
  /** Starts that came to nothing, as they may while the database is away. */
  readonly failedStarts: readonly string[];
  /** Ends it at once, or as an operator does. */
  readonly close: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

const entry = 'e2e/faults/service-process.ts';
/** The working tree's is one file in the tests, which start it a hundred times. */
const programs = process.env['TEST_PROGRAMS'];
const ownEntry =
  programs === undefined ? join(workingTree, entry) : join(programs, 'service-process.mjs');
const RESTART_AFTER_MS = 200;

/** What both processes seal with. */
const keys = {
  current: 'faults',
  index: 'faults',
  keys: { faults: randomBytes(32).toString('base64') },
};

export async function startServiceChild(
  name: string,
  { databaseUrl, version, hears, oscar, ...others }: ServiceChildOptions,
): Promise<ServiceChild> {
  const database = new URL(databaseUrl);
  let root = version;
  let child: ChildProcess | null = null;
  let said = '';
  let port: number | null = null;
  let caused = false;
  let closing = false;
  let waiting: (() => void)[] = [];
  const ownEnds: string[] = [];
  const failedStarts: string[] = [];
  const leaks: string[] = [];

  const back = await startTcpProxy(() => Number(database.port));
  const front = await startTcpProxy(() => port ?? 1);
  const orders: ServiceOrders = {
    databaseUrl: Object.assign(new URL(databaseUrl), { port: String(back.port) }).href,
    keys,
    ...others,
  };

  const start = () => {
    const pages =
      root === undefined
        ? {}
        : { config: { webRoot: join(root, 'apps/web/dist'), trustProxy: true } };
    const book = oscar && { oscar };
    const words = JSON.stringify({ ...orders, ...pages, ...book } satisfies ServiceOrders);
    const program = root === undefined ? ownEntry : join(root, entry);
    const started = spawn(process.execPath, [program, words], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    said = '';
    child = started;
    caused = false;
    // The log stands on stdout: it says why a process gave up.
    const listen = (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-3000);
      if (said.includes(REASON)) leaks.push(said);
    };
    started.stdout?.on('data', listen);
    started.stderr?.on('data', listen);
    started.on('message', (message) => {
      const heard = message as SaidOfMail | { readonly port: number };
      if ('mail' in heard) return hears?.(heard.mail);
      ({ port } = heard);
      for (const wake of waiting) wake();
      waiting = [];
    });
    // 'close' comes after the last word has been read; 'exit' may come before it.
    started.on('close', (code, signal) => {
      const wasListening = port !== null;
      port = null;
      child = null;
      if (!caused && !wasListening) failedStarts.push(said);
      if (!caused && wasListening)
        ownEnds.push(`${name} ended (${String(signal ?? code)}): ${said}`);
      if (!closing) setTimeout(() => closing || start(), RESTART_AFTER_MS);
    });
  };
  start();

  return {
    name,
    front,
    back,
    ownEnds,
    leaks,
    failedStarts,
    lastWords: () => said,
    port: () => port,
    listens: async () => {
      if (port === null) await new Promise<void>((wake) => waiting.push(wake));
    },
    kill: () => {
      caused = true;
      // Whoever asks from now on waits for the next one.
      port = null;
      child?.kill('SIGKILL');
    },
    tellTime: () => {
      // One that was just killed hears nothing, and its channel may not be closed yet.
      if (oscar) child?.send({ pace: oscar.pace } satisfies TimeIs, () => undefined);
    },
    freeze: async (ms) => {
      const frozen = child;
      frozen?.kill('SIGSTOP');
      await pause(ms);
      frozen?.kill('SIGCONT');
    },
    terminate: (sentElsewhere) => end('SIGTERM', sentElsewhere),
    replaceBy: async (other) => {
      const failedBefore = failedStarts.length;
      root = other;
      await end('SIGTERM');
      while (!isListening()) {
        if (failedStarts.length > failedBefore)
          throw new Error(`${name} does not start in ${other}: ${failedStarts.at(-1)}`);
        await pause(20);
      }
    },
    close: async (signal = 'SIGKILL') => {
      closing = true;
      await end(signal);
      await Promise.all([front.close(), back.close()]);
    },
  };

  function isListening() {
    return port !== null;
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL', sentElsewhere?: () => Promise<void>) {
    const ending = child;
    if (ending === null) return;
    caused = true;
    const gone = once(ending, 'close');
    ending.kill('SIGCONT');
    ending.kill(signal);
    await sentElsewhere?.();
    if (sentElsewhere && ending.connected) ending.send(SENT_ELSEWHERE);
    await gone;
  }
}
