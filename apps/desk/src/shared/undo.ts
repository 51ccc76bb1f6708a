import { createStore, useStore } from '@clinic/app/store';

/** What somebody has just done at the desk, while the service says that it can be undone. */
export interface Undoable {
  readonly act: string;
  readonly kind: 'book' | 'move' | 'cancel';
  readonly until: number;
  readonly whom: string;
  readonly start: number;
  /** Whether an email tells the patient once it can no longer be undone. */
  readonly isTold: boolean;
}

// Module state, as what can be undone outlives its dialog and its page.
const offered = createStore<Undoable | null>(null);

/** Offers on every page to undo an act, in place of the one before. */
export const offerUndo = (
  undo: Pick<Undoable, 'act' | 'until'> | null | undefined,
  of: Omit<Undoable, 'act' | 'until'>,
): void => offered.set(undo ? { ...undo, ...of } : null);

/** Called when the session ends, so that nobody else reads it. */
export const forgetUndo = (): void => offered.set(null);

/** Marks an undoing: what was said of its act is no longer true. */
export const UNDOING = ['undo'];

const BUTTON = 'undo';
export const undoButton = { id: BUTTON, 'aria-keyshortcuts': 'Z' };
export const pressUndo = (): void => document.getElementById(BUTTON)?.click();

export const useUndoable = () => useStore(offered);
