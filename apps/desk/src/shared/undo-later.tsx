import { later } from '@clinic/app/later';
import { MissingPart } from './missing-part.tsx';
import { forgetUndo, useUndoable } from './undo.ts';

// It comes with the booking and all words: a part of its own would split the code that every page has.
export const UndoLine = later(
  async () => {
    const [{ UndoLine: Line }] = await Promise.all([
      import('./booking/book-dialog.tsx'),
      import('./all-words.ts'),
    ]);
    return Line;
  },
  { Missing: MissingPart },
);

/** Whatever was done last and can be undone, on the page that is open. */
export function Undo() {
  const of = useUndoable();
  return of && <UndoLine of={of} onRead={forgetUndo} key={of.act} />;
}
