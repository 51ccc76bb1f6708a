import { z } from 'zod';
import { call } from './call.ts';
import { formHeaders } from './older-forms.ts';
import { asStored, envelope, id, text } from './shapes.ts';

/** §3 Pharmacy; `id` is ours. */
const pharmacy = z.object({
  id,
  name: z.string(),
  address: z.object({ address: z.string() }),
  fax: z.string(),
  phone1: z.string(),
});

/** A pharmacy as it is listed; the service reads only its id. */
const listed = z.strictObject({
  id,
  name: asStored(200).optional(),
  address: z.strictObject({ address: asStored(400) }).optional(),
  fax: text(40).optional(),
  phone1: text(40).optional(),
});

export type ApiPharmacy = z.infer<typeof pharmacy>;

export const pharmacyCalls = {
  listPharmacies: call('listPharmacies', {
    summary: 'Every pharmacy to choose from.',
    section: '§7, R-73',
    limit: 'reads',
    idempotency: 'natural',
    tagged: true,
    answer: z.array(pharmacy),
  }),
  addPreferredPharmacy: call('addPreferredPharmacy', {
    summary: "Make a pharmacy the caller's preferred one.",
    section: '§7, R-73',
    limit: 'changes',
    idempotency: 'natural',
    headers: formHeaders,
    refusals: [409],
    body: z.strictObject({
      /** The caller's own number; any other is a 404. */
      demographicNo: text(64).min(1),
      /** The pharmacy's id, or the whole pharmacy as it is listed. */
      pharmacy: z.union([id, listed]),
    }),
    answer: envelope({ message: z.string(), payload: pharmacy }),
  }),
};
