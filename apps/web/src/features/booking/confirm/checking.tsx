import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { t } from '../../../messages/t.ts';
import { ButtonLink } from '../../../shared/shell/button-link.tsx';
import styles from './checking.module.css';

interface CheckingProps {
  /** What the patient reads once polling has ended; null while the page still polls. */
  unknown: string | null;
  onAgain: () => void;
}

/** Takes the focus, since the pressed button is gone; screen readers then read the box. */
function takeFocus(box: HTMLElement | null): void {
  box?.focus({ preventScroll: true });
  box?.scrollIntoView?.({ block: 'center' });
}

/** Replaces a form whose request has an unknown outcome, so that nothing else can be pressed. */
export function Checking({ unknown, onAgain }: CheckingProps) {
  if (unknown === null)
    return (
      <div key="checking" ref={takeFocus} tabIndex={-1} className={styles.box}>
        <Notice title={t('booking.weAreChecking')} role="status">
          <p>{t('booking.checkingText')}</p>
          <Spinner />
        </Notice>
      </div>
    );
  return (
    <div key="unknown" ref={takeFocus} tabIndex={-1} className={styles.box}>
      <Notice kind="caution" role="alert" unasked>
        <p>{unknown}</p>
        <div className={styles.actions}>
          <ButtonLink to="/appointments">{t('booking.toAppointments')}</ButtonLink>
          <Button variant="secondary" onClick={onAgain}>
            {t('booking.checkAgain')}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
