import type { WireAnswers } from '@clinic/contract';

/** How long after the last key the draft is kept by the service, in milliseconds. */
export const DRAFT_DELAY_MS = 700;
/** The same after the service asked for patience. */
export const DRAFT_AGAIN_MS = 5_000;

export interface DraftSaver {
  readonly later: (answers: WireAnswers) => void;
  /** At once, as when the phone hides the page. */
  readonly flush: () => void;
  readonly cancel: () => void;
}

/**
 * Keeps the latest answers, some time after the patient stopped typing. `save` answers whether
 * the service was asked too often: then they are kept later, unless newer ones come first.
 */
export function createDraftSaver(save: (answers: WireAnswers) => Promise<boolean>): DraftSaver {
  let waiting: {
    readonly answers: WireAnswers;
    readonly timer: ReturnType<typeof setTimeout>;
  } | null = null;
  let latest: WireAnswers | null = null;
  const flush = () => {
    if (!waiting) return;
    const { answers, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    void save(answers).then((tooOften) => {
      if (tooOften && latest === answers) wait(answers, DRAFT_AGAIN_MS);
    });
  };
  const wait = (answers: WireAnswers, ms: number) => {
    if (waiting) clearTimeout(waiting.timer);
    latest = answers;
    waiting = { answers, timer: setTimeout(flush, ms) };
  };
  const later = (answers: WireAnswers) => wait(answers, DRAFT_DELAY_MS);
  const cancel = () => {
    if (waiting) clearTimeout(waiting.timer);
    waiting = null;
    latest = null;
  };
  return { later, flush, cancel };
}
