/** How a practice card behaves at the practice gateway. */
export const PRACTICE_CARDS = {
  '4242424242424242': 'succeeds',
  '4000000000003220': 'needsBank',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient',
  '4000000000000069': 'expired',
} as const;
export type PracticeCard = (typeof PRACTICE_CARDS)[keyof typeof PRACTICE_CARDS];

/**
 * Turns the number typed into the practice card form into a payment method id, in the browser, so that no
 * card number reaches the service. `nonce` makes the id unique (letters and digits). Null for any other
 * number: the form refuses it, so that nobody types a real card.
 */
export function practicePaymentMethod(cardNumber: string, nonce: string): string | null {
  const digits = cardNumber.replaceAll(/[\s-]/g, '');
  const card = (PRACTICE_CARDS as Readonly<Record<string, PracticeCard>>)[digits];
  return card === undefined ? null : `pm_practice_${card}_${nonce}`;
}

/** The behaviour that a practice payment method encodes; null for any other id. */
export function practiceCardOf(paymentMethodId: string): PracticeCard | null {
  const name = /^pm_practice_([a-zA-Z]+)_[A-Za-z0-9]{1,64}$/.exec(paymentMethodId)?.[1];
  return Object.values(PRACTICE_CARDS).find((card) => card === name) ?? null;
}
