import { deskCalls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { mayAny } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { DONE, FileAnswer, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { Showing, look, showing, whoIs } from '../../server/audited-reads.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import { acceptFiles, downloadName } from '../documents/index.ts';
import { readSuggestion, suggestionsForClinic } from '../feedback/index.ts';
import {
  answerMessage,
  assignMessage,
  attachmentAtDesk,
  beginningOf,
  closeMessage,
  dropSavedReply,
  inboxAtDesk,
  inboxCounts,
  keepSavedReply,
  messageText,
  noteBesideMessage,
  patientOfMessage,
  providersOf,
  savedReplies,
  threadAtDesk,
} from '../messages/index.ts';
import { patientNames, recordsOf } from '../patients/index.ts';
import { knownTypes } from '../schedule/index.ts';
import { upcomingOf } from './day/booking.store.ts';
import {
  type Colleague,
  type NameOfStaff,
  listColleagues,
  namesIn,
  namesOfStaff,
  ownOnly,
} from '../staff/index.ts';

/** The most suggestions shown. */
const MOST_SUGGESTIONS = 200;

/** Patients' messages and suggestions at the front desk. */
export function registerMessagesAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, config } = platform;
  const { db } = database;

  const looking = (staff: SignedInStaff, now: number) => ({
    ...whoIs(staff, now),
    ofProvider: ownOnly(staff),
  });

  route(app, deskCalls.deskInbox, async ({ query, staff }) => {
    const { whose, afterAt, afterId } = query;
    const assignedTo = { all: 'anybody' as const, mine: staff.id, unassigned: null }[whose];
    const after =
      afterAt === undefined || afterId === undefined ? null : { changedAt: afterAt, id: afterId };
    const [{ next, ...inbox }, nameOf] = await Promise.all([
      inboxAtDesk(platform, { ofProvider: ownOnly(staff), assignedTo }, after),
      namesOfStaff(db),
    ]);
    const shown = (message: (typeof inbox.waiting)[number]) => ({
      ...message,
      assignedTo: named(message.assignedTo, nameOf),
    });
    const waiting = inbox.waiting.map(shown);
    const settled = inbox.settled.map(shown);
    const extras = {
      waiting,
      settled,
      hasMoreWaiting: inbox.hasMoreWaiting,
      next: next && { afterAt: next.changedAt, afterId: next.id },
    };
    return showing(
      extras,
      look(
        'messages shown',
        'messages:all',
        await recordsOf(db, patientsOf([...waiting, ...settled])),
        { details: { whose }, refreshes: true },
      ),
    );
  });

  route(app, deskCalls.deskMessageCounts, async ({ staff }) =>
    success(await inboxCounts(db, ownOnly(staff))),
  );

  route(
    app,
    deskCalls.deskOpenMessage,
    async ({ params: { id }, staff, isBackground, now, locale }) => {
      const thread = await threadAtDesk(platform, id, ownOnly(staff), !isBackground);
      if (thread === null) return refuse('notFound');
      const { patientId, assignedTo, entries, notes, ...message } = thread;
      const everybody = await listColleagues(db);
      const nameOf = namesIn(everybody);
      const readers = await readersOf(patientId, everybody);
      const records = await recordsOf(db, [patientId]);
      const [recordId = ''] = records;
      const { language } = message.patient;
      const [upcoming, theirs] = await Promise.all([
        upcomingOf(db, recordId, ownOnly(staff), now, locale),
        knownTypes(db, language),
      ]);
      const shown = {
        ...message,
        patient: { ...message.patient, id: patientId, recordId },
        upcoming: upcoming.map(({ id: appointmentId, type, ...booked }) => ({
          ...booked,
          appointmentId,
          answer: text(language, 'bookedForYou', {
            type: theirs.find(({ code }) => code === type)?.description ?? booked.description,
            when: formatMoment(language, booked.start),
            provider: booked.provider,
          }),
        })),
        assignedTo: named(assignedTo, nameOf),
        colleagues: readers.map((reader) => ({ ...reader, isSelf: reader.id === staff.id })),
        entries: entries.map((entry) => ({ ...entry, by: nameOf(entry.staffId) })),
        notes: notes.map((note) => ({ ...note, by: nameOf(note.staffId) ?? '' })),
      };
      return showing(
        { message: shown },
        look('message read', `message:${id}`, records, { refreshes: true }),
      );
    },
  );

  route(
    app,
    deskCalls.deskAnswerMessage,
    async ({ params: { id }, headers, body, files, staff, countUses, now }) => {
      const text = messageText(body.message);
      if (text === null) return invalid('message', 'messageEmpty');
      const who = looking(staff, now);
      if ((await patientOfMessage(platform, id, who.ofProvider)) === null)
        return refuse('notFound');
      const upload = files.length > 0 && (await countUses([[config.rates.uploads, staff.id]]));
      if (upload instanceof Refusal) return upload;
      const accepted = await acceptFiles(files, 'documents');
      if (accepted instanceof Refusal) return accepted;
      const outcome = await answerMessage(
        platform,
        id,
        {
          text,
          files: accepted,
          staffId: staff.id,
          requestKey: headers['idempotency-key'] ?? null,
          seen: body.seen,
          ...(upload && { begun: upload.begun }),
        },
        who,
      );
      return outcomeOf(outcome);
    },
  );

  route(app, deskCalls.deskNoteMessage, async ({ params, body, staff, now }) => {
    const text = messageText(body.text);
    if (text === null) return invalid('text', 'messageEmpty');
    const note = { id: params.noteId, staffId: staff.id, text };
    const isThere = await noteBesideMessage(platform, params.id, note, looking(staff, now));
    return isThere ? DONE : refuse('notFound');
  });

  route(app, deskCalls.deskAssignMessage, async ({ params: { id }, body, headers, staff, now }) => {
    const { staffId } = body;
    const who = looking(staff, now);
    const patientId = await patientOfMessage(platform, id, who.ofProvider);
    if (patientId === null) return refuse('notFound');
    if (staffId !== null) {
      const readers = await readersOf(patientId, await listColleagues(db));
      if (!readers.some((each) => each.id === staffId)) return refuse('colleagueCannotRead');
    }
    return (await assignMessage(platform, id, staffId, who, headers)) ?? DONE;
  });

  route(app, deskCalls.deskCloseMessage, async ({ params: { id }, body, staff, now }) =>
    outcomeOf(await closeMessage(platform, id, body, looking(staff, now))),
  );

  route(app, deskCalls.deskReadAttachment, async ({ params: { id }, staff }) => {
    const file = await attachmentAtDesk(platform, id, ownOnly(staff));
    if (file === null) return refuse('notFound');
    const { mediaType, bytes, patientId, messageId } = file;
    return new Showing(
      new FileAnswer({ mediaType, bytes, name: downloadName('attachment', mediaType) }),
      look('attachment opened', `file:${id}`, await recordsOf(db, [patientId]), {
        details: { message: messageId },
      }),
    );
  });

  route(app, deskCalls.deskSavedReplies, async () => success({ replies: await savedReplies(db) }));

  route(app, deskCalls.deskKeepReply, async ({ params: { id }, body, headers, who }) => {
    const text = messageText(body.text);
    if (text === null) return invalid('text', 'messageEmpty');
    const reply = { id, name: body.name, text };
    const refused = await keepSavedReply(platform, reply, body.seen, who, headers);
    return refused ?? DONE;
  });

  route(app, deskCalls.deskDropReply, async ({ params: { id }, body: { seen }, who }) => {
    const outcome = await dropSavedReply(platform, id, seen, who);
    return outcome === 'changed' ? refuse('changedMeanwhile') : DONE;
  });

  route(app, deskCalls.deskSuggestions, async () => {
    const rows = await suggestionsForClinic(platform, { limit: MOST_SUGGESTIONS, unread: false });
    const names = await patientNames(db, patientsOf(rows));
    const suggestions = rows.map((row) => ({
      ...row,
      message: beginningOf(row.message),
      patient: names.get(row.patientId) ?? '',
    }));
    return showing(
      { suggestions },
      look('suggestions shown', 'problems:all', await recordsOf(db, patientsOf(rows)), {
        refreshes: true,
      }),
    );
  });

  route(app, deskCalls.deskOpenSuggestion, async ({ params: { id } }) => {
    const found = await readSuggestion(platform, id);
    if (found === null) return refuse('notFound');
    const { patientId, message, picture } = found;
    const bytes = picture && Buffer.from(picture.bytes).toString('base64');
    const url = picture && `data:image/${picture.extension};base64,${bytes}`;
    return showing(
      { message, picture: url },
      look('suggestion read', `problem:${id}`, await recordsOf(db, [patientId])),
    );
  });

  /** Staff who may answer a patient's message: of clinicians, only those whose patient it is. */
  async function readersOf(patientId: string, colleagues: readonly Colleague[]) {
    const readers = colleagues.filter(
      ({ roles, closedAt }) => closedAt === null && mayAny(roles, 'answerMessages'),
    );
    const providers = readers.map(ownOnly).filter((id) => id !== null);
    const own = await providersOf(db, patientId, providers);
    return readers.filter((each) => {
      const ofProvider = ownOnly(each);
      return ofProvider === null || own.includes(ofProvider);
    });
  }
}

/** The distinct patient ids of the rows. */
const patientsOf = (rows: readonly { readonly patientId: string }[]) => [
  ...new Set(rows.map(({ patientId }) => patientId)),
];

const outcomeOf = (outcome: 'answered' | 'done' | 'changed' | 'notFound') => {
  if (outcome === 'changed') return refuse('messageChanged');
  return outcome === 'notFound' ? refuse('notFound') : DONE;
};

/** A member of staff by id and name; null for nobody, and for an id that is no one's. */
function named(id: string | null, nameOf: NameOfStaff) {
  const name = nameOf(id);
  return id === null || name === null ? null : { id, name };
}
