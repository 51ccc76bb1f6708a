import { type Pace, secondsOf } from '../../../apps/service/testing/on-oscar.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { pause } from '../clinic/patient.ts';

/** The time of a run. However slow the machine, it takes no step before each service and its database have answered since the last. */
export interface Time {
  readonly pace: Readonly<Pace>;
  /** Epoch seconds. */
  readonly now: () => number;
  /** The cluster runs: from now on time goes on. */
  begin(cluster: Cluster): void;
  passes(seconds: number): Promise<void>;
  /** Moves the clock on, and no timer. */
  leap(seconds: number): void;
  stop(): Promise<void>;
}

const STEP_MS = 250;

/** Time that goes so many times as fast as the machine's, at most. */
export function timeOf(hurry: number): Time {
  const pace = { steady: 0, epoch: Date.now() };
  const over = new AbortController();
  const waiting = new Set<{ readonly until: number; readonly wake: () => void }>();
  let running: { readonly cluster: Cluster; readonly steps: Promise<void> } | undefined;

  async function steps({ services }: Cluster) {
    while (!over.signal.aborted) {
      const answers = services.map(async (service) => {
        const port = service.port();
        // One that was just killed does not answer.
        if (port !== null) await fetch(`http://127.0.0.1:${port}/readyz`).then(read, () => null);
      });
      await Promise.all([pause(STEP_MS / hurry), ...answers]);
      pace.steady += STEP_MS;
      pace.epoch += STEP_MS;
      for (const service of services) service.tellTime();
      for (const each of waiting)
        if (each.until <= pace.steady && waiting.delete(each)) each.wake();
    }
  }

  return {
    pace,
    now: () => secondsOf(pace),
    begin: (cluster) => (running = { cluster, steps: steps(cluster) }),
    passes: (seconds) =>
      new Promise((wake) => waiting.add({ until: pace.steady + seconds * 1000, wake })),
    leap(seconds) {
      pace.epoch += seconds * 1000;
      for (const service of running?.cluster.services ?? []) service.tellTime();
    },
    async stop() {
      over.abort();
      await running?.steps;
    },
  };
}

const read = (answer: Response) => answer.text();
