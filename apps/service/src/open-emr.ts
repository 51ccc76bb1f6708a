import { oscarCredentials, oscarsAt } from './adapters/emr-oscar/connection.ts';
import { oscarEmr } from './adapters/emr-oscar/index.ts';
import { recordNamedBy } from './modules/appointments/index.ts';
import type { Emr } from './modules/records/emr.ts';
import { openedRecords, readConnection } from './modules/records/index.ts';
import { knownTypes } from './modules/schedule/index.ts';
import type { Platform } from './platform.ts';
import { StartRefused } from './read-settings.ts';

/** The clinic's OSCAR; null when no address is set: then our own tables hold the appointments. */
export async function openEmr(
  { database, keyring, clock }: Pick<Platform, 'database' | 'keyring' | 'clock'>,
  { emrAddresses: addresses = [] }: Pick<Platform['config'], 'emrAddresses'>,
): Promise<Emr | null> {
  if (addresses.length === 0) return null;
  const credentials = oscarCredentials.safeParse(
    await readConnection({ database, keyring }, 'oscar'),
  );
  if (!credentials.success)
    throw new StartRefused(
      'EMR_URL is set, and OSCAR is not connected. Run npm run clinic -- emr connect first (docs/emr.md).',
    );
  const { programId } = credentials.data;
  return emrOn({ database, clock }, oscarsAt(addresses, credentials.data), programId);
}

/** The OSCAR at these addresses, the preferred one first, with what our tables know of its records. */
export function emrOn(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  addresses: ReturnType<typeof oscarsAt>,
  programId: number,
): Emr {
  const { db } = database;
  return oscarEmr({
    addresses,
    opened: openedRecords(database),
    whose: (key) => recordNamedBy(db, key),
    async nameOfType(type) {
      const types = await knownTypes(db);
      return types.find(({ code }) => code === type)?.description ?? type;
    },
    programId,
    now: () => clock.now(),
  });
}
