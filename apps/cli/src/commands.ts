import type { Platform } from '@clinic/service/platform.ts';
import { clinicCommands } from './clinic-commands.ts';
import { type Command, CommandRefused, type Given, asksFirst } from './command.ts';
import { dayCommands } from './day-commands.ts';
import { importCommands } from './import-commands.ts';
import { messageCommands } from './message-commands.ts';
import { patientCommands } from './patient-commands.ts';
import { privacyCommands } from './privacy-commands.ts';

/** Every command there is, in the order of the help. */
export const commands: readonly Command[] = [
  ...clinicCommands,
  ...messageCommands,
  ...patientCommands,
  ...dayCommands,
  ...importCommands,
  ...privacyCommands,
];

export interface CommandRequest {
  readonly command: string;
  /** The system's user, as the client found it. */
  readonly user: string;
  readonly given: Given;
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
  { command: name, user, given }: CommandRequest,
  put: (output: CommandOutput) => void,
): Promise<number> {
  const command = commands.find((each) => each.name === name);
  if (!command) {
    put({ kind: 'refused', text: `The service knows no command '${name}'.` });
    return 2;
  }
  if (asksFirst(command, given)) {
    put({ kind: 'refused', text: NOBODY_TO_ASK });
    return 1;
  }
  const dryRun = command.foresight !== undefined && given.flags.includes('dry-run');
  const actor = `clinic:${user.replace(/[^\w.-]/g, '') || 'unknown'}`;
  const at = platform.clock.now();
  await platform.database.inTransaction((tx) =>
    platform.appendAudit(tx, {
      actor,
      action: 'command run',
      subject: `command:${name}`,
      ...(dryRun && { details: { dryRun } }),
      at,
    }),
  );
  const say = (text: string) => put({ kind: 'line', text });
  const give = (file: string, bytes: Uint8Array) =>
    put({ kind: 'file', name: file, base64: Buffer.from(bytes).toString('base64') });
  try {
    const run = dryRun ? command.foresight.foresee : command.run;
    await run({ platform, actor, say, give }, given);
    if (dryRun) say('Nothing is changed yet.');
    return 0;
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    put({ kind: 'refused', text: error.message });
    return 1;
  }
}
