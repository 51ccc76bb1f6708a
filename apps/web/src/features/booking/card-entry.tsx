import { useQuery } from '@tanstack/react-query';
import type { ClinicConfig } from '@clinic/contract';
import type { ComponentType } from 'react';
import { t } from '../../messages/t.ts';
import { FailedState } from '../../shared/ui/page-states.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import type { CardFormProps } from './card-form.ts';

type Payments = NonNullable<ClinicConfig['payments']>;

interface CardEntryProps extends CardFormProps {
  payments: Payments;
}

/** The card form of this clinic, fetched when somebody pays. */
export function CardEntry({ payments, ref, busy }: CardEntryProps) {
  const { kind, publishableKey } = payments;
  const loaded = useQuery({
    queryKey: ['card-form', kind, publishableKey],
    queryFn: async () => ({ Form: await loadForm(payments) }),
    structuralSharing: false,
    staleTime: Infinity,
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
