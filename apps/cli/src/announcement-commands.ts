import {
  announceMaintenance,
  availabilityNow,
  endMaintenance,
} from '@clinic/service/modules/operations/index.ts';
import { type Command, CommandRefused } from './command.ts';

const LONGEST_MESSAGE = 300;

const offline: Command = {
  name: 'offline',
  summary: 'Announce maintenance: every patient is signed out and told to come back later.',
  options: {
    message: {
      kind: 'text',
      what: 'A sentence beneath the maintenance message, such as when you will be back.',
    },
  },
  async run({ platform, actor, say }, given) {
    const message = given.text('message')?.trim() || null;
    if (message !== null && message.length > LONGEST_MESSAGE)
      throw new CommandRefused(
        `The message must not be longer than ${LONGEST_MESSAGE} characters.`,
      );
    await announceMaintenance(platform, { actor, now: platform.clock.now(), message });
    say('Maintenance is announced. Patients are signed out; payments under way still end well.');
    say('npm run clinic -- online ends it.');
  },
};

const online: Command = {
  name: 'online',
  summary: 'End the announced maintenance.',
  async run({ platform, actor, say }) {
    const ended = await endMaintenance(platform, { actor, now: platform.clock.now() });
    say(ended ? 'Maintenance is over.' : 'No maintenance was announced.');
    const now = await availabilityNow(platform);
    if (now.kind === 'recordsOffline') say('But the clinic’s records do not answer.');
  },
};

export const announcementCommands: readonly Command[] = [offline, online];
