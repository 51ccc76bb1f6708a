import { and, eq, inArray } from 'drizzle-orm';
import { type Database, type Tx, part } from '../../database/db.ts';
import { patientRecord, recordsProvider } from './schema.ts';
import { failureOf } from '../../database/sqlstate.ts';
import { type Keyring, sealedCard } from '../../security/keyring.ts';
import { type Emr, EmrOffline, type PatientRecord, type RecordId } from './emr.ts';

type Operations = Omit<Emr, 'bookings' | 'status'>;

/** The built-in EMR: our own tables. An appointment that stands is the booking. */
export function builtInEmr(database: Database, keyring: Keyring): Emr {
  return {
    bookings: null,
    ...namingOutages(operations(database, keyring)),
    async status() {
      try {
        await database.db.select({ id: recordsProvider.id }).from(recordsProvider).limit(1);
        return 'online';
      } catch (error) {
        if (failureOf(error)?.kind === 'unavailable') return 'offline';
        throw error;
      }
    },
  };
}

/** A database that does not answer is the port's `EmrOffline`. */
function namingOutages(named: Operations): Operations {
  const all = Object.entries(named as Record<string, (...args: never[]) => Promise<unknown>>);
  return Object.fromEntries(
    all.map(([name, operation]) => [
      name,
      (...args: never[]) =>
        operation(...args).catch((error: unknown) => {
          if (failureOf(error)?.kind !== 'unavailable') throw error;
          throw new EmrOffline('The database does not answer', { cause: error });
        }),
    ]),
  ) as unknown as Operations;
}

const columns = {
  id: patientRecord.id,
  firstName: patientRecord.firstName,
  lastName: patientRecord.lastName,
  birthDate: patientRecord.birthDate,
  providerId: patientRecord.providerId,
};

const recordOf = (row: Omit<PatientRecord, 'id'> & { readonly id: string }): PatientRecord => ({
  ...row,
  id: row.id as RecordId,
});

function operations(database: Database, keyring: Keyring): Operations {
  return {
    async getProvider(id) {
      const [row] = await database.db
        .select()
        .from(recordsProvider)
        .where(eq(recordsProvider.id, id));
      return row ? { ...row, id } : null;
    },
    async getRecord(id) {
      const [row] = await database.db
        .select(columns)
        .from(patientRecord)
        .where(eq(patientRecord.id, id));
      return row ? recordOf(row) : null;
    },
    async findRecord({ cardProvince, cardNumber, birthDate }) {
      const rows = await database.db
        .select(columns)
        .from(patientRecord)
        .where(
          and(
            inArray(patientRecord.cardIndex, keyring.blindIndexes('card', cardNumber)),
            eq(patientRecord.cardProvince, cardProvince),
            eq(patientRecord.birthDate, birthDate),
          ),
        )
        .limit(2);
      const [first, second] = rows;
      if (!first) return { kind: 'none' };
      return second ? { kind: 'many' } : { kind: 'one', record: recordOf(first) };
    },
    async createRecord({ cardNumber, ...row }) {
      const card = sealedCard(keyring, row.id, cardNumber).record;
      return database.inTransaction(async (tx) => {
        const [created] = await tx
          .insert(patientRecord)
          .values({ ...row, ...card })
          .onConflictDoNothing({ target: patientRecord.id })
          .returning(columns);
        if (created) return { kind: 'created', record: recordOf(created) };
        const [known] = await tx
          .select(columns)
          .from(patientRecord)
          .where(eq(patientRecord.id, row.id));
        if (!known) throw new Error('A record that was there is gone');
        return { kind: 'alreadyThere', record: recordOf(known) };
      });
    },
    async mrpStatus(id) {
      const [row] = await database.db
        .select({ providerId: patientRecord.providerId, status: recordsProvider.status })
        .from(patientRecord)
        .leftJoin(recordsProvider, eq(recordsProvider.id, patientRecord.providerId))
        .where(eq(patientRecord.id, id));
      return { providerId: row?.providerId ?? null, active: row?.status === '1' };
    },
  };
}

/** False when the record is none of ours. */
export async function setPrimaryProvider(
  tx: Tx,
  recordId: string,
  providerId: string | null,
): Promise<boolean> {
  const changed = await tx
    .update(patientRecord)
    .set({ providerId })
    .where(eq(patientRecord.id, recordId))
    .returning({ id: patientRecord.id });
  return changed.length > 0;
}

export const eraseRecord = (recordId: string) =>
  part`delete from patient_record where id = ${recordId}`;
