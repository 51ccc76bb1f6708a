// Whoever may take the page away asks here, and knows nothing of payments.
const underWay = new Set<Promise<unknown>>();

/** While a card is charged nothing may take the page away but the service's own word. */
export function noteCharge<T>(charge: Promise<T>): Promise<T> {
  const noted: Promise<unknown> = charge.finally(() => underWay.delete(noted)).catch(() => {});
  underWay.add(noted);
  return charge;
}

export const isCharging = (): boolean => underWay.size > 0;

/** Resolves when no card is being charged. */
export async function afterCharges(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}
