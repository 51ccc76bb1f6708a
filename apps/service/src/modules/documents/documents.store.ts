import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { patient } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.ts';

export type IdentityDocument = 'healthCard' | 'pictureId';

export interface DocumentsUploaded {
  readonly healthcardUploaded: boolean;
  readonly pictureIdUploaded: boolean;
}

export async function documentsOf(db: Db, id: PatientId): Promise<DocumentsUploaded> {
  const [row] = await db
    .select({
      healthcardUploaded: patient.healthCardUploaded,
      pictureIdUploaded: patient.pictureIdUploaded,
    })
    .from(patient)
    .where(eq(patient.id, id));
  if (!row) throw new Error('A session of a patient who is not there');
  return row;
}

export async function markUploaded(
  tx: Tx,
  id: PatientId,
  document: IdentityDocument,
): Promise<void> {
  const uploaded =
    document === 'healthCard' ? { healthCardUploaded: true } : { pictureIdUploaded: true };
  await tx.update(patient).set(uploaded).where(eq(patient.id, id));
}
