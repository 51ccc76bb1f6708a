import type { Operation, Slot } from '../history.ts';
import { type Request, requestsOf } from '../requests.ts';
import type { Run } from '../run.ts';

/** Who has a slot: nobody (''), a hold ('held A'), an appointment ('appointment A 17'). */
export type SlotState = string;

/** Something that took effect at one instant between `from` and `to`, or, unless it must, not at all. */
export interface SlotEvent {
  readonly from: number;
  readonly to: number;
  readonly must: boolean;
  /** Changes nothing in any state. */
  readonly reads?: true;
  /** Events of one class do the same; of those without an end the search tries the first only. */
  readonly kind: string;
  /** The state afterwards, or null where the event cannot happen in this state. */
  readonly apply: (state: SlotState) => SlotState | null;
}

export const FREE: SlotState = '';
const HOLD_LAPSES_AFTER_MS = 600_000;

const held = (patient: string): SlotState => `held ${patient}`;
const appointment = (patient: string, row: string): SlotState => `visit ${patient} ${row}`;
type SlotTime = Pick<Slot, 'provider' | 'start' | 'end'>;
const nameOf = ({ provider, start, end }: SlotTime) => `${provider} ${start}-${end}`;

const STEP_SECONDS = 300;
function stepsOf({ provider, start, end }: SlotTime): string[] {
  const count = (end - start) / STEP_SECONDS;
  return Array.from({ length: count }, (_, step) => `${provider} ${start + step * STEP_SECONDS}`);
}

/** What a history says about each 5-minute step, as events of a register with one owner. */
export function slotEvents(run: Run): Map<string, SlotEvent[]> {
  const events = new Map<string, SlotEvent[]>();
  const add = (slot: SlotTime, event: SlotEvent) => {
    for (const step of stepsOf(slot)) {
      const known = events.get(step);
      if (known === undefined) events.set(step, [event]);
      else known.push(event);
    }
  };

  const requests = requestsOf(run.operations);
  const slotOfAppointment = slotsOfAppointments(run, requests);
  const appointmentOf = rowsByKey(run);

  for (const request of requests) {
    const { first } = request;
    const row = request.row ?? appointmentOf(first);
    if (first.slot === undefined || row === undefined) continue;
    add(first.slot, takes(request, row));
    const old =
      first.appointment === undefined ? undefined : slotOfAppointment.get(first.appointment);
    if (old !== undefined && first.appointment !== undefined) {
      add(old, leaves(request, appointment(first.patient, first.appointment)));
    }
  }
  for (const one of run.operations) {
    const { call, slot, outcome, code } = one;
    // Which of several steps was taken is not told.
    if (slot !== undefined && code === 'slotTaken' && stepsOf(slot).length === 1)
      add(slot, foundTaken(one));
    if (slot !== undefined && call === 'hold' && outcome !== 'refused') {
      add(slot, holds(one));
      add(slot, lapses(one));
    }
    if (call === 'cancel' && one.appointment !== undefined && outcome !== 'refused') {
      const ofAppointment = slotOfAppointment.get(one.appointment);
      if (ofAppointment !== undefined)
        add(ofAppointment, cancels(one, appointment(one.patient, one.appointment)));
    }
  }
  for (const { slot, by } of lettingGo(run.operations)) {
    add(slot, mayLetGo(by, by.outcome === 'ok' && by.call !== 'book' && by.call !== 'reschedule'));
  }
  return events;
}

const span = ({ sentAt, answeredAt }: { sentAt: number; answeredAt: number }) => ({
  from: sentAt,
  to: answeredAt,
});

function takes(request: Request, row: string): SlotEvent {
  const { patient } = request.first;
  const after = appointment(patient, row);
  return {
    ...span(request),
    must: true,
    kind: `takes ${after}`,
    apply: (state) => (state === FREE || state === held(patient) ? after : null),
  };
}

const leaves = (request: Request, before: SlotState): SlotEvent => ({
  ...span(request),
  must: true,
  kind: `leaves ${before}`,
  apply: (state) => (state === before ? FREE : null),
});

const cancels = (one: Operation, before: SlotState): SlotEvent => ({
  ...span(one),
  must: one.outcome === 'ok',
  kind: `cancels ${before}`,
  apply: (state) => (state === before ? FREE : state),
});

const holds = (one: Operation): SlotEvent => ({
  ...span(one),
  must: one.outcome === 'ok',
  kind: `holds ${one.patient}`,
  apply: (state) => (state === FREE || state === held(one.patient) ? held(one.patient) : null),
});

const mayLetGo = (one: Operation, must: boolean): SlotEvent => ({
  ...span(one),
  must,
  kind: `lets go ${one.patient}`,
  apply: (state) => (state === held(one.patient) ? FREE : state),
});

const lapses = (one: Operation): SlotEvent => ({
  from: one.sentAt + HOLD_LAPSES_AFTER_MS,
  to: Infinity,
  must: false,
  kind: `lets go ${one.patient}`,
  apply: (state) => (state === held(one.patient) ? FREE : state),
});

/** Refused because somebody else had it. An appointment of one's own counts as taken, a hold does not. */
const foundTaken = (one: Operation): SlotEvent => ({
  ...span(one),
  must: true,
  reads: true,
  kind: `finds taken ${one.patient}`,
  apply: (state) => (state === FREE || state === held(one.patient) ? null : state),
});

function slotsOfAppointments(run: Run, requests: readonly Request[]): Map<string, SlotTime> {
  return new Map<string, SlotTime>([
    ...run.rows.map((row) => [row.id, row] as const),
    ...requests.flatMap(({ first, row }) =>
      row === undefined || first.slot === undefined ? [] : [[row, first.slot] as const],
    ),
  ]);
}

/**
 * Whatever a patient does elsewhere may end a hold, until one thing that did so for certain. What
 * got no answer may arrive late and end a hold that was made after it was sent.
 */
function* lettingGo(
  operations: readonly Operation[],
): Generator<{ slot: SlotTime; by: Operation }> {
  const byPatient = Map.groupBy(
    operations.filter(({ call }) => call !== 'list' && call !== 'cancel'),
    ({ patient }) => patient,
  );
  for (const own of byPatient.values()) {
    /** Slots that may be held, and when that was answered. */
    const held = new Map<string, { readonly slot: SlotTime; readonly since: number }>();
    const everHeld = new Map<string, SlotTime>();
    const late: Operation[] = [];
    for (const one of own) {
      const { call, slot, outcome, sentAt, answeredAt } = one;
      const here = slot === undefined ? null : nameOf(slot);
      if (outcome === 'unknown') late.push(one);
      for (const [other, { slot: elsewhere, since }] of held) {
        if (other === here) continue;
        if (outcome !== 'unknown') yield { slot: elsewhere, by: one };
        const certain = outcome === 'ok' && (call === 'hold' || call === 'release');
        if (certain && sentAt >= since) held.delete(other);
      }
      if (slot === undefined || here === null || outcome === 'refused') continue;
      const since = held.get(here)?.since ?? 0;
      if (call === 'hold') {
        held.set(here, { slot, since: Math.max(answeredAt, since) });
        everHeld.set(here, slot);
      } else if (outcome === 'ok' && sentAt >= since) held.delete(here);
    }
    for (const [name, slot] of everHeld) {
      for (const by of late) {
        if (by.slot === undefined || nameOf(by.slot) !== name) yield { slot, by };
      }
    }
  }
}

/** A request without an answer happened when an appointment carries its key; rows are never deleted. */
function rowsByKey({ rows }: Run): (asked: Operation) => string | undefined {
  const byKey = new Map(
    rows.flatMap(({ id, patient, requestKey, state }) =>
      requestKey === null || state === 'held' || state === 'released'
        ? []
        : [[`${patient} ${requestKey}`, id] as const],
    ),
  );
  return ({ patient, key }) => (key === undefined ? undefined : byKey.get(`${patient} ${key}`));
}
