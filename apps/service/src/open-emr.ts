import { isDeepStrictEqual } from 'node:util';

import { type Connected, type Connection, connectedBy } from './adapters/emr-oscar/ask-oscar.ts';
import {
  type OscarCredentials,
  assertSoap,
  oscarCredentials,
  oscarsAt,
} from './adapters/emr-oscar/connection.ts';
import { oscarEmr } from './adapters/emr-oscar/oscar-emr.ts';
import { recordNamedBy } from './modules/emr/index.ts';
import { isChartOfAnother } from './modules/accounts/index.ts';
import type { Emr } from './modules/records/emr.ts';
import { openedRecords, readConnection } from './modules/records/index.ts';
import { knownTypes, locationInEmr, nameInEmr } from './modules/schedule/index.ts';
import type { Platform } from './platform.ts';
import { StartRefused } from './read-settings.ts';

type OpenPorts = Pick<Platform, 'database' | 'keyring' | 'clock'> & Partial<Pick<Platform, 'log'>>;

/** The clinic's OSCAR; null when no address is set: then our own tables hold the appointments. */
export async function openEmr(
  { database, keyring, clock, log }: OpenPorts,
  { emrAddresses: addresses = [] }: Pick<Platform['config'], 'emrAddresses'>,
): Promise<Emr | null> {
  if (addresses.length === 0) return null;
  const kept = async () =>
    oscarCredentials.safeParse(await readConnection({ database, keyring }, 'oscar')).data;
  let credentials = await kept();
  if (credentials === undefined)
    throw new StartRefused(
      'EMR_URL is set, and OSCAR is not connected with a login for SOAP. Run npm run clinic -- emr connect first (docs/emr.md).',
    );
  const connectedWith = (each: OscarCredentials): Connected => ({
    addresses: oscarsAt(addresses, each),
    programId: each.programId,
    tokenEndsAt: each.tokenEndsAt,
    tokenSeconds: each.tokenSeconds,
  });
  let connected = connectedWith(credentials);
  // The service starts without OSCAR, too: until SOAP answers, nothing is booked.
  for (const { urgent } of connected.addresses)
    assertSoap(urgent).catch((error: unknown) => log?.error('emr-without-soap', error));
  return emrThrough(
    { database, clock },
    {
      current: () => connected,
      async takeUp() {
        const now = await kept();
        if (now === undefined || isDeepStrictEqual(now, credentials)) return false;
        credentials = now;
        connected = connectedWith(now);
        return true;
      },
    },
  );
}

/** The OSCAR at these addresses, the preferred one first, with what our tables know of its records. */
export const emrOn = (
  ports: Pick<Platform, 'database' | 'clock'>,
  addresses: Connected['addresses'],
  programId: number,
): Emr => emrThrough(ports, connectedBy({ addresses, programId }));

function emrThrough(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  connection: Connection,
): Emr {
  const { db } = database;
  const opened = openedRecords(database);
  return oscarEmr({
    connection,
    opened: {
      ...opened,
      // An older account may have a chart's number for its record, without a row that says so.
      take: async (recordId, chart, now) =>
        !(await isChartOfAnother(db, chart, recordId)) && opened.take(recordId, chart, now),
    },
    whose: (key) => recordNamedBy(db, key),
    async nameOfType(type) {
      const known = (await knownTypes(db)).find(({ code }) => code === type);
      return known === undefined ? type : nameInEmr(known);
    },
    locationOf: (providerId) => locationInEmr(db, providerId),
    now: () => clock.now(),
  });
}
