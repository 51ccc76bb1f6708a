import { type FeeNote, feeStateOf, isBooked, keptItsTime, noteOnFee } from '@clinic/domain';

import type { Tx } from '../../../database/db.ts';
import type { Who } from '../../../security/audit.store.ts';
import { ownerOf } from '../appointment.ts';
import type { AppointmentRef, Owner } from '../appointment.ts';
import { audit } from '../changes.ts';
import type { HoldPorts } from '../ports.ts';
import { isFeeMoving, writeFee } from './staff-changes.store.ts';

const ACTIONS: Record<FeeNote['kind'], string> = {
  taken: 'fee taken at the clinic',
  waived: 'fee waived',
  givenBack: 'fee given back at the clinic',
  struck: 'note of a fee struck',
};

type FeePorts = Pick<HoldPorts, 'database' | 'appendAudit' | 'appointments' | 'parts'>;

interface WhichFee extends AppointmentRef {
  readonly staffId: string;
}

/**
 * Staff note something of a fee at the clinic. False where that cannot be noted of it any more,
 * 'feeMoving' while the fee goes to another time. The patient is locked, so that a move of the appointment at the
 * same time comes first, or takes the note along.
 */
export const noteFee = (
  ports: FeePorts,
  { id, staffId: by, ...own }: WhichFee,
  note: FeeNote,
  { actor, now: at }: Who,
): Promise<boolean | 'feeMoving'> =>
  ports.database.inTransaction(async (tx) => {
    const { appointments, parts } = ports;
    await appointments.lockPatient(tx, parts, ownerOf(own));
    if (await isFeeMoving(tx, id)) return 'feeMoving';
    const of = await appointments.lockAppointment(tx, parts, id);
    if (of === null || of.feeAtClinic === null) return false;
    // What was taken goes back also once the appointment is cancelled.
    const mayBeNoted = keptItsTime(of) || (of.state === 'cancelled' && note.kind === 'givenBack');
    const noted = mayBeNoted ? noteOnFee(of.feeAtClinic, note, { by, at }) : null;
    if (noted === null) return false;
    await writeFee(tx, id, noted);
    const { kind, ...said } = note;
    const { cents, taken, waived } = of.feeAtClinic;
    const details =
      kind === 'struck' ? { ...(taken ?? waived), what: taken ? 'taken' : 'waived' } : said;
    await audit(ports, tx, id, {
      actor,
      action: ACTIONS[kind],
      details: { cents, ...details },
      at,
    });
    return true;
  });

interface NewFee {
  readonly appointmentId: string;
  readonly newCents: number;
}

/**
 * Gives appointments the fees that `feesNow` finds under the locks of their owners, a record before its account
 * . A fee that was taken, waived or paid by card, or goes to another time, stays as it is.
 */
export const changeFees = (
  ports: FeePorts,
  owners: readonly Owner[],
  feesNow: (tx: Tx) => Promise<readonly NewFee[]>,
  { actor, now: at }: Who,
): Promise<void> =>
  ports.database.inTransaction(async (tx) => {
    const { appointments, parts } = ports;
    for (const owner of owners) await appointments.lockPatient(tx, parts, owner);
    for (const { appointmentId: id, newCents } of await feesNow(tx)) {
      if (await isFeeMoving(tx, id)) continue;
      const of = await appointments.lockAppointment(tx, parts, id);
      if (of === null || !isBooked(of) || of.paidNow > 0) continue;
      if (of.feeAtClinic !== null && feeStateOf(of.feeAtClinic) !== 'due') continue;
      await writeFee(tx, id, newCents === 0 ? null : { cents: newCents });
      await audit(ports, tx, id, {
        actor,
        action: 'fee changed after eligibility',
        details: { oldCents: of.feeAtClinic?.cents ?? 0, newCents },
        at,
      });
    }
  });
