import type { MedicalProfile } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { medicalProfile } from './schema.ts';
import type { PatientId } from '../../security/sessions.ts';

/** The context under which a profile is sealed (S-13). */
export const profileContext = (patientId: string) => `medical_profile.profile:${patientId}`;

/** The profile that the patient kept last, or null. */
export async function readProfile(
  keyring: Pick<Keyring, 'open'>,
  db: Db,
  patientId: PatientId,
): Promise<MedicalProfile | null> {
  const [row] = await db
    .select({ sealed: medicalProfile.profileSealed })
    .from(medicalProfile)
    .where(eq(medicalProfile.patientId, patientId));
  return row
    ? (JSON.parse(keyring.open(profileContext(patientId), row.sealed)) as MedicalProfile)
    : null;
}

/** Keeps the profile in place of the one before. */
export async function keepProfile(
  keyring: Pick<Keyring, 'seal'>,
  tx: Tx,
  patientId: PatientId,
  profile: MedicalProfile,
  changedAt: number,
): Promise<void> {
  const profileSealed = keyring.seal(profileContext(patientId), JSON.stringify(profile));
  await tx
    .insert(medicalProfile)
    .values({ patientId, profileSealed, changedAt })
    .onConflictDoUpdate({
      target: medicalProfile.patientId,
      set: { profileSealed, changedAt },
    });
}
