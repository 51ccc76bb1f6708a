import { requestsOf } from '../requests.ts';
import { type Checker, isVisit, stands } from '../run.ts';

/** a move leaves exactly one visit, never two, never none. */
export const moves: Checker = {
  name: 'moves are whole',
  check({ operations, claims }) {
    const successors = Map.groupBy(
      claims.filter(({ state, rescheduledFrom }) => isVisit(state) && rescheduledFrom !== null),
      ({ rescheduledFrom }) => rescheduledFrom,
    );
    const byId = new Map(claims.map((claim) => [claim.id, claim]));

    const lost = claims
      .filter(({ id, state }) => state === 'rescheduled' && (successors.get(id) ?? []).length === 0)
      .map(({ id, patient }) => `Visit ${id} of ${patient} was moved away and arrived nowhere`);
    const doubled = [...successors].flatMap(([id, after]) => {
      const before = byId.get(id ?? '');
      if (after.length > 1) return [`Visit ${id ?? ''} was moved to ${after.length} visits`];
      return before !== undefined && stands(before.state)
        ? [`Visit ${before.id} of ${before.patient} was moved and stands as well`]
        : [];
    });
    const elsewhere = requestsOf(operations).flatMap(({ first, claim }) =>
      first.call !== 'reschedule' ||
      claim === undefined ||
      !byId.has(claim) ||
      byId.get(claim)?.rescheduledFrom === first.visit
        ? []
        : [
            `Move of ${first.visit ?? '?'} was acknowledged with visit ${claim}, which moves another`,
          ],
    );
    return [...lost, ...doubled, ...elsewhere];
  },
};
