import { type Terminal, doAsTyped, printing } from '@clinic/cli/command-line.ts';
import { runCommand } from '@clinic/cli/commands.ts';
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
  const code = await doAsTyped(typed, terminal, (command, given) =>
    runCommand(platform, { command, user: 'operator', given }, put),
  );
  return { code, lines, files, refused: refused.join('\n') };
}
