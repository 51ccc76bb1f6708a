import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { patientRecord, recordsProvider } from './schema.ts';
import { sealedCard } from '../../security/sealed-card.ts';
import type { PatientRecord, RecordId, Emr } from './emr.ts';

type PatientRecords = Pick<Emr, 'getRecord' | 'findRecord' | 'createRecord' | 'mrpStatus'>;

/** What a card number is found by (S-13); the province stands beside it in its own column. */
export const CARD_INDEX = 'card';

const columns = {
  id: patientRecord.id,
  firstName: patientRecord.firstName,
  lastName: patientRecord.lastName,
  birthDate: patientRecord.birthDate,
  providerId: patientRecord.providerId,
};

export function records(database: Database, keyring: Keyring): PatientRecords {
  return {
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
            inArray(patientRecord.cardIndex, keyring.blindIndexes(CARD_INDEX, cardNumber)),
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
        if (!known) throw new Error('A chart that was there is gone');
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

const recordOf = (row: Omit<PatientRecord, 'id'> & { readonly id: string }): PatientRecord => ({
  ...row,
  id: row.id as RecordId,
});
