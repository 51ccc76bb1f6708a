import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { type MedicalProfile, tidyMedicalProfile, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { refuse } from '../../server/refusal.ts';
import { profileProblems } from './profile-problems.ts';
import { keepProfile, readProfile } from './profiles.store.ts';

export type MedicalProfileParts = Pick<Platform, 'database' | 'keyring' | 'appendAudit'>;

/** The immigration exam profile (§3, §5 Immigration form, R-82): asked again with every M or G. */
export function registerMedicalProfile(
  app: FastifyInstance,
  { database, keyring, appendAudit }: MedicalProfileParts,
): void {
  route(app, calls.saveMedicalProfile, async ({ body, patient, now }) => {
    const errors = profileProblems(body.eMedProfile, toClinic(now).date);
    if (errors.length > 0) return refuse('invalidInput', { errors });
    const profile = tidyMedicalProfile(body.eMedProfile);
    await database.inTransaction(async (tx) => {
      await keepProfile(keyring, tx, patient.id, profile, now);
      const actor = `patient:${patient.id}`;
      await appendAudit(tx, { actor, action: 'medical profile kept', subject: actor, at: now });
    });
    return kept(profile);
  });

  route(app, calls.readMedicalProfile, async ({ patient }) => {
    const profile = await readProfile(keyring, database.db, patient.id);
    return kept(profile);
  });
}

const kept = (profile: MedicalProfile | null) => ({
  success: true as const,
  extras: { message: profile === null ? '' : text('medicalProfileKept'), profile },
});
