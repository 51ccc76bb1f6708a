import { calls } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import type { FastifyInstance } from 'fastify';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { refuse } from '../../server/refusal.ts';
import { agreementsWait, recordAgreement } from './agreements.store.ts';

export type AgreementParts = Pick<Platform, 'database' | 'ids' | 'appendAudit' | 'config'>;

/** who agreed to another text than today's is asked to read today's. */
export function registerAgreements(app: FastifyInstance, parts: AgreementParts): void {
  route(app, calls.saveAgreement, async ({ body, patient, now }) => {
    const { version, hash } = currentAgreement(body.kind);
    if (body.version !== version || body.hash !== hash) return refuse('agreementOutdated');
    const rule = parts.config.rates.agreements;
    return parts.database.inTransaction(async (tx) => {
      const retryAfter = await agreementsWait(tx, patient.id, rule, now);
      if (retryAfter > 0) return refuse('tooManyRequests', { retryAfter });
      await recordAgreement(parts, tx, patient.id, body.kind, now);
      return { success: true as const };
    });
  });
}
