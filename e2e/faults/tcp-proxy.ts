import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';

/** An API that can break. What it does holds for connections there are and for those to come. */
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
  /**
   * Whoever is connected now is never heard again, on either side, and neither side is told: a
   * firewall that forgot them. Those to come work, unless they are told of too; these until `mend`.
   */
  readonly fallSilent: (also?: 'those to come') => void;
  /** Falls silent for a connection at a question with this text, once; it does not arrive. */
  readonly fallSilentAt: (text: string, after?: string) => Promise<void>;
  /** How many answers, or pieces of long ones, came through so far. */
  readonly answers: () => number;
  /** The ports from which it is connected onwards. */
  readonly portsBeyond: () => readonly number[];
  /** Ends every connection; new ones work. */
  readonly blip: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

type Condition = 'whole' | 'cut' | 'stalled' | 'dropping' | 'silent';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  hears: 'all' | 'no answer' | 'nothing';
}

interface Trap {
  readonly text: string;
  readonly after: string;
  readonly leaves: 'no answer' | 'nothing';
  readonly armed: Set<Pair>;
  readonly sprung: () => void;
}

const ANSWER_DROPPED_AFTER_MS = 150;

export async function startTcpProxy(target: () => number, port = 0): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let condition: Condition = 'whole';
  let trap: Trap | null = null;
  let answers = 0;

  const server = createServer({ noDelay: true }, (near) => {
    if (condition === 'cut') {
      near.destroy();
      return;
    }
    const far = connect({ port: target(), host: '127.0.0.1', noDelay: true });
    const pair: Pair = { near, far, hears: condition === 'silent' ? 'nothing' : 'all' };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    // The end of one side is no news for the other where nothing comes through.
    const ended = () => {
      if (pair.hears !== 'nothing') end();
    };
    for (const socket of [near, far]) socket.on('error', ended).on('close', ended);
    near.on('data', (bytes) => {
      if (trap !== null && bytes.includes(trap.after)) trap.armed.add(pair);
      if (trap?.armed.has(pair) === true && bytes.includes(trap.text)) {
        pair.hears = trap.leaves;
        trap.sprung();
        trap = null;
      }
      if (pair.hears !== 'nothing') pass(bytes, far, near);
    });
    far.on('data', (bytes) => {
      if (pair.hears === 'nothing') return;
      if (condition !== 'dropping' && pair.hears === 'all') {
        answers += 1;
        pass(bytes, near, far);
      } else setTimeout(end, ANSWER_DROPPED_AFTER_MS);
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
  const setTrap = (text: string, after: string, leaves: Trap['leaves']) =>
    new Promise<void>((sprung) => {
      trap = { text, after, leaves, armed: new Set(), sprung };
    });
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
    loseAnswerTo: (text, after = text) => setTrap(text, after, 'no answer'),
    fallSilent: (also) => {
      if (also !== undefined) condition = 'silent';
      for (const pair of pairs) pair.hears = 'nothing';
    },
    fallSilentAt: (text, after = text) => setTrap(text, after, 'nothing'),
    answers: () => answers,
    portsBeyond: () => [...pairs].flatMap(({ far }) => far.localPort ?? []),
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
