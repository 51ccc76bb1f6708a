import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { pause } from '../clinic/patient.ts';
import type { Answers, Nemesis } from './nemeses.ts';

export interface Unleashed {
  /** Strikes so far, by name. */
  readonly strikes: ReadonlyMap<string, number>;
  /** Lets strikes under way end and begins no other. */
  stop(): Promise<void>;
}

/** How often answers are counted. */
const COUNT_EVERY_MS = 10;

/** Each nemesis strikes at its own pace; a seed repeats the waits, not the interleaving. */
export function unleash(nemeses: readonly Nemesis[], cluster: Cluster, chance: Chance): Unleashed {
  const strikes = new Map<string, number>();
  const over = new AbortController();
  const answers: Answers = async (services, count) => {
    const given = () => services.reduce((sum, { front }) => sum + front.answers(), 0);
    const enough = given() + count;
    while (!over.signal.aborted && given() < enough) await pause(COUNT_EVERY_MS);
  };

  const haunt = async ({ name, every, strike }: Nemesis, own: Chance) => {
    for (;;) {
      const [shortest, longest] = every;
      await answers(cluster.services, own.between(shortest, longest));
      if (over.signal.aborted) return;
      await strike(cluster, own, answers);
      strikes.set(name, (strikes.get(name) ?? 0) + 1);
    }
  };
  const haunting = Promise.all(
    nemeses.map((nemesis, index) => haunt(nemesis, chance.fork(`${nemesis.name} ${index}`))),
  );
  return {
    strikes,
    stop: async () => {
      over.abort();
      await haunting;
    },
  };
}
