import { and, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { patient } from './schema.ts';
import type { PatientId } from '../../security/sessions.ts';

/** The columns that a patient may change (§5 Account edit), and what the change itself sets. */
export type ProfileChange = Partial<
  Pick<
    typeof patient.$inferInsert,
    | 'address'
    | 'city'
    | 'province'
    | 'postal'
    | 'country'
    | 'sex'
    | 'phone'
    | 'mobilePhone'
    | 'internationalPhone'
    | 'preferredPharmacyId'
    | 'familyDoctor'
    | 'shouldUpdate'
    | 'isChanged'
  >
>;

export async function changeProfile(tx: Tx, id: PatientId, change: ProfileChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx.update(patient).set(change).where(eq(patient.id, id));
}

export async function passwordHashOf(db: Db, id: PatientId): Promise<string> {
  const [row] = await db
    .select({ passwordHash: patient.passwordHash })
    .from(patient)
    .where(eq(patient.id, id));
  if (!row) throw new Error('A session of a patient who is not there');
  return row.passwordHash;
}

/** False when the password is no longer the one that was given as the current one. */
export async function changePasswordHash(
  tx: Tx,
  id: PatientId,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const changed = await tx
    .update(patient)
    .set({ passwordHash: to })
    .where(and(eq(patient.id, id), eq(patient.passwordHash, from)))
    .returning({ id: patient.id });
  return changed.length === 1;
}
