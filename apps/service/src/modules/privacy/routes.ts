import { calls } from '@clinic/contract';
import { toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';

import { FileAnswer, route } from '../../platform/http.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse } from '../../platform/refusal.ts';
import { repeatEvery } from '../../platform/repeat-every.ts';
import { exportData } from './export-data.ts';
import { sealAudit } from './seal-audit.ts';
import { sweepSpent } from './sweep-spent.store.ts';

const SEAL_MS = 15_000;
const SWEEP_MS = 60 * 60 * 1_000;

/** A patient's own data, and what a clinic answers for (S-13 to S-15). */
export function registerPrivacy(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, clock, log, rateLimit, config } = platform;
  repeatEvery(app, SEAL_MS, log, () => sealAudit(database, keyring));
  repeatEvery(app, SWEEP_MS, log, () => sweepSpent(platform, clock.now()));

  route(app, calls.exportData, async ({ patient, now }) => {
    const counted = await rateLimit.use(config.rates.exportData, patient.id, now);
    if (counted.kind === 'tooMany')
      return refuse('tooManyRequests', { retryAfter: counted.retryAfter });
    const bytes = await exportData(platform, patient.id, now);
    if (bytes === null) {
      await rateLimit.giveBack(config.rates.exportData, patient.id, now);
      return refuse('serviceBusy');
    }
    const name = `my-data-${toClinic(now).date}.zip`;
    return new FileAnswer({ mediaType: 'application/zip', name, bytes });
  });
}
