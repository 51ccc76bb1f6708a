import { z } from 'zod';
import { epochSeconds, uuid } from '../shapes.ts';

/** A fee of an appointment ahead that is another for the eligibility that its patient has now. */
export const changedFee = z.object({
  appointmentId: uuid,
  start: epochSeconds,
  type: z.string(),
  /** What is due at the clinic, or was paid by card; 0 where nothing was asked. */
  oldCents: z.int().min(0),
  newCents: z.int().min(0),
  isPaidByCard: z.boolean(),
});

export type ApiChangedFee = z.infer<typeof changedFee>;

/** After a change that may have changed them; left out by an older service. */
export const feesAfter = { extras: z.object({ fees: z.array(changedFee) }).optional() };
