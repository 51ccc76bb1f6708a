import type { ApiPharmacy } from '@clinic/contract';
import { asc, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { pharmacy } from './schema.ts';
import { patient } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.ts';

type Row = typeof pharmacy.$inferSelect;

/** The Pharmacy of §3. */
const apiPharmacy = ({ id, name, address, fax, phone }: Row): ApiPharmacy => ({
  id,
  name,
  address: { address },
  fax,
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

export async function preferPharmacy(tx: Tx, patientId: PatientId, id: string): Promise<void> {
  await tx.update(patient).set({ preferredPharmacyId: id }).where(eq(patient.id, patientId));
}

/** The number by which §7 names the caller. */
export async function recordNumberOf(db: Db, patientId: PatientId): Promise<string | null> {
  const [row] = await db
    .select({ recordId: patient.recordId })
    .from(patient)
    .where(eq(patient.id, patientId));
  return row?.recordId ?? null;
}
