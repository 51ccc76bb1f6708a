import { formatAppointment } from '@clinic/domain';
import { readSuggestion, suggestionsForClinic } from '@clinic/service/modules/feedback/index.ts';
import {
  answerMessage,
  messageText,
  messagesForClinic,
  readForClinic,
} from '@clinic/service/modules/messages/index.ts';
import { recordsOf } from '@clinic/service/modules/patients/index.ts';
import { noteLook } from '@clinic/service/server/audited-reads.ts';
import type { LookAction } from '@clinic/service/security/audit.store.ts';
import {
  type CommandContext,
  CommandRefused,
  type Commands,
  LIMIT_OPTION,
  counted,
  wantedCount,
  wantedId,
} from './command.ts';

const LONGEST_ANSWER = 4_000;
const USUAL_ROWS = 30;
const ID = { '<id>': 'As the list shows it.' };

export const messageCommands: Commands = {
  'messages list': {
    summary: 'List what patients wrote; those who wait for an answer come first.',
    options: { '--waiting': 'Only those who wait for an answer.', ...LIMIT_OPTION },
    async run(context) {
      const { platform, say, texts, flags } = context;
      const rows = await messagesForClinic(platform, {
        limit: wantedCount(texts, USUAL_ROWS),
        waiting: flags.includes('waiting'),
      });
      await noteList(context, 'messages shown', 'messages:all', rows);
      for (const { id, state, changedAt, message, isNew, isClosed, fileCount } of rows) {
        const standing = isClosed ? 'closed' : state === 'sent' ? 'waiting' : 'answered';
        const marks = [standing, ...(isNew ? ['new'] : [])];
        const files = fileCount > 0 ? ` [${counted(fileCount, 'file')}]` : '';
        say(`${id}  ${formatAppointment(changedAt)}  ${marks.join(', ')}${files}  ${message}`);
      }
      say(rows.length === 0 ? 'No messages.' : `${counted(rows.length, 'message')}.`);
    },
  },
  'messages read': {
    summary: 'Read one message with its thread; the audit trail says that you did.',
    arguments: ID,
    async run({ platform, who, say, texts }) {
      const thread = await readForClinic(platform, wantedId(texts.id, 'message'), who);
      if (thread === null) throw new CommandRefused('There is no such message.');
      say(`Patient ${thread.patientId}`);
      for (const { from, at, message, editedAt, files } of thread.entries) {
        const edited = editedAt === null ? '' : `, edited ${formatAppointment(editedAt)}`;
        say('', `${from} wrote ${formatAppointment(at)}${edited}:`, ...indented(message));
        say(...files.map(({ name, size }) => `  [${name}, ${size} bytes]`));
      }
    },
  },
  'messages answer': {
    summary: 'Answer a message; the patient is told by a mail without its words.',
    arguments: ID,
    options: {
      '--text <text>': 'The answer.',
      '--file <file>': 'A text file with the answer, instead of --text.',
    },
    async run({ platform, who, say, texts, file }) {
      const id = wantedId(texts.id, 'message');
      const typed = file ? Buffer.from(file.base64, 'base64').toString('utf8') : texts.text;
      const text = messageText(typed ?? '');
      if (text === null) throw new CommandRefused('Give the answer with --text or --file.');
      if (text.length > LONGEST_ANSWER)
        throw new CommandRefused(`An answer has at most ${LONGEST_ANSWER} characters.`);
      const answer = { text, files: [], staffId: null, requestKey: null, seen: null };
      if ((await answerMessage(platform, id, answer, who)) === 'notFound')
        throw new CommandRefused('There is no such message.');
      say('Answered.');
    },
  },
  'suggestions list': {
    summary: 'List what patients suggested, the newest first.',
    options: { '--unread': 'Only what nobody has read.', ...LIMIT_OPTION },
    async run(context) {
      const { platform, say, texts, flags } = context;
      const rows = await suggestionsForClinic(platform, {
        limit: wantedCount(texts, USUAL_ROWS),
        unread: flags.includes('unread'),
      });
      await noteList(context, 'suggestions shown', 'problems:all', rows);
      for (const { id, at, isRead, message } of rows) {
        const [firstLine = ''] = message.split('\n');
        const mark = isRead ? 'read' : 'new';
        say(`${id}  ${formatAppointment(at)}  ${mark}  ${firstLine.slice(0, 140)}`);
      }
      say(rows.length === 0 ? 'No suggestions.' : `${counted(rows.length, 'suggestion')}.`);
    },
  },
  'suggestions read': {
    summary: 'Read one suggestion; its picture is put beside you as a file.',
    arguments: ID,
    async run(context) {
      const { platform, say, give, texts } = context;
      const id = wantedId(texts.id, 'suggestion');
      const found = await readSuggestion(platform, id);
      if (found === null) throw new CommandRefused('There is no such suggestion.');
      const { patientId, at, message, picture } = found;
      await noteList(context, 'suggestion read', `problem:${id}`, [found]);
      say(`Patient ${patientId} wrote ${formatAppointment(at)}:`, ...indented(message));
      if (picture) give(`suggestion-${id}.${picture.extension}`, picture.bytes);
    },
  },
};

async function noteList(
  { platform, db, who }: CommandContext,
  action: LookAction,
  subject: string,
  rows: readonly { readonly patientId: string }[],
): Promise<void> {
  const records = await recordsOf(
    db,
    rows.map(({ patientId }) => patientId),
  );
  await noteLook(platform, { action, subject, records }, who);
}

const indented = (text: string): string[] => text.split('\n').map((line) => `  ${line}`);
