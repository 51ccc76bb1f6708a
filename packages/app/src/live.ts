import type { LiveEvents } from '@clinic/contract';
import { type Told, keepOpen } from '@clinic/contract/kept-open';
import type { ManagerOptions, Socket, SocketOptions, io } from 'socket.io-client';

/** Keeps a live connection of this page open. */
export const keepLive = (
  open: Parameters<typeof keepOpen>[0],
  heard: Parameters<typeof keepOpen>[1],
): (() => void) => keepOpen(open, heard, { window, document, now: Date.now, random: Math.random });

/** One try of a socket to our own origin, which does not connect again by itself. Returns what ends it. */
export function trySocket(
  connect: typeof io,
  path: string,
  { opened, closed }: Told,
  hears: Partial<LiveEvents>,
  options: Partial<ManagerOptions & SocketOptions> = {},
): () => void {
  const socket: Socket = connect(path, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...options,
  });
  const ended = () => closed(!socket.active);
  socket.on('connect', opened);
  socket.on('connect_error', ended);
  socket.on('disconnect', ended);
  for (const [name, hear] of Object.entries(hears)) socket.on(name, hear as () => void);
  return () => socket.disconnect();
}
