import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { ServeOrder } from './serve.ts';

export interface Serving {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts a server process; what it logs goes nowhere, as to a collector that keeps up. */
export async function serving(order: ServeOrder): Promise<Serving> {
  const child = fork(fileURLToPath(new URL('./serve.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send(order);
  const answered = once(child, 'message').then(([message]) => message as { port: number });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server process ended with ${String(code)}`);
  });
  const { port } = await Promise.race([answered, ended]);
  ended.catch(() => undefined);
  return {
    port,
    stop: async () => {
      if (child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
