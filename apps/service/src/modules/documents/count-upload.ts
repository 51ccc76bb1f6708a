import type { Platform } from '../../platform.ts';
import type { Refusal } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.ts';

/** S-5: counts a form with files before they are looked at; a refusal when there were too many. */
export function countUpload(
  { rateLimit, config }: Pick<Platform, 'rateLimit' | 'config'>,
  patientId: PatientId,
  now: number,
): Promise<Refusal | null> {
  return rateLimit.use(config.rates.uploads, patientId, now);
}
