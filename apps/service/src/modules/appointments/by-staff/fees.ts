import { type FeeNote, keptItsTime, noteOnFee } from '@clinic/domain';

import type { Who } from '../../../security/audit.store.ts';
import { ownerOf } from '../appointment.ts';
import type { AppointmentRef } from '../appointment.ts';
import { audit } from '../changes.ts';
import type { HoldPorts } from '../ports.ts';
import { isFeeMoving, writeFee } from './staff-changes.store.ts';

const ACTIONS: Record<FeeNote['kind'], string> = {
  taken: 'fee taken at the clinic',
  waived: 'fee waived',
  givenBack: 'fee given back at the clinic',
  struck: 'note of a fee struck',
};

interface WhichFee extends AppointmentRef {
  readonly staffId: string;
}

/**
 * Staff note something of a fee at the clinic. False where that cannot be noted of it any more,
 * 'feeMoving' while the fee goes to another time. The patient is locked, so that a move of the appointment at the
 * same time comes first, or takes the note along.
 */
export const noteFee = (
  ports: Pick<HoldPorts, 'database' | 'appendAudit' | 'appointments' | 'parts'>,
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
