import type { ApiPharmacy } from '@clinic/contract';
import { formatPhone } from '@clinic/domain';
import { asc, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import { type Importing, type TableRow, doubled } from '../../server/csv-import.ts';
import { readPhone } from '../../server/phones.ts';
import { filledWords, identifier, words } from '../../server/table-columns.ts';
import type { TableProblem } from '../../server/table-text.ts';
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
  key: ['id'],
  columns: {
    id: identifier,
    name: filledWords(100),
    address: filledWords(200),
    fax: words(100).prefault(''),
    phone: words(100).prefault(''),
  },
  check: async (tx, rows) => [...doubled(rows, 'id'), ...(await wrongNumbers(tx, rows))],
  write: (tx, rows) =>
    putRows(
      tx,
      pharmacy,
      rows.map((row) => ({ ...row, fax: written(row.fax), phone: written(row.phone) })),
    ),
  kept: (db) => db.select().from(pharmacy).orderBy(asc(pharmacy.id)),
};

/** A number of a table: one of Canada, or with `+` one of any country. */
function readNumber(typed: string): string | null {
  const read = readPhone(typed.trim().startsWith('+') ? 'internationalPhone' : 'phone', typed);
  if (typeof read === 'string') return null;
  return read.e164.startsWith('+1') ? formatPhone(read.e164) : read.e164;
}

/** As it is stored; one that cannot be right is only ever the clinic's own, unchanged. */
const written = (typed: string): string => readNumber(typed) ?? typed;

/** A problem for each number that cannot be right, unless the clinic has kept it since before. */
async function wrongNumbers(tx: Tx, rows: readonly TableRow<Row>[]): Promise<TableProblem[]> {
  const kept = new Map((await tx.select().from(pharmacy)).map((row) => [row.id, row]));
  return rows.flatMap(({ row, line }) =>
    (['fax', 'phone'] as const).flatMap((column) => {
      const typed = row[column];
      if (typed === '' || typed === kept.get(row.id)?.[column] || readNumber(typed) !== null)
        return [];
      const why = `must be one phone number such as 604-555-0123, or +44 20 7946 0958 of another country, not '${typed.slice(0, 40)}'`;
      return [{ line, column, why }];
    }),
  );
}
