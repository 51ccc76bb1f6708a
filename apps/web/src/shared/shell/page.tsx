import { classNames } from '@clinic/ui/class-names';
import { focusIfAsked } from '@clinic/ui/focus';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { useConfig } from '../../api/config.ts';
import { isUntouched } from '../navigation.ts';
import styles from './page.module.css';

interface PageProps {
  /** The heading, and the title of the browser's tab. */
  title: string;
  /** 'wide' leaves room for a summary beside the form; 'narrow' fits a few fields. */
  width?: 'narrow' | 'form' | 'wide';
  /** Shown above the heading, such as the steps of a journey. */
  before?: ReactNode;
  /** A sentence beneath the heading. */
  lead?: ReactNode;
  /**
   * Changes when the same page becomes another screen: the heading then takes the focus, as on
   * arrival from another page.
   */
  screen?: string;
  children?: ReactNode;
}

/** The frame of every page: heading, document title and one column. */
export function Page({ title, width = 'form', before, lead, screen, children }: PageProps) {
  const config = useConfig();
  // On the first page loaded the heading does not take the focus: nothing was read or focused before.
  const [first] = useState(() => isUntouched() && document.activeElement === document.body);
  const shown = useRef(first ? screen : null);

  const arrive = useCallback(
    (heading: HTMLElement | null) => {
      if (heading === null || shown.current === screen) return;
      shown.current = screen;
      // Do not interrupt an alert that is being read: maintenance, or why the patient was brought here.
      if (document.activeElement?.closest('[role="alertdialog"], [role="alert"]')) return;
      focusIfAsked(heading);
      if (document.activeElement === heading) window.scrollTo?.({ top: 0 });
    },
    [screen],
  );

  const tab = config ? t('page.title', { page: title, clinic: config.clinicName }) : title;
  // A <title> here would stand beside the one of index.html.
  useEffect(() => {
    document.title = tab;
  }, [tab]);

  return (
    <div className={classNames(styles.page, styles[width])}>
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
