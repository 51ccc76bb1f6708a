import { useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { focusByPress } from './focus.ts';

interface DialogProps {
  title: ReactNode;
  children: ReactNode;
  /** Whom, when or how much its buttons act on, where the title does not say so. */
  actsOn?: string | undefined;
  /** Two buttons at most, the main one first. */
  actions?: ReactNode;
  /** Called on Escape or the phone's back gesture. When absent, neither closes the dialog. */
  onClose?: (() => void) | undefined;
  /** 'alert' interrupts: screen readers read it at once. */
  kind?: 'dialog' | 'alert';
  size?: 'small' | 'large';
}

/** Focuses the element with `data-autofocus`, else the title. */
function openModal(dialog: HTMLDialogElement) {
  dialog.showModal();
  const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector('h2');
  focusByPress(first);
  return () => dialog.close();
}

/**
 * A modal dialog; render it only while it is open. The browser's dialog element keeps the focus inside, makes
 * the rest of the page inert and restores the focus when it closes.
 */
export function Dialog({
  title,
  children,
  actsOn = typeof title === 'string' ? title : undefined,
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
      data-acts-on={actsOn}
      aria-labelledby={`${id}-title`}
      aria-describedby={size === 'small' ? `${id}-body` : undefined}
      onCancel={(event) => {
        // A file chooser's cancel bubbles up from within: it closes only the chooser.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => {
        // Chromium closes a dialog on the second Escape even if 'cancel' was prevented.
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
