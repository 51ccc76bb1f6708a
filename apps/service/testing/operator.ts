import { carryOut } from '@clinic/cli/carry-out.ts';
import { commands } from '@clinic/cli/commands.ts';
import type { GivenJson } from '@clinic/cli/given.ts';
import { findCommand, readArguments } from '@clinic/cli/read-arguments.ts';
import { runCommand } from '@clinic/cli/run-command.ts';
import { type Terminal, printing } from '@clinic/cli/terminal.ts';
import type { Platform } from '../src/platform.ts';

export interface Said {
  readonly code: number;
  readonly lines: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
  /** Why it was refused, or ''. */
  readonly refused: string;
}

/** What `npm run clinic -- …` does, without a process of its own and where nobody can be asked. */
export const operate = (platform: Platform, ...typed: readonly string[]): Promise<Said> =>
  operateAt(null, platform, ...typed);

/** The same at a terminal, whose operator answers. */
export async function operateAt(
  ask: Terminal['ask'],
  platform: Platform,
  ...typed: readonly string[]
): Promise<Said> {
  const found = findCommand(commands, typed);
  if (!found) throw new Error(`There is no command '${typed.join(' ')}'`);
  const { command, rest } = found;
  const lines: string[] = [];
  const refused: string[] = [];
  const files = new Map<string, Buffer>();
  const terminal: Terminal = {
    out: (line) => lines.push(line),
    err: (line) => refused.push(line),
    save: (name, bytes) => files.set(name, Buffer.from(bytes)),
    ask,
  };
  const { put } = printing(terminal);
  const send = (given: GivenJson) =>
    runCommand(platform, commands, { command: command.name, user: 'desk', given }, put);
  const code = await carryOut(command, readArguments(command, rest), send, terminal);
  return { code, lines, files, refused: refused.join('\n') };
}
