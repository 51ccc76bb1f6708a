import { isUuid } from '@clinic/service/database/db.ts';
import type { Platform } from '@clinic/service/platform.ts';
import type { Who } from '@clinic/service/security/audit.store.ts';

/** What the operator typed, as it goes over the socket. */
export interface Given {
  /** Arguments and options by their names, `--without-types` as `withoutTypes`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  /** What `--file` names. */
  readonly file?: { readonly name: string; readonly base64: string };
}

/** What a command works with: what was typed, the parts of the service, the way to its operator. */
export interface CommandContext extends Given {
  readonly platform: Platform;
  readonly db: Platform['database']['db'];
  /** 'clinic:<os user>', and when the command began. */
  readonly who: Who;
  /** Lines for the operator, shown at once. */
  readonly say: (...lines: readonly string[]) => void;
  /** A file for the operator's current folder; an existing one is never overwritten. */
  readonly give: (name: string, bytes: Uint8Array) => void;
}

type CommandRun = (context: CommandContext) => Promise<unknown>;

export interface Command {
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What each is: '<id>', or '[days]' where it may be left out. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** What each is: '--waiting', '--text <text>', or '--file <file>' for one that is read. */
  readonly options?: Readonly<Record<string, string>>;
  /** Reads what comes to its standard input, where no `--file` is named. */
  readonly readsInput?: true;
  /** Left out of what needs no service: whoever was asked does it (main.ts). */
  readonly run?: CommandRun;
  /** Of a command that cannot be taken back: says what `run` would do, and changes nothing. */
  readonly foresee?: CommandRun;
  /** The flag without which it can be taken back. */
  readonly irrevocableWith?: string;
}

/** By their names of one or two words: 'offline', 'messages answer'. */
export type Commands = Readonly<Record<string, Command>>;

/** Of every command that cannot be taken back. */
export const ASKING_OPTIONS = {
  '--yes': 'Do it without asking; for scripts.',
  '--dry-run': 'Say what would happen, and change nothing.',
};

/** Whether this must be asked before it is done: not where the operator has decided already. */
export const asksFirst = ({ foresee, irrevocableWith }: Command, { flags }: Given): boolean =>
  foresee !== undefined &&
  (irrevocableWith === undefined || flags.includes(irrevocableWith)) &&
  !flags.includes('yes') &&
  !flags.includes('dryRun');

/** The operator asked for something that cannot be; the sentence says what. Ends with 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** An id as the lists show it. */
export function wantedId(id: string | undefined, what: string): string {
  if (id !== undefined && isUuid(id)) return id;
  throw new CommandRefused(`'${id}' is no id of a ${what}.`);
}

const MOST = 1_000;
export const LIMIT_OPTION = { '--limit <text>': `How many at most; up to ${MOST}.` };

/** How many rows were asked for. */
export function wantedCount({ limit }: Given['texts'], usual: number): number {
  if (limit === undefined) return usual;
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MOST)
    throw new CommandRefused(`--limit must be a number from 1 to ${MOST}.`);
  return count;
}

/** '1 appointment', '2 appointments'. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
