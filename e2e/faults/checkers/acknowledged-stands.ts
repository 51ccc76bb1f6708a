import type { Operation } from '../history.ts';
import { requestsOf } from '../requests.ts';
import { type Checker, type FinalClaim, stands } from '../run.ts';

/** What the service said is done stays done: a visit stands unless its owner ended it. */
export const acknowledgedStands: Checker = {
  name: 'acknowledged stands',
  check({ operations, claims }) {
    const byId = new Map(claims.map((claim) => [claim.id, claim]));
    const wishes = Map.groupBy(
      operations.filter(({ visit, outcome }) => visit !== undefined && outcome !== 'refused'),
      ({ visit }) => visit,
    );
    const visits = requestsOf(operations).flatMap(({ first, outcome, claim }) =>
      outcome === 'ok' && claim !== undefined
        ? whatWentWrong(first, claim, byId.get(claim), wishes.get(claim) ?? [])
        : [],
    );
    return [...visits, ...endsThatDidNotHappen(operations, byId)];
  },
};

function whatWentWrong(
  asked: Operation,
  id: string,
  found: FinalClaim | undefined,
  wishes: readonly Operation[],
): string[] {
  const name = `Visit ${id} of ${asked.patient}`;
  if (found === undefined) return [`${name} was acknowledged and is gone`];
  if (
    found.patient !== asked.patient ||
    found.provider !== asked.slot?.provider ||
    found.start !== asked.slot.start
  )
    return [`${name} was acknowledged for another patient or time than it has`];
  if (stands(found.state)) return [];
  const ownersWishes = wishes.filter(({ patient }) => patient === asked.patient);
  const reason = { cancelled: 'cancel', rescheduled: 'reschedule' }[found.state as string];
  return ownersWishes.some(({ call }) => call === reason)
    ? []
    : [`${name} is ${found.state} and its owner never asked for that`];
}

function endsThatDidNotHappen(
  operations: readonly Operation[],
  byId: ReadonlyMap<string, FinalClaim>,
): string[] {
  return operations.flatMap(({ call, outcome, visit, patient }) => {
    if (outcome !== 'ok' || visit === undefined) return [];
    const state = byId.get(visit)?.state;
    if (state === undefined || !stands(state)) return [];
    return [`${call} of visit ${visit} of ${patient} was acknowledged and the visit still stands`];
  });
}
