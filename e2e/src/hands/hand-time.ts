import type { BrowserContext } from '@playwright/test';

/**
 * The time of the hands at a page: what events are stamped with, and when answers come. It passes at once where hands
 * are slow, so that a key in 800 ms and an answer after 3 s cost nothing.
 */
export interface HandTime {
  /** Has so much time pass: what follows is stamped so, and answers that were late have come. */
  readonly pass: (ms: number) => void;
  /** Has time pass before each of the keys that follow. */
  readonly pace: (ms: readonly number[]) => void;
  readonly clock: () => Clock;
  /** While hands are at work time does not go on by itself; else it goes on to the next answer. */
  readonly work: (isAtWork: boolean) => void;
}

export interface Clock {
  /** In event time. */
  readonly now: number;
  /** Where event time begins, in what the browser's protocol calls a timestamp: of each document elsewhere. */
  readonly origin: number;
}

declare global {
  interface Window {
    handTime: HandTime;
  }
}

/** How late an answer of the service comes at most. */
const LATEST_MS = 3_000;

/** Has the pages of a context run in the time of hands, and the service answer them late. */
export const withHandTime = (context: BrowserContext, seed: number) =>
  context.addInitScript(install, { seed, latestMs: LATEST_MS });

function install({ seed, latestMs }: { readonly seed: number; readonly latestMs: number }): void {
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
  const stamps = new WeakMap<Event, number>();
  let ahead = 0;
  Object.defineProperty(Event.prototype, 'timeStamp', {
    configurable: true,
    get(this: Event) {
      const at = stamps.get(this) ?? (stamp?.get?.call(this) as number) + ahead;
      stamps.set(this, at);
      return at;
    },
  });
  const now = () => new Event('now').timeStamp;

  interface Late {
    readonly at: number;
    readonly come: () => void;
  }
  let late: readonly Late[] = [];
  let isAtWork = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  function come(): void {
    clearTimeout(waiting);
    const due = late.filter(({ at }) => at <= now());
    late = late.filter((each) => !due.includes(each));
    for (const each of due) each.come();
    if (late.length === 0) return;
    const next = () => Math.max(0, Math.min(...late.map(({ at }) => at)) - now());
    waiting = setTimeout(
      () => {
        if (!isAtWork) ahead += next();
        come();
      },
      isAtWork ? next() : 0,
    );
  }

  let state = seed;
  /** From 0 up to, not including, 1. */
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  const ask = window.fetch.bind(window);
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    const lateMs = draw() < 0.5 ? draw() * latestMs : 0;
    if (lateMs > 0 && new URL(answer.url).pathname.startsWith('/api/'))
      await new Promise<void>((comes) => {
        late = [...late, { at: now() + lateMs, come: comes }];
        come();
      });
    return answer;
  };

  const pass = (ms: number) => {
    ahead += Math.max(0, ms);
    come();
  };
  let paces: readonly number[] = [];
  addEventListener(
    'keydown',
    ({ isTrusted }) => {
      const [ms, ...rest] = paces;
      if (!isTrusted || ms === undefined) return;
      paces = rest;
      pass(ms);
    },
    { capture: true },
  );

  window.handTime = {
    pass,
    pace: (ms) => (paces = ms),
    clock: () => ({ now: now(), origin: (performance.timeOrigin - ahead) / 1_000 }),
    work(is) {
      if (is === isAtWork) return;
      isAtWork = is;
      come();
    },
  };
}
