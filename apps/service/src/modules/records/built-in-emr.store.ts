import { type SQL, and, eq, inArray, sql } from 'drizzle-orm';
import { type Database, type Tx, part } from '../../database/db.ts';
import { patientRecord, recordsProvider } from './schema.ts';
import { failureOf } from '../../database/sqlstate.ts';
import { type Keyring, sealedCard } from '../../security/keyring.ts';
import { type Emr, EmrOffline, type RecordId } from './emr.ts';

/** The built-in EMR: our own tables. An appointment that stands is the booking. */
export function builtInEmr(database: Database, keyring: Keyring): Emr {
  const recordsWhere = (where: SQL | undefined) =>
    database.db.select(columns).from(patientRecord).where(where).limit(2);
  return {
    bookings: null,
    getProvider: (id) =>
      named(async () => {
        const { db } = database;
        const [row] = await db.select().from(recordsProvider).where(eq(recordsProvider.id, id));
        return row ? { ...row, id } : null;
      }),
    getRecord: (id) => named(async () => (await recordsWhere(eq(patientRecord.id, id)))[0] ?? null),
    findRecord: ({ cardProvince, cardNumber, birthDate }) =>
      named(async () => {
        const [record, second] = await recordsWhere(
          and(
            inArray(patientRecord.cardIndex, keyring.blindIndexes('card', cardNumber)),
            eq(patientRecord.cardProvince, cardProvince),
            eq(patientRecord.birthDate, birthDate),
          ),
        );
        if (!record) return { kind: 'none' };
        return second ? { kind: 'many' } : { kind: 'one', record };
      }),
    createRecord: ({ cardNumber, ...row }) =>
      named(async () => {
        const card = sealedCard(keyring, row.id, cardNumber).record;
        const [created] = await database.inTransaction((tx) =>
          tx
            .insert(patientRecord)
            .values({ ...row, ...card })
            .onConflictDoNothing({ target: patientRecord.id })
            .returning(columns),
        );
        if (created) return { kind: 'created', record: created };
        const [known] = await recordsWhere(eq(patientRecord.id, row.id));
        if (!known) throw new Error('A record that was there is gone');
        return { kind: 'alreadyThere', record: known };
      }),
    mrpStatus: (id) =>
      named(async () => {
        const [row] = await database.db
          .select({ providerId: patientRecord.providerId, status: recordsProvider.status })
          .from(patientRecord)
          .leftJoin(recordsProvider, eq(recordsProvider.id, patientRecord.providerId))
          .where(eq(patientRecord.id, id));
        return { providerId: row?.providerId ?? null, active: row?.status === '1' };
      }),
    async status() {
      try {
        await named(() =>
          database.db.select({ id: recordsProvider.id }).from(recordsProvider).limit(1),
        );
        return 'online';
      } catch (error) {
        if (error instanceof EmrOffline) return 'offline';
        throw error;
      }
    },
  };
}

const columns = {
  id: sql<RecordId>`${patientRecord.id}`,
  firstName: patientRecord.firstName,
  lastName: patientRecord.lastName,
  birthDate: patientRecord.birthDate,
  providerId: patientRecord.providerId,
};

/** A database that does not answer is the port's `EmrOffline`. */
async function named<Answer>(work: () => PromiseLike<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (failureOf(error)?.kind !== 'unavailable') throw error;
    throw new EmrOffline('The database does not answer', { cause: error });
  }
}

/** False when the record is none of ours. */
export async function setPrimaryProvider(tx: Tx, recordId: string, providerId: string | null) {
  const changed = await tx
    .update(patientRecord)
    .set({ providerId })
    .where(eq(patientRecord.id, recordId))
    .returning({ id: patientRecord.id });
  return changed.length > 0;
}

export const eraseRecord = (recordId: string) =>
  part`delete from patient_record where id = ${recordId}`;
