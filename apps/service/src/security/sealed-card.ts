import type { Keyring } from './keyring.ts';

export interface SealedCard {
  readonly cardSealed: Uint8Array;
  readonly cardIndex: Uint8Array;
}

const NO_CARD = { cardSealed: null, cardIndex: null };

/** A health number, normalised before, as the database keeps it: sealed, found by its index. */
export function sealedCard(
  keyring: Keyring,
  ownerId: string,
  number: string,
): { readonly patient: SealedCard | typeof NO_CARD; readonly record: SealedCard | typeof NO_CARD } {
  if (number === '') return { patient: NO_CARD, record: NO_CARD };
  const cardIndex = keyring.blindIndex('card', number);
  const sealedFor = (context: string) => ({
    cardSealed: keyring.seal(`${context}:${ownerId}`, number),
    cardIndex,
  });
  // Older values are bound to these words, whatever the tables are called.
  return { patient: sealedFor('patient.card'), record: sealedFor('chart.card') };
}

/** The number of a patient's card, or '' without one. */
export function openCard(keyring: Keyring, patientId: string, sealed: Uint8Array | null): string {
  return sealed === null ? '' : keyring.open(`patient.card:${patientId}`, sealed);
}
