import type { Tx } from '../../database/db.ts';
import { lockWord } from '../../database/shared-names.store.ts';
import type { Keyring } from '../../security/keyring.ts';

/** A card as it is compared: by province, under each key that a row may still have. */
export interface CardIndexes {
  readonly province: string;
  /** Empty without a card. */
  readonly indexes: readonly Uint8Array[];
}

export const cardIndexes = (
  keyring: Pick<Keyring, 'blindIndexes'>,
  province: string,
  number: string,
): CardIndexes => ({
  province,
  indexes: number === '' ? [] : keyring.blindIndexes('card', number),
});

export const wordOf = (index: Uint8Array): string => Buffer.from(index).toString('base64');

/**
 * Keeps others from making a person of this card or birth date until the transaction ends. It comes before
 * every other lock. The card is locked under each key: what locks it elsewhere may know fewer.
 */
export async function lockPerson(
  tx: Tx,
  { birthDate, card }: { readonly birthDate: string; readonly card: CardIndexes },
): Promise<void> {
  const cards = card.indexes.map((index) => `card:${card.province}:${wordOf(index)}`);
  for (const word of [...cards, `born:${birthDate}`].toSorted()) await lockWord(word, tx);
}
