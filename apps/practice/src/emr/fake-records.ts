import { type PatientQuery, foldedName, isPhoneEnd, nameFits } from '@clinic/domain';
import type { Chart, PatientRecord, RecordId } from '@clinic/service/modules/records/emr.ts';

// How the fake EMR searches its records.

export interface FakeRecord extends PatientRecord {
  readonly cardProvince: string;
  readonly cardNumber: string;
  readonly providerId: string | null;
  readonly phone?: string;
  /** 'active' when left out. */
  readonly state?: Chart['state'];
  /** The record that staff merged this one into. */
  readonly mergedInto?: RecordId;
}

/** The chart that stands for this record. */
export function chartOf(record: FakeRecord, records: readonly FakeRecord[]): Chart {
  const into = records.find(({ id }) => id === record.mergedInto);
  if (into !== undefined) return chartOf(into, records);
  const merged = records.filter(({ mergedInto }) => mergedInto === record.id);
  const { id, firstName, lastName, birthDate, cardProvince, cardNumber } = record;
  return {
    id,
    numbers: [record, ...merged].map((each) => each.id),
    firstName,
    lastName,
    birthDate,
    card: cardNumber === '' ? null : { province: cardProvince, number: cardNumber },
    sex: '',
    phones: record.phone === undefined ? [] : [record.phone],
    email: '',
    address: '',
    state: record.state ?? 'active',
  };
}

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
