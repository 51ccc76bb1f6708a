import { patientPages } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { focusIfAsked } from '@clinic/ui/focus';
import { Component, type ReactNode } from 'react';
import { t } from '../messages/t.ts';
import { reportFailure } from '../api/report-failure.ts';
import styles from './error-boundary.module.css';

interface ErrorBoundaryProps {
  children: ReactNode;
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
      <div ref={focusIfAsked} className={styles.broken} role="alert" tabIndex={-1}>
        <h1>{t('page.brokenTitle')}</h1>
        <p>{t('page.broken')}</p>
        <div className={styles.ways}>
          <Button onClick={() => window.location.reload()}>{t('page.reload')}</Button>
          <Button variant="secondary" onClick={() => window.location.assign(patientPages.booking)}>
            {t('page.toHome')}
          </Button>
        </div>
      </div>
    );
  }
}
