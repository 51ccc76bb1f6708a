import { z } from 'zod';
import { call } from './call.ts';
import { formHeaders, formVersion } from './older-forms.ts';
import { STORED_AS, envelope, epochSeconds, id, text, threeFiles, wholeNumber } from './shapes.ts';

const attachment = z.object({
  id,
  name: z.string(),
  mediaType: z.string(),
  /** In bytes. */
  size: z.int(),
});

/** One text of a thread. */
const messageEntry = z.object({
  id,
  from: z.enum(['patient', 'clinic']),
  at: epochSeconds,
  message: z.string(),
  /** When the patient last edited this text before it was answered; null if never. */
  editedAt: epochSeconds.nullable(),
  isEditable: z.boolean(),
  files: z.array(attachment),
});

const messageSummary = z.object({
  id,
  /** §3: 'replied' once the clinic has answered the last text. */
  state: z.enum(['sent', 'replied']),
  /** The beginning of the last text. */
  message: z.string(),
  startedAt: epochSeconds,
  changedAt: epochSeconds,
  unread: z.boolean(),
  fileCount: z.int(),
});

const messageThread = messageSummary.extend({
  entries: z.array(messageEntry),
  /** Ours: of the last text, which its writer may edit while it is unanswered. */
  formVersion: formVersion.optional(),
});

const threadAnswer = envelope({ message: messageThread });
const params = z.object({ id });
const body = z.strictObject({ message: text(4000) });
const files = { ...threeFiles, optional: true } as const;

export type ApiMessage = z.infer<typeof messageSummary>;
export type ApiMessageThread = z.infer<typeof messageThread>;
export type ApiMessageEntry = z.infer<typeof messageEntry>;
export type ApiAttachment = z.infer<typeof attachment>;

export const messageCalls = {
  listMessages: call('listMessages', {
    summary: "The patient's messages, newest first.",
    section: '§7, R-80',
    limit: 'reads',
    idempotency: 'natural',
    query: z.object({
      limit: wholeNumber(1, 50).default(20),
      skip: wholeNumber(0, 100_000).default(0),
    }),
    answer: z.object({
      success: z.literal(true),
      messages: z.array(messageSummary),
      total: z.int(),
      unread: z.int(),
    }),
  }),
  startMessage: call('startMessage', {
    summary: 'Start a message, with up to three files.',
    section: 'R-86 (ours)',
    limit: 'shared',
    idempotency: 'none',
    files,
    body,
    answer: threadAnswer,
  }),
  readMessage: call('readMessage', {
    summary:
      'One message with its thread; reading it takes its unread mark, except in the background.',
    section: '§7, R-80',
    limit: 'reads',
    idempotency: 'natural',
    params,
    answer: threadAnswer,
  }),
  changeMessage: call('changeMessage', {
    summary:
      "As JSON: edit one's own text while it is unanswered. As a multipart form: reply, with up to three files.",
    section: '§7, R-80, R-86',
    limit: 'shared',
    idempotency: 'none',
    params,
    headers: formHeaders,
    files,
    body,
    answer: threadAnswer,
    refusals: [409],
  }),
  readAttachment: call('readAttachment', {
    summary: 'A file of a message, as a download.',
    section: 'S-4 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    params,
    download: STORED_AS,
    answer: z.never(),
  }),
};
