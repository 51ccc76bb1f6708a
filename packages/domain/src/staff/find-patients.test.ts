import { describe, expect, test } from 'vitest';
import { patientQuery } from './find-patients.ts';

const NOTHING = { name: [], birthDate: null, number: null };

describe('What is typed into the search for a patient (S-18)', () => {
  test.each([
    ['Morgan, Casey', { name: [' (morgan)', ' (casey|morgancasey)'] }],
    [
      '  Zoë  O’Neil-Roy ',
      { name: [' (zoe)', ' (oneil|zoeoneil)', ' (roy|oneilroy|zoeoneilroy)'] },
    ],
    ['1984-05-17', { birthDate: '1984-05-17' }],
    ['mor 1984/5/7', { name: [' (mor)'], birthDate: '1984-05-07' }],
    ['O', { name: [' o '] }],
  ])('%s is a name, a birth date, or both', (typed, query) => {
    expect(patientQuery(typed)).toMatchObject({ ...NOTHING, ...query });
  });

  test.each([
    ['(604) 555-0100', '6045550100', '6045550100'],
    ['+1 604 555 0100', '6045550100', '16045550100'],
    ['9876 543 217', '9876543217', '9876543217'],
  ])('%s is the end of a phone number, or a card', (typed, phoneEnd, card) => {
    const number = patientQuery(typed)?.number;
    expect(number?.phoneEnd).toBe(phoneEnd);
    expect(number?.cards).toContainEqual({ province: 'BC', number: card });
  });

  test('a few digits end a phone number or name a record, and are no card', () => {
    expect(patientQuery('0100')?.number).toEqual({ phoneEnd: '0100', cards: [], recordId: '0100' });
    expect(patientQuery('12')?.number).toEqual({ phoneEnd: null, cards: [], recordId: '12' });
  });

  test('a name may hold digits', () => {
    expect(patientQuery('Ford 3rd')?.otherwise?.name).toEqual([' (ford)', ' (3rd|ford3rd)']);
  });

  test('a card or a record with letters is no phone number', () => {
    const cards = patientQuery('TREM 8405 1712')?.number?.cards;
    expect(cards).toContainEqual({ province: 'ON', number: '84051712' });
    const asPrinted = patientQuery('TREM 8405 1712')?.otherwise?.cards;
    expect(asPrinted).toContainEqual({ province: 'QC', number: 'TREM84051712' });
    const named = patientQuery('trem84051712')?.number;
    expect(named).toMatchObject({ phoneEnd: null, recordId: 'TREM84051712' });
    expect(named?.cards).toContainEqual({ province: 'QC', number: 'TREM84051712' });
  });

  test.each(['', '1984-05-17 1985-05-17'])('%j says too little, or two things', (typed) =>
    expect(patientQuery(typed)).toBeNull(),
  );
});
