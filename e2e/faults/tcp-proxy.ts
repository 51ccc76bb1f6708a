import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';

/** A wire that can break. What it does holds for connections there are and for those to come. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and takes no new one until `mend`. */
  readonly cut: () => void;
  /** Bytes wait on both sides until `mend`; nothing is lost. */
  readonly stall: () => void;
  /** Questions arrive and answers are thrown away, then the connection ends. */
  readonly dropAnswers: () => void;
  /**
   * Waits for a question with this text, once, lets it pass and throws its answer away; on a
   * connection that has said `after` before, if that is given.
   */
  readonly loseAnswerTo: (text: string, after?: string) => Promise<void>;
  /** Ends every connection; new ones work. */
  readonly blip: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

type Condition = 'whole' | 'cut' | 'stalled' | 'dropping';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

interface Trap {
  readonly text: string;
  readonly after: string;
  readonly armed: Set<Socket>;
  readonly sprung: () => void;
}

const ANSWER_DROPPED_AFTER_MS = 150;

export async function startTcpProxy(target: () => number, port = 0): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let condition: Condition = 'whole';
  let trap: Trap | null = null;

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
    let deaf = false;
    near.on('data', (bytes) => {
      if (trap !== null && bytes.includes(trap.after)) trap.armed.add(near);
      if (trap?.armed.has(near) === true && bytes.includes(trap.text)) {
        deaf = true;
        trap.sprung();
        trap = null;
      }
      pass(bytes, far, near);
    });
    far.on('data', (bytes) => {
      if (condition !== 'dropping' && !deaf) pass(bytes, near, far);
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
    loseAnswerTo: (text, after = text) =>
      new Promise((sprung) => {
        trap = { text, after, armed: new Set(), sprung };
      }),
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
