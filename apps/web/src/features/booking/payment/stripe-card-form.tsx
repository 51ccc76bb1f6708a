import { Field } from '@clinic/ui/field';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { StripeElementLocale } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useImperativeHandle, useState, type ComponentType } from 'react';
import { locale, t } from '../../../messages/t.ts';
import type { CardFormProps, CardOutcome } from './use-payment.ts';
import styles from './card-form.module.css';

const PROVIDER = 'https://js.stripe.com/';
/** A script that neither comes nor fails is given up after this long. */
const LOAD_LIMIT_MS = 20_000;

// Without it the provider would watch patients on every page they open.
loadStripe.setLoadParameters({ advancedFraudSignals: false });

/** Stripe's own card element: the number goes from its frame to Stripe and nowhere else. */
export async function loadStripeCardForm(
  publishableKey: string,
): Promise<ComponentType<CardFormProps>> {
  const stripe = await inTime(whileFailuresAreCleared(() => loadStripe(publishableKey)));
  return function StripeCardForm(props: CardFormProps) {
    return (
      <Elements stripe={stripe} options={{ locale: languageOfProvider() }}>
        <StripeCard {...props} />
      </Elements>
    );
  };
}

/** Every language of ours is one of Stripe's, but for those made from English to try pages with. */
function languageOfProvider(): StripeElementLocale {
  const language = locale();
  return language.startsWith('en') ? 'en' : (language as StripeElementLocale);
}

function StripeCard({ ref, busy }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [error, setError] = useState<string | null>(null);

  useImperativeHandle(ref, () => ({
    async createPaymentMethod(): Promise<CardOutcome> {
      const card = elements?.getElement(CardElement);
      if (!stripe || !card) return { kind: 'failed', message: t('pay.formFailed') };
      const made = await stripe.createPaymentMethod({ type: 'card', card });
      if (made.paymentMethod) return { kind: 'method', id: made.paymentMethod.id };
      const message = made.error.message ?? t('pay.failed');
      if (made.error.type !== 'validation_error') return { kind: 'failed', message };
      setError(message);
      card.focus();
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

// The frame knows nothing of our tokens; its ground stays light in both schemes.
const LOOK = {
  base: { fontSize: '17px', color: '#1d2b33', '::placeholder': { color: '#55646c' } },
  invalid: { color: '#9d1c17' },
};

/**
 * The loader tries twice, but with load parameters it waits for ever beside a script that failed:
 * a failed one is taken out before the loader hears of it.
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
