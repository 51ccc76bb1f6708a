import type { Ref } from 'react';

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
