import { keepLive, trySocket } from '@clinic/app/live';
import type { LiveEvents, SlotChange } from '@clinic/contract';
import type { Told } from '@clinic/contract/kept-open';
import { accessToken } from './access-token.ts';
import { afterCharges, isCharging } from './charges-under-way.ts';

export interface LiveListener {
  readonly onSlots?: (changes: readonly SlotChange[]) => void;
  /** A message of the patient changed; ask the service which one. */
  readonly onMessages?: () => void;
  /** A hold, an appointment or a payment of the patient changed, whoever changed it. */
  readonly onAppointments?: () => void;
  /** Other data of the patient changed, such as the profile or a document. */
  readonly onAccount?: () => void;
  /** The clinic's records went offline, or maintenance was announced. */
  readonly onOffline?: () => void;
  readonly onOnline?: () => void;
  /** Nothing can be booked until the clinic's records answer. */
  readonly onPaused?: () => void;
  /** The connection was established, for the first time or again. */
  readonly onConnect?: () => void;
  /** The connection is still to be opened: events may have been missed. */
  readonly onNotYetOpen?: () => void;
  /** The connection is not open: events may have been missed. */
  readonly onUnheard?: () => void;
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
/** Leaves the network to the first page, whose data is fresh anyway. */
const FIRST_PAGE_MS = 6_000;
/** Until then, what another tab or device changes is asked for this often. */
const NOT_YET_OPEN_MS = 1_500;

// Module state, as a browser tab has one connection.
const listeners = new Set<LiveListener>();

/** Shares one connection among all listeners, open as long as there are any. */
export function sharedConnection(open: () => () => void): Listen {
  let close: (() => void) | null = null;
  let opening: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setInterval> | undefined;
  const stopWaiting = () => {
    clearTimeout(opening);
    clearInterval(asking);
  };
  const openNow = () => {
    stopWaiting();
    close ??= open();
  };
  return (listener) => {
    if (listeners.size === 0) {
      opening = setTimeout(openNow, FIRST_PAGE_MS);
      asking = setInterval(() => tell((each) => each.onNotYetOpen?.()), NOT_YET_OPEN_MS);
    }
    listeners.add(listener);
    // Slots change while the patient looks at them, so connect at once.
    if (listener.onSlots) openNow();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      stopWaiting();
      close?.();
      close = null;
    };
  };
}

function tell(whom: (listener: LiveListener) => void): void {
  for (const listener of listeners) whom(listener);
}

/** The socket's code loads only now, so that no page waits for it. */
async function openSocket(told: Told): Promise<() => void> {
  const { io } = await import('socket.io-client');
  const hears: Partial<LiveEvents> = {
    slots: (changes) => tell((listener) => listener.onSlots?.(changes)),
    messages: () => tell((listener) => listener.onMessages?.()),
    appointments: () => tell((listener) => listener.onAppointments?.()),
    account: () => tell((listener) => listener.onAccount?.()),
    oscarOffline: () => tell((listener) => listener.onOffline?.()),
    oscarOnline: () => tell((listener) => listener.onOnline?.()),
    bookingPaused: () => tell((listener) => listener.onPaused?.()),
  };
  // The token is sent in the handshake, never in the address.
  const auth = (give: (data: object) => void) => give({ token: accessToken.get() });
  return trySocket(io, '/', told, hears, { auth });
}

/** Keeps a connection open and reports what becomes of it. */
export function keepConnection(open: Parameters<typeof keepLive>[0] = openSocket): () => void {
  let isOpen = false;
  let wasOpen = false;
  /** Its return is waited for, or was in vain. */
  let isMissed = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const waitForReturn = () => {
    if (isOpen) return;
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
  const stop = keepLive(open, {
    onOpen(isReturn) {
      isOpen = true;
      wasOpen = true;
      isMissed = false;
      clearTimeout(waiting);
      tell((listener) => listener.onConnect?.());
      if (isReturn) tell((listener) => listener.onReturn?.());
    },
    onClosed(isRefused) {
      isOpen = false;
      if (isRefused) return tell((listener) => listener.onTurnedAway?.());
      if (!wasOpen || isMissed) return;
      isMissed = true;
      waitForReturn();
    },
    onPoll: () => tell((listener) => listener.onUnheard?.()),
    mayTry: () => accessToken.get() !== null,
  });
  return () => {
    // Also a wait for the end of a charge goes no further.
    isOpen = true;
    clearTimeout(waiting);
    removeEventListener('online', waitForReturn);
    stop();
  };
}

// Module state, as a browser tab has one connection; tests put their own here.
let listen = sharedConnection(keepConnection);

/** Replaces the connection in tests. */
export function listenThrough(other: Listen): void {
  listen = other;
}

/** Listens to the service's events on the tab's one connection; returns an unsubscribe. */
export function listenLive(listener: LiveListener): () => void {
  return listen(listener);
}
