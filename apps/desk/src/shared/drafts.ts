import { useState } from 'react';

/** Unsent input. It is kept while its writer opens other pages, and dropped when the session ends. */
const drafts = new Map<string, unknown>();

/** Called when the session ends or changes, so that nobody else sees the drafts. */
export const forgetDrafts = (): void => drafts.clear();

/** State that is kept while another page is open, such as what a form holds. */
export function useDraft<Value>(
  name: string,
  empty: Value,
): readonly [Value, (next: Value | ((now: Value) => Value)) => void] {
  const kept = () => (drafts.get(name) as Value | undefined) ?? empty;
  const [value, setValue] = useState(kept);
  return [
    value,
    (change) => {
      const next =
        typeof change === 'function' ? (change as (now: Value) => Value)(kept()) : change;
      if (next === empty) drafts.delete(name);
      else drafts.set(name, next);
      setValue(next);
    },
  ];
}
