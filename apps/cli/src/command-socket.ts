import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { FastifyInstance } from 'fastify';
import { StartRefused } from '@clinic/service/read-settings.ts';
import type { Platform } from '@clinic/service/platform.ts';
import type { CommandOutput } from './command-output.ts';
import { type CommandRequest, runCommand } from './commands.ts';

/** The socket's protocol has one JSON value a line: the request, then any outputs, then the end. */
type CommandAnswer = CommandOutput | { readonly kind: 'end'; readonly code: number };

/** The shorter of the absolute and the relative path: the system allows about a hundred bytes. */
export function socketPathIn(dataDir: string): string {
  const path = join(dataDir, 'clinic.sock');
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

/** While the service listens, also takes commands on a socket, only from its own user (mode 0600). */
export function takeCommands(app: FastifyInstance, platform: Platform, dataDir: string): void {
  const path = socketPathIn(dataDir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket, platform);
  });
  app.addHook('onReady', async () => {
    const other = await connectTo(path).catch(() => null);
    other?.destroy();
    if (other === null) return;
    throw new StartRefused(
      `Another process takes the commands at ${path}. Stop that process, or set DATA_DIR to another folder.`,
    );
  });
  let opening = Promise.resolve();
  // When the folder's path is too long for a socket, commands fail, but the clinic still starts.
  app.addHook('onListen', () => {
    opening = listenPrivately(server, path).catch((error: unknown) =>
      platform.log.error('commands-not-taken', error),
    );
    return opening;
  });
  app.addHook('preClose', async () => {
    await opening;
    for (const socket of open) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });
}

function serve(socket: Socket, platform: Platform): void {
  const put = (answer: CommandAnswer) => socket.write(`${JSON.stringify(answer)}\n`);
  const lines = createInterface({ input: socket });
  lines.on('error', () => socket.destroy());
  lines.once('line', (line) => {
    runLine(platform, line, put).then(
      (code) => {
        put({ kind: 'end', code });
        socket.end();
      },
      () => socket.destroy(),
    );
  });
}

async function runLine(
  platform: Platform,
  line: string,
  put: (answer: CommandAnswer) => void,
): Promise<number> {
  let request: CommandRequest;
  try {
    request = JSON.parse(line) as CommandRequest;
  } catch {
    // A client that was killed while it sent its request leaves half a line.
    put({ kind: 'refused', text: 'The request cannot be read.' });
    return 2;
  }
  try {
    return await runCommand(platform, request, put);
  } catch (error) {
    platform.log.error('command-failed', error);
    put({ kind: 'refused', text: 'The command failed; the log of the service says why.' });
    return 1;
  }
}

async function listenPrivately(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true });
  // The socket is created with this mask, so at no moment can other users connect.
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await once(server, 'listening');
}

/** Null when nobody listens, such as when a killed process left the socket behind. */
async function connectTo(path: string): Promise<Socket | null> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw error;
  }
}

/** Sends the command to the running service; null when none runs. */
export async function askService(
  path: string,
  request: CommandRequest,
  put: (output: CommandOutput) => void,
): Promise<number | null> {
  const socket = await connectTo(path);
  if (socket === null) return null;
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const line of createInterface({ input: socket })) {
      const answer = JSON.parse(line) as CommandAnswer;
      if (answer.kind === 'end') return answer.code;
      put(answer);
    }
    throw new Error('The service stopped before the command had ended.');
  } finally {
    socket.destroy();
  }
}
