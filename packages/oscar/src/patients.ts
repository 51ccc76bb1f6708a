import { type DemographicNo, type ProviderNo, demographicNo } from './alphabets.ts';
import { OscarFault } from './errors.ts';
import type { Link } from './link.ts';
import { type Fields, patientNoOf, textOf, writtenNo } from './reading.ts';
import { assertFits, columns } from './writing.ts';

interface Card {
  /** Two letters, such as BC; empty where the chart has none. */
  readonly province: string;
  readonly number: string;
}

export type Patient = Readonly<ReturnType<typeof patientOf>>;
function patientOf(row: Fields) {
  const text = (column: string) => textOf(row[column]).trim();
  const filled = (...names: readonly string[]) => names.map(text).filter((each) => each !== '');
  const number = text('hin');
  const provider = text('providerNo');
  return {
    no: demographicNo(textOf(row.demographicNo)),
    firstName: text('firstName'),
    lastName: text('lastName'),
    /** 'YYYY-MM-DD', or null when the record has none. */
    birthDate: birthDateOf(row),
    card: number === '' ? null : ({ number, province: provinceOf(text('hcType')) } satisfies Card),
    /** Two letters, such as AC for active or DE for deceased; empty when not set. */
    patientStatus: textOf(row.patientStatus),
    /**
     * The most responsible provider, who may be a pseudo-provider. Imported charts name doctors whom OSCAR
     * does not have, longer than any number of its own: null.
     */
    providerNo: /^[-\w]{1,6}$/.test(provider) ? (provider as ProviderNo) : null,
    /** The chart that OSCAR merged this one into; null where this one stands. */
    mergedInto: patientNoOf(row.headRecord),
    /** As staff typed it, such as F; empty when not set. */
    sex: text('sex'),
    phones: [...new Set(filled('phone', 'phone2', 'cellPhone'))],
    email: text('email'),
    /** In one line; empty when the chart has none. */
    address: filled('address', 'city', 'province', 'postal').join(', '),
  };
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
  /** The province has two letters; OT for one that is not of Canada. */
  readonly address: Readonly<Record<'address' | 'city' | 'province' | 'postal', string>>;
  /** The clinic's service programme. In builds that do not find it, nobody sees a record without it. */
  readonly admissionProgramId: number;
}

/** As many as one search gives; a longer list takes more of them. */
const PAGE = 100;

export function patientCalls({ rest, soap }: Link) {
  /**
   * A page of those with all of these, of whatever status. Texts are compared by LIKE, anywhere in the column.
   * Null where there is too little to ask for: then nothing is asked.
   */
  async function pageOf(by: PatientSearch, start: number): Promise<readonly Patient[] | null> {
    const number = by.number && numberPattern(by.number);
    const [firstName, lastName] = [by.firstName, by.lastName].map((name = '') => namePattern(name));
    const born = by.birthDate && `${by.birthDate}T00:00:00`;
    const phone = by.phoneEnd && phonePattern(by.phoneEnd);
    const [gender, city, province, email, alias] = [] as undefined[];
    if (!(number || firstName || lastName || born || phone)) return null;
    const args = [number, firstName, lastName, gender, born, city, province, phone, email, alias];
    const operation = 'searchDemographicsByAttributes';
    const page = await soap.rows('DemographicService', operation, ...args, start, PAGE);
    return page.map(patientOf);
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

  /** By SOAP, which alone says what a chart was merged into. Null when no patient has the number. */
  async function patient(no: DemographicNo): Promise<Patient | null> {
    const [found] = await soap.rows('DemographicService', 'getDemographic', no);
    return found === undefined ? null : patientOf(found);
  }

  return {
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
     * zeros, so a patient who has it without them is looked for by name. The caller compares the names.
     */
    async findByBirthDate({ birthDate, ...named }: Born): Promise<readonly Patient[]> {
      const [first = ''] = named.firstName.trim().split(' ');
      const last = named.lastName.trim();
      const searches: PatientSearch[] = [{ birthDate }];
      if (birthDate.includes('-0'))
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
    async search(by: PatientSearch) {
      const patients = await pageOf(by, 0);
      return patients && { patients, isWhole: patients.length < PAGE };
    },

    /** REST only. OSCAR does not check for the same card: search first, one patient at a time. */
    async createPatient(draft: NewPatient): Promise<DemographicNo> {
      const { birthDate, card, phone2, ...named } = draft;
      const { firstName, lastName, email, phone, address } = named;
      assertFits(
        { firstName, lastName, hin: card.number, email, phone, phone2, ...address },
        columns.demographic,
      );
      const [dobYear, dobMonth, dobDay] = birthDate.split('-');
      const { demographicNo: no } = await rest.call('/demographics', {
        ...named,
        alternativePhone: phone2,
        dobYear,
        dobMonth,
        dobDay,
        hin: card.number,
        hcType: provinceOf(card.province),
        previousAddress: {},
        extras: [],
      });
      return demographicNo(writtenNo(no));
    },
  };
}

/** OSCAR has three texts; month and day may lack their leading zero. */
function birthDateOf({ yearOfBirth, monthOfBirth, dateOfBirth }: Fields): string | null {
  const [year, month, day] = [yearOfBirth, monthOfBirth, dateOfBirth].map(textOf);
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  return /^\d{4}-\d\d-\d\d$/.test(date) ? date : null;
}

/** Some records have CA-BC. */
const provinceOf = (text: string) => text.trim().toUpperCase().replace(/^CA-/, '');

const digitsOf = (number: string) => number.replaceAll(/\D/g, '');
const lettersOf = (number: string) => number.replaceAll(/[^A-Za-z]/g, '').toUpperCase();

/** By their digits, and by their letters where both have some. */
export function isSameNumber(one: string, other: string): boolean {
  const letters = [one, other].map(lettersOf).filter((each) => each !== '');
  return digitsOf(one) === digitsOf(other) && new Set(letters).size < 2;
}

/** A pattern of LIKE for a card's number, however it is parted. */
function numberPattern(number: string): string {
  const digits = digitsOf(number);
  return Array.from(digits.length < 6 ? number : digits).join('%');
}

/** A pattern of LIKE for the end of a phone number: four digits, and before them three and three. */
const phonePattern = (end: string) => digitsOf(end).replaceAll(/(?<=\d)(?=(?:\d{3})*\d{4}$)/g, '%');

/** A pattern of LIKE for a name, however OSCAR writes its marks and joins; nothing where too little is left. */
function namePattern(name: string): string | undefined {
  const plain = name.normalize('NFC').replaceAll(/[^A-Za-z]+/g, '%');
  return plain.replaceAll('%', '').length < 2 ? undefined : plain;
}
