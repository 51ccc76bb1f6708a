import { z } from 'zod';
import { epochSeconds, uuid } from '../shapes.ts';

/** A fee of an appointment ahead that is another for the eligibility that its patient has now. */
export const changedFee = z.object({
  appointmentId: uuid,
  start: epochSeconds,
  type: z.string(),
  /** What is due or was paid; 0 where nothing was asked. */
  oldCents: z.int().min(0),
  newCents: z.int().min(0),
  /** How it was paid; null where nothing was. What was paid stays as it is. */
  paidBy: z.enum(['card', 'clinic']).nullable(),
});

export type ApiChangedFee = z.infer<typeof changedFee>;

/** After a change that may have changed them; left out by an older service. */
export const feesAfter = { extras: z.object({ fees: z.array(changedFee) }).optional() };
