import type { WireAnswers } from '@clinic/contract';

/** How long after the last key the draft is kept by the service, in milliseconds. */
export const DRAFT_DELAY_MS = 700;

export interface DraftSaver {
  readonly later: (answers: WireAnswers) => void;
  /** At once, as when the phone hides the page. */
  readonly flush: () => void;
  readonly cancel: () => void;
}

/** Keeps the latest answers, some time after the patient stopped typing. */
export function createDraftSaver(save: (answers: WireAnswers) => void): DraftSaver {
  let waiting: {
    readonly answers: WireAnswers;
    readonly timer: ReturnType<typeof setTimeout>;
  } | null = null;
  const flush = () => {
    if (!waiting) return;
    const { answers, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    save(answers);
  };
  const cancel = () => {
    if (waiting) clearTimeout(waiting.timer);
    waiting = null;
  };
  const later = (answers: WireAnswers) => {
    cancel();
    waiting = { answers, timer: setTimeout(flush, DRAFT_DELAY_MS) };
  };
  return { later, flush, cancel };
}
