import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askService } from './ask-service.ts';
import { carryOut } from './carry-out.ts';
import { CommandRefused } from './command.ts';
import { socketPathIn } from './command-socket.ts';
import { commands } from './commands.ts';
import type { GivenJson } from './given.ts';
import { helpOf, listOfCommands } from './help.ts';
import { openDirectly } from './open-directly.ts';
import { WrongUse, findCommand, readArguments } from './read-arguments.ts';
import { type CommandRequest, runCommand } from './run-command.ts';
import { type Terminal, askOn, printing } from './terminal.ts';

// npm run clinic -- <command>: what whoever runs the service can do from its own machine.
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const { env } = process;
const dataDir = resolve(root, env.DATA_DIR ?? 'data');

const { stdin, stdout } = process;
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
const { say, complain, put } = printing(terminal);

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof WrongUse ? 2 : 1;
}

async function main(typed: readonly string[]): Promise<number> {
  const found = findCommand(commands, typed);
  if (!found) {
    const asked = typed.length === 0 || typed.includes('--help') || typed[0] === 'help';
    if (!asked) complain(`There is no command '${typed.join(' ')}'.\n`);
    (asked ? say : complain)(listOfCommands(commands));
    return asked ? 0 : 2;
  }
  const { command, rest } = found;
  if (rest.includes('--help')) {
    say(helpOf(command));
    return 0;
  }
  const send = async (given: GivenJson) => {
    const request = { command: command.name, user: userInfo().username, given };
    return (await askService(socketPathIn(dataDir), request, put)) ?? runHere(request);
  };
  return carryOut(command, readArguments(command, rest), send, terminal);
}

async function runHere(request: CommandRequest): Promise<number> {
  const { platform, close } = await openDirectly(env, dataDir);
  try {
    return await runCommand(platform, commands, request, put);
  } finally {
    await close();
  }
}
