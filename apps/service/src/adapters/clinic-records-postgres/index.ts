import type { Database } from '../../platform/db.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { troubleOf } from '../../platform/sqlstate.ts';
import { type ClinicRecords, RecordsOffline } from '../../ports/clinic-records.ts';
import { charts } from './charts.ts';
import { scheduleReads } from './schedules.ts';
import { visitWrites } from './visits.ts';

/** The built-in records: our own tables. A claim that stands is the booking. */
export function recordsOnPostgres(database: Database, keyring: Keyring): ClinicRecords {
  return {
    claimsAreTheBook: true,
    ...namingOutages(scheduleReads(database)),
    ...namingOutages(charts(database, keyring)),
    ...namingOutages(visitWrites(database)),
    async status() {
      try {
        await scheduleReads(database).listProviders();
        return 'online';
      } catch (error) {
        if (troubleOf(error)?.kind === 'unavailable') return 'offline';
        throw error;
      }
    },
    // The database is closed by whoever opened it.
    close: async () => undefined,
  };
}

type Operations = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** A database that does not answer is the port's `RecordsOffline`. */
function namingOutages<Ops>(operations: Ops): Ops {
  const named = Object.entries(operations as Operations).map(([name, operation]) => [
    name,
    (...args: never[]) =>
      operation(...args).catch((error: unknown) => {
        if (troubleOf(error)?.kind !== 'unavailable') throw error;
        throw new RecordsOffline('The database does not answer', { cause: error });
      }),
  ]);
  return Object.fromEntries(named) as Ops;
}
