import { commands } from '../src/clinic-command/commands.ts';
import { findCommand, readArguments } from '../src/clinic-command/read-arguments.ts';
import { runCommand } from '../src/clinic-command/run-command.ts';
import type { Platform } from '../src/platform/platform.ts';

export interface Said {
  readonly code: number;
  readonly lines: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
  /** Why it was refused, or ''. */
  readonly refused: string;
}

/** What `npm run clinic -- …` does, without a process of its own. */
export async function operate(platform: Platform, ...typed: readonly string[]): Promise<Said> {
  const found = findCommand(commands, typed);
  if (!found) throw new Error(`There is no command '${typed.join(' ')}'`);
  const lines: string[] = [];
  const files = new Map<string, Buffer>();
  let refused = '';
  const request = {
    command: found.command.name,
    user: 'desk',
    given: readArguments(found.command, found.rest),
  };
  const code = await runCommand(platform, commands, request, (output) => {
    if (output.kind === 'line') lines.push(output.text);
    else if (output.kind === 'file') files.set(output.name, Buffer.from(output.base64, 'base64'));
    else refused = output.text;
  });
  return { code, lines, files, refused };
}
