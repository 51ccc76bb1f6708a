import type { ApiAnswers } from '@clinic/contract';
import type {
  EpochSeconds,
  FeeAtClinic,
  FeeMeans,
  OverrideReason,
  SlotRequest,
} from '@clinic/domain';

import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { answersContext, whoseOf } from './appointment.ts';
import type { BookedAppointment, BookingRefusal, Whose } from './appointment.ts';
import { sealedAnswers } from './listed.store.ts';
import { type HoldPorts, reserve } from './reserve.ts';
import { keepFeeTaken } from './staff-changes.store.ts';

/** what somebody of the staff books, or where they move an appointment. */
interface StaffBooking {
  readonly staffId: string;
  /** Whom the clinic books for; nobody of theirs is signed in. */
  readonly whose: Whose;
  readonly slot: SlotRequest;
  readonly minutes: number | null;
  readonly overrideReason: OverrideReason | null;
  readonly movedByClinic: boolean;
  /** The appointment that moves; null books a new one. */
  readonly rescheduleOf: string | null;
  readonly requestKey: string;
}

/** The same decision as of a patient's booking. One that moves keeps what was answered for it. */
export async function bookByStaff(
  ports: HoldPorts,
  { rescheduleOf, ...booking }: StaffBooking,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const sealed = rescheduleOf && (await sealedAnswers(ports.database.db, rescheduleOf));
  const answers = (
    rescheduleOf && sealed
      ? JSON.parse(ports.keyring.open(answersContext(rescheduleOf), sealed))
      : { reason: '' }
  ) as ApiAnswers;
  return reserve(
    ports,
    {
      ...booking,
      purpose: 'staff',
      rescheduleOf,
      answers,
      asserted: { ticklers: [], paymentToken: null },
    },
    now,
  );
}

interface TakenFee {
  readonly id: string;
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly recordId: string;
  readonly means: FeeMeans;
  readonly staffId: string;
}

/**
 * A fee was taken at the clinic; false where none is due any more. Whoever moves the appointment at
 * the same time takes it along, or is waited for.
 */
export const takeFeeAtClinic = (
  {
    database,
    appendAudit,
    appointments,
    parts,
  }: Pick<HoldPorts, 'database' | 'appendAudit' | 'appointments' | 'parts'>,
  { id, means, staffId, ...own }: TakenFee,
  { actor, now }: Who,
): Promise<boolean> =>
  database.inTransaction(async (tx) => {
    await appointments.lockPatient(tx, parts, whoseOf(own));
    const taken: FeeAtClinic['taken'] = { means, by: staffId, at: now };
    const cents = await keepFeeTaken(tx, id, taken);
    if (cents === null) return false;
    const subject = `appointment:${id}`;
    const details = { cents, means };
    await appendAudit(tx, { actor, action: 'fee taken at the clinic', subject, details, at: now });
    return true;
  });
