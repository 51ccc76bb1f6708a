import type { EpochSeconds } from '@clinic/domain';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { timeoutAsUnknown } from './emr-calls.ts';
import { emrKey } from './entry.ts';
import { aheadInEmr, isBeingBooked } from '../appointments/index.ts';

/** Outbox kind of an appointment that follows its patient to another chart; retried until the EMR answers. */
const CHART_IN_EMR = 'chart-in-emr';
const LOOK_AGAIN_SECONDS = 10;

/**
 * Has the outbox put what a record has ahead, or is just booking, under the chart that it has now. Ask it
 * under the patient's lock, once the record has that chart.
 */
export async function followToChart(
  { outbox }: Pick<Platform, 'outbox'>,
  tx: Tx,
  recordId: string,
  now: EpochSeconds,
): Promise<void> {
  for (const { id } of await aheadInEmr(tx, recordId, now))
    await outbox.enqueue(tx, CHART_IN_EMR, { appointmentId: id }, now);
}

export function followCharts({
  outbox,
  emr,
  database,
  clock,
}: Pick<Platform, 'outbox' | 'emr' | 'database' | 'clock'>): void {
  outbox.handle(CHART_IN_EMR, async ({ appointmentId }) => {
    if (emr === null) return;
    const id = String(appointmentId);
    // Asked first: what is booked between the two questions is looked for again.
    const isUnderWay = await isBeingBooked(database.db, id);
    const became = await timeoutAsUnknown(id, emr.followChart(emrKey(id)));
    if (became === 'changed' || (became === 'absent' && isUnderWay))
      return { until: clock.now() + LOOK_AGAIN_SECONDS };
  });
}
