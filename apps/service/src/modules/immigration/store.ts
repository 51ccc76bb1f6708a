import type { MedicalProfile } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { type Db, type Tx, part } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { medicalProfile } from './schema.ts';

/** The patients with a stored profile, for other modules' statements. */
export const MEDICAL_PROFILES = part`(select patient_id from medical_profile)`;

const sealContext = (patientId: string) => `medical_profile.profile:${patientId}`;

/** The profile that the patient last saved, or null. */
export async function readProfile(keyring: Keyring, db: Db, patientId: PatientId) {
  const [row] = await db
    .select({ sealed: medicalProfile.profileSealed })
    .from(medicalProfile)
    .where(eq(medicalProfile.patientId, patientId));
  const opened = row && keyring.open(sealContext(patientId), row.sealed);
  return opened === undefined ? null : (JSON.parse(opened) as MedicalProfile);
}

/** Stores the profile in place of the previous one. */
export async function keepProfile(
  keyring: Keyring,
  tx: Tx,
  kept: { patientId: PatientId; profile: MedicalProfile; changedAt: number },
): Promise<void> {
  const { patientId, profile, changedAt } = kept;
  const profileSealed = keyring.seal(sealContext(patientId), JSON.stringify(profile));
  await tx
    .insert(medicalProfile)
    .values({ patientId, profileSealed, changedAt })
    .onConflictDoUpdate({ target: medicalProfile.patientId, set: { profileSealed, changedAt } });
}

/** When the patient `p` last saved a profile, for other modules' statements. */
export const LAST_PROFILE = part`(
  select changed_at_s from medical_profile where patient_id = p.id)`;

export const eraseProfile = (patientId: string) =>
  part`delete from medical_profile where patient_id = ${patientId}`;
