import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { judge } from '../checkers/index.ts';
import { type HistoryWriter, type Operation, readHistory, writeHistory } from '../history.ts';
import type { Anomaly, FinalRow } from '../run.ts';
import { countByName } from '../report.ts';
import type { Cluster } from './cluster.ts';
import { readAppointments } from './final-state.ts';
import type { PatientAccount } from './patient.ts';
import { type Question, type Watch, invariantsHold, watch } from './watch.ts';

/** The record of one proof, from the first question to the judges' verdict. */
export interface ClinicRecord {
  readonly history: HistoryWriter;
  readonly watch: Watch;
  /** What was asked and answered so far. */
  readonly soFar: () => readonly Operation[];
  /** Ends the watch, reads everything and judges it. */
  judged(): Promise<Verdict>;
}

export interface Verdict {
  readonly operations: readonly Operation[];
  readonly rows: readonly FinalRow[];
  readonly anomalies: readonly Anomaly[];
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

/** Begins to write and to watch. */
export function openRecord(
  cluster: Cluster,
  accounts: readonly PatientAccount[],
  alsoAsk: Question = () => Promise.resolve([]),
  /** What is asked on the way; of a database that is older, what held then. */
  onTheWay: Question = invariantsHold,
): ClinicRecord {
  const file = join(tmpdir(), `clinic-faults-${process.pid}-${performance.now().toFixed(0)}.jsonl`);
  const history = writeHistory(file);
  const watching = watch(cluster.databaseUrl, async (database) => [
    ...(await onTheWay(database)),
    ...(await alsoAsk(database)),
  ]);
  const onceADay = new Set(accounts.filter((one) => one.onceADay).map(({ name }) => name));
  const names = new Map(accounts.map(({ id, name }) => [id, name]));

  return {
    history,
    watch: watching,
    soFar: () => readHistory(file),
    judged: async () => {
      await watching.stop();
      history.close();
      const operations = readHistory(file);
      const rows = await cluster.ask((database) =>
        readAppointments(database, (account) => names.get(account)),
      );
      const found = judge({ operations, rows, onceADay });
      const atTheEnd = await cluster.ask(invariantsHold);
      const broken = new Set([...watching.violations, ...atTheEnd]);
      const anomalies = [
        ...found,
        ...[...broken].map((says) => ({ checker: says.split(' ')[0] ?? '', says })),
        ...cluster.services.flatMap(({ ownEnds, leaks }) => [
          ...ownEnds.map((says) => ({ checker: 'service ended by itself', says })),
          ...leaks.map((says) => ({ checker: 'a reason in the log', says })),
        ]),
      ];
      if (anomalies.length === 0) rmSync(file);
      return {
        operations,
        rows,
        anomalies,
        lines: [
          `${operations.length} operations: ${outcomes(operations)}`,
          `${acknowledged(operations)} bookings and moves acknowledged; ${watching.snapshots()} snapshots watched`,
          ...failedStarts(cluster),
          countByName(anomalies.map(({ checker }) => checker)),
        ],
        faults: anomalies
          .map(({ checker, says }) => `${checker}: ${says}`)
          .concat(anomalies.length === 0 ? [] : [`The history stands in ${file}`]),
      };
    },
  };
}

function failedStarts({ services }: Cluster): string[] {
  const failed = services.flatMap((service) => service.failedStarts);
  const last =
    failed
      .at(-1)
      ?.split('\n')
      .find((line) => /error: /i.test(line)) ?? 'it said nothing';
  return failed.length === 0 ? [] : [`${failed.length} starts of a service failed: ${last.trim()}`];
}

const acknowledged = (operations: readonly Operation[]) =>
  operations.filter(
    ({ call, outcome }) => outcome === 'ok' && (call === 'book' || call === 'reschedule'),
  ).length;

function outcomes(operations: readonly Operation[]): string {
  const of = (wanted: Operation['outcome']) =>
    operations.filter(({ outcome }) => outcome === wanted).length;
  return `${of('ok')} done, ${of('refused')} refused, ${of('unknown')} without an answer`;
}
