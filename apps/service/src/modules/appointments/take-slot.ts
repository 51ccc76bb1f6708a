import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { SlotRequest } from './appointment.ts';
import type { BookingPorts } from './ports.ts';

/**
 * Takes a slot. When it is taken already, holds on it that have lapsed by the clock are given up
 * first, whether or not a sweeper came by.
 */
export async function takeSlot(
  ports: Pick<BookingPorts, 'appointments' | 'appendAudit'>,
  tx: Tx,
  slot: SlotRequest,
  now: EpochSeconds,
  take: () => Promise<boolean>,
): Promise<boolean> {
  if (await take()) return true;
  const lapsed = await ports.appointments.releaseLapsed(tx, slot, now);
  for (const hold of lapsed)
    await ports.appendAudit(tx, {
      actor: 'system:holds',
      action: 'hold lapsed',
      subject: `appointment:${hold.id}`,
      at: now,
    });
  return lapsed.length > 0 && take();
}
