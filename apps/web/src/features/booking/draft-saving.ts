/** How long after the last key the draft is kept by the service, in milliseconds. */
export const DRAFT_DELAY_MS = 700;

export interface DraftSaver {
  readonly later: (reason: string) => void;
  /** At once, as when the phone hides the page. */
  readonly flush: () => void;
  readonly cancel: () => void;
}

/** Keeps the latest answer, some time after the patient stopped typing. */
export function createDraftSaver(save: (reason: string) => void): DraftSaver {
  let waiting: { readonly reason: string; readonly timer: ReturnType<typeof setTimeout> } | null =
    null;
  const flush = () => {
    if (!waiting) return;
    const { reason, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    save(reason);
  };
  const cancel = () => {
    if (waiting) clearTimeout(waiting.timer);
    waiting = null;
  };
  const later = (reason: string) => {
    cancel();
    waiting = { reason, timer: setTimeout(flush, DRAFT_DELAY_MS) };
  };
  return { later, flush, cancel };
}
