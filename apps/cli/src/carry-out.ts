import { type Command, asksFirst } from './command.ts';
import { type GivenJson, givenFrom } from './given.ts';
import type { Terminal } from './terminal.ts';

/** Hands a command to whoever does it, and gives how the process is to end. */
export type Send = (given: GivenJson) => Promise<number>;

/**
 * What cannot be taken back is asked for at the terminal, after the service said what would happen.
 * Where nobody can be asked the service refuses it, unless `--yes` was typed.
 */
export async function carryOut(
  command: Command,
  given: GivenJson,
  send: Send,
  { ask, err }: Pick<Terminal, 'ask' | 'err'>,
): Promise<number> {
  const typed = givenFrom(given);
  const decided = typed.flag('yes') || typed.flag('dry-run');
  if (!asksFirst(command, typed) || decided || ask === null) return send(given);
  const foreseen = await send({ ...given, flags: [...given.flags, 'dry-run'] });
  if (foreseen !== 0) return foreseen;
  const answer = await ask('This cannot be taken back. Type yes to do it: ');
  if (!/^\s*y(es)?\s*$/i.test(answer)) {
    err('Nothing was done.');
    return 1;
  }
  return send({ ...given, flags: [...given.flags, 'yes'] });
}
