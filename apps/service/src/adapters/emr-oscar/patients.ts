import { type PatientQuery, areLikelyNames, isSameName } from '@clinic/domain';
import {
  type DemographicNo,
  type Oscar,
  OscarInvalid,
  OscarOutcomeUnknown,
  type Patient,
  columns,
  demographicNo,
  fits,
  isSameNumber,
  providerNo,
} from '@clinic/oscar';

import {
  type Chart,
  type Contact,
  type Emr,
  EmrBusy,
  EmrOutcomeUnknown,
  type NewChart,
  type NewPatientRecord,
  EMR_TIMEOUT_MS,
  type PatientRecord,
  type RecordId,
} from '../../modules/records/emr.ts';
import type { AskOscar, Connection } from './ask-oscar.ts';
import { isCard, isSearched, searchesOf } from './searching.ts';

interface OpenedRecord {
  readonly emrId: string | null;
  /** OSCAR's records that it was before staff chose another: appointments may still stand there. */
  readonly earlier: readonly string[];
}

/** Which OSCAR record we opened under which of our numbers; the service stores this. */
export interface OpenedRecords {
  /** `emrId` is null while it is not known whether OSCAR wrote the record. */
  find(recordId: string): Promise<OpenedRecord | null>;
  /** Our number of a record of OSCAR, or null. */
  named(emrId: string): Promise<string | null>;
  /** Call before asking OSCAR to open the record; false when OSCAR was asked after `since` or wrote it. */
  ask(recordId: string, now: number, since: number): Promise<boolean>;
  keep(recordId: string, emrId: string): Promise<void>;
  /** As `keep`, for a record that was there already; false where it is another record here by now. */
  take(recordId: string, emrId: string, now: number): Promise<boolean>;
  /** Call when OSCAR wrote nothing. */
  forget(recordId: string): Promise<void>;
}

/** How long a write whose answer was lost may still reach OSCAR. */
const LATE_SECONDS = 600;

export interface PatientPorts {
  readonly connection: Connection;
  readonly opened: OpenedRecords;
  readonly now: () => number;
}

/**
 * A record has OSCAR's number as its id, but where staff chose another; one that we opened has ours, which
 * OSCAR does not know.
 */
export function patientsOf(ask: AskOscar, { opened, now, connection }: PatientPorts) {
  async function numberOf(id: RecordId): Promise<DemographicNo | null> {
    const number = (await opened.find(id))?.emrId ?? (isNumber(id) ? id : null);
    return number === null ? null : demographicNo(number);
  }

  /** The charts that a record has been, the present one first; each may have been merged into others. */
  async function everOf(id: RecordId): Promise<readonly DemographicNo[]> {
    const no = await numberOf(id);
    const { earlier = [] } = (await opened.find(id)) ?? {};
    return [...new Set([...(no ? [no] : []), ...earlier.map(demographicNo)])];
  }

  /** The chart of a record, and those that staff merged it into since: the last one stands. */
  async function chartsOf(oscar: Oscar, id: RecordId): Promise<readonly Patient[]> {
    const no = await numberOf(id);
    return no === null ? [] : oscar.urgent.merges(no);
  }

  async function recordOf(patient: Patient): Promise<PatientRecord> {
    const { no, firstName, lastName, birthDate } = patient;
    const id = ((await opened.named(no)) ?? no) as RecordId;
    return { id, firstName, lastName, birthDate: birthDate ?? '' };
  }

  /** The chart that stands for each of these, as OSCAR lists merged ones, too. */
  async function standing(oscar: Oscar, found: readonly Patient[]): Promise<readonly Likely[]> {
    const heads = await Promise.all(
      found.map(async (by) => {
        const head = by.mergedInto && (await oscar.urgent.merges(by.mergedInto)).at(-1);
        return { by, chart: head || by };
      }),
    );
    const ofOne = Map.groupBy(heads, ({ chart }) => chart.no);
    return [...ofOne.values()].flatMap(([first, ...more]) =>
      first ? { chart: first.chart, by: [first.by, ...more.map(({ by }) => by)] } : [],
    );
  }

  /** Charts that may be of this person: by the card number, else by name and birth date. */
  async function candidates(
    oscar: Oscar,
    record: NewPatientRecord,
    apartFrom: readonly string[] = [],
  ): Promise<readonly Likely[]> {
    const notApart = async (found: readonly Patient[]) =>
      (await standing(oscar, found)).filter(({ chart }) => !apartFrom.includes(chart.no));
    const { cardNumber } = record;
    if (isCard(cardNumber)) {
      const found = await oscar.urgent.findByNumber(cardNumber);
      const likely = await notApart(found.filter((chart) => !isOfAnother(chart, record)));
      if (likely.length > 0) return likely;
    }
    const born = await oscar.urgent.findByBirthDate(record);
    return notApart(born.filter((chart) => areLikely(chart, record)));
  }

  /** A match without a card is the record only if OSCAR was asked to open it: it had no match before. */
  async function open(
    oscar: Oscar,
    record: NewChart,
    apartFrom: readonly string[],
  ): Promise<'created' | 'alreadyThere' | 'unclear'> {
    const [one, another] = await candidates(oscar, record, apartFrom);
    const asked = await opened.find(record.id);
    if (
      one &&
      !another &&
      isActive(one.chart) &&
      one.by.some((chart) => isSame(chart, record, asked !== null)) &&
      (await opened.take(record.id, one.chart.no, now()))
    )
      return 'alreadyThere';
    if (one) return 'unclear';
    if (!(await opened.ask(record.id, now(), now() - LATE_SECONDS)))
      throw new EmrOutcomeUnknown(`record:${record.id}`);
    try {
      const draft = draftOf(record, connection.current().programId);
      await opened.keep(record.id, await oscar.urgent.createPatient(draft));
      return 'created';
    } catch (error) {
      if (!(error instanceof OscarOutcomeUnknown)) await opened.forget(record.id);
      // OSCAR would cut the name.
      if (error instanceof OscarInvalid) return 'unclear';
      throw error;
    }
  }

  /** Everybody with the number of a chart's card, or born on its date. */
  async function alikeTo({ urgent }: Oscar, chart: Patient): Promise<readonly Patient[]> {
    const number = chart.card?.number.replaceAll(/[^0-9A-Za-z]/g, '') ?? '';
    const { birthDate } = chart;
    const found = await Promise.all([
      isCard(number) ? urgent.findByNumber(number) : [],
      birthDate === null ? [] : urgent.findByBirthDate({ ...chart, birthDate }),
    ]);
    return found.flat();
  }

  /** Asks OSCAR once for each thing that the query may mean, and leaves what does not fit. */
  async function search(oscar: Oscar, query: PatientQuery, most: number) {
    const { recordId = '' } = query.number ?? {};
    const asked = await Promise.all([
      ...searchesOf(query).map((by) => oscar.urgent.search(by)),
      ...(isNumber(recordId) ? [oscar.urgent.patient(demographicNo(recordId)).then(asFound)] : []),
    ]);
    const answered = asked.filter((each) => each !== null);
    if (answered.length === 0) return null;
    const all = new Map(
      answered.flatMap(({ patients }) => patients.map((each) => [each.no, each] as const)),
    );
    const fitting = [...all.values()].filter((chart) => isSearched(chart, query)).toSorted(byName);
    // One that was merged may be of one that is listed, too.
    const heads = await standing(oscar, fitting.slice(0, 2 * most + 1));
    const charts = heads.slice(0, most).map(chartOf);
    const hasMore =
      heads.length > most ||
      fitting.length > 2 * most + 1 ||
      answered.some((each) => !each.isWhole);
    return { charts, hasMore };
  }

  const inTurn = oneAtATime();

  return {
    everOf,
    chartsOf,

    findPatient: (by) =>
      ask(async (oscar) => {
        if ('id' in by) {
          const patient = (await chartsOf(oscar, by.id)).at(-1);
          return patient
            ? { kind: 'one', record: { ...(await recordOf(patient)), id: by.id } }
            : { kind: 'none' };
        }
        if (!isCard(by.cardNumber)) return { kind: 'none' };
        const found = (await oscar.urgent.findByNumber(by.cardNumber)).filter(
          ({ birthDate }) => birthDate === by.birthDate,
        );
        const [one, another] = await standing(oscar, found);
        if (!one) return { kind: 'none' };
        return another || !isActive(one.chart)
          ? { kind: 'many' }
          : { kind: 'one', record: await recordOf(one.chart) };
      }),

    createPatient(record, apartFrom = []) {
      const name = `record:${record.id}`;
      const create = async (oscar: Oscar) =>
        (await numberOf(record.id)) ? 'alreadyThere' : open(oscar, record, apartFrom);
      return inTurn(name, () => ask(create, name));
    },

    likelyCharts: (record) =>
      ask(async (oscar) =>
        (await candidates(oscar, record)).map((found) => ({
          ...chartOf(found),
          hasCard: found.by.some((each) => hasNumber(each, record)),
        })),
      ),

    // One search at a time, however many of the staff search, and however fast they press.
    searchCharts: (query, most) =>
      inTurn('search', () => ask((oscar) => search(oscar, query, most))),

    chart: (number) =>
      ask(async (oscar) => {
        if (!isNumber(number)) return null;
        const chain = await oscar.urgent.merges(demographicNo(number));
        const chart = chain.at(-1);
        if (chart === undefined) return null;
        const alike = await alikeTo(oscar, chart);
        const merged = alike.filter(({ mergedInto }) => mergedInto !== null);
        const theirs = (await standing(oscar, merged)).find((each) => each.chart.no === chart.no);
        return chartOf({ chart, by: [...chain, ...(theirs?.by ?? [])] });
      }),

    responsibleProvider: (id) =>
      ask(async (oscar) => (await chartsOf(oscar, id)).at(-1)?.providerNo ?? null),
  } satisfies Partial<Emr> & { everOf: unknown; chartsOf: unknown };
}

/** A chart, and those by which it was found: itself, or what was merged into it. */
interface Likely {
  readonly chart: Patient;
  readonly by: readonly Patient[];
}

const isNumber = (text: string) => /^[1-9]\d{0,9}$/.test(text);

/** OSCAR's code for a card from outside Canada is OT. */
const FOREIGN = 'OT';

const chartOf = ({ chart, by }: Likely): Chart => ({
  id: chart.no as string as RecordId,
  numbers: [...new Set([chart, ...by].map(({ no }) => no as string))],
  firstName: chart.firstName,
  lastName: chart.lastName,
  birthDate: chart.birthDate ?? '',
  card: chart.card?.province === FOREIGN ? { ...chart.card, province: 'Other' } : chart.card,
  sex: chart.sex,
  phones: chart.phones,
  email: chart.email,
  address: chart.address,
  state: stateOf(chart),
});

/** A chart that is marked as deceased, or is not active, is nobody's without staff. */
const isDeceased = ({ patientStatus }: Patient) => patientStatus === 'DE';
const isActive = ({ patientStatus }: Patient) => ['', 'AC'].includes(patientStatus);

const stateOf = (chart: Patient): Chart['state'] =>
  isDeceased(chart) ? 'deceased' : isActive(chart) ? 'active' : 'inactive';

const asFound = (one: Patient | null) => ({ patients: one ? [one] : [], isWhole: true });

const byName = (one: Patient, other: Patient) =>
  one.lastName.localeCompare(other.lastName) || one.firstName.localeCompare(other.firstName);

const isBorn = (chart: Patient, record: NewPatientRecord) => chart.birthDate === record.birthDate;
const hasFamilyName = (chart: Patient, record: NewPatientRecord) =>
  isSameName(chart.lastName, record.lastName);

const codeOf = (province: string) => (province === 'Other' ? FOREIGN : province);

const hasNumber = ({ card }: Patient, { cardNumber }: NewPatientRecord) =>
  card !== null && isCard(cardNumber) && isSameNumber(card.number, cardNumber);

/** Provinces give out the same numbers: somebody else, who has a card of another one. */
const isOfAnother = (chart: Patient, record: NewPatientRecord) =>
  chart.card !== null &&
  !['', codeOf(record.cardProvince)].includes(chart.card.province) &&
  !isBorn(chart, record) &&
  !areLikelyNames(chart, record);

/** Whether two born on one day may be one person; twins, whose cards have two numbers, are not. */
const areLikely = (chart: Patient, record: NewPatientRecord) =>
  areLikelyNames(chart, record) ||
  (hasFamilyName(chart, record) && (chart.card === null || !isCard(record.cardNumber)));

const isSame = (chart: Patient, record: NewPatientRecord, wasAsked: boolean) =>
  isBorn(chart, record) &&
  hasFamilyName(chart, record) &&
  (hasNumber(chart, record) || (wasAsked && !isCard(record.cardNumber)));

const draftOf = (record: NewChart, admissionProgramId: number) => ({
  firstName: record.firstName,
  lastName: record.lastName,
  birthDate: record.birthDate,
  card: { province: codeOf(record.cardProvince), number: record.cardNumber },
  providerNo: providerNo(record.providerId),
  admissionProgramId,
  ...contactOf(record.contact),
});

/** OSCAR demands one of its codes; U is its 'undefined'. */
const sexes = new Map([
  ['Male', 'M'],
  ['Female', 'F'],
  ['Transgendered', 'T'],
  ['Other', 'O'],
] as const);

/** What the columns keep whole: half of an address is a wrong one. Every release has two for phones. */
function contactOf(contact: Contact) {
  const whole = (column: 'email' | 'phone' | 'address' | 'city' | 'postal', text: string) =>
    fits(text, columns.demographic[column]) ? text : '';
  const [phone = '', phone2 = ''] = [contact.phone, contact.mobilePhone, contact.internationalPhone]
    .map((each) => whole('phone', each))
    .filter((each) => each !== '');
  return {
    sex: sexes.get(contact.sex as 'Male') ?? ('U' as const),
    email: whole('email', contact.email),
    phone,
    phone2,
    address: {
      address: whole('address', contact.address),
      city: whole('city', contact.city),
      province: codeOf(contact.province),
      postal: whole('postal', contact.postal),
    },
  };
}

/**
 * Runs calls of the same name one after another. A call that waits for its turn longer than it may wait for
 * its own answer does nothing and rejects with EmrBusy.
 */
export function oneAtATime() {
  const under = new Map<string, Promise<unknown>>();
  return <Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> => {
    const before = under.get(name) ?? Promise.resolve();
    const answer = Promise.withResolvers<Answer>();
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      answer.reject(new EmrBusy('Too many wait for OSCAR to answer of the same'));
    }, EMR_TIMEOUT_MS);
    const turn = before
      .then(() => {
        clearTimeout(timer);
        return isTooLate ? undefined : work().then(answer.resolve, answer.reject);
      })
      .finally(() => {
        if (under.get(name) === turn) under.delete(name);
      });
    under.set(name, turn);
    return answer.promise;
  };
}
