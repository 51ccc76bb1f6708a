import { isolateRightToLeft } from '@clinic/domain';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { CommanderError, Command as Program } from 'commander';
import { ASKING_OPTIONS, type Command, CommandRefused, type Given, asksFirst } from './command.ts';
import type { CommandOutput } from './command-output.ts';
import { commands } from './commands.ts';

const ABOUT = `
They speak to the running service over DATA_DIR/clinic.sock, or open the database themselves:
the embedded one while no service runs, PostgreSQL (DATABASE_URL) at any time.
Each is written into the audit trail under the name of the system’s user.`;

/** Runs the typed command line. Returns the exit code: 2 when it was typed wrong. */
export async function doAsTyped(
  typed: readonly string[],
  terminal: Terminal,
  send: (command: string, given: Given) => Promise<number>,
): Promise<number> {
  const { say, complain } = printing(terminal);
  let code = 0;
  /** Such as 'messages read <id>'. */
  const usages = new Map<Program, string>();
  const program = new Program('npm run clinic --')
    .description('The clinic’s own commands, for whoever runs the service.')
    .addHelpText('after', ABOUT)
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    })
    .showHelpAfterError('npm run clinic -- --help lists the commands.')
    // The list is flat: it has 'messages read' but not 'messages'.
    .configureHelp({
      visibleCommands: ({ commands: all }) =>
        all.flatMap((each) => (each.commands.length > 0 ? each.commands : [each])),
      subcommandTerm: (each) => usages.get(each) ?? '',
    });
  for (const [name, command] of commands) {
    const [last = '', group] = name.split(' ').toReversed();
    const parent = program.commands.find((each) => each.name() === group);
    const sub = (
      group === undefined ? program : (parent ?? program.command(group).enablePositionalOptions())
    )
      .command(last)
      .description(command.summary);
    const { arguments: words = {}, foresee } = command;
    const options = { ...command.options, ...(foresee && ASKING_OPTIONS) };
    for (const [word, what] of Object.entries(words)) sub.argument(word, what);
    for (const [flags, what] of Object.entries(options)) sub.option(flags, what);
    // What follows is the options of another command, too.
    sub.passThroughOptions(sub.registeredArguments.at(-1)?.variadic);
    usages.set(sub, [name, ...Object.keys(words)].join(' '));
    sub.action(async () => {
      code = await carryOut(command, givenTo(sub, command), terminal, (given) => send(name, given));
    });
  }
  try {
    await program.parseAsync(typed.length === 0 ? ['--help'] : typed, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

/** Reads the named file here, so that the service needs no access to the operator's folders. */
function givenTo(sub: Program, { readsInput }: Command): Given {
  const { file = readsInput && '/dev/stdin', ...options } =
    sub.opts<Record<string, string | true>>();
  const words = sub.registeredArguments.map((each, at) => [each.name(), sub.args[at]] as const);
  const restAt = sub.registeredArguments.findIndex((each) => each.variadic);
  const typed = [...words, ...Object.entries(options)];
  return {
    texts: Object.fromEntries(
      typed.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    ...(restAt >= 0 && { rest: sub.args.slice(restAt) }),
    flags: typed.flatMap(([name, value]) => (value === true ? [name] : [])),
    ...(typeof file === 'string' && { file: readFile(file) }),
  };
}

function readFile(path: string) {
  try {
    return { name: basename(path), base64: readFileSync(path).toString('base64') };
  } catch (error) {
    const where = isAbsolute(path)
      ? ''
      : ` Name it by its whole path: it was looked for in ${process.cwd()}.`;
    throw new CommandRefused(`${path} cannot be read: ${(error as Error).message}.${where}`);
  }
}

/**
 * Runs a command. One that cannot be undone is first foreseen by the service and confirmed at the terminal.
 * When nobody can be asked, the service refuses it unless `--yes` was typed.
 */
async function carryOut(
  command: Command,
  given: Given,
  { ask, err }: Terminal,
  send: (given: Given) => Promise<number>,
): Promise<number> {
  if (ask === null || !asksFirst(command, given)) return send(given);
  const foreseen = await send({ ...given, flags: [...given.flags, 'dryRun'] });
  if (foreseen !== 0) return foreseen;
  const answer = await ask('This cannot be taken back. Type yes to do it: ');
  if (/^\s*y(es)?\s*$/i.test(answer)) return send({ ...given, flags: [...given.flags, 'yes'] });
  err('Nothing was done.');
  return 1;
}

/** Characters that control a terminal or change the order of display. Tab is allowed. */
const STEERING = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/**
 * A line that is safe in a terminal, whatever people wrote in it. Control characters are shown as their
 * numbers, and right-to-left words are isolated, so that they do not reorder the rest of the line.
 */
export function printable(line: string): string {
  const harmless = line
    .toWellFormed()
    .replace(STEERING, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return isolateRightToLeft(harmless);
}

/** The operator's terminal. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Saves a file in the operator's folder; throws when one with that name exists. */
  readonly save: (name: string, bytes: Uint8Array) => void;
  /** Asks the operator; null when nobody is at the terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

/** Prints all that the operator reads, whichever command it comes from. */
export function printing({ out, err, save }: Terminal) {
  const lines = (text: string) => text.split('\n').map(printable).join('\n');
  return {
    /** For our own texts, such as help and error messages. */
    say: (text: string) => out(lines(text)),
    complain: (text: string) => err(lines(text)),
    put: (output: CommandOutput) => {
      if (output.kind === 'file') {
        save(output.name, Buffer.from(output.base64, 'base64'));
        return out(printable(`Wrote ${output.name}`));
      }
      if (output.kind === 'refused') return err(lines(output.text));
      // Prints one line, whatever it contains: a second one could look like ours.
      return out(printable(output.text));
    },
  };
}

/** Asks on these streams and returns what was typed; '' when the input ended. */
export function askOn(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): NonNullable<Terminal['ask']> {
  return async (question) => {
    const lines = createInterface({ input, output });
    const gone = once(lines, 'close').then(() => '');
    try {
      return await Promise.race([lines.question(printable(question)), gone]);
    } finally {
      lines.close();
    }
  };
}
