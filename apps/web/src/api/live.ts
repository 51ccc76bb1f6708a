import type { LiveEvents, SlotChange } from '@clinic/contract';
import type { Socket } from 'socket.io-client';
import { accessToken } from './access-token.ts';
import { afterCharges, isCharging } from './charges-under-way.ts';

export interface LiveListener {
  readonly onSlots?: (changes: readonly SlotChange[]) => void;
  /** A message of the patient's changed; which one is to be asked. */
  readonly onMessages?: () => void;
  /** The clinic's staff changed an appointment of the patient's. */
  readonly onAppointments?: () => void;
  /** The clinic's staff changed something else of the patient's: who they are, a document. */
  readonly onAccount?: () => void;
  /** The clinic's records went away, or maintenance was announced. */
  readonly onOffline?: () => void;
  readonly onOnline?: () => void;
  /** Nothing can be booked until the clinic's records answer. */
  readonly onPaused?: () => void;
  /** The connection stands, for the first time or again. */
  readonly onConnect?: () => void;
  /** The connection was away: something may have been missed. */
  readonly onReturn?: () => void;
  /** There was a connection, and for fifteen seconds there has been none. */
  readonly onLost?: () => void;
  /** The service shut the door on this session. */
  readonly onTurnedAway?: () => void;
}

/** Listens until the answer is called. */
type Listen = (listener: LiveListener) => () => void;

/** A connection that is away for less is not worth a word. */
const LOST_AFTER_MS = 15_000;
/** A device that slept for longer has not waited; it begins to wait now. */
const OVERSLEPT_MS = 5_000;
const TRY_AGAIN_MS = 5_000;
/** The first page is left to load: what it shows was asked for just now. */
const FIRST_PAGE_MS = 6_000;

// A browser tab has one connection.
const listeners = new Set<LiveListener>();

/** One connection for all who listen, for as long as anybody does. */
export function sharedConnection(open: () => () => void): Listen {
  let close: (() => void) | null = null;
  let opening: ReturnType<typeof setTimeout> | undefined;
  const openNow = () => {
    clearTimeout(opening);
    close ??= open();
  };
  return (listener) => {
    if (listeners.size === 0) opening = setTimeout(openNow, FIRST_PAGE_MS);
    listeners.add(listener);
    // Times go while they are looked at.
    if (listener.onSlots) openNow();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearTimeout(opening);
      close?.();
      close = null;
    };
  };
}

function tell(whom: (listener: LiveListener) => void): void {
  for (const listener of listeners) whom(listener);
}

/** A socket to our own origin. Its code comes only when it opens: no page waits for it. */
function openConnection(): () => void {
  let over = false;
  let socket: Socket<LiveEvents> | null = null;
  let wasOpen = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let knocking: ReturnType<typeof setTimeout> | undefined;

  const waitForReturn = () => {
    if (!wasOpen || over || socket?.connected) return;
    clearTimeout(waiting);
    const since = Date.now();
    waiting = setTimeout(() => {
      // A device without a connection of its own says nothing of the clinic's.
      if (!navigator.onLine) return addEventListener('online', waitForReturn, { once: true });
      const overslept = Date.now() - since > LOST_AFTER_MS + OVERSLEPT_MS;
      // Whoever has just paid is left the time to read what became of it.
      if (overslept || isCharging()) void afterCharges().then(waitForReturn);
      else tell((listener) => listener.onLost?.());
    }, LOST_AFTER_MS);
  };
  const turnedAway = () => {
    tell((listener) => listener.onTurnedAway?.());
    clearTimeout(knocking);
    knocking = setTimeout(() => {
      if (accessToken.get() !== null) socket?.connect();
    }, TRY_AGAIN_MS);
  };

  const open = async () => {
    const { io } = await import('socket.io-client');
    if (over) return;
    const opened: Socket<LiveEvents> = io({
      transports: ['websocket'],
      // The token goes into the handshake and never into the address.
      auth: (give) => give({ token: accessToken.get() }),
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 4_000,
      // An attempt that hangs leaves time for others before the connection counts as lost.
      timeout: 4_000,
    });
    opened.on('connect', () => {
      clearTimeout(waiting);
      tell((listener) => listener.onConnect?.());
      if (wasOpen) tell((listener) => listener.onReturn?.());
      wasOpen = true;
    });
    opened.on('disconnect', (reason) => {
      if (reason === 'io client disconnect') return;
      if (reason === 'io server disconnect') turnedAway();
      else waitForReturn();
    });
    opened.on('connect_error', () => {
      // The library goes on by itself, unless the service has answered.
      if (!opened.active) turnedAway();
    });
    opened.on('slots', (changes) => tell((listener) => listener.onSlots?.(changes)));
    opened.on('messages', () => tell((listener) => listener.onMessages?.()));
    opened.on('appointments', () => tell((listener) => listener.onAppointments?.()));
    opened.on('account', () => tell((listener) => listener.onAccount?.()));
    opened.on('oscarOffline', () => tell((listener) => listener.onOffline?.()));
    opened.on('oscarOnline', () => tell((listener) => listener.onOnline?.()));
    opened.on('bookingPaused', () => tell((listener) => listener.onPaused?.()));
    socket = opened;
  };
  // Without a socket the pages are as fresh as their last calls; nothing needs to be said.
  open().catch(() => {});
  return () => {
    over = true;
    clearTimeout(waiting);
    clearTimeout(knocking);
    removeEventListener('online', waitForReturn);
    socket?.disconnect();
  };
}

let listen = sharedConnection(openConnection);

/** Tests bring another source. */
export function listenThrough(other: Listen): void {
  listen = other;
}

/** Hears what the service says, on the session's one connection. */
export function listenLive(listener: LiveListener): () => void {
  return listen(listener);
}
