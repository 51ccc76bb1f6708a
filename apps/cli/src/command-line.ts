import { isolateRightToLeft } from '@clinic/domain';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { CommanderError, Command as Program } from 'commander';
import { ASKING_OPTIONS, type Command, CommandRefused, type Given, asksFirst } from './command.ts';
import { type CommandOutput, commands } from './commands.ts';

const ABOUT = `
They speak to the running service over DATA_DIR/clinic.sock, or open the database themselves:
the embedded one while no service runs, PostgreSQL (DATABASE_URL) at any time.
Each is written into the audit trail under the name of the system’s user.`;

/** Does what was typed, and gives how the process is to end: 2 where it was typed wrong. */
export async function doAsTyped(
  typed: readonly string[],
  terminal: Terminal,
  send: (command: string, given: Given) => Promise<number>,
): Promise<number> {
  const { say, complain } = printing(terminal);
  let code = 0;
  /** 'messages read <id>'. */
  const usages = new Map<Program, string>();
  const program = new Program('npm run clinic --')
    .description('The clinic’s own commands, for whoever runs the service.')
    .addHelpText('after', ABOUT)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    })
    .showHelpAfterError('npm run clinic -- --help lists the commands.')
    // The list is flat: 'messages read' stands in it, 'messages' does not.
    .configureHelp({
      visibleCommands: ({ commands: all }) =>
        all.flatMap((each) => (each.commands.length > 0 ? each.commands : [each])),
      subcommandTerm: (each) => usages.get(each) ?? '',
    });
  for (const [name, command] of commands) {
    const [last = '', group] = name.split(' ').toReversed();
    const parent = program.commands.find((each) => each.name() === group);
    const sub = (group === undefined ? program : (parent ?? program.command(group)))
      .command(last)
      .description(command.summary);
    const { arguments: words = {}, foresee } = command;
    const options = { ...command.options, ...(foresee && ASKING_OPTIONS) };
    for (const [word, what] of Object.entries(words)) sub.argument(word, what);
    for (const [flags, what] of Object.entries(options)) sub.option(flags, what);
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

/** Reads the file that is named, so that the service needs no way to the operator's folders. */
function givenTo(sub: Program, { readsInput }: Command): Given {
  const { file = readsInput && '/dev/stdin', ...options } =
    sub.opts<Record<string, string | true>>();
  const words = sub.registeredArguments.map((each, at) => [each.name(), sub.args[at]] as const);
  const typed = [...words, ...Object.entries(options)];
  return {
    texts: Object.fromEntries(
      typed.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    flags: typed.flatMap(([name, value]) => (value === true ? [name] : [])),
    ...(typeof file === 'string' && { file: readFile(file) }),
  };
}

function readFile(path: string) {
  try {
    return { name: basename(path), base64: readFileSync(path).toString('base64') };
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * What cannot be taken back is asked for at the terminal, after the service said what would happen.
 * Where nobody can be asked the service refuses it, unless `--yes` was typed.
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

/** What steers a terminal, or turns the order in which a line is shown. Tab stays. */
const STEERING = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/**
 * A line as a terminal may have it: what people wrote is shown and never obeyed. A character that
 * steers stands there as its number; words from right to left are isolated, so that they do not
 * pull the rest of the line along.
 */
export function printable(line: string): string {
  const harmless = line
    .toWellFormed()
    .replace(STEERING, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return isolateRightToLeft(harmless);
}

/** Where the operator sits. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Puts a file beside the operator; throws when one of its name is there. */
  readonly save: (name: string, bytes: Uint8Array) => void;
  /** The operator's answer; null where nobody sits who could be asked. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

/** All that the operator reads goes through here, whichever command says it. */
export function printing({ out, err, save }: Terminal) {
  const lines = (text: string) => text.split('\n').map(printable).join('\n');
  return {
    /** Our own text: a help, a sentence about what went wrong. */
    say: (text: string) => out(lines(text)),
    complain: (text: string) => err(lines(text)),
    put: (output: CommandOutput) => {
      if (output.kind === 'file') {
        save(output.name, Buffer.from(output.base64, 'base64'));
        return out(printable(`Wrote ${output.name}`));
      }
      if (output.kind === 'refused') return err(lines(output.text));
      // One line, whatever is in it: a second one could pass for ours.
      return out(printable(output.text));
    },
  };
}

/** The question that was asked, and what was typed; nothing when the input ended. */
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
