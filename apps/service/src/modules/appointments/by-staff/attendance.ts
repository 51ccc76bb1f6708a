import type { Attendance } from '@clinic/domain';

import type { Who } from '../../../security/audit.store.ts';
import { refusal, ownerOf } from '../appointment.ts';
import type { BookingRefusal, AppointmentRef } from '../appointment.ts';
import { audit, auditLapsed, transact } from '../changes.ts';
import type { BookingPorts } from '../ports.ts';
import { type SeenAtDesk, attendAtDesk, standAgain } from './staff-changes.store.ts';

const AT_DESK = {
  expected: { event: 'expect', arrived: 'never', inRoom: 'never', action: 'arrival taken back' },
  arrived: { event: 'arrive', arrived: 'before', inRoom: 'never', action: 'patient arrived' },
  inRoom: { event: 'arrive', arrived: 'before', inRoom: 'now', action: 'patient in the room' },
  completed: { event: 'complete', arrived: 'before', inRoom: 'before', action: 'patient seen' },
  noShow: { event: 'miss', arrived: 'never', inRoom: 'never', action: 'patient did not come' },
} as const;

/** The front desk notes how far a patient has come; false when the appointment has changed since they saw it. */
export async function noteAttendanceAtDesk(
  ports: Pick<BookingPorts, 'database' | 'appendAudit'>,
  seen: SeenAtDesk,
  to: Attendance,
  { actor, now }: Who,
): Promise<boolean> {
  const { action, ...attended } = AT_DESK[to];
  const comes = to === 'arrived' && seen.state === 'booked' && { arrived: 'now' as const };
  return ports.database.inTransaction(async (tx) => {
    const noted = await attendAtDesk(tx, seen, { ...attended, ...comes }, now);
    if (noted) await audit(ports, tx, seen.id, { actor, action, at: now });
    return noted;
  });
}

/**
 * Staff take back that a patient did not come: they are expected, or have arrived. 'slotTaken' where its time is
 * no longer free; 'gone' where it is no no-show any more.
 */
export const takeBackNoShow = (
  ports: BookingPorts,
  { id, ...own }: AppointmentRef,
  to: Attendance,
  { actor, now }: Who,
): Promise<{ readonly kind: 'takenBack' | 'gone' } | BookingRefusal> =>
  transact<{ kind: 'takenBack' | 'gone' }>(ports, async (tx, rollBack) => {
    const { appointments, parts } = ports;
    await appointments.lockPatient(tx, parts, ownerOf(own));
    const missed = await appointments.lockAppointment(tx, ports.parts, id);
    // A colleague was first.
    const is = to === 'arrived' ? 'registered' : 'booked';
    if (missed?.state === is) return { kind: 'takenBack' };
    if (missed?.state !== 'noShow') return { kind: 'gone' };
    await auditLapsed(ports, tx, await appointments.releaseLapsed(tx, missed, now), now);
    if (!(await standAgain(tx, missed, { was: 'noShow' }, now)))
      return rollBack(refusal('slotTaken'));
    await audit(ports, tx, id, { actor, action: 'no-show taken back', at: now });
    if (to === 'arrived') {
      const { action, ...arrives } = AT_DESK.arrived;
      const stands = { id, state: 'booked', inRoomAt: null } as const;
      await attendAtDesk(tx, stands, { ...arrives, arrived: 'now' }, now);
      await audit(ports, tx, id, { actor, action, at: now });
    }
    return { kind: 'takenBack' };
  });
