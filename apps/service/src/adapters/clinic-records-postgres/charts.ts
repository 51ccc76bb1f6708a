import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../platform/db.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { recordsChart, recordsProvider } from '../../platform/schema.ts';
import { sealedCard } from '../../platform/sealed-card.ts';
import type { Chart, ChartId, ClinicRecords } from '../../ports/clinic-records.ts';

type Charts = Pick<ClinicRecords, 'getChart' | 'findChart' | 'createChart' | 'mrpStatus'>;

/** What a card number is found by (S-13); the province stands beside it in its own column. */
export const CARD_INDEX = 'card';

const columns = {
  id: recordsChart.id,
  firstName: recordsChart.firstName,
  lastName: recordsChart.lastName,
  birthDate: recordsChart.birthDate,
  providerId: recordsChart.providerId,
};

export function charts(database: Database, keyring: Keyring): Charts {
  return {
    async getChart(id) {
      const [row] = await database.db
        .select(columns)
        .from(recordsChart)
        .where(eq(recordsChart.id, id));
      return row ? chartOf(row) : null;
    },
    async findChart({ cardProvince, cardNumber, birthDate }) {
      const rows = await database.db
        .select(columns)
        .from(recordsChart)
        .where(
          and(
            inArray(recordsChart.cardIndex, keyring.blindIndexes(CARD_INDEX, cardNumber)),
            eq(recordsChart.cardProvince, cardProvince),
            eq(recordsChart.birthDate, birthDate),
          ),
        )
        .limit(2);
      const [first, second] = rows;
      if (!first) return { kind: 'none' };
      return second ? { kind: 'many' } : { kind: 'one', chart: chartOf(first) };
    },
    async createChart({ cardNumber, ...row }) {
      const card = sealedCard(keyring, row.id, cardNumber).chart;
      return database.inTransaction(async (tx) => {
        const [created] = await tx
          .insert(recordsChart)
          .values({ ...row, ...card })
          .onConflictDoNothing({ target: recordsChart.id })
          .returning(columns);
        if (created) return { kind: 'created', chart: chartOf(created) };
        const [known] = await tx
          .select(columns)
          .from(recordsChart)
          .where(eq(recordsChart.id, row.id));
        if (!known) throw new Error('A chart that was there is gone');
        return { kind: 'alreadyThere', chart: chartOf(known) };
      });
    },
    async mrpStatus(id) {
      const [row] = await database.db
        .select({ providerId: recordsChart.providerId, status: recordsProvider.status })
        .from(recordsChart)
        .leftJoin(recordsProvider, eq(recordsProvider.id, recordsChart.providerId))
        .where(eq(recordsChart.id, id));
      return { providerId: row?.providerId ?? null, active: row?.status === '1' };
    },
  };
}

const chartOf = (row: Omit<Chart, 'id'> & { readonly id: string }): Chart => ({
  ...row,
  id: row.id as ChartId,
});
