import type { QueryClient } from '@tanstack/react-query';
import type { AppointmentTypeCode } from '@clinic/domain';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../shared/api/api-error.ts';
import { isSlotLost } from './book-visit.ts';
import type { PickedSlot } from './booking-draft.ts';
import { placeHold } from './hold-calls.ts';
import { holdQuery } from './slot-queries.ts';

type Entered =
  | { readonly kind: 'entered' }
  | { readonly kind: 'slotLost' | 'refused'; readonly message: string };

/**
 * Renews the hold on entering payment. A service that cannot answer now stops nobody: the
 * charge holds the slot itself.
 */
export async function holdForPayment(
  queryClient: QueryClient,
  slot: PickedSlot,
  type: AppointmentTypeCode,
): Promise<Entered> {
  const result = await placeHold(slot, type, null, true);
  if (result.kind === 'answer') {
    queryClient.setQueryData(holdQuery.queryKey, result.answer.extras.hold);
    return { kind: 'entered' };
  }
  const error = new ApiError(result);
  if (isSlotLost(error.code))
    return { kind: 'slotLost', message: messageOf(error, t('booking.slotLost')) };
  if (error.unreachable || error.status >= 500) return { kind: 'entered' };
  return { kind: 'refused', message: messageOf(error, t('booking.holdFailed')) };
}
