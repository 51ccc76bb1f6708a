import type { ErrorReport, ErrorReports } from '../server/error-reports.ts';
import { scrubbed } from '../server/error-reports.ts';

export interface LoggedErrorReports extends ErrorReports {
  /** How often each kind and code was reported: `charge:card_declined`. */
  counts(): ReadonlyMap<string, number>;
  /** The last reports, as they would have left the service. */
  readonly last: readonly ErrorReport[];
}

const MOST_KEPT = 100;

/** Reports go nowhere: they are counted, and the count is told. */
export function createLoggedErrorReports(
  tell: (code: string) => void = () => undefined,
): LoggedErrorReports {
  const counted = new Map<string, number>();
  const last: ErrorReport[] = [];
  return {
    report(report) {
      const clean = scrubbed(report);
      const name = `${clean.kind}:${clean.code}`;
      counted.set(name, (counted.get(name) ?? 0) + 1);
      last.push(clean);
      if (last.length > MOST_KEPT) last.shift();
      tell(`error-report:${name}:${counted.get(name)}`);
    },
    sent: () => Promise.resolve(),
    counts: () => counted,
    last,
  };
}
