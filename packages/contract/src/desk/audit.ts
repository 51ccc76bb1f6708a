import { z } from 'zod';
import { call } from '../call.ts';
import { clinicDate, envelope, epochSeconds, id, uuid } from '../shapes.ts';

/** Who did something, or what it was done to. */
const party = z.object({
  kind: z.string(),
  /** Null for things that the desk cannot identify, such as a day. */
  id: z.string().nullable(),
  /** A readable name such as 'Robin Lee' or 'Morgan, Casey'; null when only the id is known. */
  name: z.string().nullable(),
});

const trailEntry = z.object({
  id: z.int(),
  at: epochSeconds,
  actor: party,
  action: z.string(),
  subject: party,
  /** The start of the appointment or day. */
  start: epochSeconds.nullable(),
  details: z.array(z.object({ name: z.string(), value: z.string() })),
});

export type ApiTrailEntry = z.infer<typeof trailEntry>;

const search = {
  /** What was done to this patient, by them, or with their things; by `recordId` without an account. */
  patientId: uuid.optional(),
  recordId: id.optional(),
  /** What this member of staff did. */
  staffId: uuid.optional(),
  /** The first and the last day, both inclusive. */
  from: clinicDate.optional(),
  to: clinicDate.optional(),
};

/** The audit trail, to read and to export. */
export const deskAuditCalls = {
  deskAuditTrail: call('deskAuditTrail', {
    summary: 'A page of the audit trail, the newest first; the look is on it.',
    section: 'S-14, S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    body: z.strictObject({
      ...search,
      /** Where the previous page ended. */
      after: z
        .string()
        .regex(/^\d{1,12}\.\d{1,15}$/)
        .optional(),
    }),
    answer: envelope({ entries: z.array(trailEntry), next: z.string().nullable() }),
  }),
  deskAuditStaff: call('deskAuditStaff', {
    summary: 'Everybody who is or was of the staff.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({
      staff: z.array(z.object({ id, name: z.string(), email: z.string(), isClosed: z.boolean() })),
    }),
  }),
  deskExportAudit: call('deskExportAudit', {
    summary:
      'The audit trail as a CSV file; that it was taken is on it. More than 200 people wait five minutes: asked for again from then on, the file comes.',
    section: 'S-14, S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({
      ...search,
      /** The id of one’s own export that waited; the search is then that one’s. */
      waited: uuid.optional(),
    }),
    answer: envelope({ name: z.string(), csv: z.string() }),
    refusals: [409],
  }),
};
