import { calls } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import { toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { FileAnswer, route } from '../../server/http.ts';
import { refuse } from '../../server/refusal.ts';
import { exportData } from './export-data.ts';
import { agreementsWait, insertAgreement } from './store.ts';

/** What a patient agrees to, and a copy of everything that is kept about them. */
export function registerPrivacy(app: FastifyInstance, platform: Platform): void {
  const { database, ids, appendAudit, rateLimit, config } = platform;

  // Who agreed to another text than today's is asked to read today's.
  route(app, calls.saveAgreement, async ({ body, patient, now }) => {
    const { kind } = body;
    const { version, hash } = currentAgreement(kind);
    if (body.version !== version || body.hash !== hash) return refuse('agreementOutdated');
    return database.inTransaction(async (tx) => {
      const retryAfter = await agreementsWait(tx, patient.id, config.rates.agreements, now);
      if (retryAfter > 0) return refuse('tooManyRequests', { retryAfter });
      const id = ids.uuid();
      const patientId = patient.id;
      await insertAgreement(tx, { id, patientId, kind, version, textHash: hash, at: now });
      await appendAudit(tx, {
        actor: `patient:${patient.id}`,
        action: 'agreement saved',
        subject: `agreement:${id}`,
        details: { kind, version },
        at: now,
      });
      return { success: true as const };
    });
  });

  route(app, calls.exportData, async ({ patient, now }) => {
    const tooMany = await rateLimit.use(config.rates.exportData, patient.id, now);
    if (tooMany !== null) return tooMany;
    const bytes = await exportData(platform, patient.id, now);
    if (bytes === null) {
      await rateLimit.giveBack(config.rates.exportData, patient.id, now);
      return refuse('serviceBusy');
    }
    const name = `my-data-${toClinic(now).date}.zip`;
    return new FileAnswer({ mediaType: 'application/zip', name, bytes });
  });
}
