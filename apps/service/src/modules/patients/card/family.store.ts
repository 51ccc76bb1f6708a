import { type Db, part, sql } from '../../../database/db.ts';
import { ACCOUNTS } from '../../accounts/index.ts';
import { PERSONS, type PatientFound } from '../find-patients.store.ts';
import { CONTACT_NUMBERS } from './card.store.ts';

/** Somebody who has the phone number or the address of another. */
export interface FamilyMember extends PatientFound {
  readonly samePhone: boolean;
  readonly sameAddress: boolean;
}

interface Whose {
  readonly recordId: string;
  /** Null without an account: only accounts have an address. */
  readonly patientId: string | null;
  /** In E.164. */
  readonly numbers: readonly string[];
}

/** Of `PERSONS who`: has one of these numbers. */
export const hasNumber = (numbers: readonly string[]) => part`
  (who.dialled && ${numbers}::text[]
   or who.record_id in (select n.record_id from ${CONTACT_NUMBERS} n where n.number = any(${numbers}::text[])))`;

const POSTAL = (a: string) => part([`upper(regexp_replace(${a}.postal, '[^[:alnum:]]', '', 'g'))`]);
const STREET = (a: string) =>
  part([`lower(regexp_replace(${a}.address, '[^[:alnum:]]', '', 'g'))`]);

/** Who has the same phone number, or lives at the same address, as far as what is kept says so. */
export const familyOf = (db: Db, { recordId, patientId, numbers }: Whose, most: number) =>
  sql<FamilyMember>(db, 'family-of')`
    with home as (
      select a.id from ${ACCOUNTS} own
        join ${ACCOUNTS} a on ${POSTAL('a')} = ${POSTAL('own')} and ${STREET('a')} = ${STREET('own')}
       where own.id = ${patientId}::uuid and ${STREET('own')} <> '' and ${POSTAL('own')} <> '')
    select * from (
      select who.id as "patientId", who.record_id as "recordId",
             who.last_name || ', ' || who.first_name as name, who.birth_date::text as "birthDate",
             ${hasNumber(numbers)} as "samePhone",
             who.id is not null and who.id in (select id from home) as "sameAddress"
        from ${PERSONS} who where who.record_id <> ${recordId}) found
     where "samePhone" or "sameAddress"
     order by "birthDate", name, "recordId" limit ${most}`;
