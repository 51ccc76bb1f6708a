import type { WirePharmacy } from '@clinic/contract';
import { asc, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db.ts';
import { pharmacy } from '../../platform/schema-accounts.ts';
import { patient } from '../../platform/schema.ts';
import type { PatientId } from '../../platform/sessions.ts';

type Row = typeof pharmacy.$inferSelect;

/** The Pharmacy of §3. */
const wirePharmacy = ({ id, name, address, fax, phone }: Row): WirePharmacy => ({
  id,
  name,
  address: { address },
  fax,
  phone1: phone,
});

/** All of them, by name. */
export async function allPharmacies(db: Db): Promise<WirePharmacy[]> {
  const rows = await db.select().from(pharmacy).orderBy(asc(pharmacy.name), asc(pharmacy.id));
  return rows.map(wirePharmacy);
}

export async function findPharmacy(db: Db, id: string): Promise<WirePharmacy | null> {
  const [row] = await db.select().from(pharmacy).where(eq(pharmacy.id, id));
  return row ? wirePharmacy(row) : null;
}

export async function preferPharmacy(tx: Tx, patientId: PatientId, id: string): Promise<void> {
  await tx.update(patient).set({ preferredPharmacyId: id }).where(eq(patient.id, patientId));
}

/** The number by which §7 names the caller. */
export async function chartNumberOf(db: Db, patientId: PatientId): Promise<string | null> {
  const [row] = await db
    .select({ chartId: patient.chartId })
    .from(patient)
    .where(eq(patient.id, patientId));
  return row?.chartId ?? null;
}
