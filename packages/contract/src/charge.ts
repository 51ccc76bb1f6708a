import { z } from 'zod';
import { call } from './call.ts';
import { appointment } from './me.ts';
import { bookingAnswers } from './schedule.ts';
import { appointmentTypeCode, epochSeconds, id, keyHeader } from './api-types.ts';

/** What became of a payment, beside the words for the patient. */
export const chargeCode = z.enum([
  'paymentReceived',
  'bankApprovalNeeded',
  'paymentPending',
  'cardDeclined',
  'notCharged',
  'paymentGivenBack',
]);

/**
 * §7 has one path for two requests. With `payment_intent_id` alone it confirms a payment and
 * answers 200 for every outcome. Otherwise it pays for the slot: `payment_method_id`, the slot and
 * the answers are then required, type I sends its whole set. `amount` is compared with the price
 * and `providerId` is not believed.
 */
export const charge = call('charge', {
  summary: 'Pay for an appointment and book it, or find out what became of a payment.',
  section: '§4 Payment, §7, R-2, R-8, R-40, R-41, R-42',
  limit: 'shared',
  idempotency: 'key',
  headers: keyHeader,
  body: z.strictObject({
    payment_intent_id: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,100}$/)
      .nullish(),
    payment_method_id: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,100}$/)
      .nullish(),
    selectedType: appointmentTypeCode.nullish(),
    providerId: z.union([id, z.number()]).nullish(),
    /** Decimal CAD. */
    amount: z.number().nullish(),
    start: epochSeconds.nullish(),
    end: epochSeconds.nullish(),
    doctor: id.nullish(),
    ...bookingAnswers.partial().shape,
  }),
  answer: z.object({
    /** True also when the bank must be asked first: then `requires_action` says so. */
    success: z.boolean(),
    requires_action: z.boolean().optional(),
    next_action: z.object({ redirect_to_url: z.object({ url: z.string() }) }).optional(),
    extras: z.object({
      message: z.string(),
      code: chargeCode,
      /** Ours: what the patient quotes about the payment. */
      reference: z.string().optional(),
      /** Ours: the appointment that was booked. */
      appointment: appointment.optional(),
    }),
  }),
  refusals: [402, 409],
});
