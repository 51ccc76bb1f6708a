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

/** The id of an account or of a record: a patient may have one without the other. */
const params = z.object({ id });
const accountParams = z.object({ id: uuid });
/** Needed when the patient has no appointment around now. */
const look = { lookReason: z.enum(LOOK_REASONS).optional() };

const MOST_REASON = 300;
const BLOCKS = ['none', 'booking', 'account'] as const;

/** What a mailed link is for. It takes effect once the patient opens it and proves who they are. */
export const LINK_KINDS = ['email', 'invitation'] as const;

/** A patient's identity as typed; the service says what is wrong with it. */
const details = {
  firstName: personName(100),
  lastName: personName(100),
  birthDate: text(10),
  /** When left out, the card stays as it is; 'Other' means no Canadian card. */
  card: z.strictObject({ province: text(20), number: text(40) }).optional(),
};
const email = text(254).min(1);
/** How staff checked the patient's identity. */
const checked = z.enum(IDENTITY_CHECKS);

const named = z.object({ id: z.string(), name: z.string() });

const account = z.object({
  id: z.uuid(),
  email: z.string(),
  phones: z.array(z.string()),
  address: z.string(),
  /** The language of the patient's emails. */
  language: z.string(),
  eligibility,
  /** Types that are not offered to this patient. */
  withoutTypes: z.array(z.string()),
  block: z.enum(BLOCKS),
  /** Never shown to the patient. */
  blockReason: z.string().nullable(),
  closedAt: epochSeconds.nullable(),
  /** When an email to the address bounced, with the status code of RFC 3463. */
  bounce: z.object({ at: epochSeconds, status: z.string().nullable() }).nullable(),
  createdAt: epochSeconds,
});

const patientDocument = z.object({
  id: z.uuid(),
  purpose: z.enum(['healthCard', 'pictureId']),
  mediaType: z.string(),
  size: z.int(),
  at: epochSeconds,
  /** Null until staff decide. */
  decision: z.enum(['accepted', 'refused']).nullable(),
  decidedAt: epochSeconds.nullable(),
  /** Why it was refused, in the words that the patient reads. */
  reason: z.string().nullable(),
});

const openedPatient = z.object({
  recordId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  birthDate: z.string(),
  /** The version of name, birth date and card. */
  version: z.string(),
  /** In full years. */
  age: z.int(),
  /** Without the number, which is shown on request. */
  card: z.object({ province: z.string(), isKept: z.boolean() }),
  /** Null for a patient without an account. */
  account: account.nullable(),
  /** The provider responsible for the patient; null for nobody, or when the EMR does not answer. */
  provider: named.nullable(),
  isProviderKnown: z.boolean(),
  /** True when the EMR keeps name, birth date, card and provider: they can be changed only there. */
  isInEmr: z.boolean(),
  /** Every type of the clinic, and the providers who may be made responsible. */
  types: z.array(z.object({ code: z.string(), description: z.string() })),
  providers: z.array(named),
  /** The newest first, at most a hundred; a clinician sees only their own. */
  appointments: z.array(
    z.object({
      id: z.uuid(),
      start: epochSeconds,
      end: epochSeconds,
      description: z.string(),
      /** Null for a provider who has left the clinic. */
      provider: z.string().nullable(),
      state: z.enum(APPOINTMENT_STATES),
    }),
  ),
  consents: z.array(
    z.object({
      kind: z.string(),
      version: z.string(),
      at: epochSeconds,
      /** Who read the text out to the patient; null when the patient agreed online. */
      readOutBy: z.string().nullable(),
    }),
  ),
  documents: z.array(patientDocument),
  /** Records that were merged into this one and can still be separated. */
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
  /** The last link that was mailed, while it is valid. */
  link: z
    .object({ kind: z.enum(LINK_KINDS), email: z.string(), expiresAt: epochSeconds })
    .nullable(),
});

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
const mergeBody = z.strictObject({
  /** The id of the other record. */
  other: id,
});

const waiting = z.object({ patientId: z.uuid(), name: z.string(), at: epochSeconds });

export type ApiDeskAccount = z.infer<typeof account>;
export type ApiPatientDocument = z.infer<typeof patientDocument>;

/** What the clinic keeps about its patients, and how staff change it. */
export const deskPatientCalls = {
  deskPatientsWaiting: call('deskPatientsWaiting', {
    summary:
      'Whose documents nobody has looked at yet, a page of them with the longest waiting first, and from whose address an email came back; on the trail.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({
      /** Where the previous page ended. */
      after: text(60).min(1).optional(),
    }),
    answer: envelope({
      documents: z.array(waiting.extend({ purpose: z.enum(['healthCard', 'pictureId']) })),
      /** How many documents wait, on all pages. */
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
      /** For a refusal, which must have one. */
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
      /** For a block, which must have one; shown only to the clinic. */
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
      /** Null means nobody. */
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
      /** Made by the page: a repeat with the same id opens no second record. */
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
