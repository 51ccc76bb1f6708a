import type { PostgresServer } from '../../../apps/service/testing/postgres-server.ts';
import type { Slot } from '../history.ts';
import { withDatabase } from './cluster.ts';
import { allSlots } from './grid.ts';
import type { PatientAccount } from './patient.ts';
import { BUSY_DOCTORS, CRUSHED_DOCTOR, seedClinic } from './seed.ts';
import { startServiceChild } from './service-child.ts';

/** A migrated and seeded database that each proof gets a fresh copy of. */
export interface PreparedClinic {
  readonly server: PostgresServer;
  readonly accounts: readonly PatientAccount[];
  /** The slots that a storm is about, over six days. */
  readonly busySlots: readonly Slot[];
  /** A hundred slots of one doctor on one day. */
  readonly crushedSlots: readonly Slot[];
  readonly copy: () => Promise<string>;
}

const TEMPLATE = 'clinic_faults';

/** The service migrates the database itself; then it is asked what its grid shows. */
export async function prepareClinic(
  server: PostgresServer,
  patients: number,
): Promise<PreparedClinic> {
  const url = await server.createDatabase(TEMPLATE);
  await whileServing(url, () => Promise.resolve());
  const { accounts, firstDay, lastDay } = await withDatabase(url, (database) =>
    seedClinic(database, patients),
  );
  const slots = await whileServing(url, (base) =>
    allSlots(base, accounts[0]?.token ?? '', firstDay, lastDay),
  );
  return {
    server,
    accounts,
    busySlots: slots.filter(({ provider }) => BUSY_DOCTORS.includes(provider)),
    crushedSlots: slots.filter(
      ({ provider, date }) => provider === CRUSHED_DOCTOR && date === firstDay,
    ),
    copy: () => server.createDatabase(undefined, TEMPLATE),
  };
}

async function whileServing<T>(url: string, ask: (base: string) => Promise<T>): Promise<T> {
  const service = await startServiceChild('preparing', url, null);
  try {
    await service.listens();
    return await ask(`http://127.0.0.1:${service.front.port}/api`);
  } finally {
    await service.close();
  }
}
