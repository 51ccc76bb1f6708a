import type { Operation, Slot } from '../history.ts';
import { endAskedAt, requestsOf } from '../requests.ts';
import { type Checker, type Run, isActive } from '../run.ts';

/** A time during which a patient certainly had a slot: after the answer, before any wish to end it. */
interface Possession {
  readonly who: string;
  readonly row: string | undefined;
  readonly slot: Pick<Slot, 'provider' | 'start' | 'end'>;
  readonly from: number;
  readonly to: number;
}

const movesHold = new Set(['hold', 'release', 'book', 'reschedule']);

/** Never two active appointments on the same minute of a provider, neither at the end nor at any moment before. */
export const noOverlap: Checker = {
  name: 'no overlap',
  check: (run) => [...overlapsAtTheEnd(run), ...overlapsOnTheWay(run.operations)],
};

function overlapsAtTheEnd({ rows }: Run): string[] {
  const possessions = rows
    .filter(({ state }) => isActive(state))
    .map((slot) => ({ who: slot.patient, row: slot.id, slot, from: 0, to: Infinity }));
  return clashes(possessions).map((clash) => `At the end ${clash}`);
}

function overlapsOnTheWay(operations: readonly Operation[]): string[] {
  const endsAt = endAskedAt(operations);
  const appointments = requestsOf(operations).flatMap(
    ({ first, outcome, answeredAt, row }): Possession[] =>
      outcome !== 'ok' || first.slot === undefined || row === undefined
        ? []
        : [{ who: first.patient, row, slot: first.slot, from: answeredAt, to: endsAt(row) }],
  );
  return clashes([...appointments, ...certainHolds(operations)]);
}

/** A hold is certain until its patient next does anything, and only when nothing of theirs is under way. */
function certainHolds(operations: readonly Operation[]): Possession[] {
  const byPatient = Map.groupBy(
    operations.filter(({ call }) => movesHold.has(call)),
    ({ patient }) => patient,
  );
  return operations.flatMap((hold): Possession[] => {
    if (hold.call !== 'hold' || hold.outcome !== 'ok' || hold.slot === undefined) return [];
    const others = (byPatient.get(hold.patient) ?? []).filter((one) => one !== hold);
    const crossed = others.some(
      ({ sentAt, answeredAt }) => sentAt < hold.answeredAt && answeredAt > hold.sentAt,
    );
    if (crossed) return [];
    const next = others.filter(({ sentAt }) => sentAt >= hold.answeredAt);
    const to = Math.min(...next.map(({ sentAt }) => sentAt));
    const { patient: who, slot, answeredAt: from, row } = hold;
    return [{ who, row, slot, from, to }];
  });
}

function clashes(possessions: readonly Possession[]): string[] {
  const byProvider = Map.groupBy(possessions, ({ slot }) => slot.provider);
  const found: string[] = [];
  for (const [provider, ofProvider] of byProvider) {
    const sorted = [...ofProvider].sort((one, other) => one.slot.start - other.slot.start);
    for (const [index, one] of sorted.entries()) {
      for (const other of sorted.slice(index + 1)) {
        if (other.slot.start >= one.slot.end) break;
        if (other.from >= one.to || one.from >= other.to) continue;
        if (one.row !== undefined && one.row === other.row) continue;
        found.push(
          `${one.who} and ${other.who} both had ${provider} at ${Math.max(one.slot.start, other.slot.start)}`,
        );
      }
    }
  }
  return found;
}
