import { isLastPressAnAct } from './presses.ts';

export { outcomeComes } from './presses.ts';

/**
 * After an answer that takes away what had the focus: whoever has gone on to something else by then stays there.
 * What is `leaving` goes only after this call.
 */
export function focusIfLost(element: HTMLElement | null, leaving?: Element | null): void {
  if (isLost() || leaving?.contains(document.activeElement)) element?.focus();
}

/** For what the last press shows. What comes by itself, or late, takes the focus only where nothing has it. */
export function focusIfAsked(element: HTMLElement | null): void {
  if (isLastPressAnAct() || isLost()) element?.focus({ preventScroll: true });
}

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** How often somebody has pressed a key or a button of the pointer; a held key counts once. One for the page. */
let presses = 0;

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta'];
const count = (event: Event) => {
  const isHeld = event instanceof KeyboardEvent && (event.repeat || MODIFIERS.includes(event.key));
  if (!isHeld) presses += 1;
};
for (const type of ['keydown', 'pointerdown']) addEventListener(type, count, { capture: true });
// A screen reader's click comes without key or pointer; that of a key comes before what it does.
const countClick = ({ detail }: MouseEvent) => {
  if (detail === 0) presses += 1;
};
addEventListener('click', countClick, { capture: true });

/**
 * To be called within the press that asks for something. The answer may take the focus only while the
 * returned function says yes: nothing else was pressed since, so nothing that was meant for another place
 * lands on what the answer shows.
 */
export function askedNow(): () => boolean {
  const asked = presses;
  return () => presses === asked;
}

/**
 * Within the press that asks for it, or where a page is loaded, a screen locked or unlocked, a dialog opened or closed:
 * nowhere else is the focus moved, and lint lets nothing else move it.
 */
export function focusByPress(
  element: HTMLElement | null | undefined,
  options?: FocusOptions,
): void {
  element?.focus(options);
}
