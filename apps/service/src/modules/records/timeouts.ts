import { EmrBusy, EmrOffline, EmrOutcomeUnknown, isOfEmr } from '../../server/emr-errors.ts';
import { type BookingReached, type BookingStage, EMR_TIMEOUT_MS } from './emr.ts';

/** Longer than a booking waits for its turn, and then for all answers that come before its write. */
export const ASKING_SECONDS = (2 * EMR_TIMEOUT_MS) / 1_000 + 4;

/** The answer of the EMR; throws `late()` when it takes longer than `timeoutMs`. */
export async function withTimeout<Answer>(
  asked: Promise<Answer>,
  late: () => Error,
  timeoutMs = EMR_TIMEOUT_MS,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(late()), timeoutMs);
  });
  return Promise.race([asked, tooLong]).finally(() => clearTimeout(timer));
}

/** The answer to a read; a late one throws `EmrOffline`. */
export const timeoutAsOffline = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
  withTimeout(asked, () => new EmrOffline('The EMR is silent'));

/** What becomes known of a booking while the EMR is asked. */
export interface Booking<Answer> {
  readonly key: string;
  readonly book: (reached: BookingReached) => Promise<Answer>;
  /** Notes that it may be written from now on; the write waits for it, and does not happen where it fails. */
  readonly noteWrite: () => Promise<unknown>;
  /** The EMR says that nothing was written, after nobody waited for it any more. */
  readonly unwritten: () => Promise<unknown>;
}

/**
 * Waits for a booking as long as for any answer, and as long again for its turn. What is not being written
 * by then is given up: nothing is written later, and it is free at once. Otherwise throws
 * `EmrOutcomeUnknown`.
 */
export async function bookWithTimeout<Answer>({
  key,
  book,
  noteWrite,
  unwritten,
}: Booking<Answer>): Promise<Answer> {
  let stage = null as BookingStage | null;
  let timer: NodeJS.Timeout | undefined;
  let late = null as Error | null;
  const tooLong = Promise.withResolvers<never>();
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => tooLong.reject((late = lateAt(stage, key))), EMR_TIMEOUT_MS);
  };
  wait();
  const isWaitedFor = () => {
    if (late !== null) throw new EmrOffline('Nobody waits for this booking any more');
  };
  const asked = book(async (next) => {
    isWaitedFor();
    if (stage === 'queued' && next === 'asking') wait();
    stage = next;
    if (next !== 'writing') return;
    await noteWrite();
    isWaitedFor();
  });
  try {
    return await Promise.race([asked, tooLong.promise]);
  } catch (error) {
    if (error === late && late instanceof EmrOutcomeUnknown)
      void asked.catch(async (reason: unknown) => {
        // Where this fails, the booking is looked up by its key all the same.
        if (isOfEmr(reason) && !(reason instanceof EmrOutcomeUnknown))
          await unwritten().catch(() => undefined);
      });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function lateAt(stage: BookingStage | null, key: string): Error {
  if (stage === 'queued') return new EmrBusy('Others are before this booking');
  return stage === 'writing'
    ? new EmrOutcomeUnknown(key)
    : new EmrOffline('The EMR is silent, and nothing was written');
}
