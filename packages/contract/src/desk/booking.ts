import { z } from 'zod';
import { call } from '../call.ts';
import { envelope, id, text } from '../shapes.ts';

/** Somebody whom a search has found. */
const foundPatient = z.object({
  /** Null for somebody without an account. */
  patientId: z.uuid().nullable(),
  recordId: id,
  /** 'Morgan, Casey'. */
  name: z.string(),
  birthDate: z.string(),
});

export type ApiFoundPatient = z.infer<typeof foundPatient>;

/** Finding a patient, and booking and moving appointments for them. */
export const deskBookingCalls = {
  deskFindPatients: call('deskFindPatients', {
    summary:
      'Patients by name, birth date, phone or card number, or several of them; on the trail without what was typed.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({ text: text(100) }),
    answer: envelope({
      patients: z.array(foundPatient),
      /** There are more: what was typed fits too many. */
      hasMore: z.boolean(),
    }),
  }),
};
