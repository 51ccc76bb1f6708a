import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, resolve } from 'node:path';
import { CommandRefused } from './command.ts';
import { doAsTyped } from './command-line.ts';
import { askService, socketPathIn } from './command-socket.ts';
import { type CommandRequest, runCommand } from './commands.ts';
import { openDirectly } from './open-directly.ts';
import { type Terminal, askOn, printing } from './terminal.ts';

// npm run clinic -- <command>: what whoever runs the service can do from its own machine.
const { env, stdin, stdout } = process;
const dataDir = resolve(import.meta.dirname, '../../..', env.DATA_DIR ?? 'data');

const terminal: Terminal = {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  save(name, bytes) {
    const here = basename(name);
    try {
      writeFileSync(here, bytes, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw new CommandRefused(`${here} was not written: ${(error as Error).message}`);
    }
  },
  ask: stdin.isTTY && stdout.isTTY ? askOn(stdin, stdout) : null,
};
const { complain, put } = printing(terminal);

try {
  process.exitCode = await doAsTyped(process.argv.slice(2), terminal, async (command, given) => {
    const request = { command, user: userInfo().username, given };
    return (await askService(socketPathIn(dataDir), request, put)) ?? runHere(request);
  });
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function runHere(request: CommandRequest): Promise<number> {
  const { platform, close } = await openDirectly(env, dataDir);
  try {
    return await runCommand(platform, request, put);
  } finally {
    await close();
  }
}
