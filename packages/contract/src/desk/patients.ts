import { APPOINTMENT_STATUSES, IDENTITY_CHECKS, LOOK_REASONS, UNSURE_CHARTS } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { patientCard } from './card.ts';
import { feesAfter } from './changed-fee.ts';
import { mergedRecord } from './merging.ts';
import { formHeaders, formVersion } from '../older-forms.ts';
import {
  STORED_AS,
  appointmentTypeCode,
  done,
  email,
  eligibility,
  envelope,
  epochSeconds,
  foundPatient,
  id,
  nameInForm,
  seenVersion,
  text,
  typedPhone,
  uuid,
} from '../shapes.ts';

/** The id of an account or of a record: a patient may have one without the other. */
const params = z.object({ id });
const accountParams = z.object({ id: uuid });
/** Needed when the patient has no appointment around now. */
const look = { lookReason: z.enum(LOOK_REASONS).optional() };

const MOST_REASON = 300;
export const BLOCKS = ['none', 'booking', 'account'] as const;

/** What a mailed link is for. It takes effect once the patient opens it and proves who they are. */
export const LINK_KINDS = ['email', 'invitation'] as const;

/** A patient's identity as typed; the service says what is wrong with it. */
const details = {
  firstName: nameInForm(100),
  lastName: nameInForm(100),
  birthDate: text(10),
  /** When left out, the card stays as it is; 'Other' means no Canadian card. */
  card: z.strictObject({ province: text(20), number: text(40) }).optional(),
};
/** How staff checked the patient's identity. */
const checked = z.enum(IDENTITY_CHECKS);

const named = z.object({ id: z.string(), name: z.string() });
const unsure = z.enum(UNSURE_CHARTS);

const account = z.object({
  id: z.uuid(),
  email: z.string(),
  phones: z.array(z.string()),
  /** Those of `phones` that cannot be right. */
  wrongPhones: z.array(z.string()).optional(),
  address: z.string(),
  /** The language of the patient's emails. */
  language: z.string(),
  eligibility,
  /** Types that are not offered to this patient. */
  withoutTypes: z.array(z.string()),
  block: z.enum(BLOCKS),
  /** The account lacks the visibility without which nobody signs in. */
  notVisible: z.literal(true).optional(),
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
  formVersion: formVersion.optional(),
});

const openedPatient = z.object({
  recordId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  birthDate: z.string(),
  /** The version of name, birth date and card, for earlier pages. */
  version: z.string(),
  /** Of name, birth date, card, offers and block. */
  formVersion: formVersion.optional(),
  /** In full years. */
  age: z.int(),
  /** Without the number, which is shown on request. */
  card: z.object({ province: z.string(), isKept: z.boolean() }),
  /** Null for a patient without an account. */
  account: account.nullable(),
  /** The number that the EMR has for the patient's chart; null where it has none, or none is known. */
  chart: z.string().nullish(),
  /** Why staff have to say which chart it is; null where they need not, or it is not known. */
  chartWaits: z.object({ since: epochSeconds, why: unsure.nullable() }).nullish(),
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
      state: z.enum(APPOINTMENT_STATUSES),
      /** When the appointment starts that took the place of one that was moved. */
      movedTo: epochSeconds.nullish(),
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
  merges: z.array(mergedRecord),
  /** The last link that was mailed, while it is valid. */
  link: z
    .object({ kind: z.enum(LINK_KINDS), email: z.string(), expiresAt: epochSeconds })
    .nullable(),
  /** A new address that waits, or was stopped, until somebody decides. */
  addressChange: z
    .object({
      email: z.string(),
      /** The link to it was opened. */
      isProven: z.boolean(),
      countsFrom: epochSeconds,
      isStopped: z.boolean(),
      /** The account has the new address already. */
      isDone: z.boolean(),
      isMailboxLost: z.boolean(),
      /** The member of staff who noted it; null where the trail names none. */
      askedBy: z.string().nullable().optional(),
    })
    .nullable(),
  onCard: patientCard.optional(),
});

const pair = z.object({ one: foundPatient, other: foundPatient, at: epochSeconds });
const signUp = {
  id: z.uuid(),
  name: z.string(),
  birthDate: z.string(),
  email: z.string(),
  phone: z.string(),
  at: epochSeconds,
};
const waiting = z.object({ patientId: z.uuid(), name: z.string(), at: epochSeconds });

export type ApiDeskAccount = z.infer<typeof account>;
export type ApiPatientDocument = z.infer<typeof patientDocument>;

/** What the clinic keeps about its patients, and how staff change it. */
export const deskPatientCalls = {
  deskPatientsWaiting: call('deskPatientsWaiting', {
    summary:
      'Whose documents nobody has looked at yet, a page of them with the longest waiting first, and from whose address an email came back, and records that may be of one person; on the trail.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({
      /** Where the previous page ended. */
      after: z
        .string()
        .regex(/^\d{1,12}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        .optional(),
    }),
    answer: envelope({
      documents: z.array(waiting.extend({ purpose: z.enum(['healthCard', 'pictureId']) })),
      /** How many documents wait, on all pages. */
      waiting: z.int().min(0),
      next: z.string().nullable(),
      bounced: z.array(waiting),
      /** Those whose address is in doubt: somebody has to call them, and a manager to decide. */
      toCall: z.array(waiting).optional(),
      /** Records that may be of one person; left out by a version that does not look for them. */
      pairs: z.array(pair).optional(),
      /** Accounts whose record the EMR may have already: staff say which it is. */
      unclear: z.array(waiting.extend({ why: unsure.nullish() })).optional(),
      /** Sign-ups that got no account, as only the clinic can tell whose card or record it is. */
      refused: z.array(z.object(signUp)).optional(),
    }),
  }),
  deskOpenPatient: call('deskOpenPatient', {
    summary:
      'What is kept about a patient; on the trail. A look at somebody without an appointment within a day says its reason.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    params,
    body: z.strictObject(look),
    answer: envelope(openedPatient.shape),
  }),
  deskShowCard: call('deskShowCard', {
    summary: 'The number of a patient’s card; on the trail.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    params,
    body: z.strictObject(look),
    answer: envelope({ number: z.string() }),
  }),
  deskOpenDocument: call('deskOpenDocument', {
    summary: 'A health card or picture ID, as a download; on the trail.',
    section: 'S-4, S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    params: accountParams,
    body: z.strictObject(look),
    download: STORED_AS,
    answer: z.never(),
  }),
  deskDecideDocument: call('deskDecideDocument', {
    summary:
      'Accept a document, or refuse it with a reason that the patient reads and is mailed. Refused where it was refused for another.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    headers: formHeaders,
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
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    headers: formHeaders,
    body: z.strictObject({
      block: z.enum(BLOCKS),
      /** For a block, which must have one; shown only to the clinic. */
      reason: text(MOST_REASON).optional(),
    }),
    answer: done.extend({
      /** Whether the patient signs in and books online from now on. */
      extras: z.object({ booksOnline: z.boolean() }).optional(),
    }),
    refusals: [409],
  }),
  deskChangePatient: call('deskChangePatient', {
    summary: 'Set the eligibility of a patient, who is responsible, and what they are not offered.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    headers: formHeaders,
    body: z.strictObject({
      eligibility: eligibility.optional(),
      /** Null means nobody. */
      providerId: id.nullish(),
      withoutTypes: z.array(appointmentTypeCode).max(100).optional(),
    }),
    answer: done.extend(feesAfter),
    refusals: [409],
  }),
  deskCorrectPatient: call('deskCorrectPatient', {
    summary:
      'Put name, birth date or card right, after a photo ID was seen or the patient called back; they are told by email.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params,
    headers: formHeaders,
    body: z.strictObject({
      checked,
      /** Sent by earlier pages in place of `x-form-version`: the `version` that they read. */
      seen: seenVersion.optional(),
      ...details,
    }),
    answer: done.extend(feesAfter),
    refusals: [409],
  }),
  deskCorrectEmail: call('deskCorrectEmail', {
    summary:
      'Mail a link to the right address. Once it is opened the address counts after 72 hours, or at once where a manager saw a photo ID; the old address is told, and can confirm or stop it.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'none',
    params: accountParams,
    body: z.strictObject({
      checked,
      email,
      /** The old mailbox is not the patient's: neither emails nor codes go there any more. */
      isMailboxLost: z.boolean().optional(),
    }),
    answer: done,
    refusals: [409],
  }),
  deskDecideAddress: call('deskDecideAddress', {
    summary:
      'Say, having seen a photo ID, that a new address need not wait, or that the one that the account has now stays.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({ checked: z.literal('photoIdSeen'), counts: z.enum(['new', 'present']) }),
    answer: done,
    refusals: [409],
  }),
  deskLikelyPatients: call('deskLikelyPatients', {
    summary:
      'Whom the clinic knows who may be the person of these details: of one card, of a like name and the same birth date, or of one phone number and a like first name; at most five; on the trail.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({ ...details, phone: typedPhone.optional() }),
    answer: envelope({
      patients: z.array(foundPatient.extend({ hasCard: z.boolean() })),
    }),
    refusals: [409],
  }),
  deskAddPatient: call('deskAddPatient', {
    summary:
      'Open a record for somebody whom the clinic does not know yet. Refused where somebody who is likely the same person was not shown.',
    section: 'S-18, R-97 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({
      /** Made by the page: a repeat with the same id opens no second record. */
      requestId: uuid,
      ...details,
      phone: typedPhone.optional(),
      /** Records that were shown as likely of the same person, and are said to be of somebody else. */
      apartFrom: z.array(id).max(200).optional(),
    }),
    answer: envelope({ recordId: z.string() }),
    refusals: [409],
  }),
  deskInvitePatient: call('deskInvitePatient', {
    summary:
      'Mail somebody without an account a link by which they open one: with birth date and card, 5 tries, 24 hours.',
    section: 'S-18, R-97 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'none',
    params,
    body: z.strictObject({ email }),
    answer: done,
    refusals: [409],
  }),
  deskCloseAccount: call('deskCloseAccount', {
    summary: 'Close an account for good; says how many appointments still stand.',
    section: 'S-15, S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({}),
    answer: envelope({ appointments: z.int().min(0) }),
  }),
};
