import type {
  EpochSeconds,
  FeeMeans,
  OverrideReason,
  RefundReason,
  SlotRequest,
} from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { AuditEntry, Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { isAccount, whoseOf } from './appointment.ts';
import type { BookedAppointment, BookingRefusal, Whose } from './appointment.ts';
import { releaseByClinic } from './cancel.ts';
import { type Held, type HoldPorts, reserve } from './reserve.ts';
import { keepFeeBack, keepFeeTaken } from './staff-changes.store.ts';

/** what somebody of the staff books, or where they move an appointment. */
interface StaffBooking {
  readonly staffId: string;
  /** Whom the clinic books for; nobody of theirs is signed in. */
  readonly whose: Whose;
  readonly slot: SlotRequest;
  readonly minutes: number | null;
  readonly overrideReason: OverrideReason | null;
  readonly movedByClinic: boolean;
  readonly byLink: boolean;
  /** The hold for a link that is made due at the clinic: that one is booked, or nothing. */
  readonly link: string | null;
  /** The appointment that moves; null books a new one. */
  readonly rescheduleOf: string | null;
  readonly requestKey: string;
}

/**
 * The same decision as of a patient's booking. Of a link that is made due, a payment that waits for its
 * patient is given up first.
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
 * Staff let go of a time that they held for a payment link; its patient is told. A payment under way is
 * given up first. False where it is held no more, or its payment could not be given up yet.
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
  // Its payment has let it go as it was cancelled.
  const left = await ports.database.inTransaction((tx) =>
    ports.appointments.lockAppointment(tx, id),
  );
  return left?.state === 'released';
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

/** A fee was taken at the clinic; false where none is due any more. */
export const takeFeeAtClinic = (
  ports: CounterPorts,
  { means, staffId: by, ...fee }: AtCounter,
  { actor, now }: Who,
): Promise<boolean> =>
  noteOfFee(ports, fee, {
    keep: (tx) => keepFeeTaken(tx, fee.id, { means, by, at: now }),
    entry: { actor, action: 'fee taken at the clinic', details: { means }, at: now },
  });

/** A fee that was taken at the clinic was given back there; false where none was, or it was before. */
export const giveFeeBackAtClinic = (
  ports: CounterPorts,
  { means, reason, staffId: by, ...fee }: AtCounter & { readonly reason: RefundReason },
  { actor, now }: Who,
): Promise<boolean> =>
  noteOfFee(ports, fee, {
    keep: (tx) => keepFeeBack(tx, fee.id, { means, reason, by, at: now }),
    entry: { actor, action: 'fee given back at the clinic', details: { means, reason }, at: now },
  });

interface FeeNote {
  /** Gives the cents, or null where there is nothing to be noted. */
  readonly keep: (tx: Tx) => Promise<number | null>;
  readonly entry: Omit<AuditEntry, 'subject'>;
}

/**
 * What is noted of the fee of an appointment, and its entry on the trail. Whoever moves the appointment
 * at the same time takes it along, or is waited for.
 */
const noteOfFee = (
  { database, appendAudit, appointments, parts }: CounterPorts,
  { id, ...own }: Pick<AtCounter, 'id' | 'patientId' | 'recordId'>,
  { keep, entry }: FeeNote,
): Promise<boolean> =>
  database.inTransaction(async (tx) => {
    await appointments.lockPatient(tx, parts, whoseOf(own));
    const cents = await keep(tx);
    if (cents === null) return false;
    const details = { cents, ...entry.details };
    await appendAudit(tx, { ...entry, subject: `appointment:${id}`, details });
    return true;
  });
