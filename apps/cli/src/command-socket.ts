import { chmodSync, rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { FastifyInstance } from 'fastify';
import { StartRefused } from '@clinic/service/environment.ts';
import type { Platform } from '@clinic/service/platform.ts';
import { type CommandOutput, type CommandRequest, runCommand } from './commands.ts';

/** One line of JSON each: the request, then any number of outputs, then the end. */
type CommandAnswer = CommandOutput | { readonly kind: 'end'; readonly code: number };

/** The shorter of both spellings: the system takes about a hundred bytes of a socket's path. */
export function socketPathIn(dataDir: string): string {
  const path = join(dataDir, 'clinic.sock');
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

/** While the service listens it also takes commands, of its own user alone (mode 0600). */
export function takeCommands(app: FastifyInstance, platform: Platform, dataDir: string): void {
  const path = socketPathIn(dataDir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket, platform);
  });
  const listenHere = async () => {
    rmSync(path, { force: true });
    await listenPrivately(server, path);
  };
  app.addHook('onReady', async () => {
    if (!(await somebodyAnswersAt(path))) return;
    throw new StartRefused(
      `Another process takes the commands at ${path}. Stop that process, or set DATA_DIR to another folder.`,
    );
  });
  let opening = Promise.resolve();
  // A folder whose path is too long for a socket costs the commands, not the clinic.
  app.addHook('onListen', () => {
    opening = listenHere().catch((error: unknown) =>
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
    runLine(platform, line, put)
      .catch((error: unknown) => {
        platform.log.error('command-failed', error);
        put({ kind: 'refused', text: 'The command failed; the log of the service says why.' });
        return 1;
      })
      .then(
        (code) => {
          put({ kind: 'end', code });
          socket.end();
        },
        () => socket.destroy(),
      );
  });
}

/** A client that was ended in the midst of its request leaves half a line, which is no JSON. */
async function runLine(
  platform: Platform,
  line: string,
  put: (answer: CommandAnswer) => void,
): Promise<number> {
  let request: CommandRequest;
  try {
    request = JSON.parse(line) as CommandRequest;
  } catch {
    put({ kind: 'refused', text: 'The request cannot be read.' });
    return 2;
  }
  return runCommand(platform, request, put);
}

/** A socket file that a killed process left behind answers nobody. */
function somebodyAnswersAt(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The file is made with this mask; there is no moment at which others could come in.
    const mask = process.umask(0o177);
    try {
      server.listen(path, () => {
        chmodSync(path, 0o600);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}

/** Hands the command to the running service; null when none runs. */
export function askService(
  path: string,
  request: CommandRequest,
  put: (output: CommandOutput) => void,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let connected = false;
    socket.once('connect', () => {
      connected = true;
      socket.write(`${JSON.stringify(request)}\n`);
      const lines = createInterface({ input: socket });
      lines.on('error', reject);
      lines.on('line', (line) => {
        const answer = JSON.parse(line) as CommandAnswer;
        if (answer.kind === 'end') resolve(answer.code);
        else put(answer);
      });
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const nobodyThere = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
      if (!connected && nobodyThere) resolve(null);
      else reject(error);
    });
    socket.once('close', () => {
      if (connected) reject(new Error('The service stopped before the command had ended.'));
    });
  });
}
