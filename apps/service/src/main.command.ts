import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askService } from './clinic-command/ask-service.ts';
import { CommandRefused } from './clinic-command/command.ts';
import { socketPathIn } from './clinic-command/command-socket.ts';
import { commands } from './clinic-command/commands.ts';
import { helpOf, listOfCommands } from './clinic-command/help.ts';
import { openDirectly } from './clinic-command/open-directly.ts';
import { WrongUse, findCommand, readArguments } from './clinic-command/read-arguments.ts';
import {
  type CommandOutput,
  type CommandRequest,
  runCommand,
} from './clinic-command/run-command.ts';

// npm run clinic -- <command>: what whoever runs the service can do from its own machine.
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const { env } = process;
const dataDir = resolve(root, env.DATA_DIR ?? 'data');

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof WrongUse ? 2 : 1;
}

async function main(typed: readonly string[]): Promise<number> {
  const found = findCommand(commands, typed);
  if (!found) {
    const asked = typed.length === 0 || typed.includes('--help') || typed[0] === 'help';
    if (!asked) console.error(`There is no command '${typed.join(' ')}'.\n`);
    (asked ? console.log : console.error)(listOfCommands(commands));
    return asked ? 0 : 2;
  }
  const { command, rest } = found;
  if (rest.includes('--help')) {
    console.log(helpOf(command));
    return 0;
  }
  const request: CommandRequest = {
    command: command.name,
    user: userInfo().username,
    given: readArguments(command, rest),
  };
  const answered = await askService(socketPathIn(dataDir), request, put);
  return answered ?? runHere(request);
}

async function runHere(request: CommandRequest): Promise<number> {
  const { platform, close } = await openDirectly(env, dataDir);
  try {
    return await runCommand(platform, commands, request, put);
  } finally {
    await close();
  }
}

function put(output: CommandOutput): void {
  switch (output.kind) {
    case 'line':
      return console.log(output.text);
    case 'refused':
      return console.error(output.text);
    case 'file': {
      const name = basename(output.name);
      try {
        writeFileSync(name, Buffer.from(output.base64, 'base64'), { flag: 'wx', mode: 0o600 });
      } catch (error) {
        throw new CommandRefused(`${name} was not written: ${(error as Error).message}`);
      }
      return console.log(`Wrote ${name}`);
    }
  }
}
