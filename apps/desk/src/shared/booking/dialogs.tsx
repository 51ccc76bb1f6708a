import { later } from '@clinic/app/later';
import styles from '../app.module.css';
import { MissingPart } from '../missing-part.tsx';

// Each comes with all words: the day sheet has its own alone.
const words = () => import('../all-words.ts');

export const BookDialog = later(
  async () => {
    const [{ BookDialog: Dialog }] = await Promise.all([import('./book-dialog.tsx'), words()]);
    return Dialog;
  },
  { Missing: MissingInHeader },
);

export const MoveDialog = later(
  async () => {
    const [{ MoveDialog: Dialog }] = await Promise.all([import('./move-dialog.tsx'), words()]);
    return Dialog;
  },
  { Missing: MissingPart },
);

/** Beneath the header, from which the dialog is opened. */
function MissingInHeader() {
  return (
    <div className={styles.left}>
      <MissingPart />
    </div>
  );
}
