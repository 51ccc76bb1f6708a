import type { Platform } from '../../platform.ts';
import { followCharts } from './follow-chart.ts';
import { writeTicklers } from './ticklers.ts';
import { cancelWhatIsLeft } from './withdraw.ts';

/** Carries out what appointments leave in the outbox for the EMR. */
export function registerEmr(platform: Platform): void {
  cancelWhatIsLeft(platform);
  followCharts(platform);
  writeTicklers(platform);
}

export { emrBook } from './emr-book.ts';
export { type CancelPauses, finishCancelling } from './withdraw.ts';
export { followToChart } from './follow-chart.ts';
export { decideGone } from './sync/gone.ts';
export { undecidedGone } from './sync/gone.store.ts';
export { freeUnsent, recordNamedBy, resolveUnknown } from './confirm.ts';
export { addTicklerOnce } from './ticklers.ts';
export { type EmrHealth, type KeptKey, emrHealth, watchKeys } from './health.ts';
export { differingInEmr } from './sync/overlaps.ts';
export { appointmentsOutside, readScheduleNow } from './sync/schedule-changes.ts';
export { syncFromEmr, syncWhenDue } from './sync/sync.ts';
export { type EmrStanding, emrBesideService, emrStanding, lastTurn } from './sync/sync-turn.ts';
export { placeInEmr } from './entry.ts';
