import { requestsOf } from '../requests.ts';
import type { Checker } from '../run.ts';

/** A request repeated with its key gives the visit that the first attempt made, and no second one. */
export const sameAnswer: Checker = {
  name: 'same key, same visit',
  check({ operations, claims }) {
    const answers = requestsOf(operations).flatMap(({ first, attempts }) => {
      const given = new Set(attempts.flatMap(({ claim }) => (claim === undefined ? [] : [claim])));
      return given.size > 1
        ? [`Key ${first.key ?? ''} was answered with ${given.size} visits`]
        : [];
    });
    const byKey = Map.groupBy(
      claims.filter(({ requestKey }) => requestKey !== null),
      ({ patient, requestKey }) => `${patient} ${requestKey}`,
    );
    const rows = [...byKey]
      .filter(([, claims]) => claims.length > 1)
      .map(([key, claims]) => `Key ${key} stands on ${claims.length} claims`);
    return [...answers, ...rows];
  },
};
