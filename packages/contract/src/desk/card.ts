import { z } from 'zod';
import { call } from '../call.ts';
import { changedFee } from './changed-fee.ts';
import {
  appointmentTypeCode,
  clinicDate,
  done,
  epochSeconds,
  id,
  line,
  text,
  typedPhone,
  uuid,
} from '../shapes.ts';

export const CONTACT_KINDS = ['mobile', 'home', 'work', 'other'] as const;
export const NOTE_KINDS = ['alert', 'note', 'label'] as const;
export const WISH_KINDS = ['followUp', 'earlier'] as const;
export const CARD_ENTRIES = ['contact', 'note', 'wish'] as const;

const contact = {
  kind: z.enum(CONTACT_KINDS),
  /** Whose number it is; empty for the patient's own. */
  whose: line(100),
  preferred: z.boolean(),
  mayLeaveMessage: z.boolean(),
};
/** What is left out may be any. */
const wish = {
  kind: z.enum(WISH_KINDS),
  type: appointmentTypeCode.nullable(),
  providerId: id.nullable(),
  from: clinicDate.nullable(),
  to: clinicDate.nullable(),
};

const noted = { id: z.uuid(), at: epochSeconds };

/** What stands on the card of a patient, beside what the account says; left out by a version that has none. */
export const patientCard = z.object({
  /** The preferred first; the number in E.164. */
  contacts: z.array(z.object({ ...noted, ...contact, number: z.string() })),
  notes: z.array(
    z.object({ ...noted, kind: z.enum(NOTE_KINDS), text: z.string(), by: z.string().nullable() }),
  ),
  /** Those that are due, with type and provider in words. */
  wishes: z.array(
    z.object({
      ...noted,
      ...wish,
      description: z.string().nullable(),
      provider: z.string().nullable(),
    }),
  ),
  /** Of whom somebody may wish for a time. */
  doctors: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Who has the same phone number or address; a clinician is shown nobody. */
  family: z.array(
    z.object({
      patientId: z.uuid().nullable(),
      recordId: z.string(),
      name: z.string(),
      age: z.int(),
      samePhone: z.boolean(),
      sameAddress: z.boolean(),
    }),
  ),
  /** The latest messages, the newest first. */
  messages: z.array(
    z.object({
      id: z.uuid(),
      changedAt: epochSeconds,
      state: z.enum(['waiting', 'answered', 'closed']),
      message: z.string(),
    }),
  ),
  /** Appointments with a fee to be taken at the clinic, and those whose texts are still to be read out. */
  fees: z.array(z.object({ id: z.uuid(), start: epochSeconds, cents: z.int() })),
  /** What was paid for an appointment ahead, where the eligibility by now has a lower fee. */
  overpaid: z.array(changedFee),
  consents: z.array(z.object({ id: z.uuid(), start: epochSeconds })),
});

export type ApiPatientCard = z.infer<typeof patientCard>;

const MOST_NOTE = 2_000;
/** The entry's id is made by the page: a repeat adds no second one. */
const params = z.object({ id, entryId: uuid });
/** The entry that this one is put in the place of. */
const replaces = { replaces: uuid.optional() };

/** What staff note on the card of a patient. */
export const deskCardCalls = {
  deskNoteContact: call('deskNoteContact', {
    summary:
      'Note a phone number of a patient, in the place of another or beside it. Refused where an EMR keeps them.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params,
    body: z.strictObject({ ...contact, number: typedPhone, ...replaces }),
    answer: done,
    refusals: [409],
  }),
  deskNoteOnCard: call('deskNoteOnCard', {
    summary:
      'Write an alert, a note or a label about a patient, in the place of another or beside it.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params,
    body: z.strictObject({ kind: z.enum(NOTE_KINDS), text: text(MOST_NOTE), ...replaces }),
    answer: done,
    refusals: [409],
  }),
  deskNoteWish: call('deskNoteWish', {
    summary: 'Note that a patient needs a follow-up, or wishes for an earlier time.',
    section: 'S-18, R-122 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params,
    body: z.strictObject(wish),
    answer: done,
  }),
  deskStrikeOnCard: call('deskStrikeOnCard', {
    summary: 'Strike what stands on the card of a patient, or put it back.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params,
    body: z.strictObject({ of: z.enum(CARD_ENTRIES), isStruck: z.boolean() }),
    answer: done,
    refusals: [409],
  }),
};
