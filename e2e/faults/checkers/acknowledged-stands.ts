import type { Operation } from '../history.ts';
import { requestsOf } from '../requests.ts';
import { type Checker, type FinalRow, stands } from '../run.ts';

/** What the service said is done stays done: an appointment stands unless its owner ended it. */
export const acknowledgedStands: Checker = {
  name: 'acknowledged stands',
  check({ operations, rows }) {
    const byId = new Map(rows.map((row) => [row.id, row]));
    const wishes = Map.groupBy(
      operations.filter(
        ({ appointment, outcome }) => appointment !== undefined && outcome !== 'refused',
      ),
      ({ appointment }) => appointment,
    );
    const appointments = requestsOf(operations).flatMap(({ first, outcome, row }) =>
      outcome === 'ok' && row !== undefined
        ? whatWentWrong(first, row, byId.get(row), wishes.get(row) ?? [])
        : [],
    );
    return [...appointments, ...endsThatDidNotHappen(operations, byId)];
  },
};

function whatWentWrong(
  asked: Operation,
  id: string,
  found: FinalRow | undefined,
  wishes: readonly Operation[],
): string[] {
  const name = `Visit ${id} of ${asked.patient}`;
  if (found === undefined) return [`${name} was acknowledged and is gone`];
  if (
    found.patient !== asked.patient ||
    found.provider !== asked.slot?.provider ||
    found.start !== asked.slot.start ||
    found.end !== asked.slot.end
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
  byId: ReadonlyMap<string, FinalRow>,
): string[] {
  return operations.flatMap(({ call, outcome, appointment, patient }) => {
    if (outcome !== 'ok' || appointment === undefined) return [];
    const state = byId.get(appointment)?.state;
    if (state === undefined || !stands(state)) return [];
    return [
      `${call} of visit ${appointment} of ${patient} was acknowledged and the visit still stands`,
    ];
  });
}
