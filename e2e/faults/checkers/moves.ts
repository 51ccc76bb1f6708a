import { requestsOf } from '../requests.ts';
import { type Checker, isAppointment, stands } from '../run.ts';

/** a move leaves exactly one appointment, never two, never none. */
export const moves: Checker = {
  name: 'moves are whole',
  check({ operations, rows }) {
    const successors = Map.groupBy(
      rows.filter(({ state, rescheduledFrom }) => isAppointment(state) && rescheduledFrom !== null),
      ({ rescheduledFrom }) => rescheduledFrom,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));

    const lost = rows
      .filter(({ id, state }) => state === 'rescheduled' && (successors.get(id) ?? []).length === 0)
      .map(({ id, patient }) => `Visit ${id} of ${patient} was moved away and arrived nowhere`);
    const doubled = [...successors].flatMap(([id, after]) => {
      const before = byId.get(id ?? '');
      if (after.length > 1) return [`Visit ${id ?? ''} was moved to ${after.length} visits`];
      return before !== undefined && stands(before.state)
        ? [`Visit ${before.id} of ${before.patient} was moved and stands as well`]
        : [];
    });
    const elsewhere = requestsOf(operations).flatMap(({ first, row }) =>
      first.call !== 'reschedule' ||
      row === undefined ||
      !byId.has(row) ||
      byId.get(row)?.rescheduledFrom === first.appointment
        ? []
        : [
            `Move of ${first.appointment ?? '?'} was acknowledged with visit ${row}, which moves another`,
          ],
    );
    return [...lost, ...doubled, ...elsewhere];
  },
};
