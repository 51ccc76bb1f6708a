import { Client } from 'pg';

import {
  type PostgresServer,
  startPostgresServer,
} from '../../../apps/service/testing/postgres-server.ts';

import type { ServiceOnOptions } from '../../../apps/service/testing/service-on.ts';
import type { Pooler } from '../../../apps/service/testing/transaction-pooler.ts';
import { type ServiceChild, type ServiceChildOptions, startServiceChild } from './service-child.ts';

/** A PostgreSQL server as in production and two service processes on it. */
export interface Cluster {
  readonly server: PostgresServer;
  /** Past every proxy. */
  readonly databaseUrl: string;
  readonly services: readonly ServiceChild[];
  /** Where the patients find the services. */
  readonly bases: readonly string[];
  /** A connection of the judges' own; they come and go with the database. */
  ask<T>(question: (database: Client) => Promise<T>): Promise<T>;
  /** Mends all wires and waits until both services listen. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions extends Pick<
  ServiceChildOptions,
  'oscar' | 'hears' | 'endsWhenTold'
> {
  /** A migrated and seeded database, made once and copied for each part of the run. */
  readonly server: PostgresServer;
  readonly databaseUrl: string;
  /** The services reach the database through it. */
  readonly pooler?: Pooler | undefined;
  readonly defect?: string;
  readonly waits?: ServiceOnOptions['waits'];
  /** Of the two services, where a proxy must know them. */
  readonly ports?: readonly [number, number];
  /** The folder of a built version that both begin with. */
  readonly version?: string;
}

export const startDurableServer = () => startPostgresServer({ durable: true });

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { server, databaseUrl, pooler, defect = null, ports, ...given } = options;
  const { waits, version, oscar, hears, endsWhenTold } = given;
  const reached = pooler
    ? { databaseUrl: pooler.through(databaseUrl), directUrl: databaseUrl }
    : { databaseUrl };
  const services = await Promise.all(
    ['first', 'second'].map((name, at) => {
      const port = ports?.[at];
      const listening = port === undefined ? {} : { port };
      const orders = {
        ...reached,
        defect,
        waits,
        version,
        oscar,
        hears,
        endsWhenTold,
        ...listening,
      };
      return startServiceChild(name, orders);
    }),
  );
  const listen = () => Promise.all(services.map((service) => service.listens()));
  await listen();
  return {
    server,
    databaseUrl,
    services,
    bases: services.map(({ front }) => `http://127.0.0.1:${front.port}/api`),
    ask: (question) => withDatabase(databaseUrl, question),
    heal: async () => {
      for (const { front, back } of services) {
        front.mend();
        back.mend();
      }
      await listen();
    },
    stop: async () => {
      await Promise.all(services.map((service) => service.close()));
    },
  };
}

export async function withDatabase<T>(
  url: string,
  question: (database: Client) => Promise<T>,
): Promise<T> {
  const database = new Client({ connectionString: url, application_name: 'judge' });
  database.on('error', () => undefined);
  await database.connect();
  try {
    return await question(database);
  } finally {
    await database.end().catch(() => undefined);
  }
}
