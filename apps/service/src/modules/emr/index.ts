import type { Platform } from '../../platform.ts';
import { followCharts } from './follow-chart.ts';
import { writeTicklers } from './ticklers.ts';
import { registerCancelJobs } from './cancel-in-emr.ts';

/** Carries out what appointments leave in the outbox for the EMR. */
export function registerEmr(platform: Platform): void {
  registerCancelJobs(platform);
  followCharts(platform);
  writeTicklers(platform);
}

export { emrBook } from './emr-book.ts';
export { type CancelPauses, retryCancellations } from './cancel-in-emr.ts';
export { followToChart } from './follow-chart.ts';
export { decideMissing } from './sync/missing.ts';
export { undecidedMissing } from './sync/missing.store.ts';
export { freeUnsent, recordNamedBy, resolveUnknown } from './confirm.ts';
export { addTicklerOnce } from './ticklers.ts';
export { type EmrHealth, type KeptKey, emrHealth, watchKeys } from './health.ts';
export { differingInEmr } from './sync/overlaps.ts';
export { appointmentsOutside, readScheduleNow } from './sync/schedule-changes.ts';
export { syncFromEmr, syncWhenDue } from './sync/sync.ts';
export { type EmrStanding, emrBesideService, emrStanding, lastSync } from './sync/sync-state.ts';
export { placeInEmr } from './entry.ts';
