import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { pause } from '../clinic/patient.ts';
import type { Nemesis } from './nemeses.ts';

export interface Unleashed {
  /** Strikes so far, by name. */
  readonly strikes: ReadonlyMap<string, number>;
  /** Lets strikes under way end and begins no other. */
  stop(): Promise<void>;
}

/** Each nemesis strikes at its own pace; a seed repeats the waits, not the interleaving. */
export function unleash(nemeses: readonly Nemesis[], cluster: Cluster, chance: Chance): Unleashed {
  const strikes = new Map<string, number>();
  let over = false;
  let stopWaiting: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stopWaiting = resolve));

  const haunt = async ({ name, every, strike }: Nemesis, own: Chance) => {
    for (;;) {
      const [shortest, longest] = every;
      await Promise.race([pause(own.between(shortest, longest) * 1000), stopped]);
      if (over) return;
      await strike(cluster, own);
      strikes.set(name, (strikes.get(name) ?? 0) + 1);
    }
  };
  const haunting = Promise.all(
    nemeses.map((nemesis, index) => haunt(nemesis, chance.fork(`${nemesis.name} ${index}`))),
  );
  return {
    strikes,
    stop: async () => {
      over = true;
      stopWaiting();
      await haunting;
    },
  };
}
