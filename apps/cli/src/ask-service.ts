import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { CommandAnswer } from './command-socket.ts';
import type { CommandOutput, CommandRequest } from './run-command.ts';

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
