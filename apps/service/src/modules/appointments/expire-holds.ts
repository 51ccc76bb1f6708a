import type { EpochSeconds } from '@clinic/domain';

import type { Database } from '../../database/db.ts';
import { settleFromEmr } from './ask-emr.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';

const MOST_AT_ONCE = 100;
/** The request that asked the records may still be waiting for them. */
const PATIENCE_SECONDS = 60;

/**
 * Frees holds that have lapsed; any number of processes may do so at once. A slot does not
 * wait for it: whoever takes it frees the lapsed hold there and then.
 */
export async function expireHolds(ports: BookingPorts, now: EpochSeconds): Promise<number> {
  let freed = 0;
  for (;;) {
    const outcome = await transact(ports, async (tx) => {
      const lapsed = await ports.appointments.sweepLapsed(tx, now, MOST_AT_ONCE);
      for (const hold of lapsed)
        await ports.appendAudit(tx, {
          actor: 'system:holds',
          action: 'hold lapsed',
          subject: `appointment:${hold.id}`,
          at: now,
        });
      return { kind: 'swept' as const, count: lapsed.length };
    });
    if (outcome.kind === 'refused' || outcome.count === 0) return freed;
    freed += outcome.count;
  }
}

/** Finds out what became of bookings whose answer from the records was lost. */
export async function settleUnknown(
  ports: BookingPorts & { readonly database: Pick<Database, 'db'> },
  now: EpochSeconds,
): Promise<void> {
  const since = now - PATIENCE_SECONDS;
  for (const hold of await ports.appointments.unsettled(ports.database.db, since, MOST_AT_ONCE))
    await settleFromEmr(ports, hold, now);
}
