import type { Attendance, EpochSeconds } from '@clinic/domain';

import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';

import { notePlaceLeft } from './busy.store.ts';
import { stopCancelling } from './cancel.store.ts';
import { refused, whoseOf } from './appointment.ts';
import type { BookingRefusal, StoredAppointment } from './appointment.ts';
import { auditLapsed, enqueueEmail, recordCancelled, transact } from './changes.ts';
import { type StaffChange, emrKey } from './emr-entry.ts';
import type { BookingPorts } from './reserve.ts';
import {
  type OwnInEmr,
  type SeenAtDesk,
  attendAtDesk,
  moveByStaff,
  noteAttendance,
  standAgain,
} from './staff-changes.store.ts';

const STAFF = 'clinic:emr';
const ATTENDANCE = { arrived: 'registered', noShow: 'no-show' } as const;

/**
 * Does in our tables what staff did in the EMR. What they cancel is paid back in full, what they
 * move stands where they put it, and the patient is told by email. If the patient cancelled after staff
 * had moved it, staff came first: that cancellation is dropped. False when there was nothing to do.
 */
export async function followStaff(
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

const AT_DESK = {
  expected: { state: 'booked', arrived: 'never', inRoom: 'never', action: 'arrival taken back' },
  arrived: { state: 'registered', arrived: 'before', inRoom: 'never', action: 'patient arrived' },
  inRoom: { state: 'registered', arrived: 'before', inRoom: 'now', action: 'patient in the room' },
  completed: { state: 'completed', arrived: 'before', inRoom: 'before', action: 'patient seen' },
  noShow: { state: 'no-show', arrived: 'never', inRoom: 'never', action: 'patient did not come' },
} as const;

/** The front desk notes how far a patient has come; false when the appointment changed meanwhile. */
export async function noteAttendanceAtDesk(
  { database, appendAudit }: Pick<BookingPorts, 'database' | 'appendAudit'>,
  seen: SeenAtDesk,
  to: Attendance,
  { actor, now }: Who,
): Promise<boolean> {
  const { action, ...attended } = AT_DESK[to];
  const comes = to === 'arrived' && seen.state === 'booked';
  return database.inTransaction(async (tx) => {
    const noted = await attendAtDesk(
      tx,
      seen,
      comes ? { ...attended, arrived: 'now' } : attended,
      now,
    );
    if (noted) await appendAudit(tx, { actor, action, subject: `appointment:${seen.id}`, at: now });
    return noted;
  });
}

/**
 * Staff take back that a patient did not come. 'slotTaken' where its time is no longer free; 'gone' where it
 * is no no-show any more.
 */
export const takeBackNoShow = (
  ports: BookingPorts,
  {
    id,
    ...own
  }: Pick<StoredAppointment, 'id' | 'recordId'> & {
    readonly patientId: PatientId | null;
  },
  { actor, now }: Who,
): Promise<{ readonly kind: 'takenBack' | 'gone' } | BookingRefusal> =>
  transact<{ kind: 'takenBack' | 'gone' }>(ports, async (tx, rollBack) => {
    const { appointments, parts, appendAudit } = ports;
    await appointments.lockPatient(tx, parts, whoseOf(own));
    const missed = await appointments.lockAppointment(tx, id);
    // A colleague was first.
    if (missed?.state === 'booked') return { kind: 'takenBack' };
    if (missed?.state !== 'no-show') return { kind: 'gone' };
    await auditLapsed(ports, tx, await appointments.releaseLapsed(tx, missed, now), now);
    if (!(await standAgain(tx, missed, now))) return rollBack(refused('slotTaken'));
    const subject = `appointment:${id}`;
    await appendAudit(tx, { actor, action: 'no-show taken back', subject, at: now });
    return { kind: 'takenBack' };
  });
