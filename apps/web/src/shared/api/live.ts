import type { LiveEvents, SlotChange } from '@clinic/contract';
import type { Socket } from 'socket.io-client';
import { accessToken } from './access-token.ts';

export interface LiveListener {
  readonly onSlots: (changes: readonly SlotChange[]) => void;
  /** The connection was away: something may have been missed. */
  readonly onReturn: () => void;
}

/** Listens until the answer is called. */
export type Listen = (listener: LiveListener) => () => void;

/** A socket to our own origin. Its code comes only now: no page waits for it. */
const overSocket: Listen = ({ onSlots, onReturn }) => {
  let over = false;
  let socket: Socket<LiveEvents> | null = null;

  const open = async () => {
    const { io } = await import('socket.io-client');
    if (over) return;
    const opened: Socket<LiveEvents> = io({
      transports: ['websocket'],
      // The token goes into the handshake and never into the address.
      auth: (tell) => tell({ token: accessToken.get() }),
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 20_000,
    });
    let wasOpen = false;
    opened.on('connect', () => {
      if (wasOpen) onReturn();
      wasOpen = true;
    });
    opened.on('slots', onSlots);
    socket = opened;
  };
  // Without a socket the grid is as fresh as its last call; nothing needs to be said.
  open().catch(() => {});
  return () => {
    over = true;
    socket?.disconnect();
  };
};

let listen: Listen = overSocket;

/** Tests bring another source. */
export function listenThrough(other: Listen): void {
  listen = other;
}

export function listenToSlots(listener: LiveListener): () => void {
  return listen(listener);
}
