/** What a try of the connection tells. */
export interface Told {
  readonly opened: () => void;
  /** The try failed or its connection ended. `isRefused`: the service itself said no. */
  readonly closed: (isRefused: boolean) => void;
}

/** Begins one try; the returned function ends it, and nothing that it tells afterwards counts. */
type Open = (told: Told) => (() => void) | Promise<() => void>;

interface Heard {
  /** `isReturn`: it was open before, or an earlier try failed, so events may have been missed. */
  readonly onOpen: (isReturn: boolean) => void;
  /** Each time that a try fails or an open connection ends. */
  readonly onClosed?: (isRefused: boolean) => void;
  /** Now and then while it is not open: ask for what its events would have told. */
  readonly onPoll: () => void;
  /** False while nobody may be let in, such as after a logout; asked before each try. */
  readonly mayTry?: () => boolean;
}

/** Of the page, and time and chance as this device has them. */
interface Surroundings {
  /** Where `online`, `offline`, `pageshow` and `pagehide` happen. */
  readonly window: EventTarget;
  readonly document: EventTarget & { readonly visibilityState: string };
  readonly now: () => number;
  readonly random: () => number;
}

const FIRST_PAUSE_MS = 1_000;
/** The longest pause and the patience with one try: at first, and once they go on failing. */
const AT_FIRST = { pauseMs: 4_000, patienceMs: 4_000 };
const LATER = { pauseMs: 15_000, patienceMs: 20_000 };
const AT_FIRST_MS = 20_000;
/** A connection that ends sooner counts as a failed try: a service may let in and close at once. */
const STOOD_MS = 10_000;
const POLL_MS = 30_000;
const BEAT_MS = 10_000;
/** A beat that comes later than this means that the device slept; hidden pages beat once a minute. */
const SLEPT_MS = 90_000;

/** The pause before the next try, in milliseconds: growing, and no two pages alike. */
export function pauseAfter(failures: number, failingMs: number, random: number): number {
  const { pauseMs } = failingMs < AT_FIRST_MS ? AT_FIRST : LATER;
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), pauseMs) * (0.5 + random);
}

/**
 * Keeps a live connection open, or on its way to being open, until the returned function is called: after a
 * refusal, an end by the service, a try that hangs, sleep, a change of network and a return from the
 * back-forward cache.
 */
export function keepOpen(
  open: Open,
  { onOpen, onClosed, onPoll, mayTry = () => true }: Heard,
  { window, document, now, random }: Surroundings,
): () => void {
  let state: 'waiting' | 'trying' | 'open' | 'asleep' = 'waiting';
  let end = () => {};
  let next: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let failingSince = now();
  let triedAt = -Infinity;
  let openedAt = 0;
  let polledAt = now();
  let beatAt = now();
  let isReturn = false;

  const drop = () => {
    clearTimeout(next);
    clearTimeout(patience);
    const ending = end;
    end = () => {};
    ending();
  };

  const failed = (isRefused: boolean) => {
    drop();
    if (state === 'open') {
      polledAt = now();
      if (now() - openedAt >= STOOD_MS) {
        failures = 0;
        failingSince = now();
      }
    }
    state = 'waiting';
    isReturn = true;
    failures += 1;
    next = setTimeout(attempt, pauseAfter(failures, now() - failingSince, random()));
    onClosed?.(isRefused);
  };

  const attempt = () => {
    drop();
    if (!mayTry()) {
      state = 'waiting';
      next = setTimeout(attempt, LATER.pauseMs);
      return;
    }
    state = 'trying';
    triedAt = now();
    let isOver = false;
    let close = () => {};
    end = () => {
      isOver = true;
      close();
    };
    const { patienceMs } = now() - failingSince < AT_FIRST_MS ? AT_FIRST : LATER;
    patience = setTimeout(() => failed(false), patienceMs);
    const told: Told = {
      opened() {
        if (isOver) return;
        clearTimeout(patience);
        state = 'open';
        openedAt = now();
        onOpen(isReturn);
        isReturn = true;
      },
      closed: (isRefused) => {
        if (!isOver) failed(isRefused);
      },
    };
    const begun = (ending: () => void) => {
      if (isOver) ending();
      else close = ending;
    };
    const opening = open(told);
    if (typeof opening === 'function') begun(opening);
    else opening.then(begun).catch(() => told.closed(false));
  };

  /** What failed before says nothing of the network that the device has now. */
  const beginAnew = () => {
    failures = 0;
    failingSince = now();
    attempt();
  };
  /** Tries without waiting for the pause to end. */
  const knock = () => {
    if (state === 'waiting' && now() - triedAt >= FIRST_PAUSE_MS) attempt();
  };
  /** An open connection may be dead without knowing it. */
  const openAnew = () => {
    if (state === 'open') isReturn = true;
    if (state !== 'asleep' && now() - triedAt >= FIRST_PAUSE_MS) beginAnew();
  };
  const beat = () => {
    const slept = now() - beatAt > SLEPT_MS;
    beatAt = now();
    if (slept) return openAnew();
    if (state === 'open' || now() - polledAt < POLL_MS) return;
    polledAt = now();
    onPoll();
  };
  const onShown = () => {
    if (document.visibilityState === 'visible') knock();
  };
  // A page with an open connection would not get into the back-forward cache.
  const onHide = (event: Event) => {
    if (!('persisted' in event && event.persisted === true)) return;
    drop();
    state = 'asleep';
  };
  const onShow = () => {
    if (state !== 'asleep') return;
    isReturn = true;
    beginAnew();
  };

  window.addEventListener('online', openAnew);
  window.addEventListener('offline', openAnew);
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);
  document.addEventListener('visibilitychange', onShown);
  const beating = setInterval(beat, BEAT_MS);
  attempt();
  return () => {
    clearInterval(beating);
    window.removeEventListener('online', openAnew);
    window.removeEventListener('offline', openAnew);
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('pageshow', onShow);
    document.removeEventListener('visibilitychange', onShown);
    drop();
  };
}
