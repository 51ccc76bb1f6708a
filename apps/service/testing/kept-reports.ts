import { type ErrorReport, type ErrorReports, scrubbed } from '../src/server/log.ts';

/** Keeps the reports, as they would have left the service. */
export interface KeptReports extends ErrorReports {
  readonly last: readonly ErrorReport[];
}

export function keptReports(): KeptReports {
  const last: ErrorReport[] = [];
  return {
    report: (report) => void last.push(scrubbed(report)),
    sent: () => Promise.resolve(),
    last,
  };
}
