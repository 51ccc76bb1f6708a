import type { Platform } from '../../platform.ts';
import type { Tx } from '../../database/db.ts';
import type { Who } from '../../security/audit.store.ts';
import { type NewCall, callById, insertCall, lockCancelled } from './calls.store.ts';

type Ports = Pick<Platform, 'database' | 'appendAudit' | 'realtime'>;

/** `reused`: the id is that of another call. */
export type CallNoted = 'noted' | 'notFound' | 'reused';

/**
 * Notes a call to a patient whose appointment a closing has cancelled. A repeat does nothing; calls that two note
 * at once are both kept.
 */
export async function noteCall(
  { database, appendAudit, realtime }: Ports,
  call: Omit<NewCall, 'takesBack'>,
  who: Who,
): Promise<CallNoted> {
  const noted = await database.inTransaction(async (tx) => {
    if (!(await lockCancelled(tx, call))) return 'notFound';
    if (await insertCall(tx, { ...call, takesBack: null }, who)) {
      await audit(tx, appendAudit, call, 'closing call noted', who);
      return 'noted';
    }
    const { closingId, appointmentId, outcome } = call;
    const kept = await callById(tx, call.id);
    const isSame =
      kept?.closingId === closingId &&
      kept.appointmentId === appointmentId &&
      kept.outcome === outcome;
    return isSame ? 'noted' : 'reused';
  });
  if (noted === 'noted') realtime.sayToDesk();
  return noted;
}

/** Takes back a call that was noted by mistake; a repeat does nothing. */
export async function takeCallBack(
  { database, appendAudit, realtime, ids }: Ports & Pick<Platform, 'ids'>,
  { id, closingId }: Pick<NewCall, 'id' | 'closingId'>,
  who: Who,
): Promise<'takenBack' | 'notFound'> {
  const became = await database.inTransaction(async (tx) => {
    const call = await callById(tx, id);
    if (call?.closingId !== closingId || !(await lockCancelled(tx, call))) return 'notFound';
    const row = { ...call, id: ids.uuid(), outcome: null, takesBack: id };
    if (await insertCall(tx, row, who))
      await audit(tx, appendAudit, { ...call, id }, 'closing call taken back', who);
    return 'takenBack';
  });
  if (became === 'takenBack') realtime.sayToDesk();
  return became;
}

const audit = (
  tx: Tx,
  appendAudit: Ports['appendAudit'],
  { id, closingId, appointmentId, outcome }: Omit<NewCall, 'takesBack'>,
  action: string,
  { actor, now }: Who,
) =>
  appendAudit(tx, {
    actor,
    action,
    subject: `appointment:${appointmentId}`,
    details: { call: id, closing: closingId, outcome },
    at: now,
  });
