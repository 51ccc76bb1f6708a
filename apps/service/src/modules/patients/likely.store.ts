import { setImmediate as pause } from 'node:timers/promises';
import {
  type NameWords,
  UNSURE_CHARTS,
  type UnsureChart,
  areAlikeNames,
  areLikelyFirstNames,
  areLikelyWords,
  listedName,
  nameWords,
} from '@clinic/domain';
import { type Db, type Tx, part, sql } from '../../database/db.ts';
import { type Keyring, openCard, openRecordCard } from '../../security/keyring.ts';
import { CHARTS, RECORDS, UNCLEAR_IN_EMR } from '../records/index.ts';
import { CONTACT_NUMBERS } from './card/card.store.ts';
import { hasNumber } from './card/family.store.ts';
import { PERSONS, type PatientFound } from './find-patients.store.ts';
import {
  ACCOUNTS,
  type CardIndexes,
  cardIndexes,
  refusedSignUps,
  wordOf,
} from '../accounts/index.ts';

/** What two persons are compared by. */
export interface Described {
  readonly recordId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  readonly card: CardIndexes;
  /** In E.164; where there is none, nobody is found by phone. */
  readonly phones?: readonly string[];
}

/** Somebody who may be the same person as another. */
export interface LikelyPerson extends PatientFound {
  /** They have the card of the other. */
  readonly hasCard: boolean;
}

interface Row extends Omit<PatientFound, 'name'> {
  readonly firstName: string;
  readonly lastName: string;
  readonly province: string;
  readonly phones: readonly (string | null)[];
  readonly index: Uint8Array | null;
  readonly sealed: Uint8Array | null;
}

const COLUMNS = part`who.id as "patientId", who.record_id as "recordId",
  who.first_name as "firstName", who.last_name as "lastName", who.birth_date::text as "birthDate",
  who.card_province as province, who.card_index as index, who.card_sealed as sealed,
  who.dialled || array(select n.number from ${CONTACT_NUMBERS} n where n.record_id = who.record_id) as phones`;

/**
 * Who may be the same person as each of these, in their order: of one card; of one birth date and the same name or
 * one that is written or sounds like it; or of one phone number and a like first name or the same birth date.
 * Many may have one birth date, such as that of an import without any: other work goes on between.
 */
export async function likelyOf(
  db: Pick<Db, '$client'>,
  people: readonly Described[],
): Promise<(readonly LikelyPerson[])[]> {
  const rows = await sql<Row>(db, 'likely-of')`
    select ${COLUMNS} from ${PERSONS} who
     where who.birth_date = any(${people.map(({ birthDate }) => birthDate)}::date[])
        or ${hasNumber(people.flatMap(({ phones = [] }) => phones))}
        or who.card_index = any(${people.flatMap(({ card }) => card.indexes)}::bytea[])
     order by who.last_name, who.first_name, who.record_id`;
  const letOthersRun = pauses();
  const withWords: (readonly [Row, NameWords])[] = [];
  for (const row of rows) {
    withWords.push([row, nameWords(row)]);
    await letOthersRun();
  }
  const born = Map.groupBy(withWords, ([{ birthDate }]) => birthDate);
  const ofCard = Map.groupBy(
    rows.filter(({ index }) => index !== null),
    ({ province, index }) => `${province}:${wordOf(index ?? new Uint8Array())}`,
  );
  const found: LikelyPerson[][] = [];
  for (const person of people) {
    const { province, indexes } = person.card;
    const same = new Set(
      indexes.flatMap((index) => ofCard.get(`${province}:${wordOf(index)}`) ?? []),
    );
    const words = nameWords(person);
    const ofDay = born.get(person.birthDate) ?? [];
    const isTelling = ofDay.length <= MOST_OF_A_BIRTH_DATE;
    const named = ofDay.filter(
      ([, those]) => areLikelyWords(those, words) || (isTelling && areAlikeNames(those, words)),
    );
    found.push(
      [...new Set([...same, ...named.map(([row]) => row), ...calledAs(person, rows)])]
        .filter(({ recordId }) => recordId !== person.recordId)
        .map((row) => ({ ...shown(row), hasCard: same.has(row) })),
    );
    await letOthersRun();
  }
  return found;
}

/** A date that more were born on stands for none: names that are only alike say nothing then. */
const MOST_OF_A_BIRTH_DATE = 50;

/** Those of the phone number of a person, and of a like first name or their birth date. */
const calledAs = ({ phones = [], firstName, birthDate }: Described, rows: readonly Row[]) =>
  phones.length === 0
    ? []
    : rows.filter(
        (row) =>
          row.phones.some((phone) => phone !== null && phones.includes(phone)) &&
          (row.birthDate === birthDate || areLikelyFirstNames(row.firstName, firstName)),
      );

/** How long work goes on before requests that wait are served. */
const SLICE_MS = 10;

function pauses() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await pause();
    since = performance.now();
  };
}

const shown = ({ patientId, recordId, birthDate, ...named }: Row): PatientFound => ({
  patientId,
  recordId,
  name: listedName(named),
  birthDate,
});

/** The persons with these ids of accounts or numbers of records, as `likelyOf` compares them. */
export async function describedPersons(
  db: Db,
  keyring: Keyring,
  persons: readonly string[],
): Promise<Described[]> {
  const rows = await sql<Row>(db, 'likely-described')`
    select ${COLUMNS} from ${PERSONS} who where who.person = any(${persons}::text[])`;
  return rows.map(({ patientId, province, sealed, ...row }) => {
    const number =
      patientId === null
        ? openRecordCard(keyring, row.recordId, sealed)
        : openCard(keyring, patientId, sealed);
    // A phone number is asked for at the desk alone: a household would wait there as pairs.
    return { ...row, phones: [], card: cardIndexes(keyring, province, number) };
  });
}

export type Pair = readonly [string, string];

const sides = (pairs: readonly Pair[]) => {
  const sorted = pairs.map((pair) => pair.toSorted());
  return part`unnest(${sorted.map(([one]) => one)}::text[], ${sorted.map(([, other]) => other)}::text[])`;
};

/** Notes pairs of records that may be of one person. What staff have said of a pair stays. */
export async function keepPairs(tx: Tx, pairs: readonly Pair[], now: number): Promise<void> {
  await sql(tx, 'likely-keep')`
    insert into likely_pair (record_id, other_record_id, found_at_s)
    select distinct one, other, ${now}::bigint from ${sides(pairs)} as pair(one, other)
    on conflict do nothing`;
}

/** Notes that staff said of each pair that its records are of two persons. */
export async function keepApart(tx: Tx, pairs: readonly Pair[], now: number): Promise<void> {
  await sql(tx, 'likely-apart')`
    insert into likely_pair (record_id, other_record_id, found_at_s, apart_at_s)
    select distinct one, other, ${now}::bigint, ${now}::bigint from ${sides(pairs)} as pair(one, other)
    on conflict (record_id, other_record_id) do update set apart_at_s = excluded.apart_at_s
      where likely_pair.apart_at_s is null`;
}

/** As `keepApart`, of a pair that waits: whether it waited still, or null where it never did. */
export async function endWaiting(tx: Tx, pair: Pair, now: number): Promise<boolean | null> {
  const [row] = await sql<{ waited: boolean }>(tx, 'likely-end-waiting')`
    with pair as (select p.* from likely_pair p join ${sides([pair])} as asked(one, other)
                      on p.record_id = asked.one and p.other_record_id = asked.other for update of p),
         ended as (update likely_pair p set apart_at_s = ${now}::bigint from pair
                    where p.record_id = pair.record_id and p.other_record_id = pair.other_record_id
                      and pair.apart_at_s is null)
    select apart_at_s is null as waited from pair`;
  return row?.waited ?? null;
}

/** Pairs of which staff have not said that they are two persons, the longest waiting first. */
export const waitingPairs = (db: Db, most: number) =>
  sql<Record<'one' | 'other', PatientFound> & { at: number }>(db, 'likely-waiting')`
    with who as (
      select record_id, json_build_object(
               'patientId', id, 'recordId', record_id, 'name', last_name || ', ' || first_name,
               'birthDate', birth_date) as found
        from ${PERSONS} all_of_them)
    select p.found_at_s as at, a.found as one, b.found as other
      from likely_pair p
      join who a on a.record_id = p.record_id
      join who b on b.record_id = p.other_record_id
     where p.apart_at_s is null
     order by p.found_at_s, p.record_id, p.other_record_id limit ${most}`;

/** Erases the pairs of a record that has no account. */
export const erasePairs = (recordId: string) => part`
  delete from likely_pair where record_id = ${recordId} or other_record_id = ${recordId}`;

/** Deletes pairs of which a record is gone; one that was merged may come back. */
export const spentPairs = () => part`
  delete from likely_pair p
   where not exists (select from ${ACCOUNTS} a where a.record_id = p.record_id)
         and not exists (select from ${RECORDS} r where r.id = p.record_id)
      or not exists (select from ${ACCOUNTS} a where a.record_id = p.other_record_id)
         and not exists (select from ${RECORDS} r where r.id = p.other_record_id)`;

interface Unclear {
  readonly id: string;
  readonly recordId: string;
  readonly name: string;
  readonly at: number;
  readonly why: UnsureChart | null;
}

const MOST_TO_SEE_TO = 1_000;

export type SignUpsToSeeTo = Awaited<ReturnType<typeof signUpsToSeeTo>>;

/** The sign-ups, and the accounts, that wait for staff, without their names. */
export async function signUpsToSeeTo(db: Db) {
  const waiting = await unclearPatients(db, MOST_TO_SEE_TO);
  const refused = await refusedSignUps(db, MOST_TO_SEE_TO);
  const accounts = waiting.map(({ id, at, why }) => ({ id, at, why }));
  return {
    unclear: accounts.filter(({ why }) => why !== 'merged'),
    /** Whose chart was merged into another account's. */
    merged: accounts.filter(({ why }) => why === 'merged'),
    refused: refused.map(({ at }) => ({ at })),
  };
}

/** The accounts that wait until staff say whose their record is in the EMR, the longest waiting first. */
export const unclearPatients = (db: Db, most: number) =>
  sql<Unclear>(db, 'likely-unclear')`
    select p.id, p.record_id as "recordId", p.last_name || ', ' || p.first_name as name, u.at_s as at,
           case when u.why = any(${[...UNSURE_CHARTS]}::text[]) then u.why end as why
      from ${UNCLEAR_IN_EMR} u join ${ACCOUNTS} p on p.record_id = u.record_id and p.closed_at_s is null
     order by u.at_s, p.id limit ${most}`;

interface ChartToLookAt {
  readonly recordId: string;
  readonly chart: string;
  /** It is one of the next in their order; the others wait for staff. */
  readonly isNext: boolean;
}

/**
 * Charts of open accounts: those that wait because they were merged, and the next after this record, as many
 * as all of them need for one round in a day of a look a minute.
 */
export const chartsToLookAt = (db: Db, after: string): Promise<ChartToLookAt[]> =>
  sql<ChartToLookAt>(db, 'likely-charts')`
    with held as (
      select p.record_id, coalesce(c.emr_id, p.record_id) as chart
        from ${ACCOUNTS} p left join ${CHARTS} c on c.record_id = p.record_id
       where p.closed_at_s is null and (c.emr_id is not null or p.record_id ~ '^[1-9][0-9]{0,9}$')),
    next as (
      select record_id from held where record_id > ${after} order by record_id
       limit (select least(10, ceil(count(*) / 1440.0)) from held))
    select record_id as "recordId", chart, record_id in (select record_id from next) as "isNext"
      from held
     where record_id in (select record_id from next
                         union select record_id from ${UNCLEAR_IN_EMR} u where u.why = 'merged')
     order by record_id`;
