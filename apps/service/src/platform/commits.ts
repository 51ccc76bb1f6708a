/** Tells other processes on the same database that something was committed, and hears it of them. */
export interface CommitBus {
  notify(): Promise<void>;
  /** Until the bus closes; a connection that is lost is made again. */
  listen(heard: () => void): void;
  close(): Promise<void>;
}

/** Who wants to know of commits, of this process and of others. */
export interface Commits {
  /** Something was committed here. */
  note(): void;
  on(listener: () => void): void;
  close(): Promise<void>;
}

/** A notification costs the whole server a moment at its commit: one for all that happen meanwhile. */
const GATHER_MS = 50;

export function commitsOver(bus: CommitBus | undefined): Commits {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    note() {
      if (timer !== undefined || (bus === undefined && listeners.size === 0)) return;
      timer = setTimeout(() => {
        timer = undefined;
        tell();
        // Who misses it looks by itself soon enough: a lost note loses nothing.
        bus?.notify().catch(() => undefined);
      }, GATHER_MS);
      timer.unref();
    },
    on(listener) {
      if (listeners.size === 0) bus?.listen(tell);
      listeners.add(listener);
    },
    async close() {
      clearTimeout(timer);
      listeners.clear();
      await bus?.close();
    },
  };
}
