import { patientPages } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { focusIfAsked } from '@clinic/ui/focus';
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

/** The pressed button is gone; screen readers read the box that has the focus. */
function takeFocus(box: HTMLElement | null): void {
  focusIfAsked(box);
  if (document.activeElement === box) box?.scrollIntoView?.({ block: 'center' });
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
          <ButtonLink to={patientPages.appointments}>{t('booking.toAppointments')}</ButtonLink>
          <Button variant="secondary" onClick={onAgain}>
            {t('booking.checkAgain')}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
