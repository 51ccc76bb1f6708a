import { calls } from '@clinic/contract';
import { toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http.ts';
import type { Platform } from '../../platform/platform.ts';
import { openCard } from '../../platform/sealed-card.ts';
import { patientOf } from './patients.store.ts';
import { typesFor } from './types.store.ts';
import { wireUser } from './wire-user.ts';

export type AccountParts = Pick<Platform, 'database' | 'keyring' | 'config'>;

export function registerAccount(
  app: FastifyInstance,
  { database, keyring, config }: AccountParts,
): void {
  route(app, calls.getMe, async ({ patient, now }) => {
    const row = await patientOf(database.db, patient.id);
    const types = await typesFor(database.db, row.eligibility, toClinic(now).date);
    return wireUser(row, openCard(keyring, row.id, row.cardSealed), types, config);
  });

  route(app, calls.checkNoPcp, async ({ patient }) => {
    const { familyDoctor } = await patientOf(database.db, patient.id);
    return { success: true as const, noPCP: !familyDoctor };
  });
}
