import { addDays } from '@clinic/domain';
import { COMMON_NAMES, seededNumbers } from '@clinic/domain/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { misspelt } from '../../../testing/common-people.ts';
import type { Db } from '../../database/db.ts';
import { likelyOf } from './likely.store.ts';

/** A database that has these people. */
const having = (rows: readonly object[]): Pick<Db, '$client'> => ({
  $client: { query: async () => ({ rows: [...rows] }) },
});
const NO_CARD = { province: 'Other', indexes: [] };

/** So many have one birth date after an import from a system that asked for none. */
const MANY = 200;
/** Each look at the clock is so much later, however fast the machine. */
const LOOK_MS = 1;

test('Who may be one person is found among many of one birth date, and other work goes on meanwhile', async () => {
  const named = (n: number) => ({ firstName: `Casey${n}`, lastName: 'Morgan', recordId: `${n}` });
  const born = { birthDate: '1900-01-01', province: 'BC', index: null, sealed: null };
  const rows = Array.from({ length: MANY }, (_, n) => ({ ...named(n), ...born, patientId: null }));
  const people = Array.from({ length: 100 }, (_, n) => ({
    ...named(n),
    recordId: `again-${n}`,
    birthDate: born.birthDate,
    card: NO_CARD,
  }));

  let at = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (at += LOOK_MS));
  onTestFinished(() => void vi.restoreAllMocks());
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const likely = await likelyOf(having(rows), people);
  isOver = true;

  expect(likely.map((found) => found.map(({ recordId }) => recordId))).toEqual(
    people.map((_, n) => [`${n}`]),
  );
  expect(turns).toBeGreaterThan(MANY / 20);
});

/** A name on a record, and how others write what they hear. */
const heard = (lines: string) => lines.split(', ').map((line) => line.split(' '));
const FIRST_NAMES = heard(
  'Steven Stephen Stephan, Mohamed Muhammad Mohammad, Kateryna Katerina Catherina, Catherine Kathryn Katharine, ' +
    'Geoffrey Jeffrey Jeffery, Yusuf Youssef Yousuf, Hussein Hossain Hussain, Dmytro Dmitri Dimitri, ' +
    'Oleksandr Aleksandr Alexander, Sofia Sophia Sofiya, Filip Philip Phillip, Gurpreet Gurprit Gurpreeth, ' +
    'Sukhdeep Sukhdip Sukdeep, Khadija Khadijah Kadija, Volodymyr Vladimir Wolodymyr, Lindsay Lyndsey Lynsey, ' +
    'Caitlin Kaitlyn Katelyn, Zachary Zackery Zakary, Isabel Isabelle Ysabel, Xiaoming Xiao-Ming Shaoming, ' +
    'Robert Bob Rob, William Bill Will, Elizabeth Liz Beth, Margaret Peggy Meg, Sean Shawn Shaun, ' +
    'Sarah Sara Sahra, Anne-Marie Annemarie Anne, Siobhan Shivaun Chevonne, Jean-Paul Jeanpaul Jean, Marc Mark Marck',
);
const LAST_NAMES = heard(
  'Nguyen Ngyuen Nguyn, Petersen Peterson Pettersen, Schmidt Schmitt Schmid, Thompson Thomson Tompson, ' +
    'Shevchenko Szewczenko Chevchenko, Kowalski Kovalsky Kowalsky, Hussaini Hosseini Husseini, Meyer Maier Meier, ' +
    'MacDonald McDonald Mcdonnald, Gauthier Gautier Gothier, Ivanov Iwanow Ivanoff, Chaudhry Choudhury Chaudhary, ' +
    'Dhaliwal Dhaliwall Daliwal, Clark Clarke Clerk, Reid Reed Read, Phillips Philips Filips, Singh Sing Singhe, ' +
    "O'Brien Obrien O'Brian, Van-der-Berg Vanderberg Vandenberg, Garcia-Lopez Garcia Lopez, " +
    'Smith-Jones Smith Jones, Wong Wang Huang, Lee Li Leigh, Chen Chan Cheng, Kaur Kour Cour, Gill Gil Ghill',
);

// Shows: S-18
test('Of 300 who come a second time under another spelling 95 % are shown, and of 10,000 strangers 2 %', async () => {
  const below = seededNumbers(39);
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] ?? expect.fail();
  /** As many share one as of 20,000 people who live for 80 years. */
  const birthDate = () => addDays('1985-01-01', below(3_000));
  const phone = (n: number) => `+1604555${1_000 + n}`;
  const spelt = Array.from({ length: 300 }, () => ({
    first: oneOf(FIRST_NAMES),
    last: oneOf(LAST_NAMES),
  }));
  const others = Array.from({ length: 1_700 }, () => ({
    first: [oneOf(COMMON_NAMES.first)],
    last: [oneOf(COMMON_NAMES.last)],
  }));
  const known = [...spelt, ...others].map(({ first, last }, n) => ({
    patientId: null,
    recordId: `P${n}`,
    firstName: first[0] ?? '',
    lastName: last[0] ?? '',
    birthDate: birthDate(),
    phones: [phone(n)],
    province: 'Other',
    index: null,
    sealed: null,
  }));
  const clinic = having(known);

  const again = spelt.map(({ first, last }, n) => {
    const { firstName, lastName, ...person } = known[n] ?? expect.fail();
    const other = oneOf([
      { firstName: oneOf(first), lastName: oneOf(last) },
      { firstName: misspelt(firstName, below), lastName: oneOf(last) },
      { firstName: oneOf(first), lastName: misspelt(lastName, below) },
      // A name of before a wedding, and a date that was misheard.
      { firstName: oneOf(first), lastName: oneOf(COMMON_NAMES.last), birthDate: birthDate() },
    ]);
    const phones = 'birthDate' in other ? person.phones : [];
    return { ...person, ...other, phones, recordId: `again-${n}`, card: NO_CARD };
  });
  const found = await likelyOf(clinic, again);
  const missed = again.filter((_, n) => !found[n]?.some(({ recordId }) => recordId === `P${n}`));
  expect(missed.slice(15)).toEqual([]);

  const strangers = Array.from({ length: 10_000 }, (_, n) => ({
    recordId: `stranger-${n}`,
    firstName: oneOf(n % 4 === 0 ? FIRST_NAMES.flat() : COMMON_NAMES.first),
    lastName: oneOf(n % 4 === 0 ? LAST_NAMES.flat() : COMMON_NAMES.last),
    birthDate: birthDate(),
    // Every tenth has a phone that somebody has, as in a household.
    phones: n % 10 === 0 ? [phone(below(known.length))] : [],
    card: NO_CARD,
  }));
  const likely = await likelyOf(clinic, strangers);
  expect(strangers.filter((_, n) => likely[n]?.length !== 0).slice(200)).toEqual([]);
});
