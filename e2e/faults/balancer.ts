import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';

import { pause } from './clinic/patient.ts';

/**
 * A reverse proxy that sends requests only to services whose `/readyz` says yes, and never twice. While
 * none does, requests wait.
 */
export interface Balancer {
  readonly port: number;
  /** Waits until this service is one of those that are sent to. */
  sendsTo(index: number): Promise<void>;
  close(): Promise<void>;
}

const ASK_EVERY_MS = 100;
/**
 * Whoever takes longer to say whether it is ready is not: what it says of before it was asked to end
 * comes in time for the two seconds for which it still accepts.
 */
const ANSWERS_WITHIN_MS = 700;

export async function startBalancer(targets: readonly (() => number | null)[]): Promise<Balancer> {
  const ready = new Set<number>();
  const over = new AbortController();
  const asking = targets.map(async (target, index) => {
    while (!over.signal.aborted) {
      if (await isReady(target())) ready.add(index);
      else ready.delete(index);
      await pause(ASK_EVERY_MS);
    }
  });

  let turn = 0;
  const nextPort = () => {
    const able = [...ready]
      .map((index) => targets[index]?.() ?? null)
      .filter((port) => port !== null);
    turn += 1;
    return able[turn % Math.max(able.length, 1)];
  };
  const send = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    let port = nextPort();
    for (; port === undefined && !over.signal.aborted; port = nextPort()) await pause(ASK_EVERY_MS);
    if (port === undefined) outgoing.writeHead(502).end();
    else forward(port, incoming, outgoing);
  };
  const server = createServer((incoming, outgoing) => void send(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port');
  return {
    port: address.port,
    sendsTo: async (index) => {
      while (!ready.has(index)) await pause(ASK_EVERY_MS);
    },
    close: async () => {
      over.abort();
      await Promise.all(asking);
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

async function isReady(port: number | null): Promise<boolean> {
  if (port === null) return false;
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      headers: { connection: 'close' },
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** One connection per request, as reverse proxies do unless told otherwise. */
function forward(port: number, incoming: IncomingMessage, outgoing: ServerResponse) {
  const onward = request(
    {
      port,
      host: '127.0.0.1',
      agent: false,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, connection: 'close' },
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'keep-alive' });
      answer.pipe(outgoing);
    },
  );
  onward.on('error', () =>
    outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(),
  );
  incoming.pipe(onward);
}
