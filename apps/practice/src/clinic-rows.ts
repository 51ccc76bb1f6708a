import {
  ELIGIBILITIES,
  NOT_WORKING,
  SPECIFIED_TYPES,
  type KeptType,
  type Translations,
  STEPS_PER_DAY,
  type ClinicDate,
  type Eligibility,
  addDays,
  dayTemplate,
  stepOfTime,
} from '@clinic/domain';
import type { pharmacy, providerPolicy } from '@clinic/service/schema.ts';

interface Provider {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly status?: string;
  readonly policy?: Omit<typeof providerPolicy.$inferInsert, 'providerId'>;
}

const PROVIDERS: readonly Provider[] = [
  { id: '101', firstName: 'Amelia', lastName: 'Stone' },
  { id: '102', firstName: 'Rahul', lastName: 'Mehta' },
  { id: '103', firstName: 'Grace', lastName: 'Liu', policy: { familyOnly: true } },
  { id: '104', firstName: 'Owen', lastName: 'Price', policy: { noPcp: true } },
  {
    id: '105',
    firstName: 'Hana',
    lastName: 'Kim',
    policy: { disabled: true, comment: 'Your assigned provider is not active' },
  },
  { id: '106', firstName: 'Jordan NP', lastName: 'Avery' },
  { id: '107', firstName: 'Peter', lastName: 'Novak', policy: { hidden: true } },
  {
    id: '108',
    firstName: 'Lucia',
    lastName: 'Romero',
    policy: { comment: 'Away in the afternoons' },
  },
  { id: '109', firstName: 'Tom', lastName: 'Baker', status: '0' },
];

/** The provider who has no time at first, and for how many days after the first start. */
const NOTHING_AT_FIRST = { id: '102', days: 8 };
/** From this day after the first start, the third hour has the code A instead of D. */
const ANY_FROM_DAY = 20;

const HOURS = ['08', '09', '10', '11', '13', '14', '15', '16', '17'] as const;
const WEDNESDAY = 3;
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

export const providerRows = () =>
  PROVIDERS.map(({ id, firstName, lastName, status = '1' }) => ({
    id,
    firstName,
    lastName,
    status,
  }));

export const policyRows = () => PROVIDERS.map(({ id, policy }) => ({ providerId: id, ...policy }));

/** The same codes on every day of the week, except that 101 has immigration exams on Wednesday mornings. */
export const templateRows = (today: ClinicDate) =>
  PROVIDERS.flatMap(({ id }) =>
    WEEKDAYS.flatMap((weekday) => [
      { providerId: id, weekday, validFrom: today, codes: codesFor(id, weekday, 'D') },
      {
        providerId: id,
        weekday,
        validFrom: addDays(today, ANY_FROM_DAY),
        codes: codesFor(id, weekday, 'A'),
      },
    ]),
  );

export const exceptionRows = (today: ClinicDate) =>
  Array.from({ length: NOTHING_AT_FIRST.days + 1 }, (_, ahead) => ({
    providerId: NOTHING_AT_FIRST.id,
    clinicDate: addDays(today, ahead),
    codes: NOT_WORKING.repeat(STEPS_PER_DAY),
  }));

function codesFor(id: string, weekday: number, third: 'D' | 'A'): string {
  if (id === '106') return hours(HOURS.map((_, hour) => (hour % 2 === 0 ? 'O' : 'P')));
  const day: string[] = ['O', 'P', third, 'O', 'V', 'P', 'I', 'D', 'Q'];
  if (id === '101' && weekday === WEDNESDAY) day.splice(0, 2, 'M', 'M');
  return hours(id === '108' ? day.slice(0, 4) : day);
}

function hours(codes: readonly string[]): string {
  return dayTemplate(
    codes.map((code, hour) => {
      const from = stepOfTime(`${HOURS[hour]}:00`);
      return { code, from, to: from + 12 };
    }),
  );
}

const forAll = (dollars: number) => ({ E: dollars, NR: dollars, R: dollars, NE: dollars });
const covered = { E: 0, NR: 10, R: 200, NE: 200 };

/** In dollars, by type and eligibility. Types not listed here use `covered`. */
const FEES: Readonly<Record<string, Readonly<Record<Eligibility, number>>>> = {
  PP: forAll(75),
  V: forAll(200),
  D: forAll(150),
  M: forAll(250),
  G: forAll(250),
  F: forAll(0),
};

/** A draft for the clinic's counsel. */
const NOTICE_P_NE =
  'DRAFT. By order of the Ministry of Health, a phone consultation for a patient without coverage is a private service. Its fee is not refunded by any public plan. Choose an in-person visit if you need a referral.';

const IN_FRENCH: Readonly<Record<string, string>> = {
  O: 'Consultation en personne',
  P: 'Consultation téléphonique',
  PP: 'Consultation téléphonique privée',
  V: 'Consultation privée',
  I: 'Consultation pour une blessure (ICBC)',
  D: 'Examen médical du conducteur',
  M: 'Examen médical d’immigration',
  G: 'Examen médical d’immigration (autre)',
  F: 'Renouvellement d’ordonnance',
};

export const typeRows = () =>
  SPECIFIED_TYPES.map((row, position) => ({
    ...row,
    translations: translationsOf(row),
    position,
  }));

function translationsOf({ code, description }: KeptType): Translations | null {
  const fr = IN_FRENCH[code];
  return fr === undefined ? null : { of: description, fr };
}

export const feeRows = (validFrom: ClinicDate) =>
  SPECIFIED_TYPES.flatMap(({ code }) =>
    ELIGIBILITIES.map((eligibility) => ({
      type: code,
      eligibility,
      validFrom,
      chargeCents: (FEES[code] ?? covered)[eligibility] * 100,
      notice: code === 'P' && eligibility === 'NE' ? NOTICE_P_NE : null,
    })),
  );

/** Name, street, city and postal code, all invented. Phone numbers are of the fictitious range 555-01xx. */
const PHARMACIES: readonly (readonly [name: string, street: string, place: string])[] = [
  ['Harbour Light Pharmacy', '118 Cordova Quay', 'Vancouver, BC V6B 1A1'],
  ['Kitsilano Corner Drugs', '2207 Yewtree Street', 'Vancouver, BC V6K 2B2'],
  ['Main and Maple Pharmacy', '3390 Maple Row', 'Vancouver, BC V5V 3C3'],
  ['Gastown Apothecary', '41 Steamclock Lane', 'Vancouver, BC V6B 4D4'],
  ['Fraser Village Pharmacy', '5123 Village Walk', 'Vancouver, BC V5W 5E5'],
  ['Marpole Family Pharmacy', '8702 Orchard Street', 'Vancouver, BC V6P 6G6'],
  ['Commercial Lane Drugs', '1644 Larkspur Lane', 'Vancouver, BC V5L 7H7'],
  ['Point Heron Pharmacy', '4410 Heron Avenue', 'Vancouver, BC V6R 8J8'],
  ['Metro Willow Pharmacy', '4820 Willowbank Way', 'Burnaby, BC V5H 1K1'],
  ['Brentwood Gate Drugs', '1901 Gatehouse Road', 'Burnaby, BC V5C 2L2'],
  ['Lougheed Pines Pharmacy', '9605 Pinecrest Drive', 'Burnaby, BC V3J 3M3'],
  ['Deer Lake Apothecary', '6344 Lakeview Path', 'Burnaby, BC V5G 4N4'],
  ['Royal Quayside Pharmacy', '810 Quayside Steps', 'New Westminster, BC V3M 5P5'],
  ['Sapperton Hill Drugs', '402 Brewery Rise', 'New Westminster, BC V3L 6R6'],
  ['Steveston Wharf Pharmacy', '12011 Cannery Street', 'Richmond, BC V7E 1S1'],
  ['Blundell Park Drugs', '8140 Parkside Road', 'Richmond, BC V6Y 2T2'],
  ['Bridgeport Market Pharmacy', '9022 Market Gate', 'Richmond, BC V6X 3V3'],
  ['Tsawwassen Sands Pharmacy', '1255 Sandpiper Way', 'Delta, BC V4L 4W4'],
  ['Ladner Landing Drugs', '4873 Landing Street', 'Delta, BC V4K 5X5'],
  ['Guildford Cedar Pharmacy', '15220 Cedarwood Avenue', 'Surrey, BC V3R 6Y6'],
  ['Newton Crossing Drugs', '7301 Crossing Street', 'Surrey, BC V3W 7Z7'],
  ['Cloverdale Mill Pharmacy', '17640 Millstone Road', 'Surrey, BC V3S 8A8'],
  ['Semiahmoo Bay Pharmacy', '1512 Bayview Crescent', 'White Rock, BC V4B 9B9'],
  ['Walnut Grove Drugs', '20988 Walnut Avenue', 'Langley, BC V1M 1C2'],
  ['Fort Bend Pharmacy', '9111 Riverbend Street', 'Langley, BC V1M 2E3'],
  ['Port Moody Inlet Pharmacy', '2640 Inlet Walk', 'Port Moody, BC V3H 3G4'],
  ['Burke Mountain Drugs', '1330 Mountain Ash Way', 'Coquitlam, BC V3E 4H5'],
  ['Mary Hill Pharmacy', '1860 Hilltop Drive', 'Port Coquitlam, BC V3C 5J6'],
  ['Lonsdale Steps Pharmacy', '133 Funicular Lane', 'North Vancouver, BC V7M 6K7'],
  ['Ambleside Shore Drugs', '1477 Shoreline Avenue', 'West Vancouver, BC V7T 7L8'],
];

export const pharmacyRows = (): (typeof pharmacy.$inferInsert)[] =>
  PHARMACIES.map(([name, street, place], n) => {
    const number = String(100 + n).padStart(4, '0');
    return {
      id: `ph-${String(n + 1).padStart(2, '0')}`,
      name,
      address: `${street}, ${place}`,
      phone: `604-555-${number}`,
      fax: `778-555-${number}`,
    };
  });
