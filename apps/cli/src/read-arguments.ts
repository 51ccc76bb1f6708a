import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, CommandRefused } from './command.ts';
import type { GivenJson } from './given.ts';

/** What was typed does not fit the command; the sentence says how. Ends with 2. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** The command that the first words name, the longest name first, and what follows it. */
export function findCommand(
  commands: readonly Command[],
  typed: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  for (const words of [2, 1]) {
    const name = typed.slice(0, words).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command) return { command, rest: typed.slice(name.split(' ').length) };
  }
  return null;
}

/** Reads the files that are named, so that the service needs no way to the operator's folders. */
export function readArguments(command: Command, typed: readonly string[]): GivenJson {
  const { options = {}, arguments: wanted = [] } = command;
  const parsed = parse(command, typed);
  const valuesOf = (kind: 'text' | 'file') =>
    Object.entries(options).flatMap(([name, option]) => {
      const found = parsed.values[name];
      if (option.kind !== kind || found === undefined) return [];
      return [[name, [found].flat().map(String)] as const];
    });

  if (parsed.positionals.length > wanted.length)
    throw new WrongUse(`'${parsed.positionals[wanted.length]}' is one word too many.`);
  const given: Record<string, string> = {};
  for (const [at, { name, optional }] of wanted.entries()) {
    const found = parsed.positionals[at];
    if (found !== undefined) given[name] = found;
    else if (!optional) throw new WrongUse(`<${name}> is missing.`);
  }
  return {
    arguments: given,
    texts: Object.fromEntries(valuesOf('text')),
    flags: Object.entries(options).flatMap(([name, { kind }]) =>
      kind === 'flag' && parsed.values[name] === true ? [name] : [],
    ),
    files: Object.fromEntries(valuesOf('file').map(([name, paths]) => [name, paths.map(readFile)])),
  };
}

function parse({ options = {} }: Command, typed: readonly string[]) {
  try {
    return parseArgs({
      args: [...typed],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { kind, many }]) => [
          name,
          {
            type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
            multiple: many === true,
          },
        ]),
      ),
    });
  } catch (error) {
    if (error instanceof TypeError) throw new WrongUse(error.message);
    throw error;
  }
}

function readFile(path: string) {
  try {
    return { name: basename(path), base64: readFileSync(path).toString('base64') };
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read: ${(error as Error).message}`);
  }
}
