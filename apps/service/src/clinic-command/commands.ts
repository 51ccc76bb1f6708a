import { announcementCommands } from './announcement-commands.ts';
import type { Command } from './command.ts';
import { dayCommands } from './day-commands.ts';
import { importCommands } from './import-commands.ts';
import { messageCommands } from './message-commands.ts';
import { patientCommands } from './patient-commands.ts';
import { privacyCommands } from './privacy-commands.ts';

/** Every command there is, in the order of the help. */
export const commands: readonly Command[] = [
  ...announcementCommands,
  ...messageCommands,
  ...patientCommands,
  ...dayCommands,
  ...importCommands,
  ...privacyCommands,
];
