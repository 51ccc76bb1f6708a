import { createServer } from 'node:net';

/** Below the ports that systems give out by themselves, and of this process alone: nobody takes one meanwhile. */
const first = 12_000 + (process.pid % 200) * 100;
let given = 0;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (given++ % 100);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
