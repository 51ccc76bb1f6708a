import type { ApiAnswers, ApiAppointment } from '@clinic/contract';
import type { TextCode } from '@clinic/contract/texts';
import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { callService } from '../../../api/service.ts';
import { callUntilKnown } from '../../../api/until-known.ts';
import { problemsFromApi, type AnswerProblems } from './answer-problems.ts';
import type { Draft, RescheduleOf } from '../journey.ts';

/** What came of sending the booking. */
type BookOutcome =
  | { readonly kind: 'booked'; readonly appointment: ApiAppointment; readonly moved: boolean }
  | { readonly kind: 'slotLost'; readonly message: string }
  | { readonly kind: 'answersRefused'; readonly problems: AnswerProblems }
  | { readonly kind: 'documentsMissing' | 'refused'; readonly message: string }
  /** It may be booked or not. */
  | { readonly kind: 'unknown'; readonly message: string };

/** Codes that mean: this time is not to be had, another may be. */
const SLOT_LOST: readonly TextCode[] = [
  'slotTaken',
  'slotNotOffered',
  'slotTooSoon',
  'slotTooLate',
  'doctorNotAvailable',
  'doctorFamilyOnly',
  'doctorNoPcp',
  'holdGone',
];

export function isSlotLost(code: TextCode | null): boolean {
  return code !== null && SLOT_LOST.includes(code);
}

/**
 * Books the slot in hand. The request key makes a repetition after a lost answer the same booking,
 * which is asked for until it is known; a reschedule also ends the old appointment.
 */
export async function bookAppointment(
  draft: Extract<Draft, { step: 'confirm' }>,
  answers: ApiAnswers,
  rescheduleOf: RescheduleOf | null,
  onChecking: () => void,
): Promise<BookOutcome> {
  const { slot, search, requestKey } = draft;
  const moving = rescheduleOf
    ? { isReschedule: true, rescheduleOf: rescheduleOf.appointmentId }
    : {};
  const body = { ...slot, selectedType: search.type, ...answers, ...moving };
  const headers = { 'idempotency-key': requestKey };
  const known = await callUntilKnown('createBooking', { headers, body }, onChecking);
  if (known.kind === 'unknown')
    return { kind: 'unknown', message: known.message ?? t('booking.outcomeUnknown') };
  if (known.kind === 'done') {
    const { appointment, code } = known.answer.extras;
    // Booked by this request, and cancelled elsewhere before its answer came through.
    if (appointment.status === 'cancelled')
      return { kind: 'refused', message: t('booking.createFailed') };
    return { kind: 'booked', appointment, moved: code === 'rescheduled' };
  }
  const error = new ApiError(known.refused);
  const message = messageOf(error, t('booking.createFailed'));
  if (isSlotLost(error.code)) return { kind: 'slotLost', message };
  const problems = problemsFromApi(error.fieldErrors);
  if (problems.length > 0) return { kind: 'answersRefused', problems };
  return { kind: error.code === 'documentsMissing' ? 'documentsMissing' : 'refused', message };
}

/**
 * The browser's own DELETE of the appointment that was moved, which the specification asks for. The
 * service ended it together with the booking; only when the call fails and the list still shows it
 * standing is the answer false.
 */
export async function endOldAppointment(queryClient: QueryClient, id: string): Promise<boolean> {
  const result = await callService('cancelAppointment', { params: { id } });
  if (result.kind === 'answer') return true;
  try {
    const list = await queryClient.fetchQuery({
      ...appointmentsQuery(),
      staleTime: 0,
    });
    const old = list.appointments.find((appointment) => appointment.id === id);
    return old?.status !== 'booked' && old?.status !== 'registered';
  } catch {
    // The booking was answered, and the service ends the old appointment in the same transaction.
    return true;
  }
}
