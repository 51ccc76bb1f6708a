import { addDays } from '@clinic/domain';
import { COMMON_NAMES, seededNumbers } from '@clinic/domain/testing';

/** A record of somebody without an account. */
export interface PersonToBe {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
}

/** So many people with common names, the same in every run; few of them share a birth date. */
export function peopleWithCommonNames(count: number): PersonToBe[] {
  const below = seededNumbers(count);
  const { first, last } = COMMON_NAMES;
  const one = (names: readonly string[]) => names[below(names.length)] ?? '';
  return Array.from({ length: count }, (_, at) => {
    const isDouble = below(10) === 0;
    return {
      id: `P${at}`,
      firstName: one(first),
      lastName: isDouble ? `${one(last)}-${one(last)}` : one(last),
      birthDate: addDays('1930-01-01', below(30_000)),
    };
  });
}

/** A name with one letter missing, too many, wrong, or two swapped, wherever in it. */
export function misspelt(name: string, below: (n: number) => number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const at = below(name.length - 1);
  const letter = letters[below(letters.length)] ?? '';
  const [before, one = '', other = '', after] = [
    name.slice(0, at),
    name[at],
    name[at + 1],
    name.slice(at + 2),
  ];
  const ways = [
    before + letter + one + other + after,
    before + other + after,
    before + letter + other + after,
    before + other + one + after,
  ];
  return ways[below(ways.length)] ?? '';
}

/** The statement that inserts people, with its parameters. */
export const insertPeople = (people: readonly PersonToBe[]) =>
  [
    `insert into patient_record (id, first_name, last_name, birth_date, card_province)
     select id, "firstName", "lastName", "birthDate", 'Other'
       from jsonb_to_recordset($1::jsonb)
         as row (id text, "firstName" text, "lastName" text, "birthDate" date)`,
    [JSON.stringify(people)],
  ] as const;
