import { formatAppointment } from '@clinic/domain';

import { readSuggestion, suggestionsForClinic } from '@clinic/service/modules/feedback/index.ts';
import {
  answerMessage,
  messageText,
  messagesForClinic,
  readForClinic,
} from '@clinic/service/modules/messages/index.ts';
import { type Command, CommandRefused, LIMIT_OPTION, wantedCount, wantedId } from './command.ts';

const LONGEST_ANSWER = 4_000;
const USUAL_ROWS = 30;

const list: Command = {
  name: 'messages list',
  summary: 'List what patients wrote; those who wait for an answer come first.',
  options: {
    '--waiting': 'Only those who wait for an answer.',
    ...LIMIT_OPTION,
  },
  async run({ platform, say }, given) {
    const limit = wantedCount(given, USUAL_ROWS);
    const rows = await messagesForClinic(platform, {
      limit,
      waiting: given.flags.includes('waiting'),
    });
    for (const { id, state, changedAt, message, isNew, fileCount } of rows) {
      const marks = [state === 'sent' ? 'waiting' : 'answered', ...(isNew ? ['new'] : [])];
      const files = fileCount > 0 ? ` [${fileCount} files]` : '';
      say(`${id}  ${formatAppointment(changedAt)}  ${marks.join(', ')}${files}  ${message}`);
    }
    say(rows.length === 0 ? 'No messages.' : `${rows.length} messages.`);
  },
};

const read: Command = {
  name: 'messages read',
  summary: 'Read one message with its thread; the audit trail says that you did.',
  arguments: { '<id>': 'As the list shows it.' },
  async run({ platform, actor, say }, given) {
    const id = wantedId(given, 'message');
    const thread = await readForClinic(platform, id, { actor, now: platform.clock.now() });
    if (thread === null) throw new CommandRefused('There is no such message.');
    say(`From patient ${thread.patientId}`);
    for (const { from, at, message, editedAt, files } of thread.entries) {
      const edited = editedAt === null ? '' : `, edited ${formatAppointment(editedAt)}`;
      say('');
      say(`${from} wrote ${formatAppointment(at)}${edited}:`);
      for (const line of message.split('\n')) say(`  ${line}`);
      for (const { name, size } of files) say(`  [${name}, ${size} bytes]`);
    }
  },
};

const answer: Command = {
  name: 'messages answer',
  summary: 'Answer a message; the patient is told by a mail without its words.',
  arguments: { '<id>': 'As the list shows it.' },
  options: {
    '--text <text>': 'The answer.',
    '--file <file>': 'A text file with the answer, instead of --text.',
  },
  async run({ platform, actor, say }, given) {
    const id = wantedId(given, 'message');
    const { file } = given.files;
    const typed = file ? Buffer.from(file.base64, 'base64').toString('utf8') : given.texts.text;
    const said = messageText(typed ?? '');
    if (said === null) throw new CommandRefused('Give the answer with --text or --file.');
    if (said.length > LONGEST_ANSWER)
      throw new CommandRefused(`An answer has at most ${LONGEST_ANSWER} characters.`);
    const now = platform.clock.now();
    if (!(await answerMessage(platform, id, said, { actor, now })))
      throw new CommandRefused('There is no such message.');
    say('Answered.');
  },
};

const suggestionsList: Command = {
  name: 'suggestions list',
  summary: 'List what patients suggested, the newest first.',
  options: {
    '--unread': 'Only what nobody has read.',
    ...LIMIT_OPTION,
  },
  async run({ platform, say }, given) {
    const limit = wantedCount(given, USUAL_ROWS);
    const rows = await suggestionsForClinic(platform, {
      limit,
      unread: given.flags.includes('unread'),
    });
    for (const { id, at, isRead, message } of rows)
      say(`${id}  ${formatAppointment(at)}  ${isRead ? 'read' : 'new'}  ${firstLine(message)}`);
    say(rows.length === 0 ? 'No suggestions.' : `${rows.length} suggestions.`);
  },
};

const suggestionsRead: Command = {
  name: 'suggestions read',
  summary: 'Read one suggestion; its picture is put beside you as a file.',
  arguments: { '<id>': 'As the list shows it.' },
  async run({ platform, actor, say, give }, given) {
    const id = wantedId(given, 'suggestion');
    const found = await readSuggestion(platform, id, { actor, now: platform.clock.now() });
    if (found === null) throw new CommandRefused('There is no such suggestion.');
    say(`Patient ${found.patientId} wrote ${formatAppointment(found.at)}:`);
    for (const line of found.message.split('\n')) say(`  ${line}`);
    if (found.picture) give(`suggestion-${id}.${found.picture.extension}`, found.picture.bytes);
  },
};

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 140) ?? '';

export const messageCommands: readonly Command[] = [
  list,
  read,
  answer,
  suggestionsList,
  suggestionsRead,
];
