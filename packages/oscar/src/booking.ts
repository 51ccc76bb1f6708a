/** Books into a calendar that allows overlaps and that staff write into at the same time. */
import { type AppointmentNo, type DemographicNo, isLive } from './alphabets.ts';
import {
  type Appointment,
  type AppointmentCalls,
  type AppointmentDraft,
  keysIn,
} from './appointments.ts';
import { OscarFault, OscarOutcomeUnknown } from './errors.ts';
import { overlap } from './wall-clock.ts';

export type BookAnswer =
  | { readonly kind: 'booked'; readonly no: AppointmentNo }
  /** An earlier write with this key booked it; staff may have moved it since. */
  | { readonly kind: 'alreadyBooked'; readonly appointment: Appointment }
  /** An earlier write with this key was undone, or cancelled since. */
  | { readonly kind: 'cancelled'; readonly no: AppointmentNo }
  | { readonly kind: 'taken' };

/**
 * Looks the key up, reads the day, writes, and reads the day again. When another appointment is on the time
 * by then, ours is cancelled, so staff win. This narrows the race with staff to the moment after the last
 * look; OSCAR has no means to close it.
 *
 * OscarOffline: nothing was written. OscarOutcomeUnknown: call again with the same key, which continues with
 * what was written and looks for rivals then; a write that is not found yet may still arrive.
 *
 * `beforeWrite` is awaited at the last moment: where it fails, nothing is written.
 */
export async function book(
  oscar: AppointmentCalls,
  draft: AppointmentDraft,
  beforeWrite: () => unknown = () => undefined,
): Promise<BookAnswer> {
  const earlier = await oscar.findByKey(draft.key, draft.demographicNo);
  if (earlier !== null && !isLive(earlier.status)) return { kind: 'cancelled', no: earlier.no };
  if (earlier !== null && !standsAsAsked(earlier, draft))
    return { kind: 'alreadyBooked', appointment: earlier };
  if (earlier === null && (await rivals(oscar, draft)).length > 0) return { kind: 'taken' };
  await beforeWrite();
  const no = earlier?.no ?? (await oscar.createAppointment(draft));
  try {
    if ((await rivals(oscar, draft)).length > 0) {
      if (await oscar.cancelAppointment(no)) return { kind: 'taken' };
      throw new OscarFault('Staff took it at that moment');
    }
  } catch (error) {
    throw new OscarOutcomeUnknown('It was written, but not seen to stand alone', { cause: error });
  }
  return earlier === null
    ? { kind: 'booked', no }
    : { kind: 'alreadyBooked', appointment: earlier };
}

/**
 * What became of a booking whose outcome was unknown, without writing again. When another appointment is on
 * its time, ours is cancelled, as it was never confirmed. Null when it is not found, or not yet.
 */
export async function settle(
  oscar: AppointmentCalls,
  key: string,
  no: DemographicNo,
): Promise<Appointment | 'cancelled' | null> {
  const found = await oscar.findByKey(key, no);
  if (found === null) return null;
  if (!isLive(found.status)) return 'cancelled';
  if (!isUntouched(found)) return found;
  const { providerNo, span } = found;
  if ((await rivals(oscar, { providerNo, span, key })).length === 0) return found;
  const isOurs = await oscar.cancelAppointment(found.no);
  return isOurs ? 'cancelled' : settle(oscar, key, no);
}

/** Whether staff have left it alone. What they moved or marked is theirs and stands. */
function standsAsAsked(earlier: Appointment, { providerNo, span }: AppointmentDraft): boolean {
  const { date, start, end } = earlier.span;
  const isThere = date === span.date && start === span.start && end === span.end;
  return isThere && earlier.providerNo === providerNo && isUntouched(earlier);
}

/** Other appointments on the time. */
async function rivals(
  oscar: AppointmentCalls,
  { providerNo, span, key }: Pick<AppointmentDraft, 'providerNo' | 'span' | 'key'>,
) {
  const { date } = span;
  const day = await oscar.appointments({ providers: [providerNo], from: date, to: date });
  return day.filter((each) => !keysIn(each).includes(key) && overlap(each.span, span));
}

/** To do, day sheet printed, or confirmed: the patient has not arrived. */
const isUntouched = ({ status }: Appointment) => /^[tTh]/.test(status);
