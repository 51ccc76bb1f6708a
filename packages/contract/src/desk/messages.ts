import { z } from 'zod';
import { call } from '../call.ts';
import { formHeaders, formVersion } from '../older-forms.ts';
import {
  STORED_AS,
  done,
  envelope,
  epochSeconds,
  id,
  keyHeader,
  label,
  seenVersion,
  text,
  threeFiles,
  uuid,
  wholeNumber,
} from '../shapes.ts';

const nothing = z.strictObject({});
const messageParams = z.object({ id: uuid });

/** It waits for an answer, was answered, or was closed without one. */
const messageState = z.enum(['waiting', 'answered', 'closed']);

const colleague = z.object({ id, name: z.string() });

const inboxMessage = z.object({
  id,
  /** 'Morgan, Casey'. */
  patient: z.string(),
  state: messageState,
  /** The beginning of the last text. */
  message: z.string(),
  changedAt: epochSeconds,
  /** True when nobody at the clinic has opened the last text. */
  isNew: z.boolean(),
  fileCount: z.int(),
  assignedTo: colleague.nullable(),
});

const attachment = z.object({ id, name: z.string(), mediaType: z.string(), size: z.int() });

const deskThread = z.object({
  id,
  patient: z.object({
    name: z.string(),
    birthDate: z.string(),
    phone: z.string(),
    /** Absent from an older service, as what is booked is. */
    id: z.string().optional(),
    recordId: z.string().optional(),
  }),
  /** What they have booked ahead. */
  upcoming: z
    .array(
      z.object({
        appointmentId: id,
        start: epochSeconds,
        description: z.string(),
        provider: z.string(),
        /** Tells the patient in their language that it was booked; what an answer begins with. */
        answer: z.string().optional(),
      }),
    )
    .optional(),
  state: messageState,
  assignedTo: colleague.nullable(),
  /** Of whom it is assigned to. */
  formVersion: formVersion.optional(),
  /** The colleagues who may be assigned to it. */
  colleagues: z.array(colleague.extend({ isSelf: z.boolean() })),
  /** Changes with each new or edited text of the thread. */
  version: z.string(),
  entries: z.array(
    z.object({
      id,
      from: z.enum(['patient', 'clinic']),
      /** The member of staff who answered; null for the command line, and for texts of the patient. */
      by: z.string().nullable(),
      at: epochSeconds,
      message: z.string(),
      editedAt: epochSeconds.nullable(),
      files: z.array(attachment),
    }),
  ),
  notes: z.array(z.object({ id, by: z.string(), at: epochSeconds, text: z.string() })),
});

const savedReply = z.object({
  id,
  name: z.string(),
  text: z.string(),
  version: z.string(),
  formVersion: formVersion.optional(),
});

const suggestion = z.object({
  id,
  patient: z.string(),
  at: epochSeconds,
  isRead: z.boolean(),
  /** The beginning of the text. */
  message: z.string(),
});

export type ApiInboxMessage = z.infer<typeof inboxMessage>;
export type ApiDeskThread = z.infer<typeof deskThread>;
export type ApiSavedReply = z.infer<typeof savedReply>;
export type ApiSuggestion = z.infer<typeof suggestion>;

/** Patients' messages to the clinic, and how staff handle them. */
export const deskMessageCalls = {
  deskInbox: call('deskInbox', {
    summary:
      'Messages that wait, the longest waiting first, and a page of the others; a clinician’s are of their own patients. On the trail.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    query: z.object({
      whose: z.enum(['all', 'mine', 'unassigned']).default('all'),
      /** Where the previous page ended. */
      afterAt: wholeNumber(0, 253_402_300_799).optional(),
      afterId: uuid.optional(),
    }),
    answer: envelope({
      waiting: z.array(inboxMessage),
      /** True when more messages wait than are listed. */
      hasMoreWaiting: z.boolean(),
      settled: z.array(inboxMessage),
      next: z.object({ afterAt: epochSeconds, afterId: id }).nullable(),
    }),
  }),
  deskMessageCounts: call('deskMessageCounts', {
    summary: 'How many messages wait for an answer, and how many of them nobody has opened.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({ waiting: z.int(), unread: z.int() }),
  }),
  deskOpenMessage: call('deskOpenMessage', {
    summary:
      'One message with its thread and notes, its patient and what they have booked; on the trail, and no longer new.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    params: messageParams,
    body: nothing,
    answer: envelope({ message: deskThread }),
  }),
  deskAnswerMessage: call('deskAnswerMessage', {
    summary:
      'Answer, with up to three files; the patient is told. Refused where something was said since the thread was read.',
    section: 'S-18, R-80, R-86 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'key',
    headers: keyHeader,
    params: messageParams,
    files: { ...threeFiles, optional: true },
    body: z.strictObject({ message: text(4000), seen: seenVersion }),
    answer: done,
    refusals: [409],
  }),
  deskNoteMessage: call('deskNoteMessage', {
    summary: 'A note for colleagues beside a message, under an id of the writer’s.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid, noteId: uuid }),
    body: z.strictObject({ text: text(2000) }),
    answer: done,
  }),
  deskAssignMessage: call('deskAssignMessage', {
    summary: 'Who looks after a message; null for nobody.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: messageParams,
    headers: formHeaders,
    body: z.strictObject({ staffId: uuid.nullable() }),
    answer: done,
    refusals: [409],
  }),
  deskCloseMessage: call('deskCloseMessage', {
    summary: 'Close a message that needs no answer, or take it up again.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: messageParams,
    body: z.strictObject({ isClosed: z.boolean(), seen: seenVersion }),
    answer: done,
    refusals: [409],
  }),
  deskReadAttachment: call('deskReadAttachment', {
    summary: 'A file of a message, as a download; on the trail.',
    section: 'S-4, S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    download: STORED_AS,
    answer: z.never(),
  }),
  deskSavedReplies: call('deskSavedReplies', {
    summary: 'Texts to put into an answer, by name.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({ replies: z.array(savedReply) }),
  }),
  deskKeepReply: call('deskKeepReply', {
    summary: 'Keep a text to put into answers, new or changed.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    headers: formHeaders,
    body: z.strictObject({
      name: label(80),
      text: text(4000),
      /** Sent by earlier pages in place of `x-form-version`; null for a new reply. */
      seen: seenVersion.nullish(),
    }),
    answer: done,
    refusals: [409],
  }),
  deskDropReply: call('deskDropReply', {
    summary:
      'Delete a text to put into answers. Refused where somebody changed it since it was read.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    /** Left out by pages of before, which delete whatever it says. */
    body: z.strictObject({ seen: seenVersion.optional() }),
    answer: done,
    refusals: [409],
  }),
  deskSuggestions: call('deskSuggestions', {
    summary: 'What patients suggested, the newest first; on the trail.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({ suggestions: z.array(suggestion) }),
  }),
  deskOpenSuggestion: call('deskOpenSuggestion', {
    summary: 'One suggestion; on the trail, and no longer new.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    params: messageParams,
    body: nothing,
    answer: envelope({
      message: z.string(),
      /** A data URL of the picture as we re-encoded it; null without one. */
      picture: z.string().nullable(),
    }),
  }),
};
