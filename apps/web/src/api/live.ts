import type { LiveEvents, SlotChange } from '@clinic/contract';
import type { Socket } from 'socket.io-client';
import { accessToken } from './access-token.ts';
import { afterCharges, isCharging } from './charges-under-way.ts';

export interface LiveListener {
  readonly onSlots?: (changes: readonly SlotChange[]) => void;
  /** A message of the patient changed; ask the service which one. */
  readonly onMessages?: () => void;
  /** The clinic's staff changed an appointment of the patient. */
  readonly onAppointments?: () => void;
  /** The clinic's staff changed other data of the patient, such as the profile or a document. */
  readonly onAccount?: () => void;
  /** The clinic's records went offline, or maintenance was announced. */
  readonly onOffline?: () => void;
  readonly onOnline?: () => void;
  /** Nothing can be booked until the clinic's records answer. */
  readonly onPaused?: () => void;
  /** The connection was established, for the first time or again. */
  readonly onConnect?: () => void;
  /** The connection is back: events may have been missed. */
  readonly onReturn?: () => void;
  /** The connection was lost fifteen seconds ago and is not back. */
  readonly onLost?: () => void;
  /** The service refused or closed the connection of this session. */
  readonly onTurnedAway?: () => void;
}

/** Listens until the returned function is called. */
type Listen = (listener: LiveListener) => () => void;

/** A shorter interruption is not reported. */
const LOST_AFTER_MS = 15_000;
/** A timer later than this means that the device slept: the wait starts over. */
const OVERSLEPT_MS = 5_000;
const TRY_AGAIN_MS = 5_000;
/** Leaves the network to the first page, whose data is fresh anyway. */
const FIRST_PAGE_MS = 6_000;

// Module state, as a browser tab has one connection.
const listeners = new Set<LiveListener>();

/** Shares one connection among all listeners, open as long as there are any. */
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
    // Slots change while the patient looks at them, so connect at once.
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

/** Opens a socket to our own origin. Its code loads only then, so that no page waits for it. */
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
      // While the device itself is offline, its silence says nothing about the clinic.
      if (!navigator.onLine) return addEventListener('online', waitForReturn, { once: true });
      const overslept = Date.now() - since > LOST_AFTER_MS + OVERSLEPT_MS;
      // A patient who has just paid gets time to read the outcome first.
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
      // The token is sent in the handshake, never in the address.
      auth: (give) => give({ token: accessToken.get() }),
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 4_000,
      // A hanging attempt must leave time for others before the connection counts as lost.
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
      // The library reconnects by itself, unless the service has refused.
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
  // Without a socket the pages are as fresh as their last calls, so the failure is not shown.
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

/** Replaces the connection in tests. */
export function listenThrough(other: Listen): void {
  listen = other;
}

/** Listens to the service's events on the tab's one connection; returns an unsubscribe. */
export function listenLive(listener: LiveListener): () => void {
  return listen(listener);
}
