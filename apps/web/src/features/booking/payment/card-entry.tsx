import { useQuery } from '@tanstack/react-query';
import type { ClinicConfig } from '@clinic/contract';
import { FailedState } from '@clinic/ui/page-states';
import { Spinner } from '@clinic/ui/spinner';
import type { ComponentType, Ref } from 'react';
import { t } from '../../../messages/t.ts';

/** What became of a card that was typed in. */
export type CardOutcome =
  | { readonly kind: 'method'; readonly id: string }
  /** Something is missing or wrong; the form shows what. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'failed'; readonly message: string };

/** A form that takes a card and turns it, in the browser, into a payment method id. */
export interface CardForm {
  readonly createPaymentMethod: () => Promise<CardOutcome>;
}

export interface CardFormProps {
  ref: Ref<CardForm>;
  /** While paying nothing can be changed. */
  busy: boolean;
}

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
