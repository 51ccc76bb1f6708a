import {
  type CardSearched,
  FOLDING,
  MADE_OF_BETWEEN,
  type PatientQuery,
  foldedFrom,
  foldedName,
  nameFits,
} from '@clinic/domain';
import { type Db, type Part, type Tx, part, sql } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { ACCOUNTS } from '../accounts/index.ts';
import { CHARTS, RECORDS } from '../records/index.ts';

/** A patient whom a search found, with or without an account. */
export interface PatientFound {
  /** Null for somebody without an account. */
  readonly patientId: string | null;
  readonly recordId: string;
  /** 'Morgan, Casey'. */
  readonly name: string;
  readonly birthDate: string;
}

/** Everybody whom staff look for: open accounts, and records that stand and have no account. */
export const PERSONS = part`(
  select id, id::text as person, record_id, first_name, last_name, birth_date,
         card_province, card_index, card_sealed, array[phone, mobile_phone, international_phone] as phones
    from ${ACCOUNTS} a where role = 'patient' and closed_at_s is null
  union all
  select null, r.id, r.id, r.first_name, r.last_name, r.birth_date,
         r.card_province, r.card_index, r.card_sealed, '{}'::text[]
    from ${RECORDS} r
   where r.merged_into is null
     and not exists (select from ${ACCOUNTS} p where p.record_id = r.id and p.closed_at_s is null))`;

/** For `PERSONS who`: the stored folding of the name that the person has now, if there is one. */
const FOLDED = part`folded_name f
  on f.person = who.person
 and f.made_of = concat_ws(${MADE_OF_BETWEEN}, ${FOLDING}::int, who.first_name, who.last_name)`;

interface Unfolded {
  readonly person: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Persons whose names no stored folding was made of, such as those that version 0.2.0 has written. */
export const unfoldedNames = (db: Db, most: number | null) =>
  sql<Unfolded>(db, 'names-unfolded')`
    select who.person, who.first_name as "firstName", who.last_name as "lastName"
      from ${PERSONS} who left join ${FOLDED}
     where f.person is null
     order by who.person limit ${most}`;

/** Stores the foldings of these names. */
export async function keepFolded(tx: Tx, names: readonly Unfolded[]): Promise<void> {
  await sql(tx, 'names-keep-folded')`
    insert into folded_name (person, made_of, folded)
    select * from unnest(${names.map(({ person }) => person)}::text[],
                         ${names.map(foldedFrom)}::text[], ${names.map(foldedName)}::text[])
    on conflict (person) do update set made_of = excluded.made_of, folded = excluded.folded`;
}

/** Erases the folding of somebody's name, by the id of an account or the number of a record. */
export const eraseFoldedName = (person: string) => part`
  delete from folded_name where person = ${person}::text`;

/** Deletes the foldings of persons whom the clinic no longer has. */
export const spentFoldedNames = () => part`
  delete from folded_name f where not exists (select from ${PERSONS} who where who.person = f.person)`;

/**
 * Open accounts, and records without one, that match the whole query. Its number may be that of a card
 * or a record, or the end of a phone number.
 */
export async function patientsFitting(
  db: Db,
  keyring: Pick<Keyring, 'blindIndexes'>,
  { name, birthDate, number, otherwise }: PatientQuery,
  most: number,
): Promise<PatientFound[]> {
  const phone = number?.phoneEnd ?? null;
  const record = number?.recordId ?? '';
  const isByName = name.length > 0 || otherwise !== null;
  const unfolded = isByName ? await unfoldedNames(db, null) : [];
  const fitting = (patterns: readonly string[]) => {
    if (patterns.length === 0) return [];
    const fits = nameFits(patterns);
    return unfolded.filter((each) => fits(foldedName(each))).map(({ person }) => person);
  };
  const among = (cards: readonly CardSearched[], of: Part) => {
    const indexes = cards.flatMap((card) =>
      keyring.blindIndexes('card', card.number).map((index) => ({ ...card, index })),
    );
    return part`exists (
      select from unnest(${indexes.map(({ province }) => province)}::text[],
                         ${indexes.map(({ index }) => index)}::bytea[]) as card(province, index)
       where ${of}.card_province = card.province and ${of}.card_index = card.index)`;
  };
  const who = part`who`;
  return sql<PatientFound>(db, 'patients-fitting')`
    select who.id as "patientId", who.record_id as "recordId",
           who.last_name || ', ' || who.first_name as name, who.birth_date::text as "birthDate"
      from ${PERSONS} who left join ${FOLDED}
     where (f.folded ~ all(${name}::text[]) or who.person = any(${fitting(name)}::text[]))
       and (${birthDate}::date is null or who.birth_date = ${birthDate}::date)
       and (${number === null}::boolean
            or ${among(number?.cards ?? [], who)}
            or upper(who.record_id) = ${record}
            or exists (select from ${RECORDS} gone
                        where gone.merged_into = who.record_id
                          and (upper(gone.id) = ${record}
                               or ${among(number?.cards ?? [], part`gone`)}))
            or exists (select from unnest(who.phones) as each
                        where each <> '' and right(each, length(${phone}::text)) = ${phone}::text))
        or ${otherwise !== null}::boolean
           and (f.folded ~ all(${otherwise?.name ?? []}::text[])
                or who.person = any(${fitting(otherwise?.name ?? [])}::text[])
                or ${among(otherwise?.cards ?? [], who)})
     order by who.last_name, who.first_name, who.birth_date, who.record_id
     limit ${most}`;
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
