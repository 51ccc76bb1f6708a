import type { Operation, Slot } from '../history.ts';
import { type Request, requestsOf } from '../requests.ts';
import type { Run } from '../run.ts';

/** Who has a slot: nobody (''), a hold ('held A'), a visit ('visit A 17'). */
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
const visit = (patient: string, claim: string): SlotState => `visit ${patient} ${claim}`;
const nameOf = ({ provider, start }: Pick<Slot, 'provider' | 'start'>) => `${provider} ${start}`;

/** What a history says about each slot, as events of a register with one owner. */
export function slotEvents(run: Run): Map<string, SlotEvent[]> {
  const events = new Map<string, SlotEvent[]>();
  const add = (slot: string, event: SlotEvent) =>
    events.set(slot, [...(events.get(slot) ?? []), event]);

  const requests = requestsOf(run.operations);
  const slotOfVisit = slotsOfVisits(run, requests);
  const heldBy = heldSlots(run.operations);
  const claimOf = claimsByKey(run);

  for (const request of requests) {
    const { first } = request;
    if (first.slot === undefined) continue;
    const slot = nameOf(first.slot);
    const claim = request.claim ?? claimOf(first);
    if (claim !== undefined) {
      add(slot, takes(request, claim));
      const old = first.visit === undefined ? undefined : slotOfVisit.get(first.visit);
      if (old !== undefined && first.visit !== undefined) {
        add(old, leaves(request, visit(first.patient, first.visit)));
      }
    }
    for (const attempt of request.attempts) {
      if (attempt.code === 'slotTaken') add(slot, foundTaken(attempt));
      for (const other of heldBy(first.patient)) {
        if (other !== slot) add(other, mayLetGo(attempt, false));
      }
    }
  }

  for (const one of run.operations) {
    if (one.call === 'hold' && one.slot !== undefined) {
      const slot = nameOf(one.slot);
      if (one.outcome !== 'refused') {
        add(slot, holds(one));
        add(slot, lapses(one));
      }
      if (one.code === 'slotTaken') add(slot, foundTaken(one));
      for (const other of heldBy(one.patient)) {
        if (other !== slot) add(other, mayLetGo(one, one.outcome === 'ok'));
      }
    }
    if (one.call === 'release') {
      for (const slot of heldBy(one.patient)) add(slot, mayLetGo(one, one.outcome === 'ok'));
    }
    if (one.call === 'cancel' && one.visit !== undefined && one.outcome !== 'refused') {
      const slot = slotOfVisit.get(one.visit);
      if (slot !== undefined) add(slot, cancels(one, visit(one.patient, one.visit)));
    }
  }
  return events;
}

const span = ({ sentAt, answeredAt }: { sentAt: number; answeredAt: number }) => ({
  from: sentAt,
  to: answeredAt,
});

function takes(request: Request, claim: string): SlotEvent {
  const { patient } = request.first;
  const after = visit(patient, claim);
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

/** Refused because somebody else had it. A visit of one's own counts as taken, a hold does not. */
const foundTaken = (one: Operation): SlotEvent => ({
  ...span(one),
  must: true,
  reads: true,
  kind: `finds taken ${one.patient}`,
  apply: (state) => (state === FREE || state === held(one.patient) ? null : state),
});

function slotsOfVisits(run: Run, requests: readonly Request[]): Map<string, string> {
  return new Map([
    ...run.claims.map((claim) => [claim.id, nameOf(claim)] as const),
    ...requests.flatMap(({ first, claim }) =>
      claim === undefined || first.slot === undefined ? [] : [[claim, nameOf(first.slot)] as const],
    ),
  ]);
}

function heldSlots(operations: readonly Operation[]): (patient: string) => ReadonlySet<string> {
  const slots = new Map<string, Set<string>>();
  for (const { call, patient, slot } of operations) {
    if (call !== 'hold' || slot === undefined) continue;
    slots.set(patient, (slots.get(patient) ?? new Set()).add(nameOf(slot)));
  }
  const none: ReadonlySet<string> = new Set();
  return (patient) => slots.get(patient) ?? none;
}

/** A request without an answer happened when a claim carries its key; rows are never deleted. */
function claimsByKey({ claims }: Run): (asked: Operation) => string | undefined {
  const byKey = new Map(
    claims.flatMap(({ id, patient, requestKey, state }) =>
      requestKey === null || state === 'held' || state === 'released'
        ? []
        : [[`${patient} ${requestKey}`, id] as const],
    ),
  );
  return ({ patient, key }) => (key === undefined ? undefined : byKey.get(`${patient} ${key}`));
}
