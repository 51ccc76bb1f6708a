import type { Operation } from '../history.ts';
import { requestsOf } from '../requests.ts';
import { type Checker, isVisit } from '../run.ts';

const place = (patient: string, slot: { provider: string; start: number }) =>
  `${patient} at ${slot.provider} ${slot.start}`;

/** No claim that nobody asked for, none from a refused request, never more visits than requests. */
export const noPhantom: Checker = {
  name: 'no phantom',
  check({ operations, claims }) {
    const possible = countBy(
      requestsOf(operations).filter(({ outcome }) => outcome !== 'refused'),
      ({ first }) => (first.slot === undefined ? '' : place(first.patient, first.slot)),
    );
    const visits = countBy(
      claims.filter(({ state }) => isVisit(state)),
      (claim) => place(claim.patient, claim),
    );
    const tooMany = [...visits].flatMap(([where, count]) =>
      count <= (possible.get(where) ?? 0)
        ? []
        : [`${count} visits of ${where} for ${possible.get(where) ?? 0} requests`],
    );

    const wanted = new Set(operations.flatMap(wantedPlace));
    const holds = claims
      .filter((claim) => !isVisit(claim.state) && !wanted.has(place(claim.patient, claim)))
      .map((claim) => `A hold of ${place(claim.patient, claim)} that nobody asked for`);
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
      .filter((visit) => (askedAt.get(place(patient, visit)) ?? Infinity) > answeredAt)
      .map((visit) => `List ${id} shows ${place(patient, visit)} that nobody had asked for`),
  );
}

function countBy<T>(all: readonly T[], by: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(by(one), (counts.get(by(one)) ?? 0) + 1);
  return counts;
}
