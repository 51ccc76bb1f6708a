import { type PatientQuery, foldedName, isPhoneEnd, nameFits } from '@clinic/domain';
import type { LikelyRecord, PatientRecord, RecordId } from '@clinic/service/modules/records/emr.ts';

// How the fake EMR searches its records.

export interface FakeRecord extends PatientRecord {
  readonly cardProvince: string;
  readonly cardNumber: string;
  readonly providerId: string | null;
  readonly phone?: string;
  /** 'active' when left out. */
  readonly state?: LikelyRecord['state'];
  /** The record that staff merged this one into. */
  readonly mergedInto?: RecordId;
}

/** The record that stands for this one, with the numbers of those that were merged into it. */
export function wholeOf(
  record: FakeRecord,
  records: readonly FakeRecord[],
): FakeRecord & { readonly numbers: readonly string[] } {
  const into = records.find(({ id }) => id === record.mergedInto);
  if (into !== undefined) return wholeOf(into, records);
  const merged = records.filter(({ mergedInto }) => mergedInto === record.id);
  return { ...record, numbers: [record, ...merged].map(({ id }) => id) };
}

export const shown = ({
  id,
  firstName,
  lastName,
  birthDate,
  state = 'active',
}: Omit<FakeRecord, 'cardProvince' | 'cardNumber'>) => ({
  id,
  firstName,
  lastName,
  birthDate,
  state,
});

export const isSearched = (
  record: FakeRecord,
  { name, birthDate, number }: PatientQuery,
): boolean =>
  nameFits(name)(foldedName(record)) &&
  (birthDate === null || record.birthDate === birthDate) &&
  (number === null ||
    number.recordId === record.id.toUpperCase() ||
    number.cards.some((card) => card.number === record.cardNumber) ||
    (number.phoneEnd !== null && isPhoneEnd(record.phone ?? '', number.phoneEnd)));
