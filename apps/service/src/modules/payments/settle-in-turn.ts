import type { PaymentPorts } from './ports.ts';
import { settle } from './settle.ts';
import type { Settled } from './settle.ts';

const MOST_PAUSES = 100;

/** Settles a payment when whoever is at it is done; null when that takes too long. */
export async function settleInTurn(ports: PaymentPorts, id: string): Promise<Settled | null> {
  for (let pauses = 0; ; pauses += 1) {
    const settled = await settle(ports, id);
    if (settled !== null || pauses === MOST_PAUSES) return settled;
    await ports.pause();
  }
}
