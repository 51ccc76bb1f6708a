import type { UnsureChart } from '@clinic/domain';
import type { DemographicRow, Memory } from '@clinic/oscar/fake';
import { validBcNumber } from '@clinic/practice/accounts.ts';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly cardNumber: string;
}
/** A chart as the clinic has it; whoever it was merged into comes next in the list. */
export type Chart = Partial<DemographicRow> & { readonly isMerged?: true };
interface Kind {
  readonly what: string;
  readonly charts: (person: Person, at: number) => readonly Chart[];
  /** 'theirs' is the last of the charts. */
  readonly ends: 'theirs' | 'new' | UnsureChart;
  readonly hasNoCard?: true;
}

const parted = (number: string, by: string) =>
  [number.slice(0, 4), number.slice(4, 7), number.slice(7)].join(by);
const unpadded = ({ birthDate }: Person) => {
  const [, month, day] = birthDate.split('-').map(Number);
  return { dobMonth: String(month), dobDay: String(day) };
};

export const KINDS: readonly Kind[] = [
  { what: 'the number', charts: (p) => [{ hin: p.cardNumber }], ends: 'theirs' },
  { what: 'spaces', charts: (p) => [{ hin: parted(p.cardNumber, ' ') }], ends: 'theirs' },
  { what: 'hyphens', charts: (p) => [{ hin: parted(p.cardNumber, '-') }], ends: 'theirs' },
  { what: 'no province', charts: (p) => [{ hin: p.cardNumber, hcType: '' }], ends: 'theirs' },
  { what: 'NULL as it', charts: (p) => [{ hin: p.cardNumber, hcType: null }], ends: 'theirs' },
  { what: 'no zeros', charts: (p) => [{ hin: p.cardNumber, ...unpadded(p) }], ends: 'theirs' },
  {
    what: 'NULL as the status',
    charts: (p) => [{ hin: p.cardNumber, patientStatus: null }],
    ends: 'theirs',
  },
  {
    what: 'capitals',
    charts: (p) => [{ hin: p.cardNumber, lastName: p.lastName.toUpperCase() }],
    ends: 'theirs',
  },
  {
    what: 'merged into one without a number',
    charts: (p) => [{ hin: p.cardNumber, isMerged: true }, { hin: '' }],
    ends: 'theirs',
  },
  {
    what: 'merged, and both have the number',
    charts: (p) => [{ hin: parted(p.cardNumber, ' '), isMerged: true }, { hin: p.cardNumber }],
    ends: 'theirs',
  },
  { what: 'the name alone', charts: () => [{ hin: '' }], ends: 'alike' },
  {
    what: 'the name alone, no zeros',
    charts: (p) => [{ hin: '', ...unpadded(p) }],
    ends: 'alike',
  },
  {
    what: 'the number and another day of birth',
    charts: (p) => [{ hin: p.cardNumber, dobDay: '28' }],
    ends: 'alike',
  },
  {
    what: 'a number that the patient did not say',
    charts: (p) => [{ hin: p.cardNumber }],
    ends: 'alike',
    hasNoCard: true,
  },
  {
    what: 'the number twice',
    charts: (p) => [{ hin: p.cardNumber }, { hin: parted(p.cardNumber, '-') }],
    ends: 'several',
  },
  {
    what: 'somebody who died',
    charts: (p) => [{ hin: p.cardNumber, patientStatus: 'DE' }],
    ends: 'deceased',
  },
  {
    what: 'somebody who left',
    charts: (p) => [{ hin: p.cardNumber, patientStatus: 'IN' }],
    ends: 'inactive',
  },
  { what: 'nobody', charts: () => [], ends: 'new' },
  {
    what: 'a twin',
    charts: (_, at) => [{ hin: validBcNumber(50_000 + at), firstName: 'Quentin' }],
    ends: 'new',
  },
  {
    what: 'another province’s same number',
    charts: (p) => [
      { hin: p.cardNumber, hcType: 'ON', firstName: 'Olga', lastName: 'Petrov', dobYear: '1931' },
    ],
    ends: 'new',
  },
];

const FIRST = ['Tess', 'Noël', 'Amir', 'Linh', 'Ida', 'José', 'Mary-Ann', 'Wei', 'Zoë', 'Sam'];
const LAST = ['Wong', 'O’Neil', 'Müller', 'de la Cruz', 'Singh', 'Ross', 'Tran', 'Hart', 'Łoś'];

/** Nobody shares a day of birth, so that each is like their own charts alone. */
export function personAt(at: number): Person {
  const [year, day] = [1940 + Math.floor(at / 81), at % 81];
  return {
    firstName: FIRST[at % FIRST.length] ?? '',
    lastName: LAST[at % LAST.length] ?? '',
    birthDate: `${year}-0${1 + Math.floor(day / 9)}-0${1 + (day % 9)}`,
    cardNumber: validBcNumber(10_000 + at),
  };
}

/** Adds a person's charts, and returns their numbers. */
export function addCharts(memory: Memory, person: Person, charts: readonly Chart[]): string[] {
  const [dobYear = '', dobMonth = '', dobDay = ''] = person.birthDate.split('-');
  const { firstName, lastName } = person;
  const rows = charts.map(({ isMerged = false, ...over }) => {
    const row: DemographicRow = {
      demographicNo: memory.nextId(),
      firstName,
      lastName,
      sex: 'U',
      dobYear,
      dobMonth,
      dobDay,
      hin: '',
      hcType: 'BC',
      providerNo: '',
      patientStatus: 'AC',
      email: '',
      phone: '',
      ...over,
    };
    memory.demographics.push(row);
    return { row, isMerged };
  });
  for (const [at, { row, isMerged }] of rows.entries()) {
    const head = rows[at + 1];
    if (isMerged && head) row.headRecord = head.row.demographicNo;
  }
  return rows.map(({ row }) => String(row.demographicNo));
}
