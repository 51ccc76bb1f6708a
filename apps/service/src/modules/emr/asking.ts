import { EmrOffline, EmrOutcomeUnknown, isOfEmr } from '../records/emr.ts';
import { inTime } from '../records/index.ts';
import type { Platform } from '../../platform.ts';
import { emrKey } from './entry.ts';

/** After this long no request waits for the EMR any more. */
export const PATIENCE_SECONDS = 10;

/**
 * Waits for the EMR's answer about an appointment. Throws `EmrOutcomeUnknown` when it does not come in
 * time: a write may still happen.
 */
export const answerOn = <Answer>(appointmentId: string, asked: Promise<Answer>): Promise<Answer> =>
  inTime(asked, () => new EmrOutcomeUnknown(emrKey(appointmentId)));

/** The EMR's answer to a question while somebody waits, or null when it fails or is too late. */
export async function answerOrNull<Answer>(
  id: string,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await answerOn(id, ask());
  } catch (error) {
    if (!isOfEmr(error)) throw error;
    return null;
  }
}

/**
 * Runs the work for one item of many, so that a failure does not hold up the others: 'unclear' when it
 * failed and is to be tried again. Throws only `EmrOffline`, which concerns all of them.
 */
export async function orUnclear<Result>(
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
