import type { ApiAnswers, ApiAppointment } from '@clinic/contract';
import { centsOf, dollarsOf } from '@clinic/domain';
import { ApiError } from '@clinic/app/api-error';
import { callUntilKnown } from '../../../api/until-known.ts';
import { t } from '../../../messages/t.ts';
import { isSlotLost } from '../hold/hold-calls.ts';
import { type Refusal } from '../hold/hold-time.ts';
import type { Draft } from '../journey.ts';

/** Outcome of paying. */
export type PayOutcome =
  | {
      readonly kind: 'paid';
      readonly appointment: ApiAppointment | null;
      readonly reference: string | null;
    }
  /** The bank asks the patient first (3-D Secure): the browser goes to this address. */
  | { readonly kind: 'toBank'; readonly url: string }
  | { readonly kind: 'priced'; readonly chargeCents: number; readonly message: string }
  | { readonly kind: 'documentsMissing'; readonly message: string }
  | ({ readonly kind: 'refused' } & Refusal)
  /** The fee may or may not have been paid. */
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Charges the fee for the slot in hand. The service books as soon as the money is guaranteed. The
 * request key makes a repetition after a lost answer the same payment.
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
    return { kind: 'refused', code: null, message: extras.message || t('pay.failed') };
  }
  const error = new ApiError(known.refused);
  const newPrice = centsOf(known.refused.refusal?.extras.chargeAmount ?? Number.NaN);
  const message = wordsOf(error, checked);
  if (error.code === 'amountDiffers' && newPrice !== null)
    return { kind: 'priced', chargeCents: newPrice, message };
  const { code, own } = error;
  return code === 'documentsMissing'
    ? { kind: code, message }
    : { kind: 'refused', code, message, own };
}

/**
 * The words of the service or the card provider. Without any, our own, which differ once the
 * outcome had to be asked for.
 */
function wordsOf(error: ApiError, checked: boolean): string {
  const [field] = error.fieldErrors;
  if (field) return field.message;
  if (error.says !== null) return error.says;
  if (isSlotLost(error.code)) return t('booking.slotLost');
  return t(checked ? 'pay.unknownError' : 'pay.failed');
}
