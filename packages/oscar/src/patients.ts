import {
  type DemographicNo,
  type ProviderNo,
  demographicNo,
  isProviderNo,
  providerNo,
} from './alphabets.ts';
import { OscarFault, OscarOutcomeUnknown } from './errors.ts';
import type { Link } from './link.ts';
import { type Fields, fieldsOf, textOf } from './reading.ts';
import { assertFits, columns } from './writing.ts';

interface Card {
  /** Two letters, such as BC; empty where the chart has none. */
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
  /** The chart that OSCAR merged this one into; null where this one stands. */
  readonly mergedInto: DemographicNo | null;
  /** As staff typed it, such as F; empty when not set. */
  readonly sex: string;
  readonly phones: readonly string[];
  readonly email: string;
  /** In one line; empty when the chart has none. */
  readonly address: string;
}

/** What patients are looked for by; all of it must fit. */
export interface PatientSearch {
  /** Of a card: digits and letters. */
  readonly number?: string;
  /** Part of a name; one with less than two letters of A to Z is not asked for. */
  readonly firstName?: string;
  readonly lastName?: string;
  /** 'YYYY-MM-DD'. OSCAR finds it as it has it, with zeros. */
  readonly birthDate?: string;
  /** Digits at the end of a phone number, at least four. */
  readonly phoneEnd?: string;
}

interface Born {
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
}

interface NewPatient extends Born {
  readonly card: Card;
  readonly providerNo: ProviderNo;
  readonly sex: 'M' | 'F' | 'T' | 'O' | 'U';
  readonly email: string;
  readonly phone: string;
  /** The second one of every release; where a mobile phone stands differs. */
  readonly phone2: string;
  readonly address: Address;
  /** The clinic's service programme. In builds that do not find it, nobody sees a record without it. */
  readonly admissionProgramId: number;
}

interface Address {
  readonly address: string;
  readonly city: string;
  /** Two letters; OT for one that is not of Canada. */
  readonly province: string;
  readonly postal: string;
}

/** As many as one search gives; a longer list takes more of them. */
const PAGE = 100;
const ZERO = /-0/;

export function patientCalls({ rest, soap }: Link) {
  /**
   * A page of those with all of these, of whatever status. Texts are compared by LIKE, anywhere in the column.
   * Null where there is too little to ask for: then nothing is asked.
   */
  async function pageOf(by: PatientSearch, start: number): Promise<readonly Patient[] | null> {
    const number = by.number && numberPattern(by.number);
    const [firstName, lastName] = [by.firstName, by.lastName].map((name = '') => pattern(name));
    const born = by.birthDate && `${by.birthDate}T00:00:00`;
    const phone = by.phoneEnd && phonePattern(by.phoneEnd);
    const [gender, city, province, email, alias] = [] as undefined[];
    if (!(number || firstName || lastName || born || phone)) return null;
    const elsewhere = [city, province, phone, email, alias];
    const page = await soap.call({
      service: 'DemographicService',
      operation: 'searchDemographicsByAttributes',
      args: [number, firstName, lastName, gender, born, ...elsewhere, start, PAGE],
    });
    return page.map((row) => patientOf(fieldsOf(row)));
  }

  /** Everybody with all of these. */
  async function withAll(by: PatientSearch): Promise<readonly Patient[]> {
    const all = new Map<DemographicNo, Patient>();
    for (let start = 0; ; start += PAGE) {
      const page = (await pageOf(by, start)) ?? [];
      const before = all.size;
      for (const each of page) all.set(each.no, each);
      if (page.length < PAGE) return [...all.values()];
      if (all.size === before) throw new OscarFault('A list of patients has no end');
    }
  }

  async function patient(no: DemographicNo): Promise<Patient | null> {
    const [found] = await soap.call({
      service: 'DemographicService',
      operation: 'getDemographic',
      args: [no],
    });
    return found === undefined ? null : patientOf(fieldsOf(found));
  }

  return {
    /** By SOAP, which alone says what a chart was merged into. Null when no patient has the number. */
    patient,

    /** A chart and those that it was merged into, one after the other: the last one stands. */
    async merges(no: DemographicNo): Promise<readonly Patient[]> {
      const chain: Patient[] = [];
      for (let next: DemographicNo | null = no; next !== null;) {
        const found: Patient | null = await patient(next);
        if (found === null || chain.some((each) => each.no === found.no)) break;
        chain.push(found);
        next = found.mergedInto;
      }
      return chain;
    },

    /**
     * All patients with this card number, of whatever status and province: clinics store it with spaces or
     * hyphens, and beside any province or none. When there are several, a person must decide: OSCAR allows
     * a number twice, and lists merged charts, too.
     */
    async findByNumber(number: string): Promise<readonly Patient[]> {
      const found = await withAll({ number });
      return found.filter((each) => each.card !== null && isSameNumber(each.card.number, number));
    },

    /**
     * Those born on this date among whom somebody of this name is: OSCAR finds a date as it has it, with
     * zeros, so whoever has it without them is looked for by name. The caller compares the names.
     */
    async findByBirthDate({ birthDate, ...named }: Born): Promise<readonly Patient[]> {
      const [first = ''] = named.firstName.trim().split(' ');
      const last = named.lastName.trim();
      const searches: PatientSearch[] = [{ birthDate }];
      if (ZERO.test(birthDate))
        searches.push({ firstName: first, lastName: last }, { firstName: last, lastName: first });
      const found = (await Promise.all(searches.map(withAll))).flat();
      const born = found.filter((each) => each.birthDate === birthDate);
      return [...new Map(born.map((each) => [each.no, each])).values()];
    },

    /**
     * The first hundred of those who fit, of whatever status, merged charts among them, in OSCAR's order,
     * which is none; `isWhole` is false where there may be more. It finds more than was meant, so that the
     * caller compares. Null where there is too little to ask for: then nothing is asked.
     */
    async search(
      by: PatientSearch,
    ): Promise<{ readonly patients: readonly Patient[]; readonly isWhole: boolean } | null> {
      const patients = await pageOf(by, 0);
      return patients && { patients, isWhole: patients.length < PAGE };
    },

    /** REST only. OSCAR does not check for the same card: search first, one patient at a time. */
    async createPatient(draft: NewPatient): Promise<DemographicNo> {
      const { firstName, lastName, birthDate, card, providerNo: no, admissionProgramId } = draft;
      const { sex, email, phone, phone2, address } = draft;
      assertFits(
        { firstName, lastName, hin: card.number, email, phone, phone2, ...address },
        columns.demographic,
      );
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
          alternativePhone: phone2,
          dobYear: year,
          dobMonth: month,
          dobDay: day,
          hin: card.number,
          hcType: provinceOf(card.province),
          providerNo: no,
          admissionProgramId,
          address,
          previousAddress: {},
          extras: [],
        },
      });
      const written = textOf(((answer ?? {}) as Fields).demographicNo);
      if (!/^[1-9]\d*$/.test(written))
        throw new OscarOutcomeUnknown('The patient was answered without a number');
      return demographicNo(written);
    },
  };
}

function patientOf(row: Fields): Patient {
  const number = textOf(row.hin).trim();
  const provider = textOf(row.providerNo).trim();
  const head = textOf(row.headRecord).trim();
  const filled = (...columns: readonly string[]) =>
    columns.map((each) => textOf(row[each]).trim()).filter((each) => each !== '');
  return {
    no: demographicNo(textOf(row.demographicNo)),
    firstName: textOf(row.firstName).trim(),
    lastName: textOf(row.lastName).trim(),
    birthDate: birthDateOf(row),
    card: number === '' ? null : { number, province: provinceOf(textOf(row.hcType)) },
    patientStatus: textOf(row.patientStatus),
    // Imported charts name doctors whom OSCAR does not have, longer than any number of its own.
    providerNo: isProviderNo(provider) ? providerNo(provider) : null,
    mergedInto: ['', '0'].includes(head) ? null : demographicNo(head),
    sex: textOf(row.sex).trim(),
    phones: [...new Set(filled('phone', 'phone2', 'cellPhone'))],
    email: textOf(row.email).trim(),
    address: filled('address', 'city', 'province', 'postal').join(', '),
  };
}

/** OSCAR has three texts; month and day may lack their leading zero. */
function birthDateOf(row: Fields): string | null {
  const { yearOfBirth: year, monthOfBirth: month, dateOfBirth: day } = row;
  const date = [textOf(year), textOf(month).padStart(2, '0'), textOf(day).padStart(2, '0')];
  return /^\d{4}-\d\d-\d\d$/.test(date.join('-')) ? date.join('-') : null;
}

/** Some records have CA-BC. */
const provinceOf = (text: string) => text.trim().toUpperCase().replace(/^CA-/, '');

const digitsOf = (number: string) => number.replaceAll(/\D/g, '');
/** A pattern of LIKE for a card's number, however it is parted. */
function numberPattern(number: string): string {
  const digits = digitsOf(number);
  return Array.from(digits.length < 6 ? number : digits).join('%');
}

/** A pattern of LIKE for the end of a phone number: four digits, and before them three and three. */
function phonePattern(end: string): string {
  const parts: string[] = [];
  for (let rest = digitsOf(end); rest !== '';) {
    const length = parts.length === 0 ? 4 : 3;
    parts.unshift(rest.slice(-length));
    rest = rest.slice(0, -length);
  }
  return parts.join('%');
}

const lettersOf = (number: string) => number.replaceAll(/[^A-Za-z]/g, '').toUpperCase();

/** By their digits, and by their letters where both have some. */
export function isSameNumber(one: string, other: string): boolean {
  const [letters, others] = [lettersOf(one), lettersOf(other)];
  return (
    digitsOf(one) === digitsOf(other) && (letters === '' || others === '' || letters === others)
  );
}

/** A pattern of LIKE for a name, however OSCAR writes its marks and joins; nothing where too little is left. */
function pattern(name: string): string | undefined {
  const plain = name.normalize('NFC').replaceAll(/[^A-Za-z]+/g, '%');
  return plain.replaceAll('%', '').length < 2 ? undefined : plain;
}
