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
  /** Waits until it is none of those, and has accepted all that was sent to it before. */
  leaves(index: number): Promise<void>;
  close(): Promise<void>;
}

const ASK_EVERY_MS = 100;

export async function startBalancer(targets: readonly (() => number | null)[]): Promise<Balancer> {
  const ready = new Set<number>();
  /** Requests whose connection is not made yet. */
  const connecting = new Set<Promise<unknown>>();
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
    else {
      const connected = forward(port, incoming, outgoing);
      connecting.add(connected);
      void connected.then(() => connecting.delete(connected));
    }
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
    leaves: async (index) => {
      while (ready.has(index)) await pause(ASK_EVERY_MS);
      await Promise.all(connecting);
      // Connections are accepted in their order: what was connected before this one is.
      await isReady(targets[index]?.() ?? null);
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
      headers: { connection: 'close' },
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** One connection per request, as reverse proxies do unless told otherwise. Settles when there is one, or will be none. */
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
  return new Promise<void>((settled) =>
    onward
      .on('error', () => settled())
      .on('socket', (socket) => socket.once('connect', () => settled())),
  );
}
