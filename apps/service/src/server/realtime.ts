import { createServer, type IncomingMessage } from 'node:http';
import type { LiveEvents } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import { Server, type Socket } from 'socket.io';
import type { Database } from '../database/db.ts';
import type { Platform } from '../platform.ts';

const PATH = '/socket.io/';
/** The token and its envelope; nothing longer is ever sent to the service. */
const MOST_BYTES = 2_048;
/** A clinic's own network stands behind one address. */
const SOCKETS_PER_ADDRESS = 500;
type Silent = Record<string, never>;
/** Events without words, for one patient alone. */
const PRIVATE_EVENTS = ['messages', 'appointments', 'account'] as const;
/** Where the pages of the front desk listen, apart from the patients'. */
const DESK = '/desk';
const TO_DESK = 'desk-day';
export type PrivateEvent = (typeof PRIVATE_EVENTS)[number];
interface SocketFacts {
  token: string;
  patientId: string;
}

/** The open sockets of signed-in patients. */
export type Realtime = ReturnType<typeof openRealtime>;

/**
 * Sockets from our own pages only, with the access token in the handshake; they never prolong the
 * session, and whoever speaks on one is put out. Websocket alone: no request of a patient depends on
 * which process it reaches.
 */
export function openRealtime(
  app: FastifyInstance,
  parts: Pick<Platform, 'sessions' | 'clock' | 'config' | 'log' | 'database'>,
) {
  const { sessions, clock, config, log, database } = parts;
  const perAddress = config.socketsPerAddress ?? SOCKETS_PER_ADDRESS;
  const open = new Map<string, number>();
  // Requests go to Fastify, which knows no such route; only upgrades come here.
  const doorway = createServer();
  const io = new Server<Silent, LiveEvents, Silent, SocketFacts>(doorway, {
    path: PATH,
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: MOST_BYTES,
    allowRequest: (request, answer) => {
      const mayEnter =
        isOurPage(request.headers.origin, config.publicUrl) &&
        (open.get(addressOf(request)) ?? 0) < perAddress;
      answer(null, mayEnter);
    },
  });

  async function patientOf(token: string): Promise<string | null> {
    const found = await sessions.find(token, clock.now());
    return found.kind === 'signedIn' ? found.patient.id : null;
  }

  function addressOf(request: IncomingMessage): string {
    const forwarded = config.trustProxy ? request.headers['x-forwarded-for'] : undefined;
    // The entry of the proxy itself, as Fastify reads it.
    const client = String(forwarded ?? '')
      .split(',')
      .at(-1);
    return client?.trim() || (request.socket.remoteAddress ?? 'unknown');
  }

  io.engine.on(
    'connection',
    (socket: { request: IncomingMessage; once: NodeJS.EventEmitter['once'] }) => {
      const address = addressOf(socket.request);
      open.set(address, (open.get(address) ?? 0) + 1);
      socket.once('close', () => {
        const left = (open.get(address) ?? 1) - 1;
        if (left > 0) open.set(address, left);
        else open.delete(address);
      });
    },
  );

  const audiences: { readonly comes: () => Promise<void> | void; readonly none: () => void }[] = [];
  let audienceSize = 0;
  const nobodyHears = () => {
    for (const { none } of audiences) none();
  };
  /** Whoever is let in hears of all that is committed from then on. */
  async function joinAudience({ conn }: Pick<Socket, 'conn'>): Promise<void> {
    if (conn.readyState !== 'open') return;
    audienceSize += 1;
    conn.once('close', () => {
      audienceSize -= 1;
      if (audienceSize === 0) nobodyHears();
    });
    for (const { comes } of audiences) await comes();
  }

  /** Lets a socket in, or says why not, as the browser hears it. */
  async function admit(
    socket: Pick<Socket, 'conn'>,
    refusal: () => Promise<string | null>,
    answer: (refused?: Error) => void,
  ): Promise<void> {
    try {
      // Asked again: of the sockets that are put out with a session, one that waits is none.
      const refused = (await refusal()) ?? (await joinAudience(socket).then(refusal));
      answer(refused === null ? undefined : new Error(refused));
    } catch (error) {
      log.error('sockets-not-checked', error);
      answer(new Error('serviceBusy'));
    }
  }
  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth.token;
    const refusal = async () => {
      const patientId = typeof token === 'string' ? await patientOf(token) : null;
      if (patientId === null) return 'tokenNotValid';
      Object.assign(socket.data, { token, patientId });
      return null;
    };
    void admit(socket, refusal, next);
  });

  const sayHere = (patientId: string, event: PrivateEvent) => io.to(patientId).emit(event);
  let isOffline = false;
  // A process without sockets has nobody to tell.
  io.once('connection', () => {
    sessions.onEnded((patientId) => {
      // Whom maintenance signed out waits here for its end.
      if (!isOffline) lookWhoLeft(patientId);
    });
    database.onTold((words) => {
      const patientId = words.split(' ')[1] ?? '';
      const event = PRIVATE_EVENTS.find((each) => words === toPatient(patientId, each));
      if (event) sayHere(patientId, event);
    });
  });
  io.on('connection', (socket) => {
    void socket.join(socket.data.patientId);
    socket.onAny(() => socket.disconnect(true));
  });

  /** Who signed out, or was idle for too long, hears no more; of one patient, or of all. */
  async function putOutWhoLeft(patientId?: string): Promise<void> {
    const all = [...io.of('/').sockets.values()];
    const here = all.filter(({ data }) => patientId === undefined || data.patientId === patientId);
    const signedIn = await Promise.all(here.map(({ data }) => patientOf(data.token)));
    for (const [at, socket] of here.entries()) if (signedIn[at] === null) socket.disconnect(true);
  }
  function lookWhoLeft(patientId: string): void {
    putOutWhoLeft(patientId).catch((error: unknown) => log.error('sockets-not-checked', error));
  }

  const desk = io.of(DESK);
  let mayStay: (cookies: string | undefined) => Promise<boolean> = () => Promise.resolve(false);
  desk.use((socket, next) => {
    const { cookie } = socket.handshake.headers;
    const refusal = async () => ((await mayStay(cookie)) ? null : 'deskSignedOut');
    void admit(socket, refusal, next);
  });
  desk.on('connection', (socket) => {
    socket.onAny(() => socket.disconnect(true));
  });
  desk.once('connection', () =>
    database.onTold((words) => {
      if (words === TO_DESK) desk.emit('desk');
    }),
  );

  app.server.on('upgrade', (...upgrade) => doorway.emit('upgrade', ...upgrade));
  app.addHook('preClose', async () => {
    nobodyHears();
    // Without a word of farewell, which would tell browsers not to come back.
    io.engine.close();
  });

  return {
    say: <Event extends keyof LiveEvents>(
      event: Event,
      ...said: Parameters<LiveEvents[Event]>
    ): void => {
      if (event !== 'slots') isOffline = event === 'oscarOffline';
      io.emit(event, ...said);
      if (event === 'slots') desk.emit('desk');
    },
    /** To the sockets of one patient, at whichever process they are open. Nothing is said but the event. */
    sayTo: (patientId: string, event: PrivateEvent): void => {
      sayHere(patientId, event);
      database.tellOthers(toPatient(patientId, event));
    },
    /** Says who may listen at the front desk, by the cookies of their browser. */
    admitToDesk: (may: typeof mayStay): void => {
      mayStay = may;
    },
    /** Something of a day changed, at whichever process the front desk listens. Nothing is said but that. */
    sayToDesk: (): void => {
      desk.emit('desk');
      database.tellOthers(TO_DESK);
    },
    /** Told as each page comes, which waits until `comes` has ended, and when the last has left. */
    onAudience: (comes: () => Promise<void> | void, none: () => void): void => {
      audiences.push({ comes, none });
    },
    /** How many patients' pages are connected here. */
    openSockets: () => io.of('/').sockets.size,
    /** Closes the sockets here of those who signed out, or were idle for too long. */
    putOutWhoLeft: () => putOutWhoLeft(),
  };
}

/** How another process is told whom to tell. */
const toPatient = (patientId: string, event: PrivateEvent) => `${event}-of ${patientId}`;

/** For a process without sockets of its own: who has some is told. */
export function realtimeOfOthers(database: Pick<Database, 'tellOthers'>): Realtime {
  return {
    say: () => undefined,
    sayTo: (patientId, event) => database.tellOthers(toPatient(patientId, event)),
    admitToDesk: () => undefined,
    sayToDesk: () => database.tellOthers(TO_DESK),
    onAudience: () => undefined,
    openSockets: () => 0,
    putOutWhoLeft: () => Promise.resolve(),
  };
}

/** Whether a request is one for a socket; any other wish to upgrade is not heard (RFC 9110, 7.8). */
export function opensSocket({ headers, url }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url?.startsWith(PATH) === true;
}

/** The names of this machine on itself. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Whether the page that asks is one of ours. A browser always says which page it is; by
 * what host it asks is whatever an attacker's name resolves to.
 */
export function isOurPage(origin: string | undefined, publicUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const [page, ours] = [new URL(origin), new URL(publicUrl)];
  if (page.origin === ours.origin) return true;
  const isHere = LOOPBACK.test(page.hostname) && LOOPBACK.test(ours.hostname);
  return isHere && page.protocol === ours.protocol && page.port === ours.port;
}
