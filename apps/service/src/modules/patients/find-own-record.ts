import type { Province } from '@clinic/domain';
import type { Emr } from '../records/emr.ts';
import type { Ids } from '../../server/ids.ts';

export interface Applicant {
  readonly lastName: string;
  readonly birthDate: string;
  readonly card: { readonly province: Province; readonly number: string };
}

/** The number under which the clinic knows, or will know, somebody who signs up. */
export type OwnRecord =
  | { readonly kind: 'linked'; readonly recordId: string }
  /** Not in the records yet: the family-doctor question opens the record under this number (§4). */
  | { readonly kind: 'new'; readonly recordId: string }
  /** Only the clinic can tell whose record it is. */
  | { readonly kind: 'unclear' };

/** A card and a birth date find a record; another family name on it is not believed. */
export async function findOwnRecord(
  emr: Pick<Emr, 'findRecord'>,
  ids: Ids,
  { lastName, birthDate, card }: Applicant,
): Promise<OwnRecord> {
  const fresh: OwnRecord = { kind: 'new', recordId: newRecordNumber(ids) };
  if (card.number === '') return fresh;
  const cardProvince = card.province;
  const found = await emr.findRecord({ cardProvince, cardNumber: card.number, birthDate });
  if (found.kind === 'none') return fresh;
  if (found.kind === 'many' || folded(found.record.lastName) !== folded(lastName))
    return { kind: 'unclear' };
  return { kind: 'linked', recordId: found.record.id };
}

/** Random, so that nobody guesses a neighbour's. */
const newRecordNumber = (ids: Ids): string =>
  `W${ids.uuid().replaceAll('-', '').slice(0, 15).toUpperCase()}`;

const folded = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
