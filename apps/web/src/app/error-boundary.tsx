import { Button } from '@clinic/ui/button';
import { Component, type ReactNode } from 'react';
import { t } from '../messages/t.ts';
import { reportFailure } from '../api/report-failure.ts';
import styles from './error-boundary.module.css';

interface ErrorBoundaryProps {
  children: ReactNode;
}

/** The pressed control is gone with the broken page, so the message takes the focus. */
function takeFocus(box: HTMLElement | null): void {
  box?.focus();
}

/** Shows ways on instead of a blank screen when a page breaks or cannot be loaded. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: Error) {
    reportFailure(error.name);
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div ref={takeFocus} className={styles.broken} role="alert" tabIndex={-1}>
        <h1>{t('page.brokenTitle')}</h1>
        <p>{t('page.broken')}</p>
        <div className={styles.ways}>
          <Button onClick={() => window.location.reload()}>{t('page.reload')}</Button>
          <Button variant="secondary" onClick={() => window.location.assign('/')}>
            {t('page.toHome')}
          </Button>
        </div>
      </div>
    );
  }
}
