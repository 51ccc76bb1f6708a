import type { Province } from '@clinic/domain';
import type { ClinicRecords } from '../../ports/clinic-records.ts';
import type { Ids } from '../../ports/ids.ts';

export interface Applicant {
  readonly lastName: string;
  readonly birthDate: string;
  readonly card: { readonly province: Province; readonly number: string };
}

/** The number under which the clinic knows, or will know, somebody who signs up. */
export type OwnChart =
  | { readonly kind: 'linked'; readonly chartId: string }
  /** Not in the records yet: the family-doctor question opens the chart under this number (§4). */
  | { readonly kind: 'new'; readonly chartId: string }
  /** Only the clinic can tell whose chart it is. */
  | { readonly kind: 'unclear' };

/** A card and a birth date find a chart; another family name on it is not believed. */
export async function findOwnChart(
  records: Pick<ClinicRecords, 'findChart'>,
  ids: Ids,
  { lastName, birthDate, card }: Applicant,
): Promise<OwnChart> {
  const fresh: OwnChart = { kind: 'new', chartId: newChartNumber(ids) };
  if (card.number === '') return fresh;
  const cardProvince = card.province;
  const found = await records.findChart({ cardProvince, cardNumber: card.number, birthDate });
  if (found.kind === 'none') return fresh;
  if (found.kind === 'many' || folded(found.chart.lastName) !== folded(lastName))
    return { kind: 'unclear' };
  return { kind: 'linked', chartId: found.chart.id };
}

/** Random, so that nobody guesses a neighbour's. */
const newChartNumber = (ids: Ids): string =>
  `W${ids.uuid().replaceAll('-', '').slice(0, 15).toUpperCase()}`;

const folded = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
