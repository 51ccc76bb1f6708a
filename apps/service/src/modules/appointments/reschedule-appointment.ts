import { toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import { whyAnswersRefused } from './answers.ts';
import { reserveAppointment } from './reserve-appointment.ts';
import type { CountedPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import { rescheduleTarget } from './reschedule-target.ts';
import type { BookedAppointment, AppointmentRequest } from './appointment-details.ts';

/**
 * Moves an appointment: the new one and the end of the old one in one transaction, without limits,
 * fee or documents; payment, paid amount and ticklers move with it. Any refusal leaves the old
 * appointment as it was.
 */
export async function rescheduleAppointment(
  ports: CountedPorts,
  request: AppointmentRequest & { readonly rescheduleOf: string | null },
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const errors = whyAnswersRefused(request.slot.type, request.answers, toClinic(now).date);
  if (errors.length > 0) return refused('invalidInput', errors);
  return reserveAppointment(
    ports,
    request,
    request.rescheduleOf,
    ({ own, hold }) => {
      const target = rescheduleTarget(own, request.slot, request.rescheduleOf, hold, now);
      return 'kind' in target ? target : { moved: target };
    },
    now,
  );
}
