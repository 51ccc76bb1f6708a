import { useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';

interface DialogProps {
  title: ReactNode;
  children: ReactNode;
  /** Two buttons at most, the one that goes on first. */
  actions?: ReactNode;
  /** Escape, or the phone's way back. Absent: the dialog cannot be closed. */
  onClose?: (() => void) | undefined;
  /** 'alert' interrupts: screen readers read it at once. */
  kind?: 'dialog' | 'alert';
  size?: 'small' | 'large';
}

/** The focus goes to what is marked `data-autofocus`, else to the title; back where it was at the end. */
function openModal(dialog: HTMLDialogElement) {
  dialog.showModal();
  const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector('h2');
  first?.focus();
  return () => dialog.close();
}

/**
 * A modal dialog: rendered while open. The browser's own element keeps the focus inside, makes the
 * rest inert and gives the focus back when it closes.
 */
export function Dialog({
  title,
  children,
  actions,
  onClose,
  kind = 'dialog',
  size = 'small',
}: DialogProps) {
  const id = useId();
  return (
    <dialog
      ref={openModal}
      className={classNames(styles.dialog, styles[size])}
      role={kind === 'alert' ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={size === 'small' ? `${id}-body` : undefined}
      onCancel={(event) => {
        // That of a file chooser comes up from within, and closes the chooser alone.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => {
        // Chromium closes a dialog on the second Escape whatever 'cancel' says.
        if (event.key === 'Escape' && onClose === undefined) event.preventDefault();
      }}
    >
      <div className={styles.frame}>
        <h2 id={`${id}-title`} className={styles.title} tabIndex={-1}>
          {title}
        </h2>
        <div
          id={`${id}-body`}
          className={styles.body}
          {...(size === 'large' && {
            tabIndex: 0,
            role: 'group',
            'aria-labelledby': `${id}-title`,
          })}
        >
          {children}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}
