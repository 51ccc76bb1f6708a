import type { Operation, Slot } from '../history.ts';
import { requestsOf } from '../requests.ts';
import type { Checker } from '../run.ts';

/** A time during which a patient may have had a slot: from the question on, until it certainly ended. */
interface MayHave {
  readonly patient: string;
  readonly slot: Slot;
  readonly isHold: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * Whoever is told that a time is taken can have lost a part of it to somebody, or to an appointment
 * of their own: of a time of several steps the register cannot say which.
 */
export const takenBySomebody: Checker = {
  name: 'taken by somebody',
  check({ operations }) {
    const byProvider = Map.groupBy(
      [...appointments(operations), ...holds(operations)],
      ({ slot }) => slot.provider,
    );
    return operations.flatMap(({ id, patient, slot, code, sentAt, answeredAt }) => {
      if (slot === undefined || code !== 'slotTaken') return [];
      const explained = (byProvider.get(slot.provider) ?? []).some(
        (other) =>
          overlaps(other.slot, slot) &&
          other.from <= answeredAt &&
          sentAt <= other.to &&
          !(other.isHold && other.patient === patient),
      );
      return explained
        ? []
        : [`Operation ${id} of ${patient} found ${slot.provider} ${slot.start} taken by nobody`];
    });
  },
};

const overlaps = (one: Slot, other: Slot) => one.start < other.end && other.start < one.end;

function appointments(operations: readonly Operation[]): MayHave[] {
  const endedAt = new Map(
    operations.flatMap(({ appointment, outcome, answeredAt }) =>
      appointment === undefined || outcome !== 'ok' ? [] : [[appointment, answeredAt] as const],
    ),
  );
  return requestsOf(operations).flatMap(({ first, outcome, sentAt: from, row }) => {
    const { patient, slot } = first;
    if (slot === undefined || outcome === 'refused') return [];
    const to = (row === undefined ? undefined : endedAt.get(row)) ?? Infinity;
    return [{ patient, slot, isHold: false, from, to }];
  });
}

/** A hold ends for certain with the next one elsewhere, when it is let go, or as an appointment. */
function holds(operations: readonly Operation[]): MayHave[] {
  const booked = requestsOf(operations)
    .filter(({ outcome, attempts }) => outcome === 'ok' && attempts.length === 1)
    .map(({ first }) => first);
  const ends = Map.groupBy(
    [
      ...operations.filter(
        ({ call, outcome }) => outcome === 'ok' && (call === 'hold' || call === 'release'),
      ),
      ...booked,
    ].sort((one, other) => one.sentAt - other.sentAt),
    ({ patient }) => patient,
  );
  return operations.flatMap(({ call, patient, slot, outcome, sentAt: from, answeredAt }) => {
    if (call !== 'hold' || slot === undefined || outcome === 'refused') return [];
    const end = (ends.get(patient) ?? []).find(
      (one) => one.sentAt >= answeredAt && !(one.call === 'hold' && isSame(one.slot, slot)),
    );
    return [{ patient, slot, isHold: true, from, to: end?.answeredAt ?? Infinity }];
  });
}

const isSame = (one: Slot | undefined, other: Slot) =>
  one?.provider === other.provider && one.start === other.start && one.end === other.end;
