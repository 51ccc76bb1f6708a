import type { KeyboardEvent } from 'react';

/** Arrow keys in a list or grid: up and down within a column, left and right in reading order; Home, End. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-choice]')];
  const from = event.target as HTMLElement;
  const at = all.indexOf(from);
  const column = all.filter(({ offsetLeft }) => offsetLeft === from.offsetLeft);
  const row = column.indexOf(from);
  const to = {
    ArrowDown: column[row + 1],
    ArrowUp: column[row - 1],
    ArrowRight: all[at + 1],
    ArrowLeft: all[at - 1],
    Home: all[0],
    End: all.at(-1),
  }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  to.focus();
}
