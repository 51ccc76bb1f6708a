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

export const CancelDialog = later(
  async () => {
    const [{ CancelDialog: Dialog }] = await Promise.all([import('./cancel-dialog.tsx'), words()]);
    return Dialog;
  },
  { Missing: MissingPart },
);

export const ReadOut = later(
  async () => {
    const [{ ReadOut: Part }] = await Promise.all([import('./read-out.tsx'), words()]);
    return Part;
  },
  { Missing: MissingPart },
);

export const FeeAtClinic = later(
  async () => {
    const [{ FeeAtClinic: Part }] = await Promise.all([import('./take-fee.tsx'), words()]);
    return Part;
  },
  { Missing: MissingPart },
);

/** Parts that are fetched once the page stands. */
export const BOOKING = [BookDialog, MoveDialog, CancelDialog, ReadOut, FeeAtClinic];

/** Beneath the header, from which the dialog is opened. */
function MissingInHeader() {
  return (
    <div className={styles.left}>
      <MissingPart />
    </div>
  );
}
