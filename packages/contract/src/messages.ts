import { z } from 'zod';
import { call } from './call.ts';
import { epochSeconds, id, text, threeFiles, wholeNumber } from './api-types.ts';

/** §3 Message: text, at most this many characters. */
export const MESSAGE_LENGTH = 4000;

const messageText = text(MESSAGE_LENGTH);

export const attachment = z.object({
  id,
  name: z.string(),
  mediaType: z.string(),
  /** Bytes. */
  size: z.int(),
});

/** One text of a thread. */
export const messageEntry = z.object({
  id,
  from: z.enum(['patient', 'clinic']),
  at: epochSeconds,
  message: z.string(),
  /** When the patient last changed their own unanswered text; null if never. */
  editedAt: epochSeconds.nullable(),
  isEditable: z.boolean(),
  files: z.array(attachment),
});

export const messageSummary = z.object({
  id,
  /** §3: 'replied' once the clinic answered the last text. */
  state: z.enum(['sent', 'replied']),
  /** The beginning of the last text. */
  message: z.string(),
  startedAt: epochSeconds,
  changedAt: epochSeconds,
  unread: z.boolean(),
  fileCount: z.int(),
});

export const messageThread = messageSummary.extend({ entries: z.array(messageEntry) });

const threadAnswer = z.object({
  success: z.literal(true),
  extras: z.object({ message: messageThread }),
});
const params = z.object({ id });

export const listMessages = call('listMessages', {
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
});

export const startMessage = call('startMessage', {
  summary: 'Start a message, with up to three files.',
  section: 'R-86 (ours)',
  limit: 'shared',
  idempotency: 'none',
  files: { ...threeFiles, optional: true },
  body: z.strictObject({ message: messageText }),
  answer: threadAnswer,
});

export const readMessage = call('readMessage', {
  summary: 'One message with its thread; reading it takes its unread mark.',
  section: '§7, R-80',
  limit: 'reads',
  idempotency: 'natural',
  params,
  answer: threadAnswer,
});

export const changeMessage = call('changeMessage', {
  summary:
    "As JSON: edit one's own text while it is unanswered. As a multipart form: reply, with up to three files.",
  section: '§7, R-80, R-86',
  limit: 'shared',
  idempotency: 'none',
  params,
  files: { ...threeFiles, optional: true },
  body: z.strictObject({ message: messageText }),
  answer: threadAnswer,
  refusals: [409],
});

export const readAttachment = call('readAttachment', {
  summary: 'A file of a message, as a download.',
  section: 'S-4 (ours)',
  limit: 'reads',
  idempotency: 'natural',
  params: z.object({ id }),
  download: true,
  answer: z.never(),
});
