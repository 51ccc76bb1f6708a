import type { Checker } from '../run.ts';
import { FREE, type SlotEvent, type SlotState, slotEvents } from './slot-events.ts';

const STEPS_AT_MOST = 300_000;

/**
 * Per-slot linearizability: there is an order of all that was said about a slot, each at one
 * instant between its question and its answer, in which one owner at a time explains every answer
 * (the search of Wing and Gong, with Lowe's memory of what was tried).
 */
export const slotRegister: Checker = {
  name: 'slot register',
  check: (run) =>
    [...slotEvents(run)].flatMap(([slot, events]) => {
      const verdict = search(events);
      return verdict === 'explained' ? [] : [`${slot}: ${events.length} events, ${verdict}`];
    }),
};

type Verdict = 'explained' | 'no order explains them' | 'undecided within the step limit';

/** Events without an end that do the same are used from the earliest on. */
interface OpenEnded {
  readonly must: boolean;
  readonly apply: SlotEvent['apply'];
  readonly from: readonly number[];
}

interface Step {
  readonly state: SlotState;
  /** Answered events before this one are all done, and of the later ones these. */
  readonly next: number;
  readonly ahead: readonly number[];
  /** How many of each open-ended kind were used. */
  readonly used: readonly number[];
}

function search(events: readonly SlotEvent[]): Verdict {
  const answered = events
    .filter(({ must, to }) => must && to !== Infinity)
    .sort((one, other) => one.from - other.from);
  const openEnded = openEndedKinds(events.filter((event) => !answered.includes(event)));
  const isOver = ({ next, used }: Step) =>
    next === answered.length &&
    openEnded.every(({ must, from }, kind) => !must || used[kind] === from.length);

  const wasBetter = rememberBest(openEnded);
  const open: Step[] = [{ state: FREE, next: 0, ahead: [], used: openEnded.map(() => 0) }];
  for (let steps = 0; steps < STEPS_AT_MOST; steps += 1) {
    const step = open.pop();
    if (step === undefined) return 'no order explains them';
    if (isOver(step)) return 'explained';
    if (wasBetter(step)) continue;
    open.push(...nextSteps(answered, openEnded, step));
  }
  return 'undecided within the step limit';
}

/** Whether this was tried before, with as much still to choose from or more. */
function rememberBest(openEnded: readonly OpenEnded[]): (step: Step) => boolean {
  const tried = new Map<string, (readonly number[])[]>();
  return ({ state, next, ahead, used }) => {
    const needed = used.filter((_, kind) => openEnded[kind]?.must === true);
    const spent = used.filter((_, kind) => openEnded[kind]?.must !== true);
    const key = `${state}|${next}|${ahead.join()}|${needed.join()}`;
    const before = tried.get(key) ?? [];
    if (before.some((other) => other.every((count, kind) => count <= (spent[kind] ?? 0)))) {
      return true;
    }
    tried.set(key, [...before, spent]);
    return false;
  };
}

function openEndedKinds(events: readonly SlotEvent[]): OpenEnded[] {
  const kinds = Map.groupBy(events, ({ must, kind }) => `${String(must)} ${kind}`);
  return [...kinds.values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : [
          {
            must: first.must,
            apply: first.apply,
            from: [first, ...more].map(({ from }) => from).sort((one, other) => one - other),
          },
        ],
  );
}

/** What may come next; the one to try first stands last. */
function nextSteps(
  answered: readonly SlotEvent[],
  openEnded: readonly OpenEnded[],
  step: Step,
): Step[] {
  const { state, used } = step;
  const { possible, deadline } = enabled(answered, step);

  // A read is best taken as soon as it is possible: taking it closes no other way.
  const read = possible.find(({ event }) => event.reads === true && event.apply(state) !== null);
  if (read !== undefined) return [taken(step, read.index, state)];

  const unanswered = openEnded.flatMap(({ from, must, apply }, kind): Step[] => {
    const begins = from[used[kind] ?? 0];
    if (begins === undefined || begins > deadline) return [];
    const after = apply(state);
    if (after === null || (after === state && !must)) return [];
    return [{ ...step, state: after, used: used.with(kind, (used[kind] ?? 0) + 1) }];
  });
  const inTime = possible
    .sort((one, other) => other.event.to - one.event.to)
    .flatMap(({ event, index }): Step[] => {
      const after = event.apply(state);
      return after === null ? [] : [taken(step, index, after)];
    });
  return [...unanswered, ...inTime];
}

/** Answered events that may come next: none that must come was over before they began. */
function enabled(answered: readonly SlotEvent[], { next, ahead }: Step) {
  const possible: { readonly event: SlotEvent; readonly index: number }[] = [];
  let deadline = Infinity;
  for (let index = next; index < answered.length; index += 1) {
    const event = answered[index];
    if (event === undefined || event.from > deadline) break;
    if (ahead.includes(index)) continue;
    possible.push({ event, index });
    deadline = Math.min(deadline, event.to);
  }
  return { possible: possible.filter(({ event }) => event.from <= deadline), deadline };
}

function taken(step: Step, index: number, state: SlotState): Step {
  let { next } = step;
  const ahead = new Set(step.ahead).add(index);
  while (ahead.delete(next)) next += 1;
  return { ...step, state, next, ahead: [...ahead].sort((one, other) => one - other) };
}
