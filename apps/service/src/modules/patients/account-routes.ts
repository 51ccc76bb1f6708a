import { type ApiUser, calls } from '@clinic/contract';
import { toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import { openCard } from '../../security/sealed-card.ts';
import type { PatientId } from '../../security/sessions.ts';
import { findPharmacy } from '../pharmacies/index.ts';
import { isFamilyDoctorAnswer, saidFamilyDoctor } from './family-doctor.ts';
import { patientOf } from './patients.store.ts';
import { registerSessions } from './session-routes.ts';
import { typesFor } from '../schedule/index.ts';
import {
  ignoredOf,
  profileChange,
  profileForm,
  profileProblems,
  saveProfile,
} from './update-profile.ts';
import { apiUser } from './api-user.ts';

/** My Account and whom it belongs to (§3 User, §5 Account edit, R-72). */
export function registerAccount(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, config } = platform;
  registerSessions(app, platform);

  async function userOf(id: PatientId, now: number): Promise<ApiUser> {
    const row = await patientOf(database.db, id);
    const types = await typesFor(database.db, row.eligibility, toClinic(now).date);
    return apiUser(row, openCard(keyring, row.id, row.cardSealed), types, config);
  }

  route(app, calls.getMe, async ({ patient, exchangedToken, now }) => {
    const user = await userOf(patient.id, now);
    return exchangedToken === null ? user : { ...user, token: exchangedToken };
  });

  route(app, calls.updateMe, async ({ body, patient, now }) => {
    const form = profileForm(body);
    const row = await patientOf(database.db, patient.id);
    const errors = profileProblems(row, form, body, config);
    if (errors.length > 0) return refuse('invalidInput', { errors });
    const change = profileChange(row, form, body, config);
    const pharmacy = change.preferredPharmacyId ?? null;
    const isNewPharmacy = pharmacy !== row.preferredPharmacyId;
    if (pharmacy !== null && isNewPharmacy && !(await findPharmacy(database.db, pharmacy)))
      return invalid('preferredPharmacy');
    const ignored = ignoredOf(row, body);
    await saveProfile(platform, patient.id, row, change, { ignored, now });
    return userOf(patient.id, now);
  });

  route(app, calls.confirmInformation, async ({ body, patient, now }) => {
    if (!isFamilyDoctorAnswer(body.familyDoc, config.familyDoctorIds))
      return invalid('familyDoc', 'familyDoctorUnclear');
    const row = await patientOf(database.db, patient.id);
    // The clinic asks for an update, the patient only answers.
    const familyDoctor = saidFamilyDoctor(body, config.familyDoctorIds);
    const change = {
      ...(body.shouldUpdate ? {} : { shouldUpdate: false }),
      ...(familyDoctor === null ? {} : { familyDoctor }),
    };
    await saveProfile(platform, patient.id, row, change, { ignored: [], now });
    return userOf(patient.id, now);
  });

  route(app, calls.checkNoPcp, async ({ patient }) => {
    const { familyDoctor } = await patientOf(database.db, patient.id);
    return { success: true as const, noPCP: !familyDoctor };
  });
}
