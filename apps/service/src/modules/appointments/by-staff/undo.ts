import { feeStateOf, hasPaymentLink, whyNotUndone } from '@clinic/domain';
import type { NotUndone, ReservationGrant, UndoableAct } from '@clinic/domain';

import type { Tx } from '../../../database/db.ts';
import type { Who } from '../../../security/audit.store.ts';
import { ownerOf, refusal } from '../appointment.ts';
import type { BookingRefusal, ReserveRequest, StoredAppointment } from '../appointment.ts';
import { type ActOfStaff, audit, auditLapsed, transact } from '../changes.ts';
import type { BookingPorts } from '../ports.ts';
import {
  type StaffAct,
  actOf,
  giveUpBooking,
  isTimeClosed,
  lockAct,
  moveMoneyBack,
  noteUndone,
  restoreMoney,
} from './staff-acts.store.ts';
import { standAgain } from './staff-changes.store.ts';

const ACTIONS: Record<UndoableAct, string> = {
  book: 'booking undone',
  move: 'move undone',
  cancel: 'cancellation undone',
};

/** Staff cannot undo what replaced a time that was held for a payment link: its patient is told that it is over. */
export function undoableBooking({
  ports,
  request: { byStaff },
  hold,
  replacedHold,
}: Pick<ReservationGrant<StoredAppointment>, 'hold' | 'replacedHold'> & {
  readonly ports: Pick<BookingPorts, 'emr' | 'ids'>;
  readonly request: Pick<ReserveRequest, 'byStaff'>;
}): ActOfStaff | null {
  const hadLink = [hold, replacedHold].some((each) => each !== null && hasPaymentLink(each));
  if (byStaff === undefined || ports.emr !== null || hadLink) return null;
  return { id: ports.ids.uuid(), staffId: byStaff.staffId };
}

type Undoing = { readonly kind: 'undone' | 'notTheirs' | 'timeClosed' | NotUndone };

interface WhichAct {
  readonly id: string;
  readonly staffId: string;
}

/**
 * staff undo what they have just booked, moved or cancelled. In one transaction under the patient's lock
 * its email is taken back and what was stands again, or neither: a patient is told of an act, or it is undone.
 * 'slotTaken' where the time that was given up is no longer free, 'timeClosed' where it is closed by now. Repeating
 * it is harmless.
 */
export async function undoAct(
  ports: BookingPorts,
  { id, staffId }: WhichAct,
  { actor, now }: Who,
): Promise<Undoing | BookingRefusal> {
  const { appointments, parts, outbox, database } = ports;
  const own = await actOf(database.db, id);
  // Acts are kept for a day.
  if (own === null) return { kind: 'tooLate' };
  if (own.staffId !== staffId) return { kind: 'notTheirs' };
  return transact<Undoing>(ports, async (tx, rollBack) => {
    await appointments.lockPatient(tx, parts, ownerOf(own));
    const act = await lockAct(tx, id);
    if (act === null) return { kind: 'tooLate' };
    if (act.undoneAt !== null) return { kind: 'undone' };
    const { kind, before, subject: subjectId } = act;
    const old = before?.movedFrom ? await lockExisting(tx, before.movedFrom) : null;
    const subject = await lockExisting(tx, subjectId);
    const { feeAtClinic: fee } = subject;
    // With an EMR it stands there too.
    if (before === null || ports.emr !== null) return { kind: 'tooLate' };
    const why = whyNotUndone({
      act,
      subject: {
        ...subject,
        isFeeNoted: kind === 'book' && fee !== null && feeStateOf(fee) !== 'due',
      },
      ownAppointments: await appointments.listOwn(
        tx,
        parts,
        ownerOf(own),
        { requestKey: null, ids: [] },
        now,
      ),
      now,
    });
    if (why !== null) return { kind: why };
    if (before.email !== null && !(await outbox.takeBack(tx, before.email)))
      return { kind: 'tooLate' };
    const undone = await restore(tx, { ...act, before }, subject, old);
    if (undone !== 'undone')
      return rollBack(undone === 'slotTaken' ? refusal(undone) : { kind: undone });
    noteUndone(tx, id, now);
    await audit(ports, tx, old?.id ?? subjectId, { actor, action: ACTIONS[kind], at: now });
    return { kind: 'undone' };
  });

  async function lockExisting(tx: Tx, appointmentId: string): Promise<StoredAppointment> {
    const found = await appointments.lockAppointment(tx, parts, appointmentId);
    if (found === null) throw new Error('An appointment is gone');
    return found;
  }

  async function restore(
    tx: Tx,
    { kind, before }: StaffAct & { readonly before: NonNullable<StaffAct['before']> },
    subject: StoredAppointment,
    old: StoredAppointment | null,
  ): Promise<'undone' | 'slotTaken' | 'timeClosed' | 'tooLate' | 'changed'> {
    if (old !== null) await appointments.lockTimeSteps(tx, [subject, old]);
    if (kind !== 'cancel' && !(await giveUpBooking(tx, subject.id, now))) return 'changed';
    const again = kind === 'cancel' ? subject : old;
    if (again === null) return 'undone';
    // A closing that is not committed yet finds it as what was booked meanwhile.
    if (await isTimeClosed(tx, parts, again.id)) return 'timeClosed';
    await auditLapsed(ports, tx, await appointments.releaseLapsed(tx, again, now), now);
    const ended =
      old === null ? { was: 'cancelled' as const } : { was: 'rescheduled' as const, of: subject };
    if (!(await standAgain(tx, again, ended, now))) return 'slotTaken';
    if (old !== null) await moveMoneyBack(tx, parts, { from: subject.id, to: old.id }, now);
    else if ((await restoreMoney(tx, parts, subject.id, now)) !== before.paidCents)
      return 'tooLate';
    return 'undone';
  }
}
