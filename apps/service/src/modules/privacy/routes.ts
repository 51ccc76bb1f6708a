import { calls } from '@clinic/contract';
import { toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { FileAnswer, route } from '../../server/http.ts';
import { refuse } from '../../server/refusal.ts';
import { exportData } from './export-data.ts';

/** A copy of everything that is kept about a patient. */
export function registerPrivacy(app: FastifyInstance, platform: Platform): void {
  const { rateLimit, config } = platform;

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
