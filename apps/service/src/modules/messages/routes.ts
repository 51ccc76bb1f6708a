import { calls } from '@clinic/contract';
import { mailText } from '@clinic/contract/mail-texts';
import { accessOf, mailedLink } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../database/db.ts';
import type { OutboxHandler } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { intoAccount, signed } from '../../server/email-layout.ts';
import { FileAnswer, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import type { UploadedFile } from '../../server/multipart.ts';
import type { CountUses } from '../../server/rate-limit.store.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import { acceptFiles, downloadName, readStoredFile } from '../documents/index.ts';
import { type MessageRow, addressFor, changeMessageRow, messageOf, pageOf } from './store.ts';
import {
  ANSWER_EMAIL,
  type Written,
  editMessage,
  messageText,
  shownSummary,
  shownThread,
  writeMessage,
} from './thread.ts';

/** Messages in My Account. */
export function registerMessages(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, config, outbox, mail } = platform;
  const { writeMessages, uploads } = config.rates;

  // The email says that there is an answer, without any of its text: one for all that wait.
  const sendAnswered: OutboxHandler = async ({ messageId }, key) => {
    const reader = typeof messageId === 'string' ? await addressFor(database.db, messageId) : null;
    if (reader === null) return;
    const { to, language: locale, account } = reader;
    const where = intoAccount(locale, accessOf(account).signIn, {
      label: mailText(locale, 'answeredWhere'),
      link: mailedLink(config.publicUrl, 'myAccount'),
    });
    const email = signed(locale, config.clinic, mailText(locale, 'answeredSubject'), [
      mailText(locale, 'answered'),
      where,
    ]);
    await mail.send({ key, to, ...email });
  };
  outbox.handle(ANSWER_EMAIL, sendAnswered, () => true);

  route(app, calls.listMessages, async ({ query, patient }) => {
    const { rows, total, unread } = await pageOf(database.db, patient.id, query);
    const messages = rows.map((row) => shownSummary(keyring, row));
    return { success: true as const, messages, total, unread };
  });

  route(app, calls.startMessage, async ({ body, files, patient, countUses, now }) => {
    const written = await readWritten(patient.id, body.message, files, countUses);
    if (written instanceof Refusal) return written;
    const own = { patientId: patient.id };
    return threadOf(patient.id, await writeMessage(platform, own, written, now));
  });

  route(app, calls.readMessage, async ({ params, patient, isBackground }) => {
    const message = await messageOf(database.db, params.id, { patientId: patient.id });
    if (message === null) return refuse('notFound');
    // Nobody may be looking at a page that asks by itself.
    if (isBackground) return shown(message);
    if (message.unread)
      await database.inTransaction((tx) => changeMessageRow(tx, message.id, { unread: false }));
    return shown({ ...message, unread: false });
  });

  route(
    app,
    calls.changeMessage,
    async ({ params, body, headers, files, asForm, patient, countUses, now }) => {
      const own = { patientId: patient.id, messageId: params.id };
      if ((await messageOf(database.db, params.id, own)) === null) return refuse('notFound');
      const written = await readWritten(patient.id, body.message, files, countUses);
      if (written instanceof Refusal) return written;
      const changed = asForm
        ? await writeMessage(platform, own, written, now)
        : await editMessage(platform, own, { ...written, headers }, now);
      return threadOf(patient.id, changed);
    },
  );

  route(app, calls.readAttachment, async ({ params, patient }) => {
    if (!isUuid(params.id)) return refuse('notFound');
    const file = await readStoredFile(platform, database.db, patient.id, params.id);
    if (file?.purpose !== 'message') return refuse('notFound');
    const { mediaType, bytes } = file;
    return new FileAnswer({ mediaType, bytes, name: downloadName('attachment', mediaType) });
  });

  /** All checks of a text and its files, the cheapest first. */
  async function readWritten(
    patientId: PatientId,
    typed: string,
    files: readonly UploadedFile[],
    countUses: CountUses,
  ): Promise<Written | Refusal> {
    const text = messageText(typed);
    if (text === null) return invalid('message', 'messageEmpty');
    const limits = files.length > 0 ? [writeMessages, uploads] : [writeMessages];
    const counted = await countUses(limits.map((rule) => [rule, patientId]));
    if (counted instanceof Refusal) return counted;
    const accepted = await acceptFiles(files, 'documents');
    if (accepted instanceof Refusal) return accepted;
    return { text, files: accepted, begun: counted.begun };
  }

  async function threadOf(patientId: PatientId, changed: string | Refusal) {
    if (changed instanceof Refusal) return changed;
    const message = await messageOf(database.db, changed, { patientId });
    return message === null ? refuse('notFound') : shown(message);
  }

  async function shown(row: MessageRow) {
    const message = await shownThread(keyring, database.db, row);
    return success({ message });
  }
}
