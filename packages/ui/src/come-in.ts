import { useState } from 'react';
import { focusByPress, askedNow } from './focus.ts';

/**
 * A ref for what was asked for: it takes the focus the first time that it is shown, and not once something else was
 * pressed. The hook stands in what is there from the asking on; `asked` changes with each asking.
 */
export function useComeIn(
  asked: string | number | null,
  comeIn: (element: HTMLElement) => void = focusByPress,
): (element: HTMLElement | null) => void {
  const [entry, setEntry] = useState(() => entryOf(asked, comeIn));
  if (entry.asked !== asked) setEntry(entryOf(asked, comeIn));
  return entry.ref;
}

function entryOf(asked: string | number | null, comeIn: (element: HTMLElement) => void) {
  const isAwaited = askedNow();
  let isShown = false;
  const ref = (element: HTMLElement | null) => {
    if (element === null || isShown) return;
    isShown = true;
    if (isAwaited()) comeIn(element);
  };
  return { asked, ref };
}
