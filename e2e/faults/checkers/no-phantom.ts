import type { Operation } from '../history.ts';
import { requestsOf } from '../requests.ts';
import { type Checker, isAppointment } from '../run.ts';

const place = (patient: string, slot: { provider: string; start: number }) =>
  `${patient} at ${slot.provider} ${slot.start}`;

/** No appointment that nobody asked for, none from a refused request, never more appointments than requests. */
export const noPhantom: Checker = {
  name: 'no phantom',
  check({ operations, rows }) {
    const possible = countBy(
      requestsOf(operations).filter(({ outcome }) => outcome !== 'refused'),
      ({ first }) => (first.slot === undefined ? '' : place(first.patient, first.slot)),
    );
    const appointments = countBy(
      rows.filter(({ state }) => isAppointment(state)),
      (row) => place(row.patient, row),
    );
    const tooMany = [...appointments].flatMap(([where, count]) =>
      count <= (possible.get(where) ?? 0)
        ? []
        : [`${count} visits of ${where} for ${possible.get(where) ?? 0} requests`],
    );

    const wanted = new Set(operations.flatMap(wantedPlace));
    const holds = rows
      .filter((row) => !isAppointment(row.state) && !wanted.has(place(row.patient, row)))
      .map((row) => `A hold of ${place(row.patient, row)} that nobody asked for`);
    return [...tooMany, ...holds, ...listedPhantoms(operations)];
  },
};

const wantedPlace = ({ patient, slot }: Operation) =>
  slot === undefined ? [] : [place(patient, slot)];

/** A list shows only what its patient had asked for by then. */
function listedPhantoms(operations: readonly Operation[]): string[] {
  const askedAt = new Map<string, number>();
  for (const { first, outcome, sentAt } of requestsOf(operations)) {
    if (outcome === 'refused' || first.slot === undefined) continue;
    const where = place(first.patient, first.slot);
    askedAt.set(where, Math.min(askedAt.get(where) ?? Infinity, sentAt));
  }
  return operations.flatMap(({ listed, patient, answeredAt, id }) =>
    (listed ?? [])
      .filter((appointment) => (askedAt.get(place(patient, appointment)) ?? Infinity) > answeredAt)
      .map(
        (appointment) =>
          `List ${id} shows ${place(patient, appointment)} that nobody had asked for`,
      ),
  );
}

function countBy<T>(all: readonly T[], by: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(by(one), (counts.get(by(one)) ?? 0) + 1);
  return counts;
}
