import { useState } from 'react';

/** What was typed and not sent, for as long as its writer is signed in: another page hides it and keeps it. */
const drafts = new Map<string, unknown>();

/** Who is here now leaves, or another comes: nothing that was begun is shown to them. */
export const forgetDrafts = (): void => drafts.clear();

/** A value that is found again when its form is, after another page. */
export function useDraft<Value>(
  name: string,
  empty: Value,
): readonly [Value, (next: Value) => void] {
  const [value, setValue] = useState(() => (drafts.get(name) as Value | undefined) ?? empty);
  return [
    value,
    (next) => {
      if (next === empty) drafts.delete(name);
      else drafts.set(name, next);
      setValue(next);
    },
  ];
}
