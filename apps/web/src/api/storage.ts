/** What the browser keeps. Where it keeps nothing, because it may not or is full, there is nothing to read. */
const storageOf = (area: () => Storage) => ({
  read(key: string): string | null {
    try {
      return area().getItem(key);
    } catch {
      return null;
    }
  },
  /** Null removes it. Returns whether it is kept. */
  write(key: string, value: string | null): boolean {
    try {
      if (value === null) area().removeItem(key);
      else area().setItem(key, value);
      return true;
    } catch {
      return false;
    }
  },
});

export const ofAllTabs = storageOf(() => localStorage);
export const ofThisTab = storageOf(() => sessionStorage);
