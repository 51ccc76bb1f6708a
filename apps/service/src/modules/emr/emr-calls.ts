import { EmrOffline, EmrOutcomeUnknown, isOfEmr } from '../records/emr.ts';
import { withTimeout } from '../records/index.ts';
import type { Platform } from '../../platform.ts';
import { emrKey } from './entry.ts';

/** After this long no request waits for the EMR any more. */
export const TIMEOUT_SECONDS = 10;

/** The answer about one appointment; a late one throws `EmrOutcomeUnknown`, since a write may still happen. */
export const timeoutAsUnknown = <Answer>(id: string, asked: Promise<Answer>): Promise<Answer> =>
  withTimeout(asked, () => new EmrOutcomeUnknown(emrKey(id)));

/** The EMR's answer about an appointment while somebody waits; null when it fails or is late. */
export async function nullOnFailure<Answer>(
  id: string,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await timeoutAsUnknown(id, ask());
  } catch (error) {
    if (!isOfEmr(error)) throw error;
    return null;
  }
}

/**
 * Runs the work on one appointment of many, so that its failure does not hold up the others: 'unclear' when it
 * failed and is to be tried again. Throws only `EmrOffline`, which concerns all of them.
 */
export async function unclearOnFailure<Result>(
  { log }: Pick<Platform, 'log'>,
  work: () => Promise<Result>,
): Promise<Result | 'unclear'> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EmrOffline) throw error;
    if (!(error instanceof EmrOutcomeUnknown)) log.error('emr-entry-failed', error);
    return 'unclear';
  }
}
