import type { Appointment } from '@clinic/domain';
import type { WireAppointment } from '@clinic/contract';
import { appointmentFromWire } from '../../shared/api/appointments.ts';

/** A visit of the list, in the clinic's words, with what the wire said beside it. */
export interface Visit extends Appointment {
  readonly wire: WireAppointment;
}

export function visitFromWire(wire: WireAppointment): Visit {
  return { wire, ...appointmentFromWire(wire) };
}
