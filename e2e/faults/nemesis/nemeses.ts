import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { pause } from '../clinic/patient.ts';

/** Something that goes wrong, again and again. */
export interface Nemesis {
  readonly name: string;
  /** Seconds between two strikes, at least and at most. */
  readonly every: readonly [number, number];
  readonly strike: (cluster: Cluster, chance: Chance) => Promise<void>;
}

/** So many answers a service gives before it is killed, unless nobody gets that many in so long. */
const ANSWERS_AT_LEAST = 25;
const WITHIN_MS = 6_000;

/**
 * A service is killed every 2 to 10 seconds; a short run shortens the longest wait. However slowly it
 * starts and works, it serves somebody before: what a busy machine kills at birth proves nothing.
 */
export function killService(which: number, longestWait = 10): Nemesis {
  return {
    name: 'kill -9',
    every: [2, longestWait],
    strike: async ({ services }, chance) => {
      const service = services[which];
      if (service === undefined) return;
      await service.listens();
      const enough = service.front.answers() + ANSWERS_AT_LEAST;
      const latest = performance.now() + WITHIN_MS;
      await pause(chance.between(500, 2000));
      while (service.front.answers() < enough && performance.now() < latest) await pause(50);
      service.kill();
    },
  };
}

export const restartDatabase: Nemesis = {
  name: 'database stopped at once',
  every: [8, 16],
  strike: async ({ server }, chance) => {
    await server.crash();
    await pause(chance.between(50, 800));
    await server.startAgain();
  },
};

export const killBackends: Nemesis = {
  name: 'backends killed',
  every: [1, 4],
  strike: async (cluster, chance) => {
    const share = chance.between(0.2, 1);
    await cluster
      .ask((database) =>
        database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name <> 'judge'
              and random() < $1`,
          [share],
        ),
      )
      .catch(whileTheDatabaseIsAway);
  },
};

export const freezeService: Nemesis = {
  name: 'SIGSTOP and SIGCONT',
  every: [3, 8],
  strike: ({ services }, chance) => chance.pick(services).freeze(chance.between(200, 2500)),
};

export const cutDatabase: Nemesis = {
  name: 'service cut from database',
  every: [2, 6],
  strike: async ({ services }, chance) => {
    const { back } = chance.pick(services);
    chance.pick([back.cut, back.stall, back.blip, back.dropAnswers])();
    await pause(chance.between(100, 1500));
    back.mend();
  },
};

export const cutPatients: Nemesis = {
  name: 'patients cut from service',
  every: [1, 4],
  strike: async ({ services }, chance) => {
    const { front } = chance.pick(services);
    chance.pick([front.cut, front.stall, front.blip, front.dropAnswers, front.dropAnswers])();
    await pause(chance.between(50, 700));
    front.mend();
  },
};

export const rollingStop: Nemesis = {
  name: 'rolling SIGTERM',
  every: [10, 18],
  strike: async ({ services }) => {
    for (const service of services) {
      await service.terminate();
      await service.listens();
    }
  },
};

export const allNemeses = (longestWait: number): readonly Nemesis[] => [
  killService(0, longestWait),
  killService(1, longestWait),
  restartDatabase,
  killBackends,
  freezeService,
  cutDatabase,
  cutPatients,
  rollingStop,
];

function whileTheDatabaseIsAway(error: unknown) {
  if (!(error instanceof Error)) throw error;
}
