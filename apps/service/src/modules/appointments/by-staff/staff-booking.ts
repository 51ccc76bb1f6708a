import {
  type EpochSeconds,
  type FeeMeans,
  type OverrideReason,
  type RefundReason,
  type SlotRequest,
  isReleased,
} from '@clinic/domain';

import type { Tx } from '../../../database/db.ts';
import type { AuditEntry, Who } from '../../../security/audit.store.ts';
import type { PatientId } from '../../../security/sessions.store.ts';
import { isAccount, whoseOf } from '../appointment.ts';
import type { BookedAppointment, BookingRefusal, Whose } from '../appointment.ts';
import { releaseByClinic } from '../cancel.ts';
import { type Held, reserve } from '../reserve.ts';
import { type HoldPorts } from '../ports.ts';
import { isFeeMoving, keepFeeBack, keepFeeTaken } from './staff-changes.store.ts';

/** an appointment that staff book, or the new time of one that they move. */
interface StaffBooking {
  readonly staffId: string;
  /** The account or record that staff book for; its patient is not signed in here. */
  readonly whose: Whose;
  readonly slot: SlotRequest;
  readonly minutes: number | null;
  readonly overrideReason: OverrideReason | null;
  readonly movedByClinic: boolean;
  readonly byLink: boolean;
  /** The payment-link hold to book with its fee due at the clinic; refused when that hold is gone. */
  readonly link: string | null;
  /** The appointment that moves; null books a new one. */
  readonly rescheduleOf: string | null;
  readonly requestKey: string;
}

/**
 * Books or moves for staff, by the same decision as for a patient. When a payment-link hold is booked
 * with its fee due at the clinic, a payment that waits for its patient is given up first.
 */
export async function bookByStaff(
  ports: HoldPorts,
  booking: StaffBooking,
  now: EpochSeconds,
): Promise<BookedAppointment | Held | BookingRefusal> {
  const asserted = { ticklers: [], paymentToken: null };
  const request = { ...booking, purpose: 'staff', answers: { reason: '' }, asserted } as const;
  const made = await reserve(ports, request, now);
  const { link, whose, staffId } = booking;
  if (made.kind !== 'refused' || made.code !== 'paymentUnderWay') return made;
  if (link === null || !isAccount(whose)) return made;
  const how = { actor: `staff:${staffId}`, onlyWaiting: true };
  await ports.heldPayments.giveUp(whose, link, how);
  return reserve(ports, request, now);
}

/**
 * Releases a time that staff held for a payment link, and tells its patient. A payment under way is
 * given up first. False when the time is no longer held, or the payment could not be given up yet.
 */
export async function endLink(
  ports: HoldPorts,
  link: Pick<AtCounter, 'id' | 'patientId' | 'recordId'>,
  who: Who,
): Promise<boolean> {
  if (await releaseByClinic(ports, link, who)) return true;
  const { id, patientId } = link;
  if (patientId !== null) await ports.heldPayments.giveUp(patientId, id, { actor: who.actor });
  if (await releaseByClinic(ports, link, who)) return true;
  // The payment may have released the hold when it was given up.
  const left = await ports.database.inTransaction((tx) =>
    ports.appointments.lockAppointment(tx, ports.parts, id),
  );
  return left !== null && isReleased(left);
}

interface AtCounter {
  readonly id: string;
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly recordId: string;
  readonly means: FeeMeans;
  readonly staffId: string;
}
type CounterPorts = Pick<HoldPorts, 'database' | 'appendAudit' | 'appointments' | 'parts'>;

/** Records that a fee was taken at the clinic; false when none is due any more. */
export const takeFeeAtClinic = (
  ports: CounterPorts,
  { means, staffId: by, ...fee }: AtCounter,
  { actor, now }: Who,
): Promise<FeeNoted> =>
  noteOfFee(ports, fee, {
    keep: (tx) => keepFeeTaken(tx, fee.id, { means, by, at: now }),
    entry: { actor, action: 'fee taken at the clinic', details: { means }, at: now },
  });

/** Records that a fee taken at the clinic was given back there; false when there is none to give back. */
export const giveFeeBackAtClinic = (
  ports: CounterPorts,
  { means, reason, staffId: by, ...fee }: AtCounter & { readonly reason: RefundReason },
  { actor, now }: Who,
): Promise<FeeNoted> =>
  noteOfFee(ports, fee, {
    keep: (tx) => keepFeeBack(tx, fee.id, { means, reason, by, at: now }),
    entry: { actor, action: 'fee given back at the clinic', details: { means, reason }, at: now },
  });

/** Whether it was noted; 'feeMoving' while the fee goes to another time. */
type FeeNoted = boolean | 'feeMoving';

interface FeeNote {
  /** Returns the cents, or null when there is nothing to record. */
  readonly keep: (tx: Tx) => Promise<number | null>;
  readonly entry: Omit<AuditEntry, 'subject'>;
}

/**
 * Records a change to an appointment's fee, with its audit entry. Locks the patient, so that a move of
 * the appointment at the same time comes first, or takes the change along.
 */
const noteOfFee = (
  { database, appendAudit, appointments, parts }: CounterPorts,
  { id, ...own }: Pick<AtCounter, 'id' | 'patientId' | 'recordId'>,
  { keep, entry }: FeeNote,
): Promise<FeeNoted> =>
  database.inTransaction(async (tx) => {
    await appointments.lockPatient(tx, parts, whoseOf(own));
    if (await isFeeMoving(tx, id)) return 'feeMoving';
    const cents = await keep(tx);
    if (cents === null) return false;
    const details = { cents, ...entry.details };
    await appendAudit(tx, { ...entry, subject: `appointment:${id}`, details });
    return true;
  });
