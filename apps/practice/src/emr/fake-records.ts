import {
  type PatientQuery,
  areLikelyNames,
  foldedName,
  isPhoneEnd,
  nameFits,
} from '@clinic/domain';
import type {
  Chart,
  Emr,
  PatientRecord,
  RecordId,
  RecordQuery,
} from '@clinic/service/modules/records/emr.ts';

// The records of the fake EMR, and how it searches them.

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
function chartOf(record: FakeRecord, records: readonly FakeRecord[]): Chart {
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

const isSearched = (record: FakeRecord, { name, birthDates, number }: PatientQuery): boolean =>
  nameFits(name)(foldedName(record)) &&
  (birthDates.length === 0 || birthDates.some((date) => date === record.birthDate)) &&
  (number === null ||
    number.recordId === record.id.toUpperCase() ||
    number.cards.some((card) => card.number === record.cardNumber) ||
    (number.phoneDigits !== null && isPhoneEnd(record.phone ?? '', number.phoneDigits)));

const fits = (record: FakeRecord, by: RecordQuery): boolean =>
  'id' in by
    ? record.id === by.id
    : record.cardProvince === by.cardProvince &&
      record.cardNumber === by.cardNumber &&
      record.birthDate === by.birthDate;

interface Calls {
  readonly reach: () => Promise<void>;
  readonly writeOnce: <A>(key: string, act: () => A | Promise<A>) => Promise<A>;
}

/** The calls of the fake EMR that read its records, and the one that adds one. */
export const fakeCharts = (
  records: FakeRecord[],
  { reach, writeOnce }: Calls,
): Pick<
  Emr,
  | 'findPatient'
  | 'createPatient'
  | 'chart'
  | 'likelyCharts'
  | 'searchCharts'
  | 'responsibleProvider'
> => ({
  async findPatient(by) {
    await reach();
    const [record, second] = records.filter((each) => fits(each, by));
    if (!record) return { kind: 'none' };
    return second ? { kind: 'many' } : { kind: 'one', record };
  },
  createPatient: (record) =>
    writeOnce(`record:${record.id}`, () => {
      if (records.some(({ id }) => id === record.id)) return 'alreadyThere';
      records.push(record);
      return 'created';
    }),
  async chart(number) {
    await reach();
    const found = records.find(({ id }) => id === number);
    return found ? chartOf(found, records) : null;
  },
  async likelyCharts({ id: own, cardNumber, ...born }) {
    await reach();
    return records
      .filter(({ id }) => id !== own)
      .map((record) => ({ ...record, hasCard: record.cardNumber === cardNumber }))
      .filter(
        ({ hasCard, ...record }) =>
          hasCard || (record.birthDate === born.birthDate && areLikelyNames(record, born)),
      )
      .map(({ hasCard, ...record }) => ({ ...chartOf(record, records), hasCard }));
  },
  async searchCharts(query, most) {
    await reach();
    const found = records
      .filter((record) => isSearched(record, query))
      .map((record) => chartOf(record, records));
    const each = [...new Map(found.map((chart) => [chart.id, chart])).values()];
    return { charts: each.slice(0, most), hasMore: each.length > most };
  },
  async responsibleProvider(id) {
    await reach();
    return records.find((record) => record.id === id)?.providerId ?? null;
  },
});
