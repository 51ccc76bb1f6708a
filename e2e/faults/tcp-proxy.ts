import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';

/** A wire that can break. What it does holds for connections there are and for those to come. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and takes no new one until `mend`. */
  cut(): void;
  /** Bytes wait on both sides until `mend`; nothing is lost. */
  stall(): void;
  /** Questions arrive and answers are thrown away, then the connection ends. */
  dropAnswers(): void;
  /** Ends every connection; new ones work. */
  blip(): void;
  mend(): void;
  close(): Promise<void>;
}

type Condition = 'whole' | 'cut' | 'stalled' | 'dropping';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

const ANSWER_DROPPED_AFTER_MS = 150;

export async function startTcpProxy(target: () => number, port = 0): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let condition: Condition = 'whole';

  const server = createServer({ noDelay: true }, (near) => {
    if (condition === 'cut') {
      near.destroy();
      return;
    }
    const far = connect({ port: target(), host: '127.0.0.1', noDelay: true });
    const pair = { near, far };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.on('data', (bytes) => pass(bytes, far, near));
    far.on('data', (bytes) => {
      if (condition !== 'dropping') pass(bytes, near, far);
      else setTimeout(end, ANSWER_DROPPED_AFTER_MS);
    });
    if (condition === 'stalled') pause(pair);
  });
  await listening(server, port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port');

  const endAll = () => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: address.port,
    cut: () => {
      condition = 'cut';
      endAll();
    },
    stall: () => {
      condition = 'stalled';
      for (const pair of pairs) pause(pair);
    },
    dropAnswers: () => {
      condition = 'dropping';
    },
    blip: endAll,
    mend: () => {
      condition = 'whole';
      for (const { near, far } of pairs) {
        near.resume();
        far.resume();
      }
    },
    close: async () => {
      endAll();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

function pass(bytes: Buffer, to: Socket, from: Socket) {
  if (to.write(bytes)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

function pause({ near, far }: Pair) {
  near.pause();
  far.pause();
}

async function listening(server: Server, port: number) {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
