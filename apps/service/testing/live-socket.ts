import { type ManagerOptions, type Socket, type SocketOptions, io } from 'socket.io-client';

/**
 * The socket of a signed-in patient's page, open at a service; a lost one is not opened again. Rejects
 * with what it was refused for.
 */
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
  await new Promise<void>((open, refused) => {
    socket.once('connect', open);
    socket.on('connect_error', (error) => {
      // The library tries again by itself unless the service has answered.
      if (!socket.active) refused(error);
    });
  });
  return socket;
}
