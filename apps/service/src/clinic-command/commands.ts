import { announcementCommands } from './announcement-commands.ts';
import type { Command } from './command.ts';

/** Every command there is, in the order of the help. */
export const commands: readonly Command[] = [...announcementCommands];
