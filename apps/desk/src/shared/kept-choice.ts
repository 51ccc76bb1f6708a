import { createStore, useStore } from '@clinic/app/store';

interface Form<Of> {
  /** Reads what was kept, or makes what stands where nothing was. */
  readonly read: (kept: string | null) => Of;
  readonly write: (chosen: Of) => string;
}

/** How somebody wants a page to look, which the browser keeps, as eyes and screen are its own. */
export function keptChoice<Of>(key: string, { read, write }: Form<Of>) {
  const kept = () => {
    try {
      return read(localStorage.getItem(key));
    } catch {
      return read(null);
    }
  };
  const choice = createStore(kept());
  return {
    use: () => useStore(choice),
    choose: (next: Of): void => {
      choice.set(next);
      try {
        localStorage.setItem(key, write(next));
      } catch {
        // A browser that keeps nothing has it until the page is left.
      }
    },
  };
}
