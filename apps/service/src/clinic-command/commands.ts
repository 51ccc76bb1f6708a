import { announcementCommands } from './announcement-commands.ts';
import type { Command } from './command.ts';
import { messageCommands } from './message-commands.ts';
import { privacyCommands } from './privacy-commands.ts';

/** Every command there is, in the order of the help. */
export const commands: readonly Command[] = [
  ...announcementCommands,
  ...messageCommands,
  ...privacyCommands,
];
