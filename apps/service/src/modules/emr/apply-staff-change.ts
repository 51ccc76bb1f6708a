import type { EpochSeconds } from '@clinic/domain';

import {
  type BookingPorts,
  type OwnInEmr,
  enqueueEmail,
  moveByStaff,
  noteAttendance,
  notePlaceLeft,
  recordCancelled,
  stopCancelling,
  transact,
} from '../appointments/index.ts';
import { type StaffChange, emrKey } from './entry.ts';

const STAFF = 'clinic:emr';
const ATTENDANCE = { arrived: 'arrive', noShow: 'miss' } as const;

/**
 * Does in our tables what staff did in the EMR. What they cancel is paid back in full, what they move
 * stands where they put it, and the patient is told by email. A cancellation that the patient asked for after
 * staff had moved the appointment is dropped. False when there was nothing to do.
 */
export async function applyStaffChange(
  ports: BookingPorts,
  own: OwnInEmr,
  change: StaffChange,
  now: EpochSeconds,
): Promise<boolean> {
  const { appointments, parts, appendAudit } = ports;
  const { id, patientId, start: movedFrom } = own;
  const trail = { actor: STAFF, subject: `appointment:${id}`, at: now };
  const gone = { kind: 'gone' } as const;
  const outcome = await transact(ports, async (tx) => {
    if (patientId !== null) await appointments.lockPatient(tx, parts, patientId);
    if (change.kind === 'moved') {
      const { to } = change;
      const sequence = await moveByStaff(tx, own, to, now);
      if (sequence === null) return gone;
      await notePlaceLeft(tx, { ...own, id: ports.ids.uuid(), sourceId: emrKey(id) });
      const event = (await stopCancelling(tx, id)) === null ? 'rescheduled' : 'notCancelled';
      const details = { provider: to.providerId, start: to.start, movedFrom };
      await appendAudit(tx, { ...trail, action: 'appointment moved', details });
      const email = { event, appointmentId: id, sequence, movedFrom } as const;
      if (patientId !== null) await enqueueEmail(ports, tx, email, now);
      return { kind: 'followed' as const };
    }
    // If the patient was cancelling it too, a cancellation counts as theirs; after any other change they
    // are told that the appointment stands.
    const cancelling = await stopCancelling(tx, id);
    if (change.kind === 'cancelled') {
      const who =
        cancelling === null
          ? ({ actor: STAFF, byClinic: true } as const)
          : { actor: `patient:${patientId}` };
      const ended = await recordCancelled(ports, tx, { id, patientId, ...who }, now);
      return ended ? { kind: 'followed' as const } : gone;
    }
    const noted = await noteAttendance(tx, id, ATTENDANCE[change.kind], now);
    const action = change.kind === 'arrived' ? 'patient arrived' : 'patient did not come';
    if (noted) await appendAudit(tx, { ...trail, action });
    if (cancelling !== null) {
      const email = { event: 'notCancelled', appointmentId: id, sequence: cancelling } as const;
      await enqueueEmail(ports, tx, email, now);
    }
    return noted || cancelling !== null ? { kind: 'followed' as const } : gone;
  });
  return outcome.kind === 'followed';
}
