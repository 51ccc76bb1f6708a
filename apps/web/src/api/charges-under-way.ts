// Code that may leave the page checks this set, without depending on the payment code.
const underWay = new Set<Promise<unknown>>();

/** Registers a running charge: until it ends, only the service's own word may take the page away. */
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
