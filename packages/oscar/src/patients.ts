import { type DemographicNo, type ProviderNo, demographicNo, providerNo } from './alphabets.ts';
import { OscarFault, OscarInvalid, OscarOutcomeUnknown } from './errors.ts';
import type { Link } from './link.ts';
import { type Fields, fieldsOf, manyOf, textOf } from './reading.ts';
import { assertFits, assertKnownKeys, columns } from './writing.ts';

export interface Card {
  /** Two letters, such as BC. */
  readonly province: string;
  readonly number: string;
}

export interface Patient {
  readonly no: DemographicNo;
  readonly firstName: string;
  readonly lastName: string;
  /** 'YYYY-MM-DD', or null when the record has none. */
  readonly birthDate: string | null;
  readonly card: Card | null;
  /** Two letters, such as AC for active or DE for deceased; empty when not set. */
  readonly patientStatus: string;
  /** The most responsible provider, who may be a pseudo-provider. */
  readonly providerNo: ProviderNo | null;
}

export interface NewPatient {
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly sex: 'M' | 'F' | 'T' | 'O' | 'U';
  readonly card: Card;
  readonly providerNo?: ProviderNo;
  readonly email?: string;
  readonly phone?: string;
  /** The clinic's service programme. In builds that do not find it, nobody sees a record without it. */
  readonly admissionProgramId: number;
}

const newKeys = [
  'firstName',
  'lastName',
  'birthDate',
  'sex',
  'card',
  'providerNo',
  'email',
  'phone',
];

export function patientCalls({ rest, soap }: Link) {
  /** REST lists either active or inactive patients; a patient without a status is in neither list. */
  async function searched(
    by: { readonly type: 'HIN' | 'DOB'; readonly term: string },
    active: boolean,
  ): Promise<readonly string[]> {
    const answer = await rest.call({
      call: 'demographics/search',
      path: '/demographics/search',
      query: { startIndex: '0', itemsToReturn: '50' },
      // OSCAR requires all six keys.
      body: {
        ...by,
        active,
        integrator: false,
        outofdomain: true,
        params: {},
      },
    });
    return manyOf(fieldsOf(answer).content).map((each) => textOf(each.demographicNo));
  }

  const everybody = async (by: Parameters<typeof searched>[0]) => [
    ...(await searched(by, true)),
    ...(await searched(by, false)),
  ];

  async function candidates(number: string): Promise<readonly string[]> {
    // OSCAR matches the term as a regular expression, anywhere in the number.
    if (soap === null) return everybody({ type: 'HIN', term: `^${number}$` });
    const none = Array.from({ length: 9 }, () => undefined);
    const found = await soap.call({
      service: 'DemographicService',
      operation: 'searchDemographicsByAttributes',
      args: [number, ...none, 0, 20],
    });
    return found.map((each) => textOf(fieldsOf(each).demographicNo));
  }

  async function patient(no: DemographicNo): Promise<Patient | null> {
    const answer = await rest.call({
      call: 'demographics/basic',
      path: `/demographics/basic/${no}`,
    });
    return answer === null ? null : patientOf(fieldsOf(answer));
  }

  return {
    /** By REST's light answer, without every doctor of the clinic. Null when no patient has the number. */
    patient,

    /**
     * All patients with this card, whatever their status. They are compared again here: both searches also
     * find numbers that contain it, and neither checks the province. SOAP takes one call for all statuses;
     * REST takes two, which together miss patients without a status. When there are several, a person must
     * decide: OSCAR allows a number twice.
     */
    async findByCard({ province, number }: Card): Promise<readonly Patient[]> {
      if (!/^[0-9A-Za-z]{4,12}$/.test(number))
        throw new OscarInvalid('A card number is letters and digits');
      const numbers = [...new Set(await candidates(number))];
      const found = await Promise.all(numbers.map(async (no) => patient(demographicNo(no))));
      return found.filter(
        (each) => each?.card?.number === number && each.card.province === provinceOf(province),
      ) as Patient[];
    },

    /** REST: all patients born on this date who have a status. The caller compares the names. */
    async findByBirthDate(birthDate: string): Promise<readonly Patient[]> {
      if (!/^\d{4}-\d\d-\d\d$/.test(birthDate)) throw new OscarInvalid('This is no date');
      const numbers = [...new Set(await everybody({ type: 'DOB', term: birthDate }))];
      const found = await Promise.all(numbers.map(async (no) => patient(demographicNo(no))));
      return found.filter((each) => each?.birthDate === birthDate) as Patient[];
    },

    /** REST only. OSCAR does not check for the same card: search first, one patient at a time. */
    async createPatient(draft: NewPatient): Promise<DemographicNo> {
      assertKnownKeys(draft, [...newKeys, 'admissionProgramId']);
      const { firstName, lastName, birthDate, sex, card, email = '', phone = '' } = draft;
      assertFits({ firstName, lastName, hin: card.number, email, phone }, columns.demographic);
      const [year, month, day] = birthDate.split('-');
      const answer = await rest.call({
        call: 'demographics',
        path: '/demographics',
        writes: true,
        body: {
          firstName,
          lastName,
          sex,
          email,
          phone,
          dobYear: year,
          dobMonth: month,
          dobDay: day,
          hin: card.number,
          hcType: provinceOf(card.province),
          providerNo: draft.providerNo ?? '',
          admissionProgramId: draft.admissionProgramId,
          address: {},
          previousAddress: {},
          extras: [],
        },
      });
      const no = textOf(((answer ?? {}) as Fields).demographicNo);
      if (!/^[1-9]\d*$/.test(no))
        throw new OscarOutcomeUnknown('The patient was answered without a number');
      return demographicNo(no);
    },

    /**
     * REST. Only the number: ask `provider` whether it is a person who works here. The record's own copy of
     * the provider is not reliable.
     */
    async responsibleProvider(no: DemographicNo): Promise<ProviderNo | null> {
      const found = await patient(no);
      if (found === null) throw new OscarFault('OSCAR has no patient with this number');
      return found.providerNo;
    },
  };
}

function patientOf(row: Fields): Patient {
  const number = textOf(row.hin).trim();
  const provider = textOf(row.providerNo).trim();
  return {
    no: demographicNo(textOf(row.demographicNo)),
    firstName: textOf(row.firstName).trim(),
    lastName: textOf(row.lastName).trim(),
    birthDate: birthDateOf(row),
    card: number === '' ? null : { number, province: provinceOf(textOf(row.hcType)) },
    patientStatus: textOf(row.patientStatus),
    providerNo: provider === '' ? null : providerNo(provider),
  };
}

/** OSCAR has three texts; month and day may lack their leading zero. */
function birthDateOf({ dobYear, dobMonth, dobDay }: Fields): string | null {
  const date = [
    textOf(dobYear),
    textOf(dobMonth).padStart(2, '0'),
    textOf(dobDay).padStart(2, '0'),
  ];
  return /^\d{4}-\d\d-\d\d$/.test(date.join('-')) ? date.join('-') : null;
}

/** Some records have CA-BC. */
const provinceOf = (text: string) => text.trim().toUpperCase().replace(/^CA-/, '');
