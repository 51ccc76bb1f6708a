import type { Ref } from 'react';

/** Outcome of turning a typed card into a payment method. */
export type CardOutcome =
  | { readonly kind: 'method'; readonly id: string }
  /** A field is missing or wrong; the form shows which. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'failed'; readonly message: string };

/** A form that takes a card and turns it, in the browser, into a payment method id. */
export interface CardForm {
  readonly createPaymentMethod: () => Promise<CardOutcome>;
}

export interface CardFormProps {
  ref: Ref<CardForm>;
  /** While a payment is under way, nothing can be changed. */
  busy: boolean;
}
