import type { AppointmentTypeCode } from '@clinic/domain';
import type { ApiAnswers } from '@clinic/contract';
import type { CallResult } from '@clinic/contract/client';
import { callService } from '../../../api/service.ts';
import type { PickedSlot } from '../journey.ts';

let last: Promise<unknown> = Promise.resolve();

/** One hold per patient: what is said about it is said in order, or a release overtakes a hold. */
function inOrder<T>(call: () => Promise<T>): Promise<T> {
  const next = last.then(call, call);
  last = next.catch(() => {});
  return next;
}

export function placeHold(
  { doctor, start, end }: PickedSlot,
  selectedType: AppointmentTypeCode,
  rescheduleOf: string | null,
  forPayment = false,
): Promise<CallResult<'placeHold'>> {
  const body = {
    doctor,
    start,
    end,
    selectedType,
    ...(rescheduleOf === null ? {} : { rescheduleOf }),
    ...(forPayment ? { forPayment } : {}),
  };
  return inOrder(() => callService('placeHold', { body }));
}

/**
 * Gives the slot of a request key back, and no other that a tab has held since; a hold that is not
 * released lapses by itself, so a failure needs no words. It goes out even if the page is closed at
 * once.
 */
export function releaseHold(requestKey: string): Promise<CallResult<'releaseHold'>> {
  const headers = { 'idempotency-key': requestKey };
  return inOrder(() => callService('releaseHold', { headers }, { keepalive: true }));
}

/** As a page is closed or loaded anew it is hidden, and the last words are still on their way. */
export function saveDraft(draft: ApiAnswers): Promise<CallResult<'saveDraft'>> {
  const options = { background: true, keepalive: true };
  return inOrder(() => callService('saveDraft', { body: { draft } }, options));
}
