import { describe, expect, test } from 'vitest';
import { patientQuery } from './find-patients.ts';

const NOTHING = { name: [], birthDates: [], number: null };

describe('What is typed into the search for a patient (S-18)', () => {
  test.each([
    ['Morgan, Casey', { name: [' (morgan)', ' (casey|morgancasey)'] }],
    [
      '  Zoë  O’Neil-Roy ',
      { name: [' (zoe)', ' (oneil|zoeoneil)', ' (roy|oneilroy|zoeoneilroy)'] },
    ],
    ['1984-05-17', { birthDates: ['1984-05-17'] }],
    ['mor 1984/5/7', { name: [' (mor)'], birthDates: ['1984-05-07'] }],
    ['O', { name: [' o '] }],
  ])('%s is a name, a birth date, or both', (typed, query) => {
    expect(patientQuery(typed)).toMatchObject({ ...NOTHING, ...query });
  });

  test.each([
    ['(604) 555-0100', '6045550100', '6045550100'],
    ['+1 604 555 0100', '6045550100', '16045550100'],
    ['9876 543 217', '9876543217', '9876543217'],
    ['+1 604 555', '604555', '1604555'],
  ])('%s is in a phone number, or a card', (typed, phoneDigits, card) => {
    const number = patientQuery(typed)?.number;
    expect(number?.phoneDigits).toBe(phoneDigits);
    expect(number?.cards).toContainEqual({ province: 'BC', number: card });
  });

  test('a few digits are in a phone number or name a record, and are no card', () => {
    expect(patientQuery('0100')?.number).toEqual({
      phoneDigits: '0100',
      cards: [],
      recordId: '0100',
    });
    expect(patientQuery('12')?.number).toEqual({ phoneDigits: null, cards: [], recordId: '12' });
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
    expect(named).toMatchObject({ phoneDigits: null, recordId: 'TREM84051712' });
    expect(named?.cards).toContainEqual({ province: 'QC', number: 'TREM84051712' });
  });

  test.each([
    ['1960-12-04', ['1960-12-04']],
    ['1960/12/4', ['1960-12-04']],
    ['4 Dec 1960', ['1960-12-04']],
    ['Dec 4, 1960', ['1960-12-04']],
    ['4 décembre 1960', ['1960-12-04']],
    ['1er juil. 1960', ['1960-07-01']],
    ['december 4th 1960', ['1960-12-04']],
    ['4-Dec-1960', ['1960-12-04']],
    ['1960 Dec 4', ['1960-12-04']],
    ['25/12/1960', ['1960-12-25']],
    // One of day and month cannot be told from the other.
    ['04/12/1960', ['1960-12-04', '1960-04-12']],
    ['4.4.1960', ['1960-04-04']],
  ])('%s is a birth date, in each way in which it can be read', (typed, birthDates) => {
    expect(patientQuery(typed)).toMatchObject({ ...NOTHING, birthDates });
    expect(patientQuery(`Dec ${typed} Jan`)).toMatchObject({ words: ['Dec', 'Jan'], birthDates });
  });

  test.each(['30 Feb 1960', '13/13/1960', 'Dec 1960', '604 555 1960'])('%s is no date', (typed) =>
    expect(patientQuery(typed)?.birthDates).toEqual([]),
  );

  test.each([
    ['Casey.Mor', 'casey.mor'],
    ['casey@example.com', 'casey@example.com'],
    ['casey84', 'casey84'],
    ['cas', null],
    ['casey morgan', null],
    ['604-555-0100', null],
    ['4-Dec-1960', null],
    ['604/555-0100', null],
  ])('%s may begin an email: %s', (typed, beginning) => {
    expect(patientQuery(typed)?.emailBeginning).toBe(beginning);
  });

  test.each(['', '1984-05-17 1985-05-17'])('%j says too little, or two things', (typed) =>
    expect(patientQuery(typed)).toBeNull(),
  );
});
