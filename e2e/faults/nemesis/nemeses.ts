import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { pause } from '../clinic/patient.ts';

/** Something that goes wrong, again and again. */
export interface Nemesis {
  readonly name: string;
  /**
   * Answers that patients get between two strikes, at least and at most: a machine may be as slow as it
   * likes, each fault finds as much done as on a fast one.
   */
  readonly every: readonly [number, number];
  /** `answers` waits for so many of those services, or until all is over. */
  readonly strike: (cluster: Cluster, chance: Chance, answers: Answers) => Promise<void>;
}

export type Answers = (of: Cluster['services'], count: number) => Promise<void>;

/** So many answers a service gives before it is killed: what is killed at birth proves nothing. */
const ANSWERS_AT_LEAST = 25;

export function killService(which: number, longestWait: number): Nemesis {
  return {
    name: 'kill -9',
    every: [20, longestWait],
    strike: async ({ services }, _, answers) => {
      const service = services[which];
      if (service === undefined) return;
      await service.listens();
      await answers([service], ANSWERS_AT_LEAST);
      service.kill();
    },
  };
}

export const restartDatabase: Nemesis = {
  name: 'database stopped at once',
  every: [150, 300],
  strike: async ({ server }, chance) => {
    await server.crash();
    await pause(chance.between(50, 800));
    await server.startAgain();
  },
};

export const killBackends: Nemesis = {
  name: 'backends killed',
  every: [20, 80],
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
  every: [60, 160],
  strike: ({ services }, chance) => chance.pick(services).freeze(chance.between(200, 2500)),
};

export const cutDatabase: Nemesis = {
  name: 'service cut from database',
  every: [40, 120],
  strike: async ({ services }, chance) => {
    const { back } = chance.pick(services);
    chance.pick([back.cut, back.stall, back.blip, back.dropAnswers])();
    await pause(chance.between(100, 1500));
    back.mend();
  },
};

export const cutPatients: Nemesis = {
  name: 'patients cut from service',
  every: [20, 80],
  strike: async ({ services }, chance) => {
    const { front } = chance.pick(services);
    chance.pick([front.cut, front.stall, front.blip, front.dropAnswers, front.dropAnswers])();
    await pause(chance.between(50, 700));
    front.mend();
  },
};

export const rollingStop: Nemesis = {
  name: 'rolling SIGTERM',
  every: [200, 350],
  strike: async ({ services }) => {
    for (const service of services) {
      await service.terminate();
      await service.listens();
    }
  },
};

export const allNemeses: readonly Nemesis[] = [
  killService(0, 100),
  killService(1, 100),
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
