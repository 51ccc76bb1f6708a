import { type Socket, io } from 'socket.io-client';

/** How long changes are collected into one notification, in milliseconds. */
const GATHER_MS = 150;

interface Heard {
  /** The clinic's day or messages may have changed, or changes may have been missed. */
  readonly onChange: () => void;
  readonly onConnection?: (stands: boolean) => void;
}

/** Listens until the returned function is called. */
type Listen = (listener: Heard) => () => void;

const listeners = new Set<Heard>();
let socket: Socket | undefined;
let listen: Listen = listenBySocket;

/** Listens to the service; all listeners share one connection. */
export const listenToDesk: Listen = (listener) => listen(listener);

/** Replaces the socket by another source of changes. */
export function listenThrough(other: Listen): void {
  listen = other;
}

function listenBySocket(listener: Heard): () => void {
  listeners.add(listener);
  if (socket === undefined) socket = open();
  else listener.onConnection?.(socket.connected);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    socket?.disconnect();
    socket = undefined;
  };
}

function open(): Socket {
  const opened = io('/desk', {
    transports: ['websocket'],
    reconnectionDelayMax: 4_000,
    forceNew: true,
  });
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      for (const { onChange } of listeners) onChange();
    }, GATHER_MS);
  };
  const tell = (stands: boolean) => {
    for (const { onConnection } of listeners) onConnection?.(stands);
  };
  // On the first connection too: the data shown was fetched before anything could be heard.
  opened.on('connect', () => {
    tell(true);
    changed();
  });
  opened.on('disconnect', () => {
    if (opened === socket) tell(false);
  });
  opened.on('desk', changed);
  return opened;
}
