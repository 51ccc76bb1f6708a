import { announcementCommands } from './announcement-commands.ts';
import type { Command } from './command.ts';
import { dayCommands } from './day-commands.ts';
import { importCommands } from './import-commands.ts';
import { messageCommands } from './message-commands.ts';
import { patientCommands } from './patient-commands.ts';
import { privacyCommands } from './privacy-commands.ts';
import { statusCommand } from './status-command.ts';

/** Every command there is, in the order of the help. */
export const commands: readonly Command[] = [
  ...announcementCommands,
  statusCommand,
  ...messageCommands,
  ...patientCommands,
  ...dayCommands,
  ...importCommands,
  ...privacyCommands,
];
