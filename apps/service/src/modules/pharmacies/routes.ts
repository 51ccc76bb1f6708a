import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { FastifyInstance } from 'fastify';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { refuse } from '../../server/refusal.ts';
import { allPharmacies, findPharmacy, preferPharmacy } from './store.ts';

/** Anybody may read the list; a patient prefers one of it. */
export function registerPharmacies(
  app: FastifyInstance,
  { database, appendAudit }: Platform,
): void {
  route(app, calls.listPharmacies, async () => allPharmacies(database.db));

  route(app, calls.addPreferredPharmacy, async ({ body, patient, now }) => {
    const id = typeof body.pharmacy === 'string' ? body.pharmacy : body.pharmacy.id;
    const payload = await findPharmacy(database.db, id);
    if (payload === null) return refuse('notFound');
    const chosen = { patientId: patient.id, recordId: body.demographicNo, id: payload.id };
    return database.inTransaction(async (tx) => {
      if (!(await preferPharmacy(tx, chosen))) return refuse('notFound');
      await appendAudit(tx, {
        actor: `patient:${patient.id}`,
        action: 'preferred pharmacy chosen',
        subject: `pharmacy:${payload.id}`,
        at: now,
      });
      return { success: true as const, extras: { message: text('pharmacyChosen'), payload } };
    });
  });
}
