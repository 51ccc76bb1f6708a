import type { ClinicConfig } from '@clinic/contract';
import { askedNow } from '@clinic/ui/focus';
import { Field } from '@clinic/ui/field';
import { FailedState } from '@clinic/ui/page-states';
import { Spinner } from '@clinic/ui/spinner';
import type { StripeElementLocale } from '@stripe/stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useImperativeHandle, useState, type ComponentType } from 'react';
import { locale, t } from '../../../messages/t.ts';
import type { CardFormProps, CardOutcome } from './card.ts';
import styles from './card-form.module.css';

type Payments = NonNullable<ClinicConfig['payments']>;

interface CardEntryProps extends CardFormProps {
  payments: Payments;
}

/** The card form of this clinic, loaded when a patient pays. */
export function CardEntry({ payments, ref, busy }: CardEntryProps) {
  const { kind, publishableKey } = payments;
  const loaded = useQuery({
    queryKey: ['card-form', kind, publishableKey],
    queryFn: async () => ({ Form: await loadForm(payments) }),
    structuralSharing: false,
    // A change of language refetches all other queries; this one would lose the card that was typed.
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
  return loadStripeCardForm(publishableKey);
}

const PROVIDER = 'https://js.stripe.com/';
/** How long to wait for the card form before giving up, in milliseconds. */
const LOAD_LIMIT_MS = 20_000;

/** Stripe's own card element: the number goes from its frame to Stripe and nowhere else. */
async function loadStripeCardForm(publishableKey: string): Promise<ComponentType<CardFormProps>> {
  const [{ CardElement, Elements, useElements, useStripe }, { loadStripe }] = await Promise.all([
    import('@stripe/react-stripe-js'),
    import('@stripe/stripe-js/pure'),
  ]);
  // Otherwise Stripe would watch patients on every page they open.
  loadStripe.setLoadParameters({ advancedFraudSignals: false });
  const stripe = await inTime(whileFailuresAreCleared(() => loadStripe(publishableKey)));

  function StripeCard({ ref, busy }: CardFormProps) {
    const stripe = useStripe();
    const elements = useElements();
    const [error, setError] = useState<string | null>(null);

    useImperativeHandle(ref, () => ({
      async createPaymentMethod(): Promise<CardOutcome> {
        const isAwaited = askedNow();
        const card = elements?.getElement(CardElement);
        if (!stripe || !card) return { kind: 'failed', message: t('pay.formFailed') };
        const made = await stripe.createPaymentMethod({ type: 'card', card });
        if (made.paymentMethod) return { kind: 'method', id: made.paymentMethod.id };
        const message = made.error.message ?? t('pay.failed');
        if (made.error.type !== 'validation_error') return { kind: 'failed', message };
        setError(message);
        if (isAwaited()) card.focus();
        return { kind: 'incomplete' };
      },
    }));

    return (
      <Field label={t('pay.card')} error={error}>
        {({ id }) => (
          <CardElement
            id={id}
            className={styles.provider ?? ''}
            options={{ hidePostalCode: true, disableLink: true, disabled: busy, style: LOOK }}
            onChange={(event) => setError(event.error?.message ?? null)}
          />
        )}
      </Field>
    );
  }

  return function StripeCardForm(props: CardFormProps) {
    return (
      <Elements stripe={stripe} options={{ locale: languageOfProvider() }}>
        <StripeCard {...props} />
      </Elements>
    );
  };
}

/** Stripe has all our languages, except test ones derived from English ('en-…'). */
function languageOfProvider(): StripeElementLocale {
  const language = locale();
  return language.startsWith('en') ? 'en' : (language as StripeElementLocale);
}

// Stripe's frame cannot read our CSS tokens; its background stays light in both color schemes.
const LOOK = {
  base: { fontSize: '17px', color: '#1d2b33', '::placeholder': { color: '#55646c' } },
  invalid: { color: '#9d1c17' },
};

/**
 * Removes provider scripts that fail to load. Stripe's loader tries twice, but once load parameters
 * are set it waits forever beside a failed script.
 */
async function whileFailuresAreCleared<T>(load: () => Promise<T>): Promise<T> {
  const clear = ({ target }: Event) => {
    if (target instanceof HTMLScriptElement && target.src.startsWith(PROVIDER)) target.remove();
  };
  document.addEventListener('error', clear, true);
  try {
    return await load();
  } finally {
    document.removeEventListener('error', clear, true);
  }
}

async function inTime<T>(loading: Promise<T>): Promise<T> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error('The card form did not come')), LOAD_LIMIT_MS);
  });
  try {
    return await Promise.race([loading, tooLong]);
  } finally {
    clearTimeout(limit);
  }
}
