import type { ApiAnswers } from '@clinic/contract';

/** How long after the last keystroke the draft is saved, in milliseconds. */
export const DRAFT_DELAY_MS = 700;
/** How long to wait with saving after the service answered 429, in milliseconds. */
export const DRAFT_AGAIN_MS = 5_000;

interface DraftSaver {
  readonly later: (answers: ApiAnswers) => void;
  /** Saves at once, as when the phone hides the page. */
  readonly flush: () => void;
  readonly cancel: () => void;
}

/**
 * Saves the latest answers some time after the patient stopped typing. `save` returns true when the
 * service refused for too many requests: they are then saved later, unless newer ones come first.
 */
export function createDraftSaver(save: (answers: ApiAnswers) => Promise<boolean>): DraftSaver {
  let waiting: {
    readonly answers: ApiAnswers;
    readonly timer: ReturnType<typeof setTimeout>;
  } | null = null;
  let latest: ApiAnswers | null = null;
  const flush = () => {
    if (!waiting) return;
    const { answers, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    void save(answers).then((tooOften) => {
      if (tooOften && latest === answers) wait(answers, DRAFT_AGAIN_MS);
    });
  };
  const wait = (answers: ApiAnswers, ms: number) => {
    if (waiting) clearTimeout(waiting.timer);
    latest = answers;
    waiting = { answers, timer: setTimeout(flush, ms) };
  };
  const later = (answers: ApiAnswers) => wait(answers, DRAFT_DELAY_MS);
  const cancel = () => {
    if (waiting) clearTimeout(waiting.timer);
    waiting = null;
    latest = null;
  };
  return { later, flush, cancel };
}
