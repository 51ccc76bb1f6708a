import { APPOINTMENT_STATES, IDENTITY_CHECKS, LOOK_REASONS } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import {
  appointmentTypeCode,
  done,
  eligibility,
  envelope,
  epochSeconds,
  id,
  personName,
  seenVersion,
  text,
  uuid,
} from '../shapes.ts';

/** An account, or the number of a record: somebody may have the one without the other. */
const params = z.object({ id });
const accountParams = z.object({ id: uuid });
/** Where the person has no appointment about now. */
const look = { lookReason: z.enum(LOOK_REASONS).optional() };

const MOST_REASON = 300;
const BLOCKS = ['none', 'booking', 'account'] as const;

/** What a mailed link does once the patient has opened it and said who they are. */
export const LINK_KINDS = ['email', 'invitation'] as const;

/** Who somebody is, as it is typed; the service says what is wrong with it. */
const details = {
  firstName: personName(100),
  lastName: personName(100),
  birthDate: text(10),
  /** Left out, it stays as it is; 'Other' is no Canadian card. */
  card: z.strictObject({ province: text(20), number: text(40) }).optional(),
};
const email = text(254).min(1);
/** How staff made sure of who asks. */
const checked = z.enum(IDENTITY_CHECKS);

const named = z.object({ id: z.string(), name: z.string() });

const account = z.object({
  id: z.uuid(),
  email: z.string(),
  phones: z.array(z.string()),
  address: z.string(),
  /** In which they are written to. */
  language: z.string(),
  eligibility,
  /** Types that this patient is not offered. */
  withoutTypes: z.array(z.string()),
  block: z.enum(BLOCKS),
  /** The patient is never shown it. */
  blockReason: z.string().nullable(),
  closedAt: epochSeconds.nullable(),
  /** When an email to the address came back, and RFC 3463's why. */
  bounce: z.object({ at: epochSeconds, status: z.string().nullable() }).nullable(),
  createdAt: epochSeconds,
});

const patientDocument = z.object({
  id: z.uuid(),
  purpose: z.enum(['healthCard', 'pictureId']),
  mediaType: z.string(),
  size: z.int(),
  at: epochSeconds,
  /** Null while nobody has decided. */
  decision: z.enum(['accepted', 'refused']).nullable(),
  decidedAt: epochSeconds.nullable(),
  /** Why it was refused, as the patient reads it. */
  reason: z.string().nullable(),
});

const openedPatient = z.object({
  recordId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  birthDate: z.string(),
  /** Of name, birth date and card. */
  version: z.string(),
  /** Full years. */
  age: z.int(),
  /** The number is shown on request. */
  card: z.object({ province: z.string(), isKept: z.boolean() }),
  /** Null for somebody without an account. */
  account: account.nullable(),
  /** Who is responsible; null for nobody, and where the EMR does not answer. */
  provider: named.nullable(),
  isProviderKnown: z.boolean(),
  /** The EMR keeps name, birth date, card and provider: they are changed there only. */
  isInEmr: z.boolean(),
  /** Every type of the clinic, and the providers who may be responsible. */
  types: z.array(z.object({ code: z.string(), description: z.string() })),
  providers: z.array(named),
  /** The newest first, a hundred at most; a clinician's own alone. */
  appointments: z.array(
    z.object({
      id: z.uuid(),
      start: epochSeconds,
      end: epochSeconds,
      description: z.string(),
      /** Null for one who is no longer at the clinic. */
      provider: z.string().nullable(),
      state: z.enum(APPOINTMENT_STATES),
    }),
  ),
  consents: z.array(z.object({ kind: z.string(), version: z.string(), at: epochSeconds })),
  documents: z.array(patientDocument),
  /** Records that were merged into this one, while that can be undone. */
  merges: z.array(
    z.object({
      id: z.uuid(),
      recordId: z.string(),
      name: z.string(),
      birthDate: z.string(),
      at: epochSeconds,
      undoUntil: epochSeconds,
    }),
  ),
  /** The link that was mailed last, while it can be opened. */
  link: z
    .object({ kind: z.enum(LINK_KINDS), email: z.string(), expiresAt: epochSeconds })
    .nullable(),
});

/** One of two records that are to be one. */
const mergeSide = z.object({
  recordId: z.string(),
  name: z.string(),
  birthDate: z.string(),
  cardProvince: z.string(),
  hasCard: z.boolean(),
  hasAccount: z.boolean(),
  /** All that it has, and what of it stands and is ahead. */
  appointments: z.int().min(0),
  upcoming: z.int().min(0),
});
const mergeBody = z.strictObject({
  /** The number of the other record. */
  other: id,
});

const waiting = z.object({ patientId: z.uuid(), name: z.string(), at: epochSeconds });

export type ApiOpenedPatient = z.infer<typeof openedPatient>;
export type ApiDeskAccount = z.infer<typeof account>;
export type ApiPatientDocument = z.infer<typeof patientDocument>;

/** The patients of the clinic: what is kept about them, and what staff do about it. */
export const deskPatientCalls = {
  deskPatientsWaiting: call('deskPatientsWaiting', {
    summary:
      'Whose documents nobody has looked at yet, a page of them with the longest waiting first, and from whose address an email came back; on the trail.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({
      /** Where the page before ended. */
      after: text(60).min(1).optional(),
    }),
    answer: envelope({
      documents: z.array(waiting.extend({ purpose: z.enum(['healthCard', 'pictureId']) })),
      /** So many documents wait, on all pages. */
      waiting: z.int().min(0),
      next: z.string().nullable(),
      bounced: z.array(waiting),
    }),
  }),
  deskOpenPatient: call('deskOpenPatient', {
    summary:
      'What is kept about a patient; on the trail. A look at somebody without an appointment within a day says its reason.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    params,
    body: z.strictObject(look),
    answer: envelope(openedPatient.shape),
  }),
  deskShowCard: call('deskShowCard', {
    summary: 'The number of a patient’s card; on the trail.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    params,
    body: z.strictObject(look),
    answer: envelope({ number: z.string() }),
  }),
  deskOpenDocument: call('deskOpenDocument', {
    summary: 'A health card or picture ID, as a download; on the trail.',
    section: 'S-4, S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    params: accountParams,
    body: z.strictObject(look),
    download: true,
    answer: z.never(),
  }),
  deskDecideDocument: call('deskDecideDocument', {
    summary:
      'Accept a document, or refuse it with a reason that the patient reads and is mailed. Refused where it was refused for another.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({
      kind: z.enum(['accepted', 'refused']),
      /** Of a refusal, which has one. */
      reason: text(MOST_REASON).optional(),
    }),
    answer: done,
    refusals: [409],
  }),
  deskBlockPatient: call('deskBlockPatient', {
    summary: 'Refuse a patient to book, or to sign in at all, with a reason; or let them again.',
    section: 'R-60, R-87, S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({
      block: z.enum(BLOCKS),
      /** Of a block, which has one; for the clinic alone. */
      reason: text(MOST_REASON).optional(),
    }),
    answer: done,
    refusals: [409],
  }),
  deskChangePatient: call('deskChangePatient', {
    summary: 'Set the eligibility of a patient, who is responsible, and what they are not offered.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({
      eligibility: eligibility.optional(),
      /** Null for nobody. */
      providerId: id.nullish(),
      withoutTypes: z.array(appointmentTypeCode).max(100).optional(),
    }),
    answer: done,
    refusals: [409],
  }),
  deskCorrectPatient: call('deskCorrectPatient', {
    summary:
      'Put name, birth date or card right, after a photo ID was seen or the patient called back; they are told by email. Refused where somebody changed it since it was read.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params,
    body: z.strictObject({ checked, seen: seenVersion, ...details }),
    answer: done,
    refusals: [409],
  }),
  deskCorrectEmail: call('deskCorrectEmail', {
    summary:
      'Mail a link to the right address, which counts once it is opened; the old address is told.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    params: accountParams,
    body: z.strictObject({ checked, email }),
    answer: done,
    refusals: [409],
  }),
  deskAddPatient: call('deskAddPatient', {
    summary: 'Open a record for somebody whom the clinic does not know yet.',
    section: 'S-18, R-97 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({
      /** Made by the page: sent again, it is the same record. */
      requestId: uuid,
      ...details,
    }),
    answer: envelope({ recordId: z.string() }),
    refusals: [409],
  }),
  deskInvitePatient: call('deskInvitePatient', {
    summary:
      'Mail somebody without an account a link by which they open one: with birth date and card, 5 tries, 24 hours.',
    section: 'S-18, R-97 (ours)',
    limit: 'changes',
    idempotency: 'none',
    params,
    body: z.strictObject({ email }),
    answer: done,
    refusals: [409],
  }),
  deskForeseeMerge: call('deskForeseeMerge', {
    summary: 'What merging two records of one person would do; on the trail. Nothing is changed.',
    section: 'S-18 (ours)',
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
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({}),
    answer: envelope({ recordId: z.string() }),
    refusals: [409],
  }),
  deskCloseAccount: call('deskCloseAccount', {
    summary: 'Close an account for good; says how many appointments still stand.',
    section: 'S-15, S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({}),
    answer: envelope({ appointments: z.int().min(0) }),
  }),
};
