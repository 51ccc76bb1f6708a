import { z } from 'zod';
import { call } from '../call.ts';
import { done, envelope, epochSeconds, id, uuid } from '../shapes.ts';

/** The id of an account or of a record. */
const params = z.object({ id });

/** One of two records to be merged. */
const mergeSide = z.object({
  recordId: z.string(),
  name: z.string(),
  birthDate: z.string(),
  cardProvince: z.string(),
  hasCard: z.boolean(),
  hasAccount: z.boolean(),
  /** All appointments of the record, and how many of them stand and are upcoming. */
  appointments: z.int().min(0),
  upcoming: z.int().min(0),
});
/** A record that was merged into another, and until when that can be undone. */
export const mergedRecord = z.object({
  id: z.uuid(),
  recordId: z.string(),
  name: z.string(),
  birthDate: z.string(),
  at: epochSeconds,
  undoUntil: epochSeconds,
});
const mergeBody = z.strictObject({
  /** The id of the other record. */
  other: id,
});

/** Merging two records of one person, undoing it, and saying that they are of two. */
export const deskMergingCalls = {
  deskForeseeMerge: call('deskForeseeMerge', {
    summary: 'What merging two records of one person would do; on the trail. Nothing is changed.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    params,
    body: mergeBody,
    answer: envelope({ kept: mergeSide, gone: mergeSide }),
    refusals: [409],
  }),
  deskMergePatients: call('deskMergePatients', {
    summary:
      'Merge two records of one person into the one that has, or had, an account, else into the one with a card, else into this one; it can be undone for 30 days.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params,
    body: mergeBody,
    answer: envelope({ recordId: z.string() }),
    refusals: [409],
  }),
  deskUndoMerge: call('deskUndoMerge', {
    summary: 'Undo a merge of two records, within 30 days.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    body: z.strictObject({}),
    answer: envelope({ recordId: z.string() }),
    refusals: [409],
  }),
  deskTellApart: call('deskTellApart', {
    summary: 'Say that two records that waited as likely of one person are of two.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({ one: id, other: id }),
    answer: done,
  }),
};
