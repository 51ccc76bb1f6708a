import { endAskedAt, requestsOf } from '../requests.ts';
import { type Checker, type Run, stands } from '../run.ts';

const UPCOMING_AT_MOST = 2;

interface BookedAppointment {
  readonly id: string;
  readonly patient: string;
  readonly date: string;
  readonly moved: boolean;
  readonly from: number;
  readonly to: number;
}

/** at most two upcoming appointments; one a clinic day where the policy says so, moved appointments aside. */
export const limits: Checker = {
  name: 'limits',
  check(run) {
    const atTheEnd = run.rows
      .filter(({ state }) => stands(state))
      .map(({ id, patient, date, rescheduledFrom }) => ({
        id,
        patient,
        date,
        moved: rescheduledFrom !== null,
        from: 0,
        to: Infinity,
      }));
    return [...exceeded(atTheEnd, run), ...exceeded(certainAppointments(run), run)];
  },
};

/** Appointments during the time in which they stood without doubt. */
function certainAppointments({ operations }: Run): BookedAppointment[] {
  const endsAt = endAskedAt(operations);
  return requestsOf(operations).flatMap(({ first, row, answeredAt }) =>
    row === undefined || first.slot === undefined
      ? []
      : [
          {
            id: row,
            patient: first.patient,
            date: first.slot.date,
            moved: first.call === 'reschedule',
            from: answeredAt,
            to: endsAt(row),
          },
        ],
  );
}

function exceeded(appointments: readonly BookedAppointment[], { onceADay }: Run): string[] {
  const byPatient = Map.groupBy(appointments, ({ patient }) => patient);
  return [...byPatient].flatMap(([patient, own]) =>
    // Any excess begins when one of the appointments begins.
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
