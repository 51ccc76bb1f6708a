import { centsOf } from '@clinic/domain';
import type { Appointment } from '@clinic/domain';
import type { WireAppointment } from '@clinic/contract';

/** A visit of the list, in the clinic's words, with what the wire said beside it. */
export interface Visit extends Appointment {
  readonly wire: WireAppointment;
}

const NAMED = ['booked', 'registered', 'cancelled'] as const;

export function visitFromWire(wire: WireAppointment): Visit {
  return {
    wire,
    start: wire.startTime,
    status: NAMED.find((status) => status === wire.status) ?? 'other',
    bookingId: wire.bookingId,
    isCancellable: wire.isCancellable,
    isReschedulable: wire.isReschedulable,
    paidCents: centsOf(wire.paidAmount) ?? 0,
  };
}
