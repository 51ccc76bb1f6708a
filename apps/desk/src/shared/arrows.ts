import { focusByPress } from '@clinic/ui/focus';
import type { KeyboardEvent } from 'react';

/**
 * To which choice of a list or grid a key leads: up and down within a column, left and right in reading order; Home,
 * End.
 */
export function reachedByArrow(
  list: HTMLElement,
  from: HTMLElement | null,
  key: string,
): HTMLElement | undefined {
  const all = [...list.querySelectorAll<HTMLElement>('[data-choice]')];
  if (from === null || !all.includes(from)) return undefined;
  const at = all.indexOf(from);
  const column = all.filter(({ offsetLeft }) => offsetLeft === from.offsetLeft);
  const row = column.indexOf(from);
  return {
    ArrowDown: column[row + 1],
    ArrowUp: column[row - 1],
    ArrowRight: all[at + 1],
    ArrowLeft: all[at - 1],
    Home: all[0],
    End: all.at(-1),
  }[key];
}

/** Arrow keys move the focus among the choices of a list. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const to = reachedByArrow(event.currentTarget, event.target as HTMLElement, event.key);
  if (to === undefined) return;
  event.preventDefault();
  focusByPress(to);
}
