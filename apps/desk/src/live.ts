import { io } from 'socket.io-client';

/** A burst of changes is one look. */
const GATHER_MS = 150;

interface Heard {
  /** A day may have changed, or changes may have been missed. */
  readonly onChange: () => void;
  readonly onConnection: (stands: boolean) => void;
}

/** Listens to the service until the answer is called. */
export function listenToDesk({ onChange, onConnection }: Heard): () => void {
  const socket = io('/desk', { transports: ['websocket'], reconnectionDelayMax: 4_000 });
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      onChange();
    }, GATHER_MS);
  };
  let wasOpen = false;
  socket.on('connect', () => {
    onConnection(true);
    if (wasOpen) changed();
    wasOpen = true;
  });
  socket.on('disconnect', () => onConnection(false));
  socket.on('desk', changed);
  return () => {
    clearTimeout(gathering);
    socket.disconnect();
  };
}
