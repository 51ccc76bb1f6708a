import { once } from 'node:events';

import { type ManagerOptions, type Socket, type SocketOptions, io } from 'socket.io-client';

/** The socket of a signed-in patient's page, open at a service; a lost one is not opened again. */
export async function listensAt(
  url: string,
  token: string,
  options: Partial<ManagerOptions & SocketOptions> = { reconnection: false },
): Promise<Socket> {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    auth: { token },
    extraHeaders: { origin: 'http://127.0.0.1:3000' },
    ...options,
  });
  await once(socket as never, 'connect');
  return socket;
}
