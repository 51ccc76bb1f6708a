import type { ApiPharmacy } from '@clinic/contract';
import { and, asc, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import { patient } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
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

/** All of them, by name. */
export async function allPharmacies(db: Db): Promise<ApiPharmacy[]> {
  const rows = await db.select().from(pharmacy).orderBy(asc(pharmacy.name), asc(pharmacy.id));
  return rows.map(apiPharmacy);
}

export async function findPharmacy(db: Db, id: string): Promise<ApiPharmacy | null> {
  const [row] = await db.select().from(pharmacy).where(eq(pharmacy.id, id));
  return row ? apiPharmacy(row) : null;
}

/** False where the record number is not the patient's own: then nothing is changed. */
export async function preferPharmacy(
  tx: Tx,
  { patientId, recordId, id }: { patientId: PatientId; recordId: string; id: string },
): Promise<boolean> {
  const changed = await tx
    .update(patient)
    .set({ preferredPharmacyId: id })
    .where(and(eq(patient.id, patientId), eq(patient.recordId, recordId)))
    .returning({ id: patient.id });
  return changed.length > 0;
}

export const pharmaciesFile: Importing<Row> = {
  what: 'pharmacies',
  columns: { id: identifier, name: filledWords(100), address: filledWords(200), fax: phone, phone },
  check: (_tx, rows) => doubled(rows, 'id'),
  write: (tx, rows) => putRows(tx, pharmacy, rows),
};
