import { afterAll, beforeAll, expect } from 'vitest';

import { startPgbouncer } from '../../../apps/service/testing/pgbouncer.ts';
import type { ServiceOnOptions } from '../../../apps/service/testing/service-on.ts';
import { type Defect, removeSteps } from '../defects.ts';
import type { Finding } from '../report.ts';
import { type Cluster, startCluster, startDurableServer } from './cluster.ts';
import { type PreparedClinic, prepareClinic } from './prepare.ts';

const PATIENTS = 500;
const STORMY_PATIENTS = 24;

/** What a proof works with. */
export interface FaultClinic {
  readonly prepared: PreparedClinic;
  /** Everybody, and the few whom most proofs are about. */
  readonly accounts: PreparedClinic['accounts'];
  readonly some: PreparedClinic['accounts'];
  /** One slot of each day. */
  readonly apart: PreparedClinic['busySlots'];
}

/** A PostgreSQL server with a prepared clinic, for the proofs of a file. */
export function faultClinic(): () => FaultClinic {
  let clinic: FaultClinic | undefined;
  beforeAll(async () => {
    const server = await startDurableServer();
    const prepared = await prepareClinic(server, PATIENTS);
    clinic = {
      prepared,
      accounts: prepared.accounts,
      some: prepared.accounts.slice(0, STORMY_PATIENTS),
      apart: [...new Map(prepared.busySlots.map((slot) => [slot.date, slot])).values()],
    };
  });
  afterAll(() => clinic?.prepared.server.stop());
  return () => {
    if (clinic === undefined) throw new Error('The clinic is not prepared');
    return clinic;
  };
}

/** Two services on a fresh copy of the clinic, behind PgBouncer in `npm run topology -- pooler`. */
export async function onCluster<T>(
  { prepared }: FaultClinic,
  work: (cluster: Cluster) => Promise<T>,
  services: {
    readonly defect?: Defect;
    readonly waits?: ServiceOnOptions['waits'];
    readonly endsWhenTold?: boolean;
  } = {},
): Promise<T> {
  const databaseUrl = await prepared.copy();
  if (services.defect === 'no steps and no exclusion') await removeSteps(databaseUrl);
  const { server } = prepared;
  const pooler =
    process.env['TEST_POOLER'] === 'pgbouncer' ? await startPgbouncer(server.url) : undefined;
  const cluster = await startCluster({ server, databaseUrl, pooler, ...services });
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
    await pooler?.close();
  }
}

/** Prints what a proof saw, and fails on what it found wrong. */
export function expectNoFaults({ title, lines, faults }: Finding): void {
  say([title, ...lines.map((line) => `    ${line}`)].join('\n'));
  expect(faults.join('\n')).toBe('');
}

export const say = (line: string) => void process.stdout.write(`${line}\n`);
