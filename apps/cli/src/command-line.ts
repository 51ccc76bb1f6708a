import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CommanderError, Command as Program } from 'commander';
import { type Command, CommandRefused, type Given, asksFirst } from './command.ts';
import { commands } from './commands.ts';
import { type Terminal, printing } from './terminal.ts';

const ABOUT = `
They speak to the running service over DATA_DIR/clinic.sock, or open the database themselves:
the embedded one while no service runs, PostgreSQL (DATABASE_URL) at any time.
Each is written into the audit trail under the name of the system’s user.`;

/** Hands a command to whoever does it, and gives how the process is to end. */
type Send = (command: Command, given: Given) => Promise<number>;

/** Does what was typed, and gives how the process is to end: 2 where it was typed wrong. */
export async function doAsTyped(
  typed: readonly string[],
  terminal: Terminal,
  send: Send,
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
    .configureHelp({
      visibleCommands: leavesOf,
      subcommandTerm: (each) =>
        [each.parent?.parent && each.parent.name(), usageOf(each)].filter(Boolean).join(' '),
    });
  for (const command of commands) {
    const [last = '', group] = command.name.split(' ').toReversed();
    const parent = program.commands.find((each) => each.name() === group);
    const sub = (group === undefined ? program : (parent ?? program.command(group)))
      .command(last)
      .description(command.summary);
    for (const [name, what] of Object.entries(command.arguments ?? {})) sub.argument(name, what);
    for (const [flags, what] of Object.entries(command.options ?? {})) sub.option(flags, what);
    sub.action(async () => {
      code = await carryOut(command, givenTo(sub), terminal, send);
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

const usageOf = (sub: Program): string =>
  [
    sub.name(),
    ...sub.registeredArguments.map((each) =>
      each.required ? `<${each.name()}>` : `[${each.name()}]`,
    ),
  ].join(' ');

/** Reads the files that are named, so that the service needs no way to the operator's folders. */
function givenTo(sub: Program): Given {
  const texts: Record<string, string> = {};
  const flags: string[] = [];
  const files: Record<string, { name: string; base64: string }> = {};
  for (const [at, argument] of sub.registeredArguments.entries()) {
    const text = sub.args[at];
    if (text !== undefined) texts[argument.name()] = text;
  }
  for (const option of sub.options) {
    const value: unknown = sub.getOptionValue(option.attributeName());
    if (value === true) flags.push(option.name());
    if (typeof value !== 'string') continue;
    if (option.flags.endsWith('<file>')) files[option.name()] = readFile(value);
    else texts[option.name()] = value;
  }
  return { texts, flags, files };
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
  send: Send,
): Promise<number> {
  if (ask === null || !asksFirst(command, given)) return send(command, given);
  const foreseen = await send(command, { ...given, flags: [...given.flags, 'dry-run'] });
  if (foreseen !== 0) return foreseen;
  const answer = await ask('This cannot be taken back. Type yes to do it: ');
  if (!/^\s*y(es)?\s*$/i.test(answer)) {
    err('Nothing was done.');
    return 1;
  }
  return send(command, { ...given, flags: [...given.flags, 'yes'] });
}
