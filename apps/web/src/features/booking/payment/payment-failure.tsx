import { RotateCw } from 'lucide-react';
import type { CallAnswer } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { t } from '../../../messages/t.ts';
import { ApiError } from '../../../api/api-error.ts';
import { useConfig } from '../../../api/config.ts';
import { ButtonLink } from '../../../shared/shell/button-link.tsx';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import { Page } from '../../../shared/shell/page.tsx';
import styles from '../outcome.module.css';

type Refused = CallAnswer<'charge'>['extras'];

interface PaymentFailureProps {
  /** What the service said of the payment, or why it could not be asked. */
  failure: Refused | Error;
  onRetry: () => void;
}

/** The payment is not confirmed: why, and how to reach the clinic. */
export function PaymentFailure({ failure, onRetry }: PaymentFailureProps) {
  const config = useConfig();
  const declined = !(failure instanceof Error) && failure.code === 'cardDeclined';
  return (
    <Page title={t('payment.failure')} screen="failure">
      <Notice kind="danger" role="alert" unasked>
        <p>{wordsOf(failure)}</p>
        {declined && <p>{t('payment.anotherCard')}</p>}
      </Notice>
      <section className={styles.next}>
        <h2 className={styles.heading}>{t('payment.contact')}</h2>
        <ClinicContact config={config} />
      </section>
      <div className={styles.actions}>
        <ButtonLink to="/">{t('payment.returnHome')}</ButtonLink>
        {mayChange(failure) && (
          <Button
            variant="secondary"
            icon={<RotateCw size={18} aria-hidden="true" />}
            onClick={onRetry}
          >
            {t('ui.tryAgain')}
          </Button>
        )}
      </div>
    </Page>
  );
}

function wordsOf(failure: Refused | Error): string {
  if (!(failure instanceof Error)) return failure.message || t('payment.failed');
  if (!(failure instanceof ApiError) || failure.unreachable) return t('payment.unreachable');
  return failure.serverMessage ?? t('payment.httpError', { status: failure.status });
}

/** Whether asking again may find another answer. */
function mayChange(failure: Refused | Error): boolean {
  if (!(failure instanceof Error)) return failure.code === 'paymentPending';
  return !(failure instanceof ApiError) || failure.unreachable || failure.status >= 429;
}
