/** Booking in a book that forbids no overlap and that staff write into at the same time. */
import { type AppointmentNo, type DemographicNo, isLive, statuses } from './alphabets.ts';
import { type Appointment, type AppointmentDraft, type Days, carries } from './appointments.ts';
import { OscarOutcomeUnknown } from './errors.ts';
import type { Calls } from './oscar.ts';
import { overlap } from './wall-clock.ts';

export type BookAnswer =
  | { readonly kind: 'booked'; readonly no: AppointmentNo }
  /** By an earlier write with this key, wherever staff moved it since. */
  | { readonly kind: 'alreadyBooked'; readonly appointment: Appointment }
  /** An earlier write with this key was taken back, or cancelled since. */
  | { readonly kind: 'cancelled'; readonly no: AppointmentNo }
  | { readonly kind: 'taken' };

/**
 * Looks the key up, reads the day, writes, and reads the day again: where another appointment stands
 * on the time by then, ours is taken back, so staff win. This narrows the race with staff to the
 * moment after the last look; nothing that OSCAR has closes it.
 *
 * OscarOffline: nothing was written. OscarOutcomeUnknown: ask again with the same key, which goes on
 * with what was written and looks for others then; what is not found yet may still come.
 */
export async function book(oscar: Calls, draft: AppointmentDraft): Promise<BookAnswer> {
  const earlier = await oscar.findByKey(draft.key, draft.demographicNo);
  if (earlier !== null && !isLive(earlier.status)) return { kind: 'cancelled', no: earlier.no };
  if (earlier !== null && !standsAsAsked(earlier, draft))
    return { kind: 'alreadyBooked', appointment: earlier };
  const before = { ...draft, anewBefore: draft.span.start };
  if (earlier === null && (await rivals(oscar, before)).length > 0) return { kind: 'taken' };
  const no = earlier?.no ?? (await oscar.createAppointment(draft));
  try {
    if ((await rivals(oscar, draft)).length > 0) {
      await oscar.setStatus(no, statuses.cancelled);
      return { kind: 'taken' };
    }
  } catch (error) {
    throw new OscarOutcomeUnknown('It was written, but not seen to stand alone', { cause: error });
  }
  return earlier === null
    ? { kind: 'booked', no }
    : { kind: 'alreadyBooked', appointment: earlier };
}

/**
 * What became of a booking whose outcome was unknown, without writing it anew: where another stands
 * on its time it is taken back, for it was never called booked. Null where it is not found, or not yet.
 */
export async function settle(
  oscar: Calls,
  key: string,
  no: DemographicNo,
): Promise<Appointment | 'cancelled' | null> {
  const found = await oscar.findByKey(key, no);
  if (found === null) return null;
  if (!isLive(found.status)) return 'cancelled';
  if (!isUntouched(found)) return found;
  const { providerNo, span } = found;
  if ((await rivals(oscar, { providerNo, span, key })).length === 0) return found;
  await oscar.setStatus(found.no, statuses.cancelled);
  return 'cancelled';
}

/** Where staff have not touched it. What they moved or marked is theirs, and stands. */
function standsAsAsked(earlier: Appointment, { providerNo, span }: AppointmentDraft): boolean {
  const { date, start, end } = earlier.span;
  const isThere = date === span.date && start === span.start && end === span.end;
  return isThere && earlier.providerNo === providerNo && isUntouched(earlier);
}

/** Who else stands on the time; read anew but for ends that REST has kept, which one look asks for too. */
async function rivals(
  oscar: Calls,
  {
    providerNo,
    span,
    key,
    ...ends
  }: Pick<AppointmentDraft, 'providerNo' | 'span' | 'key'> & Pick<Days, 'anewBefore'>,
) {
  const day = await oscar.appointments({
    providers: [providerNo],
    from: span.date,
    to: span.date,
    ...(ends.anewBefore === undefined ? {} : { anewBefore: ends.anewBefore }),
  });
  return day.filter((each) => !carries(each, key) && overlap(each.span, span));
}

export type CancelAnswer =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'notFound' }
  /** Staff did something with it since, such as marking the patient as here. */
  | { readonly kind: 'changed'; readonly appointment: Appointment };

/** Looks first: what has arrived, was billed or was marked by staff is theirs to cancel. */
export async function cancel(oscar: Calls, no: AppointmentNo): Promise<CancelAnswer> {
  const appointment = await oscar.appointment(no);
  if (appointment === null) return { kind: 'notFound' };
  if (!isLive(appointment.status)) return { kind: 'cancelled' };
  if (!isUntouched(appointment)) return { kind: 'changed', appointment };
  await oscar.setStatus(no, statuses.cancelled);
  return { kind: 'cancelled' };
}

/** To do, day sheet printed, or confirmed: the patient has not come yet. */
const isUntouched = ({ status }: Appointment) => /^[tTh]/.test(status);
