import type { ErrorReports } from './error-reports.ts';
import { type Log, framesOf, nameOf } from './log.ts';
import { sqlStateOf } from '../database/sqlstate.ts';

/**
 * The log of a service: each error that nobody expected, of a request, a job, the outbox, a socket
 * or the process itself, comes here, and is logged, counted and reported.
 */
export interface ReportedLog extends Log {
  /** How often each code was told since the process began. */
  readonly errorCounts: ReadonlyMap<string, number>;
}

/** Of one code in a minute. An outage is told many times a second; the count says how many. */
const MOST_REPORTS = 10;
const MINUTE_MS = 60_000;

export function reportedLog(
  log: Log,
  reports: Pick<ErrorReports, 'report'>,
  millisecondsNow: () => number = () => performance.now(),
): ReportedLog {
  const errorCounts = new Map<string, number>();
  const reported = new Map<string, number>();
  let minute = 0;

  function mayReport(code: string): boolean {
    const now = Math.floor(millisecondsNow() / MINUTE_MS);
    if (now !== minute) reported.clear();
    minute = now;
    const before = reported.get(code) ?? 0;
    reported.set(code, before + 1);
    return before < MOST_REPORTS;
  }

  return {
    ...log,
    errorCounts,
    error(code, error, place = {}) {
      log.error(code, error, place);
      errorCounts.set(code, (errorCounts.get(code) ?? 0) + 1);
      if (!mayReport(code)) return;
      const { requestId, call } = place;
      const sqlState = sqlStateOf(error);
      reports.report({
        kind: 'service',
        code,
        error: nameOf(error),
        frames: framesOf(error),
        ...(requestId === undefined ? {} : { requestId }),
        ...(call === undefined ? {} : { call }),
        ...(sqlState === null ? {} : { sqlState }),
      });
    },
  };
}
