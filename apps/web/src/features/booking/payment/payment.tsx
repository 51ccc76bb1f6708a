import { formatMoney } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { Spinner } from '@clinic/ui/spinner';
import { CreditCard, ShieldCheck } from 'lucide-react';
import { Suspense, lazy, type ComponentType } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ClinicConfig } from '@clinic/contract';
import { FailedState } from '@clinic/ui/page-states';
import { locale, t } from '../../../messages/t.ts';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import step from '../step.module.css';
import type { BookingData } from '../booking-data.ts';
import type { Draft, OpenJourney } from '../journey.ts';
import { Checking } from '../confirm/checking.tsx';
import { HoldNotice, type HoldState } from '../appointment-summary.tsx';
import { useBackCloses } from '../use-journey.ts';
import './payment-words.ts';
import styles from './payment.module.css';
import { usePayment, type CardFormProps } from './use-payment.ts';

// Only a price that changed on the way is warned of here.
const FeeWarningDialog = lazy(async () => {
  const { FeeWarningDialog } = await import('../confirm/confirm-dialogs.tsx');
  return { default: FeeWarningDialog };
});

// What an upload check that failed before did not ask for.
const UploadDocumentDialog = lazy(async () => {
  const { UploadDocumentDialog } = await import('../../../shared/files/upload-document-dialog.tsx');
  return { default: UploadDocumentDialog };
});

interface PaymentProps extends OpenJourney {
  data: BookingData;
  draft: Extract<Draft, { step: 'payment' }>;
  hold: HoldState;
}

/** The fee is paid by card, and the appointment booked with it. */
export function Payment({ data: { config }, draft, hold, journey, send }: PaymentProps) {
  const { view, busy, card, pay, acceptFee, uploaded, checkAgain, close } = usePayment({
    draft,
    journey,
    send,
  });
  const { problem, unsettled } = view;
  const [document] = view.missing;
  useBackCloses(view.warning || document !== undefined, busy ? null : close);
  return (
    <>
      {unsettled && <Checking unknown={unsettled.unknown} onAgain={checkAgain} />}
      {/* Out of sight meanwhile: what was typed into it is kept. */}
      <div hidden={unsettled !== null}>
        <form
          noValidate
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            pay();
          }}
        >
          <Card>
            <dl className={styles.total}>
              <dt>{t('pay.total')}</dt>
              <dd className={styles.amount}>{formatMoney(locale(), draft.chargeCents)}</dd>
            </dl>
            <div className={step.privacy}>
              <ShieldCheck size={22} aria-hidden="true" />
              <p>{t('pay.explained')}</p>
            </div>
          </Card>
          <section aria-labelledby="pay-by-card" className={styles.card}>
            <h2 id="pay-by-card" className={styles.heading}>
              {t('pay.byCard')}
            </h2>
            {config === null && <Spinner label={t('pay.formLoading')} />}
            {config?.payments && <CardEntry payments={config.payments} ref={card} busy={busy} />}
            {config?.payments === null && (
              <Notice kind="caution">
                <p>{t('pay.unavailable')}</p>
                <ClinicContact config={config} />
              </Notice>
            )}
          </section>
          {/* Beside the button: on a phone the top is out of sight. */}
          {!busy && <HoldNotice draft={draft} state={hold} journey={journey} send={send} />}
          {problem !== null && (
            <Notice kind="danger" title={t('pay.notPaid')} role="alert">
              <p>{problem.message}</p>
              {problem.needsClinic && <ClinicContact config={config} />}
            </Notice>
          )}
          <div className={step.actions}>
            <Button
              type="submit"
              busy={busy}
              busyLabel={t('pay.paying')}
              icon={<CreditCard size={20} aria-hidden="true" />}
            >
              {t('pay.payOnline')}
            </Button>
            <Button variant="secondary" disabled={busy} onClick={() => send({ type: 'back' })}>
              {t('booking.back')}
            </Button>
          </div>
          {document !== undefined && (
            <Suspense fallback={null}>
              <UploadDocumentDialog
                kind={document}
                onUploaded={() => uploaded(document)}
                onCancel={close}
              />
            </Suspense>
          )}
          {view.warning && (
            <Suspense fallback={null}>
              <FeeWarningDialog
                cents={draft.chargeCents}
                config={config}
                busy={busy}
                onAccept={acceptFee}
                onCancel={close}
              />
            </Suspense>
          )}
        </form>
      </div>
    </>
  );
}

type Payments = NonNullable<ClinicConfig['payments']>;

interface CardEntryProps extends CardFormProps {
  payments: Payments;
}

/** The card form of this clinic, fetched when somebody pays. */
function CardEntry({ payments, ref, busy }: CardEntryProps) {
  const { kind, publishableKey } = payments;
  const loaded = useQuery({
    queryKey: ['card-form', kind, publishableKey],
    queryFn: async () => ({ Form: await loadForm(payments) }),
    structuralSharing: false,
    // Another language, which asks all else anew, takes away no card that was typed.
    staleTime: 'static',
    retry: false,
  });
  if (loaded.data) return <loaded.data.Form ref={ref} busy={busy} />;
  if (loaded.isError)
    return (
      <FailedState busy={loaded.isFetching} onRetry={() => void loaded.refetch()}>
        {t('pay.formFailed')}
      </FailedState>
    );
  return <Spinner label={t('pay.formLoading')} />;
}

async function loadForm({ kind, publishableKey }: Payments): Promise<ComponentType<CardFormProps>> {
  if (kind === 'practice') return (await import('./practice-card-form.tsx')).PracticeCardForm;
  if (publishableKey === null) throw new Error('The card provider has no key here');
  return (await import('./stripe-card-form.tsx')).loadStripeCardForm(publishableKey);
}
