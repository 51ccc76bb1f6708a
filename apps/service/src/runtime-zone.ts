import {
  addDays,
  disagreementsWith,
  judgeZoneData,
  startOfDay,
  toClinic,
  ZONE_DATA_VERSION,
} from '@clinic/domain';
import type { Log } from './server/log.ts';

const WINDOW_DAYS = 91;
const MINUTE_MS = 60_000;

/**
 * Compares the runtime's own zone data with the clinic's table over the booking window. Nothing of
 * ours asks the runtime, but logs, cron and mail libraries do (docs/clinic-time.md).
 */
export function reportRuntimeZone(
  log: Log,
  now: number,
  version: string | undefined,
  readOffset = runtimeOffsets(),
): void {
  const end = startOfDay(addDays(toClinic(now).date, WINDOW_DAYS));
  const found = disagreementsWith(readOffset, now - (now % 3600), end);
  const judged = judgeZoneData(ZONE_DATA_VERSION, version, found);
  if (judged !== 'agrees') log.event(`zone-data-${judged}`);
}

/** Minutes east of UTC at an instant, as the runtime has it. */
function runtimeOffsets(): (at: number) => number {
  const options: Intl.DateTimeFormatOptions = {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  };
  // The one place that asks the runtime for the zone, in order to distrust it.
  options.timeZone = 'America/Vancouver';
  const format = new Intl.DateTimeFormat('en-CA', options);
  return (at) => {
    const parts = new Map(
      format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const wall = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
    );
    return Math.round((wall - at * 1000) / MINUTE_MS);
  };
}
