import { classNames } from '@clinic/ui/class-names';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { useConfig } from '../../api/config.ts';
import { isUntouched } from '../navigation.ts';
import styles from './page.module.css';

interface PageProps {
  /** The heading, and the name in the browser's tab. */
  title: string;
  /** 'wide' leaves room for a summary beside the form, 'narrow' holds a few fields. */
  width?: 'narrow' | 'form' | 'wide';
  /** Stands above the heading, such as the steps of a journey. */
  before?: ReactNode;
  /** A sentence beneath the heading. */
  lead?: ReactNode;
  /**
   * Changes when the same page becomes another screen: the heading then takes the focus, as it does
   * when the patient comes from another page.
   */
  screen?: string;
  children?: ReactNode;
}

/** The frame of every page: one heading that is announced, one title, one column. */
export function Page({ title, width = 'form', before, lead, screen, children }: PageProps) {
  const config = useConfig();
  // Nothing was read here before; else what had the focus is about to go.
  const [first] = useState(() => isUntouched() && document.activeElement === document.body);
  const shown = useRef(first ? screen : null);

  const arrive = useCallback(
    (heading: HTMLElement | null) => {
      if (heading === null || shown.current === screen) return;
      shown.current = screen;
      // What is being said is read to its end: maintenance, or why the patient was brought here.
      if (document.activeElement?.closest('[role="alertdialog"], [role="alert"]')) return;
      heading.focus({ preventScroll: true });
      window.scrollTo?.({ top: 0 });
    },
    [screen],
  );

  return (
    <div className={classNames(styles.page, styles[width])}>
      <title>{config ? t('page.title', { page: title, clinic: config.clinicName }) : title}</title>
      {before}
      <div className={styles.head}>
        <h1 ref={arrive} tabIndex={-1} className={styles.heading}>
          {title}
        </h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {children}
    </div>
  );
}
