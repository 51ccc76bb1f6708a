import type { Platform } from '@clinic/service/platform.ts';
import { isUuid } from '@clinic/service/server/ids.ts';

/** What a command works with: the parts of the service, and the way to its operator. */
export interface CommandContext {
  readonly platform: Platform;
  /** 'clinic:<os user>', as the audit names who did it. */
  readonly actor: string;
  /** A line for the operator, shown at once. */
  readonly say: (line: string) => void;
  /** A file for the operator's current folder; an existing one is never overwritten. */
  readonly give: (name: string, bytes: Uint8Array) => void;
}

/** What the operator typed, as it goes over the socket. */
export interface Given {
  /** Arguments and options by their names. */
  readonly texts: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, { readonly name: string; readonly base64: string }>>;
}

export interface Command {
  /** One or two words: 'offline', 'messages reply'. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What each is: '<id>', or '[days]' where it may be left out. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** What each is: '--waiting', '--text <text>', or '--file <file>' for one that is read. */
  readonly options?: Readonly<Record<string, string>>;
  readonly run: CommandRun;
  /** Of a command that cannot be taken back: what to ask before. */
  readonly foresight?: Foresight;
}

export type CommandRun = (context: CommandContext, given: Given) => Promise<void>;

interface Foresight {
  /** Says what `run` would do, and changes nothing. */
  readonly foresee: CommandRun;
  /** Whether what was typed is what cannot be taken back; always unless said otherwise. */
  readonly when?: (given: Given) => boolean;
}

/** A command that cannot be taken back: it asks before it acts. */
export function irrevocable({ foresee, when, ...command }: Command & Foresight): Command {
  return {
    ...command,
    options: {
      ...command.options,
      '--yes': 'Do it without asking; for scripts.',
      '--dry-run': 'Say what would happen, and change nothing.',
    },
    foresight: { foresee, ...(when && { when }) },
  };
}

/** Whether this must be asked before it is done: not where the operator has decided already. */
export const asksFirst = ({ foresight }: Command, given: Given): boolean =>
  foresight !== undefined &&
  (foresight.when?.(given) ?? true) &&
  !given.flags.includes('yes') &&
  !given.flags.includes('dry-run');

/** The operator asked for something that cannot be; the sentence says what. Ends with 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

export function wantedArgument(given: Given, name: string): string {
  const found = given.texts[name];
  if (found === undefined) throw new CommandRefused(`<${name}> is missing.`);
  return found;
}

/** An id as the lists show it. */
export function wantedId(given: Given, what: string): string {
  const id = wantedArgument(given, 'id');
  if (!isUuid(id)) throw new CommandRefused(`'${id}' is no id of a ${what}.`);
  return id;
}

const MOST = 1_000;
export const LIMIT_OPTION = { '--limit <text>': `How many at most; up to ${MOST}.` };

/** How many rows were asked for. */
export function wantedCount({ texts: { limit } }: Given, usual: number): number {
  if (limit === undefined) return usual;
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MOST)
    throw new CommandRefused(`--limit must be a number from 1 to ${MOST}.`);
  return count;
}

/** '1 appointment', '2 appointments'. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
