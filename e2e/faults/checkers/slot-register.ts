import type { Checker } from '../run.ts';
import { FREE, type SlotEvent, type SlotState, slotEvents } from './slot-events.ts';

const STEPS_AT_MOST = 2_000_000;

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

interface Step {
  readonly state: SlotState;
  readonly done: bigint;
}

function search(unsorted: readonly SlotEvent[]): Verdict {
  const events = [...unsorted].sort((one, other) => one.from - other.from);
  const mustAll = events.reduce(
    (mask, { must }, index) => (must ? mask | (1n << BigInt(index)) : mask),
    0n,
  );
  const seen = new Set<string>();
  const open: Step[] = [{ state: FREE, done: 0n }];
  for (let steps = 0; steps < STEPS_AT_MOST; steps += 1) {
    const last = open.pop();
    if (last === undefined) return 'no order explains them';
    const step = takeReads(events, last);
    if ((step.done & mustAll) === mustAll) return 'explained';
    const key = `${step.state}|${step.done.toString(36)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    open.push(...nextSteps(events, step));
  }
  return 'undecided within the step limit';
}

/** A read is best taken as soon as it is possible: taking it closes no other way. */
function takeReads(events: readonly SlotEvent[], from: Step): Step {
  let { done } = from;
  for (;;) {
    const read = enabled(events, done).find(
      ({ event }) => event.reads === true && event.apply(from.state) !== null,
    );
    if (read === undefined) return { state: from.state, done };
    done |= read.bit;
  }
}

/** The step to try first comes last. */
function nextSteps(events: readonly SlotEvent[], { state, done }: Step): Step[] {
  const tried = new Set<string>();
  const steps = enabled(events, done).flatMap(({ event, bit }) => {
    const after = event.apply(state);
    if (after === null || (after === state && !event.must)) return [];
    if (event.to === Infinity) {
      const sameEffect = `${String(event.must)} ${event.kind}`;
      if (tried.has(sameEffect)) return [];
      tried.add(sameEffect);
    }
    return [{ event, step: { state: after, done: done | bit } }];
  });
  steps.sort((one, other) => rank(other.event) - rank(one.event));
  return steps.map(({ step }) => step);
}

const rank = ({ must, to }: SlotEvent) => (must ? to : Infinity);

/** Events that may come next: none that must happen was over before they began. */
function enabled(events: readonly SlotEvent[], done: bigint) {
  const possible: { event: SlotEvent; bit: bigint }[] = [];
  let firstDeadline = Infinity;
  for (const [index, event] of events.entries()) {
    if (event.from > firstDeadline) break;
    const bit = 1n << BigInt(index);
    if ((done & bit) !== 0n) continue;
    possible.push({ event, bit });
    if (event.must) firstDeadline = Math.min(firstDeadline, event.to);
  }
  return possible.filter(({ event }) => event.from <= firstDeadline);
}
