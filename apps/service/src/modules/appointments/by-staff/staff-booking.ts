import { type FeeMeans, type RefundReason, isReleased } from '@clinic/domain';

import type { AuditEntry, Who } from '../../../security/audit.store.ts';
import { ownerOf } from '../appointment.ts';
import type { AppointmentRef } from '../appointment.ts';
import { releaseByClinic } from '../cancel.ts';
import { audit } from '../changes.ts';
import type { HoldPorts } from '../ports.ts';
import { isFeeMoving, noteFee } from './staff-changes.store.ts';

/**
 * Releases a time that staff held for a payment link, and tells its patient. A payment under way is
 * given up first. False when the time is no longer held, or the payment could not be given up yet.
 */
export async function endPaymentLink(
  ports: HoldPorts,
  link: AppointmentRef,
  who: Who,
): Promise<boolean> {
  if (await releaseByClinic(ports, link, who)) return true;
  const { id, patientId } = link;
  if (patientId !== null) await ports.heldPayments.cancel(patientId, id, { actor: who.actor });
  if (await releaseByClinic(ports, link, who)) return true;
  // The payment may have released the hold when it was given up.
  const left = await ports.database.inTransaction((tx) =>
    ports.appointments.lockAppointment(tx, ports.parts, id),
  );
  return left !== null && isReleased(left);
}

interface AtCounter extends AppointmentRef {
  readonly means: FeeMeans;
  readonly staffId: string;
}

/** Whether it was noted; 'feeMoving' while the fee goes to another time. */
type FeeNoted = boolean | 'feeMoving';
type CounterPorts = Pick<HoldPorts, 'database' | 'appendAudit' | 'appointments' | 'parts'>;

/** Records that a fee was taken at the clinic; false when none is due any more. */
export const takeFeeAtClinic = (
  ports: CounterPorts,
  { means, staffId: by, ...of }: AtCounter,
  { actor, now: at }: Who,
): Promise<FeeNoted> => {
  const entry = { actor, action: 'fee taken at the clinic', details: { means }, at };
  return noteFeeOf(ports, of, { taken: { means, by, at } }, entry);
};

/** Records that a fee taken at the clinic was given back there; false when there is none to give back. */
export const giveFeeBackAtClinic = (
  ports: CounterPorts,
  { means, reason, staffId: by, ...of }: AtCounter & { readonly reason: RefundReason },
  { actor, now: at }: Who,
): Promise<FeeNoted> => {
  const entry = { actor, action: 'fee given back at the clinic', details: { means, reason }, at };
  return noteFeeOf(ports, of, { givenBack: { means, reason, by, at } }, entry);
};

/** Locks the patient, so that a move of the appointment at the same time comes first, or takes the change along. */
const noteFeeOf = (
  ports: CounterPorts,
  { id, ...own }: AppointmentRef,
  what: Parameters<typeof noteFee>[2],
  entry: Omit<AuditEntry, 'subject'>,
): Promise<FeeNoted> =>
  ports.database.inTransaction(async (tx) => {
    await ports.appointments.lockPatient(tx, ports.parts, ownerOf(own));
    if (await isFeeMoving(tx, id)) return 'feeMoving';
    const cents = await noteFee(tx, id, what);
    if (cents === null) return false;
    await audit(ports, tx, id, { ...entry, details: { cents, ...entry.details } });
    return true;
  });
