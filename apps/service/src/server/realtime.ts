import { createServer, type IncomingMessage } from 'node:http';
import type { LiveEvents } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { patientChangesSince } from '../database/changes.store.ts';
import { type Database, batched } from '../database/db.ts';
import type { ServerPorts } from './server-ports.ts';
import { fromOf, subjectOf } from './known-browser.ts';

const PATH = '/socket.io/';
/** Fits the token and its envelope: browsers send nothing longer. */
const MOST_BYTES = 2_048;
/** All of a clinic's own network shares one address. */
const SOCKETS_PER_ADDRESS = 500;
type Silent = Record<string, never>;
/** The namespace of the front desk's pages, apart from the patients'. */
const DESK = '/desk';
const TO_DESK = 'desk-day';
/** The message that tells other processes whose sessions of the front desk ended or were locked. */
const LEFT_DESK = 'desk-sessions-of';
interface SocketFacts {
  /** Of a patient's page. */
  token: string;
  patientId: string;
  /** Of a page of the front desk. */
  staffId: string;
  /** When its session locks or ends, unless it has been active since. */
  until: number;
}
/** The member of staff whose cookies these are; null when they may not listen at the front desk now. */
type StaffOfCookies = (
  cookies: string | undefined,
) => Promise<Pick<SocketFacts, 'staffId' | 'until'> | null>;

/** The open sockets of signed-in patients, and of the front desk. */
export type Realtime = ReturnType<typeof openRealtime>;

/**
 * Accepts sockets from our own pages only, with the access token in the handshake. Sockets never prolong the
 * session, and one that sends anything is closed. WebSocket is the only transport: with it no request of a
 * patient depends on which process it reaches.
 */
export function openRealtime(
  app: FastifyInstance,
  ports: Pick<ServerPorts, 'sessions' | 'clock' | 'config' | 'keyring' | 'log' | 'database'>,
) {
  const { sessions, clock, config, log, database } = ports;
  const perAddress = config.socketsPerAddress ?? SOCKETS_PER_ADDRESS;
  const open = new Map<string, number>();
  // Requests go to Fastify, which has no such route; only upgrades come here.
  const upgrades = createServer();
  const io = new Server<Silent, LiveEvents, Silent, SocketFacts>(upgrades, {
    path: PATH,
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: MOST_BYTES,
    allowRequest: (request, answer) => {
      const mayEnter =
        isOurPage(request.headers.origin, config.publicUrl) &&
        (open.get(whoseIs(request)) ?? 0) < perAddress;
      answer(null, mayEnter);
    },
  });

  async function patientOf(token: string): Promise<string | null> {
    const found = await sessions.find(token, clock.now());
    return found.kind === 'signedIn' ? found.patient.id : null;
  }

  function addressOf(request: IncomingMessage): string {
    const forwarded = config.trustProxy ? request.headers['x-forwarded-for'] : undefined;
    // The last entry is the proxy's own, as Fastify reads the header.
    const client = String(forwarded ?? '')
      .split(',')
      .at(-1);
    return client?.trim() || (request.socket.remoteAddress ?? 'unknown');
  }

  /** Sockets are counted as requests without a session are. */
  const whoseIs = (request: IncomingMessage): string =>
    subjectOf(fromOf(ports, { address: addressOf(request), cookies: request.headers.cookie }));

  io.engine.on(
    'connection',
    (socket: { request: IncomingMessage; once: NodeJS.EventEmitter['once'] }) => {
      const whose = whoseIs(socket.request);
      open.set(whose, (open.get(whose) ?? 0) + 1);
      socket.once('close', () => {
        const left = (open.get(whose) ?? 1) - 1;
        if (left > 0) open.set(whose, left);
        else open.delete(whose);
      });
    },
  );

  const audiences: { readonly comes: () => Promise<void> | void; readonly none: () => void }[] = [];
  let audienceSize = 0;
  const endAudiences = () => {
    for (const { none } of audiences) none();
  };
  /** Counts a socket as a listener; it is told of everything committed after `comes` has ended. */
  async function joinAudience({ conn }: Pick<Socket, 'conn'>): Promise<void> {
    if (conn.readyState !== 'open') return;
    audienceSize += 1;
    conn.once('close', () => {
      audienceSize -= 1;
      if (audienceSize === 0) endAudiences();
    });
    for (const { comes } of audiences) await comes();
  }

  /** Lets a socket in, or refuses it with an error code for the browser. */
  async function admit(
    socket: Pick<Socket, 'conn'>,
    refusal: () => Promise<string | null>,
    answer: (refused?: Error) => void,
  ): Promise<void> {
    try {
      // Checks again after the wait: a session that ended meanwhile closes connected sockets only.
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

  let isWatching = false;
  let snapshot: string | null = null;
  /**
   * Tells the pages of each patient here what was committed of theirs since the look before, in any process:
   * events without content.
   */
  const lookAtPatients = batched<void, void>(async (asked) => {
    if (!isWatching) return asked;
    const found = await patientChangesSince(database.db, snapshot);
    snapshot = found.snapshot;
    for (const { patientId, event } of found.changes) io.to(patientId).emit(event);
    return asked;
  });
  audiences.push({
    comes: async () => {
      if (!isWatching) {
        isWatching = true;
        snapshot = null;
      }
      if (snapshot === null) await lookAtPatients();
    },
    none: () => (isWatching = false),
  });
  database.onCommit(() => {
    lookAtPatients().catch((error: unknown) => log.error('patients-not-told', error));
  });
  let isOffline = false;
  // A process without sockets has nobody to tell.
  io.once('connection', () => {
    sessions.onEnded((patientId) => {
      // Patients signed out by maintenance keep their sockets, to hear when it ends.
      if (!isOffline) checkSocketsOf(patientId);
    });
  });
  io.on('connection', (socket) => {
    void socket.join(socket.data.patientId);
    socket.onAny(() => socket.disconnect(true));
  });

  /** Closes sockets whose session has ended or been idle for too long: one patient's, or everybody's. */
  async function closeEndedSockets(patientId?: string): Promise<void> {
    const all = [...io.of('/').sockets.values()];
    const here = all.filter(({ data }) => patientId === undefined || data.patientId === patientId);
    const signedIn = await Promise.all(here.map(({ data }) => patientOf(data.token)));
    for (const [at, socket] of here.entries()) if (signedIn[at] === null) socket.disconnect(true);
  }
  function checkSocketsOf(patientId: string): void {
    closeEndedSockets(patientId).catch((error: unknown) => log.error('sockets-not-checked', error));
  }

  const desk = io.of(DESK);
  let staffOfCookies: StaffOfCookies = () => Promise.resolve(null);
  desk.use((socket, next) => {
    const refusal = async () => {
      const staff = await staffOfCookies(socket.handshake.headers.cookie);
      if (staff === null) return 'deskSignedOut';
      Object.assign(socket.data, staff);
      return null;
    };
    void admit(socket, refusal, next);
  });
  desk.on('connection', (socket) => {
    socket.onAny(() => socket.disconnect(true));
    // Once more: of a session that ended while it was let in, nobody has told this socket.
    checkDeskSockets(socket.data.staffId);
  });
  desk.once('connection', () =>
    database.onTold((words) => {
      if (words === TO_DESK) desk.emit('desk');
      const [what, staffId] = words.split(' ');
      if (what === LEFT_DESK && staffId) checkDeskSockets(staffId);
    }),
  );

  /** Closes those of these desk sockets whose session has ended or is locked. */
  async function closeDeskSockets(which: (facts: SocketFacts) => boolean): Promise<void> {
    const here = [...desk.sockets.values()].filter(({ data }) => which(data));
    await Promise.all(
      here.map(async (socket) => {
        const staff = await staffOfCookies(socket.handshake.headers.cookie);
        if (staff === null) socket.disconnect(true);
        else Object.assign(socket.data, staff);
      }),
    );
  }
  function checkDeskSockets(of: string): void {
    closeDeskSockets(({ staffId }) => staffId === of).catch((error: unknown) =>
      log.error('sockets-not-checked', error),
    );
  }

  app.server.on('upgrade', (...upgrade) => upgrades.emit('upgrade', ...upgrade));
  app.addHook('preClose', async () => {
    endAudiences();
    // Closed without a farewell packet, which would tell browsers not to reconnect.
    io.engine.close();
  });

  return {
    say: <Event extends keyof LiveEvents>(
      event: Event,
      ...values: Parameters<LiveEvents[Event]>
    ): void => {
      if (event !== 'slots') isOffline = event === 'oscarOffline';
      io.emit(event, ...values);
      if (event === 'slots') desk.emit('desk');
    },
    /** Tells patients' pages what was committed, in case the note of a commit was lost. */
    lookAtPatients: () => lookAtPatients(),
    /** Sets the check of who may listen at the front desk. */
    admitToDesk: (who: StaffOfCookies): void => {
      staffOfCookies = who;
    },
    /** Closes the desk sockets of a member of staff, in whichever process, whose session ended or was locked. */
    leftDesk: (staffId: string): void => {
      checkDeskSockets(staffId);
      database.tellOthers(`${LEFT_DESK} ${staffId}`);
    },
    /** Tells the front desk, in whichever process it listens, that a day changed, and nothing more. */
    sayToDesk: (): void => {
      desk.emit('desk');
      database.tellOthers(TO_DESK);
    },
    /** Each page that connects waits until `comes` has ended; `none` runs once the last page left. */
    onAudience: (comes: () => Promise<void> | void, none: () => void): void => {
      audiences.push({ comes, none });
    },
    /** How many patients' pages are connected here. */
    openSockets: () => io.of('/').sockets.size,
    /** Closes the sockets here whose session has ended or been idle for too long. */
    closeEndedSockets: async (): Promise<void> => {
      await Promise.all([closeEndedSockets(), closeDeskSockets(() => true)]);
    },
    /** Closes the desk sockets here whose session has locked by itself, or is over; asks for no other. */
    closeLockedSockets: () => closeDeskSockets(({ until }) => until <= clock.now()),
  };
}

/** For a process without sockets of its own: it tells the processes that have some. */
export function realtimeOfOthers(database: Pick<Database, 'tellOthers'>): Realtime {
  return {
    say: () => undefined,
    lookAtPatients: () => Promise.resolve(),
    admitToDesk: () => undefined,
    leftDesk: (staffId) => database.tellOthers(`${LEFT_DESK} ${staffId}`),
    sayToDesk: () => database.tellOthers(TO_DESK),
    onAudience: () => undefined,
    openSockets: () => 0,
    closeEndedSockets: () => Promise.resolve(),
    closeLockedSockets: () => Promise.resolve(),
  };
}

/** True when a request opens our socket; other upgrades are ignored (RFC 9110, 7.8). */
export function opensSocket({ headers, url }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url?.startsWith(PATH) === true;
}

/** The host names by which this machine reaches itself. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * True when the asking page is one of the service, by its Origin header, which a browser always sends. The Host
 * header proves nothing: an attacker's name may resolve to this machine.
 */
export function isOurPage(origin: string | undefined, publicUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const [page, ours] = [new URL(origin), new URL(publicUrl)];
  if (page.origin === ours.origin) return true;
  const isHere = LOOPBACK.test(page.hostname) && LOOPBACK.test(ours.hostname);
  return isHere && page.protocol === ours.protocol && page.port === ours.port;
}
