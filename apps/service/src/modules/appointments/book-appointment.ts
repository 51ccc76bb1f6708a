import { toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import { whyAnswersRefused } from './answers.ts';
import { reserveAppointment } from './reserve-appointment.ts';
import { whyOverOwnLimit } from './limits.ts';
import { whyNotFree } from './offer.ts';
import type { CountedPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import type { BookedAppointment, AppointmentRequest } from './appointment-details.ts';

/**
 * Books an appointment that costs nothing: from the patient's hold or straight from the schedule,
 * within the limits, which are counted under the lock on the patient.
 */
export async function bookAppointment(
  ports: CountedPorts,
  request: AppointmentRequest,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const errors = whyAnswersRefused(request.slot.type, request.answers, toClinic(now).date);
  if (errors.length > 0) return refused('invalidInput', errors);
  return reserveAppointment(
    ports,
    request,
    null,
    ({ offer, own }) => {
      const why = whyNotFree(offer) ?? whyOverOwnLimit(offer, own, request.slot, now);
      return why === null ? { moved: null } : refused(why);
    },
    now,
  );
}
