import type { ApiAppointment } from '@clinic/contract';
import { isMoved } from '../../../api/appointments.ts';

/** What became of an appointment since it was booked; null while it stands. */
export type EndedSince = 'sinceCancelled' | 'sinceMoved' | null;

/** Looks at the patient's list, which follows what other tabs, devices and the clinic do. */
export function endedSince(
  appointments: readonly ApiAppointment[] | null,
  id: string | undefined,
): EndedSince {
  const now = appointments?.find((each) => each.id === id);
  if (now && isMoved(now)) return 'sinceMoved';
  return now?.status === 'cancelled' ? 'sinceCancelled' : null;
}
