import type { AppointmentTypeCode } from '@clinic/domain';
import type { ApiAnswers } from '@clinic/contract';
import type { CallResult } from '@clinic/contract/client';
import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../../messages/t.ts';
import { messageOf, type ApiError } from '../../../api/api-error.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { callService } from '../../../api/service.ts';
import type { PickedSlot } from '../journey.ts';

let last: Promise<unknown> = Promise.resolve();

/** One hold per patient: what is said about it is said in order, or a release overtakes a hold. */
function inOrder<T>(call: () => Promise<T>): Promise<T> {
  const next = last.then(call, call);
  last = next.catch(() => {});
  return next;
}

const TOLD = 'clinic.hold';

/** The other tabs of the patient hear that another hold stands, or none; which, they ask. */
export function tellOtherTabs(holdId: string | null): void {
  try {
    localStorage.setItem(TOLD, holdId ?? '');
  } catch {
    // Without storage there is no other tab that shares the session.
  }
}

/** Hears what `tellOtherTabs` of another tab said, until the answer is called. */
export function whenToldOfHold(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === TOLD) listener();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
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
  return inOrder(async () => {
    const placed = await callService('placeHold', { body });
    if (placed.kind === 'answer') tellOtherTabs(placed.answer.extras.hold.id);
    return placed;
  });
}

/**
 * What a patient reads of a time that is not to be had. Nobody else took what the patient booked in
 * another tab or on another device, and where that cannot be asked nobody is named.
 */
export async function whyLost(
  queryClient: QueryClient,
  error: ApiError,
  { doctor, start, end }: PickedSlot,
): Promise<string> {
  const said = messageOf(error, t('booking.slotLost'));
  if (error.code !== 'slotTaken') return said;
  try {
    const { appointments } = await queryClient.fetchQuery({
      ...appointmentsQuery(),
      staleTime: 0,
      retry: false,
    });
    const isOwn = appointments.some(
      (own) =>
        (own.status === 'booked' || own.status === 'registered') &&
        own.doctor === doctor &&
        own.startTime < end &&
        own.endTime > start,
    );
    return isOwn ? t('booking.alreadyYours') : said;
  } catch {
    return t('booking.slotLost');
  }
}

/**
 * Gives the slot of a request key back, and no other that a tab has held since; a hold that is not
 * released lapses by itself, so a failure needs no words. It goes out even if the page is closed at
 * once.
 */
export function releaseHold(requestKey: string): Promise<CallResult<'releaseHold'>> {
  const headers = { 'idempotency-key': requestKey };
  return inOrder(async () => {
    const released = await callService('releaseHold', { headers }, { keepalive: true });
    if (released.kind === 'answer') tellOtherTabs(null);
    return released;
  });
}

/**
 * Beside the hold of a request key, and no other that a tab has placed since. As a page is closed
 * or loaded anew it is hidden, and the last words are still on their way.
 */
export function saveDraft(draft: ApiAnswers, key: string): Promise<CallResult<'saveDraft'>> {
  const input = { headers: { 'idempotency-key': key }, body: { draft } };
  return inOrder(() => callService('saveDraft', input, { background: true, keepalive: true }));
}
