import { type EpochSeconds, offsetAt } from './clinic-time.ts';

const HOUR = 3600;

/**
 * The first instant, to the hour, from which another reader of zone data, such as the runtime's Intl, gives
 * another offset than the clinic's table; null when it agrees from `from` to `to`. `readOffset` answers in
 * minutes east of UTC. The service logs a disagreement at start, because logs, cron and mail libraries use the
 * runtime's data..
 */
export function firstDisagreement(
  readOffset: (at: EpochSeconds) => number,
  from: EpochSeconds,
  to: EpochSeconds,
): EpochSeconds | null {
  for (let at = from; at <= to; at += HOUR) if (readOffset(at) !== offsetAt(at)) return at;
  return null;
}

/**
 * What a comparison means. 'olderDisagrees': the other data is older than ours (worth a report, never a
 * failure). 'newerDisagrees': it is newer, and our table must be generated again. Versions are IANA releases
 * such as '2026f'; an unknown one counts as older.
 */
export function judgeZoneData(
  ourVersion: string,
  theirVersion: string | undefined,
  disagreesAt: EpochSeconds | null,
): 'agrees' | 'olderDisagrees' | 'newerDisagrees' {
  if (disagreesAt === null) return 'agrees';
  const isNewer = theirVersion !== undefined && theirVersion > ourVersion;
  return isNewer ? 'newerDisagrees' : 'olderDisagrees';
}
