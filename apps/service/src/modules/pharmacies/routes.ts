import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { FastifyInstance } from 'fastify';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { refuse } from '../../server/refusal.ts';
import { allPharmacies, recordNumberOf, findPharmacy, preferPharmacy } from './pharmacies.store.ts';

export type PharmacyParts = Pick<Platform, 'database' | 'appendAudit'>;

/** anybody may read the list; a patient prefers one of it. */
export function registerPharmacies(
  app: FastifyInstance,
  { database, appendAudit }: PharmacyParts,
): void {
  route(app, calls.listPharmacies, async () => allPharmacies(database.db));

  route(app, calls.addPreferredPharmacy, async ({ body, patient, now }) => {
    const id = typeof body.pharmacy === 'string' ? body.pharmacy : body.pharmacy.id;
    const isOwn = body.demographicNo === (await recordNumberOf(database.db, patient.id));
    const payload = isOwn ? await findPharmacy(database.db, id) : null;
    if (payload === null) return refuse('notFound');
    await database.inTransaction(async (tx) => {
      await preferPharmacy(tx, patient.id, payload.id);
      await appendAudit(tx, {
        actor: `patient:${patient.id}`,
        action: 'preferred pharmacy chosen',
        subject: `pharmacy:${payload.id}`,
        at: now,
      });
    });
    return { success: true as const, extras: { message: text('pharmacyChosen'), payload } };
  });
}
