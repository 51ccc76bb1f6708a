import { Button } from '@clinic/ui/button';
import { X } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import styles from './side-panel.module.css';
import { t } from './words.ts';

interface SidePanelProps {
  /** Absent while it is loading. */
  title: string | undefined;
  /** Whom, when or how much its buttons change. */
  actsOn: string | undefined;
  /** For the heading, which takes the focus as the panel opens. */
  comeIn: Ref<HTMLHeadingElement> | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** What was opened of a list or sheet, beside it. Escape closes it. */
export function SidePanel({ title, actsOn, comeIn, onClose, children }: SidePanelProps) {
  const titleId = useId();
  return (
    <aside
      className={styles.panel}
      aria-labelledby={title && titleId}
      data-acts-on={actsOn}
      onKeyDown={(event) => {
        // Escape in a dialog closes only the dialog.
        const isInDialog = (event.target as Element).closest('dialog') !== null;
        if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog) onClose();
      }}
    >
      <div className={styles.head}>
        {title !== undefined && (
          <h2 id={titleId} tabIndex={-1} ref={comeIn}>
            {title}
          </h2>
        )}
        <Button variant="quiet" icon={<X size={18} aria-hidden="true" />} onClick={onClose}>
          {t('desk.close')}
        </Button>
      </div>
      {children}
    </aside>
  );
}
