import { z } from 'zod';
import { call } from './call.ts';
import { done } from './envelope.ts';
import { familyDoc, id, text, wholeNumber } from './api-types.ts';

export const findDemographics = call('findDemographics', {
  summary: 'Whether the EMR has a record of the caller.',
  section: '§7, §8, R-7, R-36',
  limit: 'reads',
  idempotency: 'natural',
  headers: z.object({
    id: text(64),
    hin: text(64).default(''),
    province: text(64).default(''),
    year: wholeNumber(1, 9999),
    month: wholeNumber(1, 12),
    day: wholeNumber(1, 31),
  }),
  answer: z.object({
    success: z.boolean(),
    extras: z.object({ code: z.enum(['entryFound', 'noEntryFound']) }),
  }),
});

export const createDemographics = call('createDemographics', {
  summary:
    "Open the caller's record in the EMR. `familyDoc` is a yes or no or one of the two configured ids (§9); the service reads `hasFamilyDoc`.",
  section: '§4 Next on confirm, §7, §9, R-7, R-36',
  limit: 'changes',
  idempotency: 'natural',
  body: z.strictObject({
    /** The caller's own account id or demographic number; another is a 403. */
    id,
    familyDoc,
    hasFamilyDoc: z.boolean(),
  }),
  answer: done,
});

export const agreementKind = z.enum(['feeWarning', 'icbc', 'general']);

export const saveAgreement = call('saveAgreement', {
  summary: 'Record that the patient agreed to a text, by kind, version and hash. Append-only.',
  section: '§7, R-36',
  limit: 'agreements',
  idempotency: 'none',
  body: z.strictObject({
    kind: agreementKind,
    version: text(40).min(1),
    /** SHA-256 of the text as shown, in hex; must be the text of that version. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  answer: done,
  refusals: [409],
});
