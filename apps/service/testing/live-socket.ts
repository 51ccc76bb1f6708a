import { type ManagerOptions, type Socket, type SocketOptions, io } from 'socket.io-client';
import { patientChangesSince } from '../src/database/changes.store.ts';
import type { Database } from '../src/database/db.ts';

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
    // However slow the machine, a try is not given up.
    timeout: 600_000,
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

/** Reads which patients' pages are told of what, as `<patient> <event>`, since the last call or since this one. */
export async function whoIsTold({ db }: Pick<Database, 'db'>): Promise<() => Promise<string[]>> {
  let { snapshot } = await patientChangesSince(db, null);
  return async () => {
    const found = await patientChangesSince(db, snapshot);
    snapshot = found.snapshot;
    return found.changes.map(({ patientId, event }) => `${patientId} ${event}`).sort();
  };
}
