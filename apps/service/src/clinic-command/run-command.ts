import type { Platform } from '../platform/platform.ts';
import { type Command, CommandRefused } from './command.ts';
import { type GivenWire, givenFrom } from './given.ts';

export interface CommandRequest {
  readonly command: string;
  /** The system's user, as the client found it. */
  readonly user: string;
  readonly given: GivenWire;
}

/** What goes back to the operator, piece by piece. */
export type CommandOutput =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly base64: string }
  | { readonly kind: 'refused'; readonly text: string };

/** Runs one command and answers how the process that asked is to end. */
export async function runCommand(
  platform: Platform,
  commands: readonly Command[],
  request: CommandRequest,
  put: (output: CommandOutput) => void,
): Promise<number> {
  const command = commands.find(({ name }) => name === request.command);
  if (!command) {
    put({ kind: 'refused', text: `The service knows no command '${request.command}'.` });
    return 2;
  }
  const actor = `clinic:${request.user.replace(/[^\w.-]/g, '') || 'unknown'}`;
  const at = platform.clock.now();
  await platform.database.inTransaction((tx) =>
    platform.appendAudit(tx, {
      actor,
      action: 'command run',
      subject: `command:${command.name}`,
      at,
    }),
  );
  try {
    await command.run(
      {
        platform,
        actor,
        say: (text) => put({ kind: 'line', text }),
        give: (name, bytes) =>
          put({ kind: 'file', name, base64: Buffer.from(bytes).toString('base64') }),
      },
      givenFrom(request.given),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    put({ kind: 'refused', text: error.message });
    return 1;
  }
}
