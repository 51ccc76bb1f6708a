import type { Answered, Asked, ListedAppointment, Operation, Slot } from '../history.ts';
import type { AppointmentState, FinalRow, Run } from '../run.ts';

/** A 5-minute step of the planted histories, or the first and the one after the last of several. */
type Steps = number | readonly [from: number, to: number];

/** A time of their one provider; steps from 100 on lie on the next day. */
function slot(steps: Steps): Slot {
  const [from, to] = typeof steps === 'number' ? [steps, steps + 1] : steps;
  const date = from < 100 ? '2026-12-07' : '2026-12-08';
  return { type: `T${to - from}`, provider: 'dr', start: from * 300, end: to * 300, date };
}

/** Tells a run step by step; each step is sent and answered before the next unless told otherwise. */
export function tell(onceADay: readonly string[] = []) {
  const operations: Operation[] = [];
  const rows: FinalRow[] = [];
  let time = 0;

  const add = (asked: Asked, answered: Answered) => {
    time += 10;
    const known = answered.outcome !== 'unknown';
    operations.push({
      ...asked,
      ...answered,
      id: operations.length + 1,
      sentAt: time,
      answeredAt: known ? time + 5 : Infinity,
    });
    return told;
  };
  const refusedOr = (row: string): Answered =>
    row === 'taken'
      ? { outcome: 'refused', status: 409, code: 'slotTaken' }
      : row === 'lost'
        ? { outcome: 'unknown' }
        : { outcome: 'ok', status: 200, row };

  const told = {
    /** `appointment` is the appointment's id, 'taken' for a refusal, 'lost' for no answer. */
    book: (patient: string, n: Steps, row: string, key = `${patient}-${String(n)}`) =>
      add({ call: 'book', patient, slot: slot(n), key }, refusedOr(row)),
    hold: (patient: string, n: Steps, row: string) =>
      add({ call: 'hold', patient, slot: slot(n) }, refusedOr(row)),
    release: (patient: string) => add({ call: 'release', patient }, { outcome: 'ok', status: 200 }),
    cancel: (patient: string, appointment: string) =>
      add({ call: 'cancel', patient, appointment }, { outcome: 'ok', status: 200 }),
    move: (patient: string, appointment: string, n: number, row: string) =>
      add(
        {
          call: 'reschedule',
          patient,
          appointment,
          slot: slot(n),
          key: `${patient}-${appointment}-${n}`,
        },
        refusedOr(row),
      ),
    list: (patient: string, ...appointments: readonly (readonly [string, number, string])[]) =>
      add(
        { call: 'list', patient },
        {
          outcome: 'ok',
          status: 200,
          listed: appointments.map(([id, n, status]): ListedAppointment => ({
            id,
            type: 'T1',
            provider: 'dr',
            start: n * 300,
            status,
          })),
        },
      ),
    /** What the database has at the end. */
    row(patient: string, n: Steps, id: string, state: AppointmentState, from?: string) {
      const key = [patient, ...(from === undefined ? [] : [from]), String(n)].join('-');
      rows.push({
        ...slot(n),
        id,
        patient,
        state,
        rescheduledFrom: from ?? null,
        requestKey: state === 'held' || state === 'released' ? null : key,
      });
      return told;
    },
    run: (): Run => ({ operations, rows, onceADay: new Set(onceADay) }),
  };
  return told;
}
