import { isBcHealthNumber } from '@clinic/domain';
import type { patient } from '@clinic/service/schema.ts';

/** An account of the practice clinic; fields that are not set have ordinary values. */
export interface PracticeAccount {
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly sex: string;
  readonly cardProvince: string;
  readonly cardNumber: string;
  /** The most responsible provider; null for none, false when there is no record at all. */
  readonly primaryDoctor: string | null | false;
  readonly row: Partial<typeof patient.$inferInsert>;
  /** True for a sign-up that is not confirmed yet: it is no account, and never expires. */
  readonly isPending: boolean;
}

const birthDates = ['1990-02-03', '1979-11-21', '1988-06-30', '1967-01-15', '1995-09-08'];

/** The nth invented BC health number with a valid check digit; different for each n. */
export function validBcNumber(n: number): string {
  for (let serial = n * 11; ; serial++) {
    const start = `9${String(20_000_000 + serial).padStart(8, '0')}`;
    for (let check = 0; check < 10; check++)
      if (isBcHealthNumber(`${start}${check}`)) return `${start}${check}`;
  }
}

let serial = 0;
function account(
  name: string,
  fullName: string,
  over: Partial<Omit<PracticeAccount, 'name' | 'firstName' | 'lastName'>> = {},
): PracticeAccount {
  const [firstName = '', lastName = ''] = fullName.split(' ');
  serial++;
  return {
    name,
    firstName,
    lastName,
    birthDate: birthDates[serial % birthDates.length] ?? '1990-02-03',
    sex: serial % 2 === 0 ? 'Female' : 'Male',
    cardProvince: 'BC',
    cardNumber: validBcNumber(serial),
    primaryDoctor: '101',
    row: {},
    isPending: false,
    ...over,
  };
}

const uploaded = { healthCardUploaded: true, pictureIdUploaded: true };

/** All accounts have the password `Practice-2026`. */
export const ACCOUNTS: readonly PracticeAccount[] = [
  account('casey', 'Casey Morgan', {
    birthDate: '1984-05-17',
    cardNumber: '9876543218',
    row: { blockedProviders: ['108'] },
  }),
  account('vera', 'Vera Singh', { birthDate: '1990-02-03', sex: 'Female' }),
  account('nora', 'Nora Bell', {
    cardProvince: 'AB',
    cardNumber: '512345679',
    row: { eligibility: 'NR', ...uploaded },
  }),
  account('riley', 'Riley Chen', {
    cardProvince: 'QC',
    cardNumber: 'CHER85123456',
    row: { eligibility: 'R' },
  }),
  account('rosa', 'Rosa Ibarra', {
    cardProvince: 'Other',
    cardNumber: '',
    row: { eligibility: 'R', ...uploaded },
  }),
  account('noel', 'Noel Fraser', {
    cardProvince: 'Other',
    cardNumber: '',
    row: { eligibility: 'NE' },
  }),
  account('fran', 'Fran Dubois', { primaryDoctor: null, row: { familyDoctor: true } }),
  account('ines', 'Ines Costa', { primaryDoctor: '109' }),
  account('tess', 'Tess Wong', { primaryDoctor: false }),
  account('two', 'Theo Nilsen'),
  account('soon', 'Sonja Ek'),
  account('dee', 'Dee Park', { birthDate: '2012-08-30', row: { disabledTypes: ['D'] } }),
  account('bo', 'Bo Larsen', { row: { bookingBlocked: true } }),
  account('cleo', 'Cleo Adams', { row: { blocked: true } }),
  account('ida', 'Ida Novotna', { row: { visibility: [] } }),
  account('uma', 'Uma Das', { isPending: true }),
  account('una', 'Una Petrov', { row: { shouldUpdate: true } }),
  account('sam', 'Sam Staff', { row: { role: 'staff' } }),
  ...['Ari', 'Bea', 'Cem', 'Dov', 'Eva', 'Finn', 'Gil', 'Hope', 'Ivo'].map((firstName, n) =>
    account(`new${n + 1}`, `${firstName} Newcomer`),
  ),
];
