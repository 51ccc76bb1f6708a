import { formatAppointment } from '@clinic/domain';
import {
  type DocumentDecision,
  LONGEST_DOCUMENT_REASON,
  decideDocument,
  listDocuments,
  openDocument,
  recordsOf,
} from '@clinic/service/modules/patients/index.ts';
import { noteLook } from '@clinic/service/server/audited-reads.ts';
import {
  type CommandContext,
  CommandRefused,
  type Commands,
  LIMIT_OPTION,
  counted,
  wantedCount,
  wantedId,
} from './command.ts';

const USUAL_ROWS = 30;
const ID = { '<id>': 'As the list shows it.' };
const NO_SUCH = 'There is no such document.';

export const documentCommands: Commands = {
  'documents list': {
    summary:
      'List the health cards and picture IDs that nobody has decided about, the longest waiting first.',
    options: { '--all': 'Those that are accepted or refused, too.', ...LIMIT_OPTION },
    async run({ platform, db, who, say, texts, flags }) {
      const limit = wantedCount(texts, USUAL_ROWS);
      const search = { waiting: !flags.includes('all'), limit, after: null };
      const { documents, waiting } = await listDocuments(platform, search);
      const records = await recordsOf(
        db,
        documents.map(({ patientId }) => patientId),
      );
      await noteLook(platform, { action: 'documents listed', subject: 'files:all', records }, who);
      for (const { id, patientId, purpose, mediaType, size, createdAt, decision } of documents) {
        const what = `${purpose}  ${decision ?? 'waiting'}  ${mediaType}, ${size} bytes`;
        say(`${id}  ${formatAppointment(createdAt)}  ${what}  patient ${patientId}`);
      }
      say(`${counted(documents.length, 'document')}; ${waiting} waiting in all.`);
    },
  },
  'documents open': {
    summary: 'Write a document beside you, for yourself alone; the audit trail says that you did.',
    arguments: ID,
    async run({ platform, db, who, give, texts }) {
      const id = wantedId(texts.id, 'document');
      const found = await openDocument(platform, id);
      if (found === null) throw new CommandRefused(NO_SUCH);
      const records = await recordsOf(db, [found.patientId]);
      await noteLook(platform, { action: 'document opened', subject: `file:${id}`, records }, who);
      give(found.name, found.bytes);
    },
  },
  'documents accept': {
    summary: 'Accept a document.',
    arguments: ID,
    run: (context) => decide(context, { kind: 'accepted' }),
  },
  'documents refuse': {
    summary: 'Refuse a document: the patient reads why, on the page and in an email.',
    arguments: ID,
    options: {
      '--reason <text>':
        'Why, for the patient; it is mailed, so nothing of their health. Such as: the number cannot be read.',
    },
    async run(context) {
      const reason = context.texts.reason?.trim() ?? '';
      if (reason === '') throw new CommandRefused('Give the reason with --reason.');
      if (reason.length > LONGEST_DOCUMENT_REASON)
        throw new CommandRefused(`The reason has at most ${LONGEST_DOCUMENT_REASON} characters.`);
      await decide(context, { kind: 'refused', reason });
    },
  },
};

async function decide(
  { platform, who, say, texts }: CommandContext,
  decision: DocumentDecision,
): Promise<void> {
  const outcome = await decideDocument(platform, wantedId(texts.id, 'document'), decision, who);
  if (outcome === 'notFound') throw new CommandRefused(NO_SUCH);
  if (outcome === 'decidedAlready') throw new CommandRefused(`It is ${decision.kind} already.`);
  say(
    decision.kind === 'accepted' ? 'Accepted.' : 'Refused; the patient reads why, and is mailed.',
  );
}
