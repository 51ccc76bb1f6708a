import type { PaymentPorts } from './ports.ts';
import { settle } from './settle.ts';

const MOST_AT_ONCE = 100;

/**
 * Settles whatever is due: lapsed holds, captures to try again, unknown outcomes, paid appointments that
 * ended. Any number of processes may; without a single webhook everything ends here too.
 */
export async function sweepPayments(ports: PaymentPorts): Promise<number> {
  const { database, payments, clock, log } = ports;
  let settled = 0;
  for (const id of await payments.listDue(database.db, clock.now(), MOST_AT_ONCE)) {
    try {
      if ((await settle(ports, id)) !== null) settled += 1;
    } catch (error) {
      // One payment that cannot be settled must not keep the others waiting.
      log.error('settle-failed', error);
    }
  }
  return settled;
}
