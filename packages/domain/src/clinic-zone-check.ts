import { type EpochSeconds, offsetAt } from './clinic-time.ts';

/**
 * A stretch of time in which another source gives another offset than the clinic's table: the first
 * and the last instant looked at that differ, and both offsets at `from`, in minutes east of UTC.
 */
export interface ZoneDisagreement {
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
  readonly ours: number;
  readonly theirs: number;
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * Where another reader of zone data, such as the runtime's Intl, disagrees with the clinic's table
 * between two instants, to the hour: a day at whose ends both have the same offset is taken for one
 * without a change. `readOffset` answers in minutes east of UTC. The service logs these at start,
 * because logs, cron and mail libraries use the runtime's data..
 */
export function disagreementsWith(
  readOffset: (at: EpochSeconds) => number,
  from: EpochSeconds,
  to: EpochSeconds,
): ZoneDisagreement[] {
  const found: ZoneDisagreement[] = [];
  let theirsAtStart = readOffset(from);
  for (let day = from; day <= to; day += DAY) {
    const next = Math.min(day + DAY, to);
    const theirsAtEnd = readOffset(next);
    const offsets = new Set([theirsAtStart, theirsAtEnd, offsetAt(day), offsetAt(next)]);
    theirsAtStart = theirsAtEnd;
    if (offsets.size === 1) continue;
    for (let at = day; at < day + DAY && at <= to; at += HOUR) {
      const ours = offsetAt(at);
      const theirs = readOffset(at);
      if (ours === theirs) continue;
      const last = found.at(-1);
      if (last?.to === at - HOUR) found[found.length - 1] = { ...last, to: at };
      else found.push({ from: at, to: at, ours, theirs });
    }
  }
  return found;
}

/**
 * What a comparison means. 'olderDisagrees': the other data is older than ours (worth a report, never a
 * failure). 'newerDisagrees': it is newer, and our table must be generated again. Versions are IANA releases
 * such as '2026f'; an unknown one counts as older.
 */
export function judgeZoneData(
  ourVersion: string,
  theirVersion: string | undefined,
  disagreements: readonly ZoneDisagreement[],
): 'agrees' | 'olderDisagrees' | 'newerDisagrees' {
  if (disagreements.length === 0) return 'agrees';
  const isNewer = theirVersion !== undefined && theirVersion > ourVersion;
  return isNewer ? 'newerDisagrees' : 'olderDisagrees';
}
