/** Tells other processes on the same database that something was committed, and hears it of them. */
export interface CommitBus {
  /** Without words: something was committed. */
  notify(words?: string): Promise<void>;
  /** Until the bus closes; a connection that is lost is made again. */
  listen(heard: (words: string | null) => void): void;
  close(): Promise<void>;
}

/** Who wants to know of commits, of this process and of others. */
export interface Commits {
  /** Something was committed here. */
  note(): void;
  on(listener: () => void): void;
  /** A hint to the other processes; one that is lost loses nothing. */
  tellOthers(words: string): void;
  onTold(listener: (words: string) => void): void;
  close(): Promise<void>;
}

/** A notification costs the whole server a moment at its commit: one for all that happen meanwhile. */
const GATHER_MS = 50;

export function commitsOver(bus: CommitBus | undefined): Commits {
  const listeners = new Set<() => void>();
  const toldListeners = new Set<(words: string) => void>();
  let listening = false;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const underWay = new Set<Promise<void>>();
  /** Who misses it looks by itself soon enough: a lost note loses nothing. */
  const notify = (words?: string) => {
    const sent = (bus?.notify(words) ?? Promise.resolve())
      .catch(() => undefined)
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
  };
  const listen = () => {
    if (listening) return;
    listening = true;
    bus?.listen((words) => {
      if (words === null) return tell();
      for (const listener of toldListeners) listener(words);
    });
  };
  return {
    note() {
      if (timer !== undefined || (bus === undefined && listeners.size === 0)) return;
      timer = setTimeout(() => {
        timer = undefined;
        tell();
        notify();
      }, GATHER_MS);
      timer.unref();
    },
    on(listener) {
      listeners.add(listener);
      listen();
    },
    tellOthers(words) {
      notify(words);
    },
    onTold(listener) {
      toldListeners.add(listener);
      listen();
    },
    async close() {
      if (timer !== undefined) notify();
      clearTimeout(timer);
      await Promise.all(underWay);
      listeners.clear();
      toldListeners.clear();
      await bus?.close();
    },
  };
}
