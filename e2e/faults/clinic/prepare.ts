import type { PostgresServer } from '../../../apps/service/testing/postgres-server.ts';
import type { Slot } from '../history.ts';
import { withDatabase } from './cluster.ts';
import { slotsOf } from './grid.ts';
import type { PatientAccount } from './patient.ts';
import {
  BUSY_DOCTORS,
  CRUSHED_DOCTOR,
  FIVE_MINUTES,
  MINUTES,
  MIXED_DOCTORS,
  seedClinic,
} from './seed.ts';
import { startServiceChild } from './service-child.ts';

/** A migrated and seeded database that each proof gets a fresh copy of. */
export interface PreparedClinic {
  readonly server: PostgresServer;
  readonly accounts: readonly PatientAccount[];
  /** Few slots of one length, over six days. */
  readonly busySlots: readonly Slot[];
  /** The slots that a storm is about: every length, over each other, on six days. */
  readonly mixedSlots: readonly Slot[];
  /** Times of every length that begin in the first hour and a half of that doctor. */
  readonly rivalSlots: readonly Slot[];
  /** A hundred slots of one doctor on one day. */
  readonly crushedSlots: readonly Slot[];
  readonly copy: () => Promise<string>;
}

const TEMPLATE = 'clinic_faults';
const RIVAL_STEPS = 18;

/** The service migrates the database itself; then it is asked what its grid shows. */
export async function prepareClinic(
  server: PostgresServer,
  patients: number,
  /** The folder of the version whose schema it gets; the working tree's if none. */
  version?: string,
): Promise<PreparedClinic> {
  const url = await server.createDatabase(TEMPLATE);
  await whileServing({ url, version }, () => Promise.resolve());
  const { accounts, firstDay, lastDay } = await withDatabase(url, (database) =>
    seedClinic(database, patients),
  );
  const days = { from: firstDay, to: lastDay };
  const ofEachType = await whileServing({ url, version }, (base) =>
    Promise.all(
      Object.keys(MINUTES).map((type) => slotsOf(base, accounts[0]?.token ?? '', type, days)),
    ),
  );
  const all = ofEachType.flat().sort((one, other) => one.start - other.start);
  const slots = all.filter(({ type }) => type === FIVE_MINUTES);
  const crushedSlots = slots.filter(
    ({ provider, date }) => provider === CRUSHED_DOCTOR && date === firstDay,
  );
  return {
    server,
    accounts,
    mixedSlots: all.filter(({ provider }) => MIXED_DOCTORS.includes(provider)),
    busySlots: slots.filter(({ provider }) => BUSY_DOCTORS.includes(provider)),
    crushedSlots,
    rivalSlots: crushedSlots.slice(0, RIVAL_STEPS).flatMap((slot) =>
      Object.entries(MINUTES).map(([type, minutes]) => ({
        ...slot,
        type,
        end: slot.start + minutes * 60,
      })),
    ),
    copy: () => server.createDatabase(undefined, TEMPLATE),
  };
}

async function whileServing<T>(
  { url, version }: { readonly url: string; readonly version: string | undefined },
  ask: (base: string) => Promise<T>,
): Promise<T> {
  const service = await startServiceChild('preparing', {
    databaseUrl: url,
    defect: null,
    version,
  });
  try {
    await service.listens();
    return await ask(`http://127.0.0.1:${service.front.port}/api`);
  } finally {
    // One that ends by itself keeps what it compiled for all that start after it; the others are killed.
    await service.close('SIGTERM');
  }
}
