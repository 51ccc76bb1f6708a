import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';

import { FileAnswer, route } from '../../server/http.ts';
import { emailHead } from '../../server/email-head.ts';
import type { UploadedFile } from '../../server/multipart.ts';
import type { Platform } from '../../platform.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.ts';
import { isUuid } from '../../server/ids.ts';
import { acceptFiles, countUpload, downloadName, readStoredFile } from '../documents/index.ts';
import { MESSAGE_LETTER, addressFor } from './answer-message.ts';
import { answerEmail } from './answer-email.ts';
import { messageText } from './message-text.ts';
import { changeMessageRow, isAttached, messageOf, pageOf } from './messages.store.ts';
import { shownSummary, shownThread } from './read-thread.ts';
import {
  type Changed,
  type Written,
  editMessage,
  replyToMessage,
  startMessage,
} from './write-message.ts';

/** Messages in My Account (§7, R-80, R-86). */
export function registerMessages(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, config, outbox, mail, rateLimit } = platform;
  const { writeMessages } = config.rates;

  outbox.handle(MESSAGE_LETTER, async ({ messageId }, key) => {
    const to = typeof messageId === 'string' ? await addressFor(database.db, messageId) : null;
    if (to !== null) await mail.send(answerEmail(key, to, emailHead(config), config.publicUrl));
  });

  route(app, calls.listMessages, async ({ query, patient }) => {
    const { rows, total, unread } = await pageOf(database.db, patient.id, query);
    const messages = rows.map((row) => shownSummary(keyring, row));
    return { success: true as const, messages, total, unread };
  });

  route(app, calls.startMessage, async ({ body, files, patient, now }) => {
    const written = await readWritten(patient.id, body.message, files, now);
    if (written instanceof Refusal) return written;
    return answerThread(patient.id, await startMessage(platform, patient.id, written, now));
  });

  route(app, calls.readMessage, async ({ params, patient }) => {
    if (!isUuid(params.id)) return refuse('notFound');
    const message = await messageOf(database.db, patient.id, params.id);
    if (message === null) return refuse('notFound');
    if (message.unread)
      await database.inTransaction((tx) => changeMessageRow(tx, message.id, { unread: false }));
    const shown = await shownThread(keyring, database.db, { ...message, unread: false });
    return { success: true as const, extras: { message: shown } };
  });

  route(app, calls.changeMessage, async ({ params, body, files, asForm, patient, now }) => {
    if (!isUuid(params.id)) return refuse('notFound');
    if ((await messageOf(database.db, patient.id, params.id)) === null) return refuse('notFound');
    const written = await readWritten(patient.id, body.message, files, now);
    if (written instanceof Refusal) return written;
    const changed = asForm
      ? await replyToMessage(platform, patient.id, params.id, written, now)
      : await editMessage(platform, patient.id, params.id, written.text, now);
    return answerThread(patient.id, changed);
  });

  route(app, calls.readAttachment, async ({ params, patient }) => {
    if (!isUuid(params.id)) return refuse('notFound');
    if (!(await isAttached(database.db, patient.id, params.id))) return refuse('notFound');
    const file = await readStoredFile(platform, database.db, patient.id, params.id);
    if (file === null) return refuse('notFound');
    const { mediaType, bytes } = file;
    return new FileAnswer({ mediaType, bytes, name: downloadName('attachment', mediaType) });
  });

  /** Everything that is asked of a text and its files, the cheapest first. */
  async function readWritten(
    patientId: PatientId,
    said: string,
    files: readonly UploadedFile[],
    now: number,
  ): Promise<Written | Refusal> {
    const text = messageText(said);
    if (text === null) return invalid('message', 'messageEmpty');
    const tooMany =
      (await rateLimit.use(writeMessages, patientId, now)) ??
      (files.length > 0 ? await countUpload(platform, patientId, now) : null);
    if (tooMany !== null) return tooMany;
    const accepted = await acceptFiles(files, 'documents');
    if (accepted instanceof Refusal) return accepted;
    return { text, files: accepted };
  }

  async function answerThread(patientId: PatientId, changed: Changed) {
    if (changed.kind === 'refused') return refuse(changed.code);
    const message = await messageOf(database.db, patientId, changed.messageId);
    if (message === null) return refuse('notFound');
    const shown = await shownThread(keyring, database.db, message);
    return { success: true as const, extras: { message: shown } };
  }
}
