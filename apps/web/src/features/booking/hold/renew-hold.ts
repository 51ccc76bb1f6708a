import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import type { BookedAppointment, Draft, RescheduleOf } from '../journey.ts';
import { isSlotLost } from '../confirm/book-appointment.ts';
import { holdQuery } from '../slots/slot-queries.ts';
import { madeUnder } from './earlier-request.ts';
import { placeHold } from './hold-calls.ts';

export type Renewed =
  | { readonly kind: 'held' }
  /** The patient booked it elsewhere meanwhile: nobody else has taken it. */
  | { readonly kind: 'booked'; readonly booked: BookedAppointment }
  | { readonly kind: 'slotLost'; readonly message: string }
  | { readonly kind: 'refused'; readonly error: ApiError };

interface Renewal {
  readonly draft: Extract<Draft, { step: 'confirm' | 'payment' }>;
  readonly rescheduleOf: RescheduleOf | null;
  readonly forPayment: boolean;
}

/** Holds the time in hand again, or for longer. */
export async function renewHold(
  queryClient: QueryClient,
  { draft: { slot, search, requestKey }, rescheduleOf, forPayment }: Renewal,
): Promise<Renewed> {
  const moved = rescheduleOf?.appointmentId ?? null;
  const result = await placeHold(slot, search.type, moved, forPayment);
  if (result.kind === 'answer') {
    queryClient.setQueryData(holdQuery.queryKey, result.answer.extras.hold);
    return { kind: 'held' };
  }
  const error = new ApiError(result);
  if (!isSlotLost(error.code)) return { kind: 'refused', error };
  const booked = await madeUnder(requestKey);
  if (booked !== null) return { kind: 'booked', booked };
  return { kind: 'slotLost', message: messageOf(error, t('booking.slotLost')) };
}
