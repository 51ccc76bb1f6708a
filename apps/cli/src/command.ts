import { isUuid } from '@clinic/service/database/db.ts';
import type { Platform } from '@clinic/service/platform.ts';
import type { Who } from '@clinic/service/security/audit.store.ts';
import type { Refusal } from '@clinic/service/server/refusal.ts';
import { ENGLISH } from '@clinic/texts';
import type { SeenFromOutside } from './from-outside.ts';

/** What the operator typed, as sent over the socket. */
export interface Given {
  /** Arguments and options by name, `--without-types` as `withoutTypes`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  /** What was typed for an argument such as '<command...>', which takes all that follows. */
  readonly rest?: readonly string[];
  /** The file that `--file` names. */
  readonly file?: { readonly name: string; readonly base64: string };
}

/** What a command works with: what was typed, the parts of the service, and the output to its operator. */
export interface CommandContext extends Given {
  readonly platform: Platform;
  readonly db: Platform['database']['db'];
  /** 'clinic:<os user>', and when the command began. */
  readonly who: Who;
  /** The service as patients reach it, or itself where it runs the command. */
  readonly fromOutside: () => Promise<Pick<SeenFromOutside, 'why' | 'version'>>;
  /** Prints lines for the operator at once. */
  readonly say: (...lines: readonly string[]) => void;
  /** Saves a file in the operator's current folder; never overwrites one. */
  readonly give: (name: string, bytes: Uint8Array) => void;
}

type CommandRun = (context: CommandContext) => Promise<unknown>;

export interface Command {
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Descriptions by argument: '<id>', '[days]' when it is optional, '<command...>' for all that follows. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Descriptions by option: '--waiting', '--text <text>', or '--file <file>' for a file to read. */
  readonly options?: Readonly<Record<string, string>>;
  /** Reads standard input when no `--file` is given. */
  readonly readsInput?: true;
  /** Absent for commands that need no service: main.ts runs those. */
  readonly run?: CommandRun;
  /** For a command that cannot be undone: says what `run` would do, and changes nothing. */
  readonly foresee?: CommandRun;
  /** The flag that makes the command impossible to undo; without it, nothing is asked. */
  readonly irrevocableWith?: string;
}

/** Commands by their names of one or two words: 'offline', 'messages answer'. */
export type Commands = Readonly<Record<string, Command>>;

/** The options of every command that cannot be undone. */
export const ASKING_OPTIONS = {
  '--yes': 'Do it without asking; for scripts.',
  '--dry-run': 'Say what would happen, and change nothing.',
};

/** Whether to ask the operator first: not when they decided already with --yes or --dry-run. */
export const asksFirst = ({ foresee, irrevocableWith }: Command, { flags }: Given): boolean =>
  foresee !== undefined &&
  (irrevocableWith === undefined || flags.includes(irrevocableWith)) &&
  !flags.includes('yes') &&
  !flags.includes('dryRun');

/** The command cannot be done; the message says why. The exit code is 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** The sentence of a refusal by the service, as the front desk reads it. */
export const refusedBy = (why: Refusal) =>
  new CommandRefused(why.bodyIn(ENGLISH.id).extras.message);

/** Checks an id as the lists show it. */
export function wantedId(id: string | undefined, what: string): string {
  if (id !== undefined && isUuid(id)) return id;
  throw new CommandRefused(`'${id}' is no id of a ${what}.`);
}

const MOST = 1_000;
export const LIMIT_OPTION = { '--limit <text>': `How many at most; up to ${MOST}.` };

/** The number of rows that was asked for. */
export function wantedCount({ limit }: Given['texts'], usual: number): number {
  if (limit === undefined) return usual;
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MOST)
    throw new CommandRefused(`--limit must be a number from 1 to ${MOST}.`);
  return count;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** '3 hours', in the largest unit of which there are two. */
export function ageOf(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds >= 2 * each) ?? ['second', 1];
  return counted(Math.max(0, Math.floor(seconds / length)), unit);
}

/** '1 appointment', '2 appointments'. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
