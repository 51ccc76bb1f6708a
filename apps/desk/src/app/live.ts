import { keepLive, trySocket } from '@clinic/app/live';
import type { Told } from '@clinic/contract/kept-open';
import { DESK } from '@clinic/domain';

/** Leaves the network to the first page, whose data is fresh anyway. */
const FIRST_PAGE_MS = 2_000;
/** How long changes are collected into one notification, in milliseconds. */
const GATHER_MS = 150;

interface Heard {
  /** The clinic's day or messages may have changed, or changes may have been missed. */
  readonly onChange: () => void;
  /** `isRefused`: the service itself refused or closed the connection. */
  readonly onConnection: (stands: boolean, isRefused: boolean) => void;
}

/** Listens until the returned function is called. */
type Listen = (heard: Heard) => () => void;

// Module state, as the front desk has one connection; tests put their own here.
let waitMs = FIRST_PAGE_MS;
let listen: Listen = listenBySocket;

/** Listens to the service. */
export const listenToDesk: Listen = (heard) => listen(heard);

/** Replaces the socket by another source of changes. */
export function listenThrough(other: Listen): void {
  listen = other;
}

function listenBySocket({ onChange, onConnection }: Heard): () => void {
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      onChange();
    }, GATHER_MS);
  };
  let stop = () => {};
  const open = () => {
    waitMs = 0;
    stop = keepLive(openSocket, {
      // On the first connection too: the data shown was fetched before anything could be heard.
      onOpen() {
        onConnection(true, false);
        changed();
      },
      onClosed: (isRefused) => onConnection(false, isRefused),
      onPoll: changed,
    });
  };
  const openSocket = async (told: Told) =>
    trySocket((await import('socket.io-client')).io, DESK, told, { desk: changed });
  const opening = setTimeout(open, waitMs);
  return () => {
    clearTimeout(opening);
    clearTimeout(gathering);
    stop();
  };
}
