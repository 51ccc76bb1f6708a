import { sql } from 'drizzle-orm';

import { pharmacy } from './schema.ts';
import { identifier, phone, words } from '../../server/csv-fields.ts';
import { type Importing, doubled } from '../../server/csv-import.ts';

interface PharmacyRow {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly fax: string;
  readonly phone: string;
}

export const pharmaciesFile: Importing<PharmacyRow> = {
  what: 'pharmacies',
  columns: { id: identifier, name: words(100), address: words(200), fax: phone, phone },
  check: async (_tx, rows) => doubled(rows, 'id'),
  async write(tx, rows) {
    await tx
      .insert(pharmacy)
      .values([...rows])
      .onConflictDoUpdate({
        target: pharmacy.id,
        set: {
          name: sql`excluded.name`,
          address: sql`excluded.address`,
          fax: sql`excluded.fax`,
          phone: sql`excluded.phone`,
        },
      });
  },
};
