import type { Platform } from '../platform/platform.ts';
import type { Given } from './given.ts';

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

export interface CommandOption {
  readonly kind: 'text' | 'flag' | 'file';
  readonly what: string;
  /** May be given several times. */
  readonly many?: true;
}

export interface CommandArgument {
  readonly name: string;
  readonly what: string;
  readonly optional?: true;
}

export interface Command {
  /** One or two words: 'offline', 'messages reply'. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  readonly run: (context: CommandContext, given: Given) => Promise<void>;
}

/** The operator asked for something that cannot be; the sentence says what. Ends with 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
