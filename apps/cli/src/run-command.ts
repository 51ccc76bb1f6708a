import type { Platform } from '@clinic/service/platform.ts';
import { type Command, CommandRefused, asksFirst } from './command.ts';
import { type GivenJson, givenFrom } from './given.ts';

export interface CommandRequest {
  readonly command: string;
  /** The system's user, as the client found it. */
  readonly user: string;
  readonly given: GivenJson;
}

/** What goes back to the operator, piece by piece. */
export type CommandOutput =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly base64: string }
  | { readonly kind: 'refused'; readonly text: string };

const NOBODY_TO_ASK =
  'This cannot be taken back, and there is nobody to ask. Add --yes to do it, or --dry-run to see what it would do.';

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
  const given = givenFrom(request.given);
  const dryRun = command.foresight !== undefined && given.flag('dry-run');
  if (asksFirst(command, given) && !dryRun && !given.flag('yes')) {
    put({ kind: 'refused', text: NOBODY_TO_ASK });
    return 1;
  }
  const actor = `clinic:${request.user.replace(/[^\w.-]/g, '') || 'unknown'}`;
  const at = platform.clock.now();
  await platform.database.inTransaction((tx) =>
    platform.appendAudit(tx, {
      actor,
      action: 'command run',
      subject: `command:${command.name}`,
      ...(dryRun && { details: { dryRun } }),
      at,
    }),
  );
  try {
    const run = dryRun ? command.foresight.foresee : command.run;
    await run(
      {
        platform,
        actor,
        say: (text) => put({ kind: 'line', text }),
        give: (name, bytes) =>
          put({ kind: 'file', name, base64: Buffer.from(bytes).toString('base64') }),
      },
      given,
    );
    if (dryRun) put({ kind: 'line', text: 'Nothing is changed yet.' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    put({ kind: 'refused', text: error.message });
    return 1;
  }
}
