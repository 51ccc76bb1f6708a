import { z } from 'zod';
import { refusalCodes } from './texts/index.ts';

/** one field that the service could not accept, with the words to show beside it. */
export const fieldError = z.object({ field: z.string(), message: z.string() });

/** the error envelope, beside its HTTP status. `message` is what a patient reads. */
export const refusal = z.object({
  success: z.literal(false),
  type: z.literal('tokenNotValid').optional(),
  extras: z.object({
    message: z.string(),
    code: z.enum(refusalCodes),
    /** The true price in CAD, with `amountDiffers`. */
    chargeAmount: z.number().optional(),
    /** Names the log line of a bug, so that a patient can quote it. */
    reference: z.string().optional(),
  }),
  errors: z.array(fieldError).optional(),
});

export const done = z.object({ success: z.literal(true) });

/** An answer `{ success: true, extras }` around a shape. */
export const envelope = <Extras extends z.ZodType>(extras: Extras) =>
  z.object({ success: z.literal(true), extras });
