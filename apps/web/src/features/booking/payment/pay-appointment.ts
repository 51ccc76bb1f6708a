import { centsOf, dollarsOf } from '@clinic/domain';
import type { ApiAnswers, ApiAppointment } from '@clinic/contract';
import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { callUntilKnown } from '../../../api/until-known.ts';
import { isSlotLost } from '../confirm/book-appointment.ts';
import type { Draft } from '../journey.ts';
import { renewHold, type Renewed } from '../hold/renew-hold.ts';

type Entered =
  | { readonly kind: 'entered' }
  | { readonly kind: 'refused'; readonly message: string }
  | Extract<Renewed, { kind: 'booked' | 'slotLost' }>;

/**
 * Renews the hold on entering payment. A service that cannot answer now stops nobody: the charge
 * holds the slot itself.
 */
export async function holdForPayment(
  queryClient: QueryClient,
  draft: Extract<Draft, { step: 'confirm' }>,
): Promise<Entered> {
  const renewed = await renewHold(queryClient, { draft, rescheduleOf: null, forPayment: true });
  if (renewed.kind === 'held') return { kind: 'entered' };
  if (renewed.kind !== 'refused') return renewed;
  const { error } = renewed;
  if (error.unreachable || error.status >= 500) return { kind: 'entered' };
  return { kind: 'refused', message: messageOf(error, t('booking.holdFailed')) };
}

/** What came of paying. */
export type PayOutcome =
  | {
      readonly kind: 'paid';
      readonly appointment: ApiAppointment | null;
      readonly reference: string | null;
    }
  /** The bank asks first (3-D Secure): the browser goes there. */
  | { readonly kind: 'toBank'; readonly url: string }
  | { readonly kind: 'slotLost'; readonly message: string }
  | { readonly kind: 'priced'; readonly chargeCents: number; readonly message: string }
  | { readonly kind: 'documentsMissing' | 'refused'; readonly message: string }
  /** It may be paid and booked or not. */
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Charges the fee for the slot in hand. The service books as soon as the money is guaranteed; sent
 * again after a lost answer it is the same payment.
 */
export async function payForAppointment(
  { slot, search, requestKey, chargeCents }: Extract<Draft, { step: 'payment' }>,
  answers: ApiAnswers,
  paymentMethod: string,
  onChecking: () => void,
): Promise<PayOutcome> {
  const body = {
    ...slot,
    payment_method_id: paymentMethod,
    selectedType: search.type,
    providerId: slot.doctor,
    amount: dollarsOf(chargeCents),
    ...answers,
  };
  let checked = false;
  const headers = { 'idempotency-key': requestKey };
  const known = await callUntilKnown('charge', { headers, body }, () => {
    checked = true;
    onChecking();
  });
  if (known.kind === 'unknown')
    return { kind: 'unknown', message: known.message ?? t('booking.outcomeUnknown') };
  if (known.kind === 'done') {
    const { success, requires_action: bankFirst, next_action: next, extras } = known.answer;
    if (success && bankFirst && next) return { kind: 'toBank', url: next.redirect_to_url.url };
    if (success && !bankFirst) {
      const { appointment = null, reference = null } = extras;
      return { kind: 'paid', appointment, reference };
    }
    return { kind: 'refused', message: extras.message || t('pay.failed') };
  }
  const error = new ApiError(known.refused);
  const newPrice = centsOf(known.refused.refusal?.extras.chargeAmount ?? Number.NaN);
  const message = wordsOf(error, checked);
  if (error.code === 'amountDiffers' && newPrice !== null)
    return { kind: 'priced', chargeCents: newPrice, message };
  if (isSlotLost(error.code)) return { kind: 'slotLost', message };
  return { kind: error.code === 'documentsMissing' ? 'documentsMissing' : 'refused', message };
}

/**
 * The service's or the card provider's words; without any, ours, which are others once the outcome
 * was asked for.
 */
function wordsOf(error: ApiError, checked: boolean): string {
  const [field] = error.fieldErrors;
  if (field) return field.message;
  if (error.serverMessage !== null) return error.serverMessage;
  return t(checked ? 'pay.unknownError' : 'pay.failed');
}
