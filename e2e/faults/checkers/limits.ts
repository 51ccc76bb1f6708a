import { endAskedAt, requestsOf } from '../requests.ts';
import { type Checker, type Run, stands } from '../run.ts';

const UPCOMING_AT_MOST = 2;

interface Visit {
  readonly id: string;
  readonly patient: string;
  readonly date: string;
  readonly moved: boolean;
  readonly from: number;
  readonly to: number;
}

/** at most two upcoming visits; one a clinic day where the policy says so, moved visits aside. */
export const limits: Checker = {
  name: 'limits',
  check(run) {
    const atTheEnd = run.claims
      .filter(({ state }) => stands(state))
      .map(({ id, patient, date, rescheduledFrom }) => ({
        id,
        patient,
        date,
        moved: rescheduledFrom !== null,
        from: 0,
        to: Infinity,
      }));
    return [...exceeded(atTheEnd, run), ...exceeded(certainVisits(run), run)];
  },
};

/** Visits during the time in which they stood without doubt. */
function certainVisits({ operations }: Run): Visit[] {
  const endsAt = endAskedAt(operations);
  return requestsOf(operations).flatMap(({ first, claim, answeredAt }) =>
    claim === undefined || first.slot === undefined
      ? []
      : [
          {
            id: claim,
            patient: first.patient,
            date: first.slot.date,
            moved: first.call === 'reschedule',
            from: answeredAt,
            to: endsAt(claim),
          },
        ],
  );
}

function exceeded(visits: readonly Visit[], { onceADay }: Run): string[] {
  const byPatient = Map.groupBy(visits, ({ patient }) => patient);
  return [...byPatient].flatMap(([patient, own]) =>
    // Any excess begins when one of the visits begins.
    own.flatMap(({ id, from, date, moved }) => {
      const atOnce = own.filter((other) => other.from <= from && from < other.to);
      const sameDay = atOnce.filter((other) => other.date === date && !other.moved);
      if (!atOnce.some((other) => other.id === id)) return [];
      if (atOnce.length > UPCOMING_AT_MOST)
        return [`${patient} had ${atOnce.length} upcoming visits at once`];
      return onceADay.has(patient) && !moved && sameDay.length > 1
        ? [`${patient} had ${sameDay.length} visits on ${date}`]
        : [];
    }),
  );
}
