import { ApiError } from '@clinic/app/api-error';
import { Outcome } from '@clinic/app/outcome';
import { useClinicNow } from '@clinic/app/use-clock';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { focusIfLost } from '@clinic/ui/focus';
import { Undo2 } from 'lucide-react';
import { ask } from './api.ts';
import styles from './app.module.css';
import { useAction } from './desk-action.tsx';
import { UNDOING, type Undoable, undoButton } from './undo.ts';
import { locale, t } from './words.ts';

/** What the act itself is refused with: nothing that is pressed later changes that. */
const isOver = (error: Error | null) =>
  error instanceof ApiError && [404, 409].includes(error.status);

interface UndoLineProps {
  of: Undoable;
  onUndone?: () => void;
  /** Called once it is read how it ended; without it, it stays. */
  onRead?: () => void;
}

/** Says whom an act is about and that no email has gone out yet, with a button that undoes it while it can be. */
export function UndoLine({ of, onUndone, onRead }: UndoLineProps) {
  const { act, kind, until, whom, start, isTold } = of;
  const now = useClinicNow();
  const what = { whom, when: formatMoment(locale(), start), did: t(`desk.did.${kind}`) };
  const undo = useAction({
    work: () => ask('deskUndo', { params: { act }, body: {} }),
    mutationKey: UNDOING,
    ...(onUndone && { onDone: onUndone }),
    shows: [['day']],
  });
  // Whoever was turned away at the door, as too many are, can press again.
  const isRefused = isOver(undo.error) && !undo.isUnknown;
  // Whoever does not know what became of it may press again: what is undone already is not undone twice.
  const isOffered = !undo.done && !isRefused && (now < until || undo.pending || undo.isUnknown);
  return (
    <div className={styles.undo} role="group" aria-label={t('desk.undoOf', what)}>
      {isOffered && (
        <>
          <p>{t(isTold ? 'desk.notToldYet' : 'desk.notYetFinal', what)}</p>
          <Button
            variant="secondary"
            icon={<Undo2 size={18} aria-hidden="true" />}
            busy={undo.pending}
            busyLabel={t('desk.undoing')}
            actsOn={act}
            onClick={() => undo.run()}
            {...undoButton}
          >
            {t('desk.undo')}
          </Button>
        </>
      )}
      <Outcome of={undo} done={t('desk.undone', what)} />
      {!isOffered && !undo.done && !isRefused && (
        <p ref={focusIfLost} tabIndex={-1}>
          {t(isTold ? 'desk.undoOverTold' : 'desk.undoOver', what)}
        </p>
      )}
      {!isOffered && onRead && (
        <Button variant="quiet" onClick={onRead}>
          {t('desk.undoRead')}
        </Button>
      )}
    </div>
  );
}
