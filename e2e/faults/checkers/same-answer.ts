import { requestsOf } from '../requests.ts';
import type { Checker } from '../run.ts';

/** A request repeated with its key gives the appointment that the first attempt made, and no second one. */
export const sameAnswer: Checker = {
  name: 'same key, same visit',
  check({ operations, rows }) {
    const answers = requestsOf(operations).flatMap(({ first, attempts }) => {
      const given = new Set(attempts.flatMap(({ row }) => (row === undefined ? [] : [row])));
      return given.size > 1
        ? [`Key ${first.key ?? ''} was answered with ${given.size} visits`]
        : [];
    });
    const byKey = Map.groupBy(
      rows.filter(({ requestKey }) => requestKey !== null),
      ({ patient, requestKey }) => `${patient} ${requestKey}`,
    );
    const repeated = [...byKey]
      .filter(([, rows]) => rows.length > 1)
      .map(([key, rows]) => `Key ${key} stands on ${rows.length} claims`);
    return [...answers, ...repeated];
  },
};
