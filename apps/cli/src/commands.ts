import type { Platform } from '@clinic/service/platform.ts';
import { RELEASE } from '@clinic/service/server/release.ts';
import { awayCommands } from './away-page.ts';
import { clinicCommands } from './clinic-commands.ts';
import { clinicsCommands } from './clinics.ts';
import type { CommandOutput } from './command-output.ts';
import {
  type Command,
  type CommandContext,
  CommandRefused,
  type Given,
  asksFirst,
} from './command.ts';
import { documentCommands } from './document-commands.ts';
import { dayCommands } from './day-commands.ts';
import { drillCommands } from './drill.ts';
import { emrCommands } from './emr-commands.ts';
import { tableCommands } from './table-commands.ts';
import { messageCommands } from './message-commands.ts';
import { patientCommands } from './patient-commands.ts';
import { privacyCommands } from './privacy-commands.ts';
import { staffCommands } from './staff-commands.ts';
import { watchCommands } from './watch.ts';

/** Every command, in the order of the help. */
export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...clinicCommands,
    ...messageCommands,
    ...patientCommands,
    ...documentCommands,
    ...staffCommands,
    ...dayCommands,
    ...emrCommands,
    ...tableCommands,
    ...privacyCommands,
    ...drillCommands,
    ...clinicsCommands,
    ...watchCommands,
    ...awayCommands,
  }),
);

export interface CommandRequest {
  readonly command: string;
  /** The operating system's user, as the client reported it. */
  readonly user: string;
  readonly given: Given;
}

const NOBODY_TO_ASK =
  'This cannot be taken back, and there is nobody to ask. Add --yes to do it, or --dry-run to see what it would do.';

/** Runs one command. Returns the exit code of the process that asked. */
export async function runCommand(
  platform: Platform,
  { command: name, user, given }: CommandRequest,
  put: (output: CommandOutput) => void,
  fromOutside: CommandContext['fromOutside'] = async () => ({ why: null, version: RELEASE }),
): Promise<number> {
  const refuse = (text: string, code: number) => {
    put({ kind: 'refused', text });
    return code;
  };
  const command = commands.get(name);
  if (!command?.run) return refuse(`The service knows no command '${name}'.`, 2);
  if (asksFirst(command, given)) return refuse(NOBODY_TO_ASK, 1);
  const foresee = given.flags.includes('dryRun') ? command.foresee : undefined;
  const actor = `clinic:${user.replace(/[^\w.-]/g, '') || 'unknown'}`;
  const now = platform.clock.now();
  await platform.database.inTransaction((tx) =>
    platform.appendAudit(tx, {
      actor,
      action: 'command run',
      subject: `command:${name}`,
      ...(foresee && { details: { dryRun: true } }),
      at: now,
    }),
  );
  const say = (...lines: readonly string[]) => {
    for (const text of lines) put({ kind: 'line', text });
  };
  const give = (file: string, bytes: Uint8Array) =>
    put({ kind: 'file', name: file, base64: Buffer.from(bytes).toString('base64') });
  const { db } = platform.database;
  try {
    await (foresee ?? command.run)({
      ...given,
      platform,
      db,
      who: { actor, now },
      say,
      give,
      fromOutside,
    });
    if (foresee) say('Nothing is changed yet.');
    return 0;
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    return refuse(error.message, 1);
  }
}
