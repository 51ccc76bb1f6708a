import type { Platform } from '@clinic/service/platform.ts';
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
  readonly run: CommandRun;
  /** Of a command that cannot be taken back: what to ask before. */
  readonly foresight?: Foresight;
}

export type CommandRun = (context: CommandContext, given: Given) => Promise<void>;

export interface Foresight {
  /** Says what `run` would do, and changes nothing. */
  readonly foresee: CommandRun;
  /** Whether what was typed is what cannot be taken back; always unless said otherwise. */
  readonly when?: (given: Given) => boolean;
}

/** A command that cannot be taken back: it asks before it acts. */
export function irrevocable(command: Command & Foresight): Command {
  const { foresee, when, ...rest } = command;
  return {
    ...rest,
    options: {
      ...rest.options,
      yes: { kind: 'flag', what: 'Do it without asking; for scripts.' },
      'dry-run': { kind: 'flag', what: 'Say what would happen, and change nothing.' },
    },
    foresight: { foresee, ...(when && { when }) },
  };
}

/** Whether this must be asked before it is done. */
export const asksFirst = ({ foresight }: Command, given: Given): boolean =>
  foresight !== undefined && (foresight.when?.(given) ?? true);

/** The operator asked for something that cannot be; the sentence says what. Ends with 1. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
