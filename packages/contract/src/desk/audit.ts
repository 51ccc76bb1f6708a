import { z } from 'zod';
import { call } from '../call.ts';
import { clinicDate, envelope, epochSeconds, id, text, uuid } from '../shapes.ts';

/** Whose doing it was, or what it was done to. */
const party = z.object({
  kind: z.string(),
  /** Null for what is none of a kind that the desk can name, such as a day. */
  id: z.string().nullable(),
  /** As a person knows it: 'Robin Lee', 'Morgan, Casey'; null where nothing more is known than the id. */
  name: z.string().nullable(),
});

const trailEntry = z.object({
  id: z.int(),
  at: epochSeconds,
  actor: party,
  action: z.string(),
  subject: party,
  /** When an appointment, or a day, is. */
  start: epochSeconds.nullable(),
  details: z.array(z.object({ name: z.string(), value: z.string() })),
});

export type ApiTrailEntry = z.infer<typeof trailEntry>;

const search = {
  /** Whatever was done to this patient, by them, or with their things; a record is of one without an account. */
  patientId: uuid.optional(),
  recordId: id.optional(),
  /** What somebody of the staff did. */
  staffId: uuid.optional(),
  /** The first and the last day. */
  from: clinicDate.optional(),
  to: clinicDate.optional(),
};

/** The audit trail for who reads it, and for who takes it along. */
export const deskAuditCalls = {
  deskAuditTrail: call('deskAuditTrail', {
    summary: 'A page of the audit trail, the newest first; the look is on it.',
    section: 'S-14, S-18 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    body: z.strictObject({
      ...search,
      /** Where the page before ended. */
      after: text(60).min(1).optional(),
    }),
    answer: envelope({ entries: z.array(trailEntry), next: z.string().nullable() }),
  }),
  deskAuditStaff: call('deskAuditStaff', {
    summary: 'Everybody who is or was of the staff.',
    section: 'S-18 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({
      staff: z.array(z.object({ id, name: z.string(), email: z.string(), isClosed: z.boolean() })),
    }),
  }),
  deskExportAudit: call('deskExportAudit', {
    summary: 'The audit trail as a CSV file; that it was taken is on it.',
    section: 'S-14, S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject(search),
    answer: envelope({ name: z.string(), csv: z.string() }),
    refusals: [409],
  }),
};
