import type { Database } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { failureOf } from '../../database/sqlstate.ts';
import { type Emr, EmrOffline } from './emr.ts';
import { records } from './built-in-patient-records.ts';
import { scheduleReads } from './built-in-schedules.ts';
import { appointmentWrites } from './built-in-appointments.ts';

/** The built-in records: our own tables. An appointment that stands is the booking. */
export function builtInEmr(database: Database, keyring: Keyring): Emr {
  return {
    keepsOurBook: true,
    ...namingOutages(scheduleReads(database)),
    ...namingOutages(records(database, keyring)),
    ...namingOutages(appointmentWrites(database)),
    async status() {
      try {
        await scheduleReads(database).listProviders();
        return 'online';
      } catch (error) {
        if (failureOf(error)?.kind === 'unavailable') return 'offline';
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
        if (failureOf(error)?.kind !== 'unavailable') throw error;
        throw new EmrOffline('The database does not answer', { cause: error });
      }),
  ]);
  return Object.fromEntries(named) as Ops;
}
