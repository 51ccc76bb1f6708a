import type { ApiPharmacy } from '@clinic/contract';
import { asc, eq } from 'drizzle-orm';
import type { Db } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import {
  type Importing,
  doubled,
  filledWords,
  identifier,
  phone,
} from '../../server/csv-import.ts';
import { pharmacy } from './schema.ts';

type Row = typeof pharmacy.$inferSelect;

const apiPharmacy = ({ address, phone, ...row }: Row): ApiPharmacy => ({
  ...row,
  address: { address },
  phone1: phone,
});

/** All pharmacies, by name. */
export async function allPharmacies(db: Db): Promise<ApiPharmacy[]> {
  const rows = await db.select().from(pharmacy).orderBy(asc(pharmacy.name), asc(pharmacy.id));
  return rows.map(apiPharmacy);
}

export async function findPharmacy(db: Db, id: string): Promise<ApiPharmacy | null> {
  const [row] = await db.select().from(pharmacy).where(eq(pharmacy.id, id));
  return row ? apiPharmacy(row) : null;
}

export const pharmaciesFile: Importing<Row> = {
  what: 'pharmacies',
  columns: { id: identifier, name: filledWords(100), address: filledWords(200), fax: phone, phone },
  check: (_tx, rows) => doubled(rows, 'id'),
  write: (tx, rows) => putRows(tx, pharmacy, rows),
  kept: (db) => db.select().from(pharmacy).orderBy(asc(pharmacy.id)),
};
