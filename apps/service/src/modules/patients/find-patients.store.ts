import {
  type CardSearched,
  FOLDING,
  MADE_OF_BETWEEN,
  type NearQuery,
  type PatientQuery,
  type SearchedName,
  beginningsOf,
  foldedFrom,
  foldedName,
  likeOfName,
  nameFits,
  nearest,
  searchedName,
} from '@clinic/domain';
import { type Db, type Part, type Tx, part, sql } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { ACCOUNTS } from '../accounts/index.ts';
import { CHARTS, RECORDS } from '../records/index.ts';
import { CONTACT_NUMBERS } from './card/card.store.ts';

/** A patient whom a search found, with or without an account. */
export interface PatientFound {
  /** Null for somebody without an account. */
  readonly patientId: string | null;
  readonly recordId: string;
  /** 'Morgan, Casey'. */
  readonly name: string;
  readonly birthDate: string;
}

/**
 * Everybody whom staff look for: open accounts, and records that stand and have no account. The phones are those of
 * the account, `dialled` in E.164 where they can be right; those on the card are `CONTACT_NUMBERS`.
 */
export const PERSONS = part`(
  select id, id::text as person, record_id, first_name, last_name, birth_date,
         card_province, card_index, card_sealed, array[phone, mobile_phone, international_phone] as phones,
         array['+1' || nullif(phone, ''), '+1' || nullif(mobile_phone, ''),
               '+' || nullif(international_phone, '')] as dialled, email
    from ${ACCOUNTS} a where role = 'patient' and closed_at_s is null
  union all
  select null, r.id, r.id, r.first_name, r.last_name, r.birth_date,
         r.card_province, r.card_index, r.card_sealed, '{}'::text[], '{}'::text[], null
    from ${RECORDS} r
   where r.merged_into is null
     and not exists (select from ${ACCOUNTS} p where p.record_id = r.id and p.closed_at_s is null))`;

/** For `PERSONS who`: the stored folding of the name that the person has now, if there is one. */
const FOLDED = part`folded_name f
  on f.person = who.person
 and (f.made_of = concat_ws(${MADE_OF_BETWEEN}, ${FOLDING}::int, who.first_name, who.last_name)) is true`;

interface Unfolded {
  readonly person: string;
  readonly firstName: string;
  readonly lastName: string;
}

const [OF_THIS_FOLDING, BEYOND_THIS_FOLDING] = [`${FOLDING}\n`, `${FOLDING}\v`];

interface NameWritten {
  readonly person: string;
  /** Null for a name that was folded in another way. */
  readonly id: number | null;
}

/** Whose names may not be folded as they are now: those written since, and those folded in another way. */
export const namesWritten = (db: Db) =>
  sql<NameWritten>(db, 'names-written')`
    select w.person, w.id from name_written w
    union all
    select f.person, null from folded_name f
     where f.made_of collate "C" < ${OF_THIS_FOLDING}::text
        or f.made_of collate "C" >= ${BEYOND_THIS_FOLDING}::text
     order by 1`;

/** Of these persons those whose names no stored folding was made of, such as those that version 0.2.0 has written. */
export const unfoldedNames = (db: Db, written: readonly NameWritten[]) =>
  sql<Unfolded>(db)`
    select who.person, who.first_name as "firstName", who.last_name as "lastName"
      from ${PERSONS} who left join ${FOLDED}
     where who.person = any(${written.map(({ person }) => person)}::text[]) and f.person is null
     order by who.person`;

/** Forgets that these names were written, as they are folded. */
export const dropNamesWritten = (tx: Tx, written: readonly NameWritten[]) =>
  sql(tx, 'names-drop-written')`
    delete from name_written where id = any(${written.map(({ id }) => id)}::bigint[])`;

/** Stores the foldings of these names. */
export async function keepFolded(tx: Tx, names: readonly Unfolded[]): Promise<void> {
  const rows = names.map((name) => ({
    person: name.person,
    made_of: foldedFrom(name),
    ...searchedName(name),
  }));
  await sql(tx, 'names-keep-folded')`
    insert into folded_name (person, made_of, folded, sounds, grams)
    select person, made_of, folded, sounds, grams
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row (person text, made_of text, folded text, sounds text[], grams text[])
    on conflict (person) do update
      set made_of = excluded.made_of, folded = excluded.folded,
          sounds = excluded.sounds, grams = excluded.grams`;
}

/** Erases the folding of somebody's name, by the id of an account or the number of a record. */
export const eraseFoldedName = (person: string) => part`
  delete from folded_name where person = ${person}::text`;

/** Deletes the foldings of persons whom the clinic no longer has. */
export const spentFoldedNames = () => part`
  delete from folded_name f where not exists (select from ${PERSONS} who where who.person = f.person)`;

const FOUND = part`who.id as "patientId", who.record_id as "recordId",
  who.last_name || ', ' || who.first_name as name, who.birth_date::text as "birthDate"`;

export interface Search {
  /** Who matches what was typed, and then whose name is spelt nearly so. */
  readonly patients: readonly PatientFound[];
  /** True when more match than are listed. */
  readonly hasMore: boolean;
  /** Whose name sounds like what was typed, and is spelt in another way. */
  readonly soundsLike: readonly PatientFound[];
}

/** Open accounts, and records without one, as a search at the front desk finds them. */
export async function searchPatients(
  db: Db,
  keyring: Pick<Keyring, 'blindIndexes'>,
  query: PatientQuery,
  most: number,
): Promise<Search> {
  const { near, birthDates } = query;
  const [written, alike] = await Promise.all([
    namesWritten(db),
    near === null || birthDates.length > 0 ? [] : namesAlike(db, near),
  ]);
  const unfolded = written.length === 0 ? [] : await unfoldedNames(db, written);
  const found = await patientsFitting(db, keyring, query, unfolded, most + 1);
  const fitting = found.slice(0, most);
  const candidates = [...alike, ...unfolded.slice(0, MOST_CANDIDATES).map(({ person }) => person)];
  const others =
    near === null || found.length > most
      ? { near: [], soundsLike: [] }
      : nearest(near, await candidatesAmong(db, candidates, birthDates));
  const isOther = ({ recordId }: PatientFound) =>
    !fitting.some((each) => each.recordId === recordId);
  return {
    patients: [...fitting, ...others.near.filter(isOther).map(shown)].slice(0, most),
    hasMore: found.length > most,
    soundsLike: others.soundsLike.filter(isOther).map(shown),
  };
}

const shown = ({ patientId, recordId, name, birthDate }: PatientFound): PatientFound => ({
  patientId,
  recordId,
  name,
  birthDate,
});

/**
 * Who matches the whole query. Its number may be that of a card or a record, or digits of a phone number: who
 * has these at its end comes first. Who is found by the beginning of an email alone comes last.
 */
async function patientsFitting(
  db: Db,
  keyring: Pick<Keyring, 'blindIndexes'>,
  { name, birthDates, number, emailBeginning, otherwise }: PatientQuery,
  unfolded: readonly Unfolded[],
  most: number,
): Promise<PatientFound[]> {
  const digits = number?.phoneDigits ?? null;
  const record = number?.recordId ?? '';
  const fits = (patterns: readonly string[]) => {
    const isFitting = nameFits(patterns);
    const people =
      patterns.length === 0 ? [] : unfolded.filter((each) => isFitting(foldedName(each)));
    return part`(coalesce(f.folded, '') collate "C" like any(${likeOfName(patterns)}::text[])
                 and f.folded collate "C" ~ all(${patterns}::text[])
                 or who.person = any(${people.map(({ person }) => person)}::text[]))`;
  };
  const indexed = (cards: readonly CardSearched[]) =>
    cards.flatMap((card) =>
      keyring.blindIndexes('card', card.number).map((index) => ({ ...card, index })),
    );
  const among = (cards: readonly CardSearched[], of: Part) => {
    const indexes = indexed(cards);
    return part`exists (
      select from unnest(${indexes.map(({ province }) => province)}::text[],
                         ${indexes.map(({ index }) => index)}::bytea[]) as card(province, index)
       where ${of}.card_province = card.province and ${of}.card_index = card.index)`;
  };
  const who = part`who`;
  const hasPhone = (isIt: Part) => part`(
    exists (select from unnest(who.phones) as phone
             cross join regexp_replace(phone, '\\D', '', 'g') as digits where ${isIt})
    or who.record_id in (
      select n.record_id from ${CONTACT_NUMBERS} n
       cross join regexp_replace(n.number, '^\\+1|\\D', '', 'g') as digits where ${isIt}))`;
  const named = fits(name);
  const cards = indexed(otherwise?.cards ?? []);
  const beginsSo = part`starts_with(who.email collate "C", ${emailBeginning}::text)`;
  // Any digits of a phone have no index, nor has a name of one sign.
  const words = number === null ? wordsBeginning(birthDates.length > 0 ? [] : name) : '';
  const isIndexed = number === null && (words !== '' || birthDates.length > 0);
  const candidates = part`
    select f.person from folded_name f where ${WORDS} @@ ${words}::tsquery
    union all select f.person from folded_name f
               where ${WORDS} @@ ${wordsBeginning(otherwise?.name ?? [])}::tsquery
    union all select unnest(${unfolded.map(({ person }) => person)}::text[])
    union all select who.person from ${PERSONS} who where who.birth_date = any(${birthDates}::date[])
    union all select who.person from ${PERSONS} who
               where who.card_province = any(${cards.map(({ province }) => province)}::text[])
                 and who.card_index = any(${cards.map(({ index }) => index)}::bytea[])
    union all select who.person from ${PERSONS} who where ${beginsSo}`;
  const isCandidate = isIndexed ? part`who.person = any(array(${candidates}))` : part`true`;
  // Planned for what is asked: another question has other indexes.
  return sql<PatientFound>(db)`
    select ${FOUND}
      from ${PERSONS} who left join ${FOLDED}
     where ${isCandidate} and (
           ${named}
       and (${birthDates.length === 0}::boolean or who.birth_date = any(${birthDates}::date[]))
       and (${number === null}::boolean
            or ${among(number?.cards ?? [], who)}
            or upper(who.record_id) = ${record}
            or exists (select from ${RECORDS} gone
                        where gone.merged_into = who.record_id
                          and (upper(gone.id) = ${record}
                               or ${among(number?.cards ?? [], part`gone`)}))
            or ${hasPhone(part`position(${digits}::text in digits) > 0`)})
        or ${otherwise !== null}::boolean and (${fits(otherwise?.name ?? [])} or ${among(otherwise?.cards ?? [], who)})
        or ${beginsSo})
     order by ${emailBeginning !== null}::boolean and ${named} is not true,
              ${hasPhone(part`right(digits, length(${digits}::text)) <> ${digits}::text
                              and position(${digits}::text in digits) > 0`)},
              who.last_name, who.first_name, who.birth_date, who.record_id
     limit ${most}`;
}

/** The words of a folded name, as they are indexed. */
const WORDS = part`array_to_tsvector(array_remove(string_to_array(f.folded, ' '), ''))`;

/** For the index: names that have a word which begins so for each of the patterns that say how one begins. */
const wordsBeginning = (patterns: readonly string[]): string =>
  beginningsOf(patterns)
    .map((runs) => runs.map((run) => `'${run.replaceAll(/['\\]/g, '$&$&')}':*`).join(' | '))
    .map((each) => `(${each})`)
    .join(' & ');

/** The most persons whose names are compared, sign by sign, with one that was typed. */
const MOST_CANDIDATES = 200;
/** A word that sounds the same says as much as so many grams. */
const SOUND_WORTH = 3;

type Candidate = PatientFound & { readonly searched: Pick<SearchedName, 'folded' | 'sounds'> };

/** Whose stored names have most in common with one that was typed. */
async function namesAlike(db: Db, { grams, sounds }: NearQuery): Promise<string[]> {
  const rows = await sql<{ person: string }>(db, 'names-alike')`
    select shared.person
      from (select f.person, 1 as worth
              from unnest(${grams}::text[]) as gram join folded_name f on f.grams @> array[gram]
            union all
            select f.person, ${SOUND_WORTH}::int
              from unnest(${sounds}::text[]) as sound join folded_name f on f.sounds @> array[sound]) shared
     group by shared.person
     order by sum(shared.worth) desc, shared.person limit ${MOST_CANDIDATES}`;
  return rows.map(({ person }) => person);
}

/** Who may be meant by a name: all who were born on such a date, or else these persons. */
async function candidatesAmong(
  db: Db,
  persons: readonly string[],
  birthDates: readonly string[],
): Promise<Candidate[]> {
  const rows = await sql<
    PatientFound & Unfolded & { folded: string | null; sounds: string[] | null }
  >(db, 'patients-near')`
    select ${FOUND}, who.person, who.first_name as "firstName", who.last_name as "lastName",
           f.folded, f.sounds
      from ${PERSONS} who left join ${FOLDED}
     where who.person = any(${birthDates.length > 0 ? [] : persons}::text[])
        or who.birth_date = any(${birthDates}::date[])
     limit ${2 * MOST_CANDIDATES}`;
  return rows.map(({ folded, sounds: heard, ...row }) => ({
    ...row,
    searched: folded === null ? searchedName(row) : { folded, sounds: heard ?? [] },
  }));
}

/**
 * Who is known here by these numbers of the EMR. An account that signed up with a chart has its number as its
 * own; any other record has the chart that was opened or chosen for it.
 */
export async function ofCharts(
  db: Db,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, readonly PatientFound[]>> {
  const rows = await sql<PatientFound & { chart: string }>(db, 'patients-of-charts')`
    select asked.chart, who.id as "patientId", who.record_id as "recordId",
           who.last_name || ', ' || who.first_name as name, who.birth_date::text as "birthDate"
      from unnest(${numbers}::text[]) as asked(chart)
      left join ${CHARTS} kept on kept.emr_id = asked.chart
      join ${PERSONS} who
        on who.record_id = kept.record_id or (who.id is not null and who.record_id = asked.chart
            and not exists (select from ${CHARTS} other where other.record_id = who.record_id))`;
  return Map.groupBy(rows, ({ chart }) => chart);
}

/** The record numbers of accounts and records; ids that are of nobody are left out. */
export async function recordsOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ recordId: string }>(db, 'patient-records')`
    select record_id as "recordId" from ${ACCOUNTS} a where id::text = any(${ids}::text[])
    union
    select r.id from ${RECORDS} r where r.id = any(${ids}::text[])
    union
    select record_id from ${ACCOUNTS} a where record_id = any(${ids}::text[])`;
  return rows.map(({ recordId }) => recordId);
}

/** Names such as 'Morgan, Casey', by the id of an account or a record; unknown ids are left out. */
export async function patientNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; name: string }>(db, 'patient-names')`
    select id::text as id, last_name || ', ' || first_name as name from ${ACCOUNTS} a
     where id::text = any(${ids}::text[])
    union all
    select r.id, r.last_name || ', ' || r.first_name from ${RECORDS} r where r.id = any(${ids}::text[])
    union all
    select record_id, last_name || ', ' || first_name from ${ACCOUNTS} a
     where record_id = any(${ids}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
