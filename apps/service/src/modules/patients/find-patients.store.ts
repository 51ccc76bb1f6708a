import type { PatientQuery } from '@clinic/domain';
import { type Db, part, sql } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { RECORDS } from '../records/index.ts';

/** A patient whom a search found, with or without an account. */
export interface PatientFound {
  /** Null for somebody without an account. */
  readonly patientId: string | null;
  readonly recordId: string;
  /** 'Morgan, Casey'. */
  readonly name: string;
  readonly birthDate: string;
}

const NAME = part`(who.first_name || ' ' || who.last_name)`;

/**
 * Folds a name as `foldedName` does, with a space before each word. Accents are removed before `lower`,
 * which knows only a to z in a database of locale C. Pure ASCII names skip that step.
 */
const FOLDED = part`' ' || translate(lower(
  case when octet_length(${NAME}) = length(${NAME}) then ${NAME}
       else regexp_replace(normalize(${NAME}, NFD), '[\\u0300-\\u036f]', '', 'g') end),
  'øØłŁđĐ-’''', 'oolldd ')`;

/**
 * Open accounts, and records without one, that match the whole query. Its number may be that of a card
 * or a record, or the end of a phone number.
 */
export function patientsFitting(
  db: Db,
  keyring: Pick<Keyring, 'blindIndexes'>,
  { words, birthDate, number }: PatientQuery,
  most: number,
): Promise<PatientFound[]> {
  const cards = number?.cards.flatMap((card) => keyring.blindIndexes('card', card)) ?? [];
  const phone = number?.phoneEnd ?? null;
  return sql<PatientFound>(db, 'patients-fitting')`
    with who as (
      select id, record_id, first_name, last_name, birth_date, card_index,
             array[phone, mobile_phone, international_phone] as phones
        from patient where role = 'patient' and closed_at_s is null
      union all
      select null, r.id, r.first_name, r.last_name, r.birth_date, r.card_index, '{}'::text[]
        from ${RECORDS} r
       where r.merged_into is null
         and not exists (select from patient p where p.record_id = r.id and p.closed_at_s is null))
    select who.id as "patientId", who.record_id as "recordId",
           who.last_name || ', ' || who.first_name as name, who.birth_date::text as "birthDate"
      from who
     where (select coalesce(bool_and(position(' ' || word in ${FOLDED}) > 0), true)
              from unnest(${words}::text[]) as word)
       and (${birthDate}::date is null or who.birth_date = ${birthDate}::date)
       and (${number === null}::boolean
            or who.card_index = any(${cards}::bytea[])
            or upper(who.record_id) = ${number?.recordId ?? ''}
            or exists (select from ${RECORDS} gone
                        where gone.merged_into = who.record_id
                          and (gone.card_index = any(${cards}::bytea[])
                               or upper(gone.id) = ${number?.recordId ?? ''}))
            or exists (select from unnest(who.phones) as each
                        where each <> '' and right(each, length(${phone}::text)) = ${phone}::text))
     order by who.last_name, who.first_name, who.birth_date, who.record_id
     limit ${most}`;
}

/** Names such as 'Morgan, Casey', by the id of an account or a record; unknown ids are left out. */
export async function patientNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; name: string }>(db, 'patient-names')`
    select id::text as id, last_name || ', ' || first_name as name from patient
     where id::text = any(${ids}::text[])
    union all
    select r.id, r.last_name || ', ' || r.first_name from ${RECORDS} r where r.id = any(${ids}::text[])
    union all
    select record_id, last_name || ', ' || first_name from patient
     where record_id = any(${ids}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
