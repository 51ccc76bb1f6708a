import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CommanderError, Command as Program } from 'commander';
import { ASKING_OPTIONS, type Command, CommandRefused, type Given, asksFirst } from './command.ts';
import { commands } from './commands.ts';
import { type Terminal, printing } from './terminal.ts';

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
  const program = new Program('npm run clinic --')
    .description('The clinic’s own commands, for whoever runs the service.')
    .addHelpText('after', ABOUT)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    })
    .showHelpAfterError('npm run clinic -- --help lists the commands.')
    .configureHelp({ visibleCommands: leavesOf, subcommandTerm: usageOf });
  for (const [name, command] of commands) {
    const [last = '', group] = name.split(' ').toReversed();
    const parent = program.commands.find((each) => each.name() === group);
    const sub = (group === undefined ? program : (parent ?? program.command(group)))
      .command(last)
      .description(command.summary);
    const options = { ...command.options, ...(command.foresee && ASKING_OPTIONS) };
    for (const [argument, what] of Object.entries(command.arguments ?? {}))
      sub.argument(argument, what);
    for (const [flags, what] of Object.entries(options)) sub.option(flags, what);
    sub.action(async () => {
      code = await carryOut(command, givenTo(sub), terminal, (given) => send(name, given));
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

/** The list of commands is flat: 'messages read' stands in it, 'messages' does not. */
const leavesOf = ({ commands: below }: Program): Program[] =>
  below.flatMap((each) => (each.commands.length === 0 ? [each] : leavesOf(each)));

/** 'messages read <id>'. */
const usageOf = (sub: Program): string =>
  [
    ...(sub.parent?.parent ? [sub.parent.name()] : []),
    sub.name(),
    ...sub.registeredArguments.map((each) =>
      each.required ? `<${each.name()}>` : `[${each.name()}]`,
    ),
  ].join(' ');

/** Reads the file that is named, so that the service needs no way to the operator's folders. */
function givenTo(sub: Program): Given {
  const { file, ...options } = sub.opts<Record<string, string | true>>();
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
