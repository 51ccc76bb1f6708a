import { expect, test } from 'vitest';
import { compiled } from './catalogues.ts';
import {
  formatChoice,
  formatFullDate,
  formatMoment,
  formatMoney,
  formatMonthOfYear,
  formatNumber,
  formatWeekdayName,
  dateOrder,
  formatLongDate,
  monthNames,
  regionName,
} from './formats.ts';
import { acceptedLanguages, preferredLanguage } from './languages.ts';
import { PSEUDO, addPseudoLocales } from './pseudo.ts';
import { addMessages, addPart, translate } from './translate.ts';

const at = Date.UTC(2026, 10, 23, 15, 5) / 1000;

// Shows: R-99
test('dates, money and choices are written in the manner of the language', () => {
  addMessages('fr', { 'format.moment': '{day} à {time}' });
  expect(formatMoment('en', at)).toBe('Mon Nov 23 2026 08:05');
  expect(formatMoment('fr', at)).toBe('lun. 23 nov. 2026 à 08:05');
  expect(formatMoney('en', 1_000)).toBe('CAD 10.00');
  expect(formatMoney('fr', 1_000)).toBe('10,00\u00a0$');
  expect(formatNumber('en', 2.42, 1)).toBe('2.4');
  expect(formatNumber('fr', 2.42, 1)).toBe('2,4');
  expect(formatChoice('en', ['a', 'b', 'c'])).toBe('a, b or c');
  expect(formatChoice('fr', ['a', 'b', 'c'])).toBe('a, b ou c');
});

// Shows: R-99
test('a calendar names its days and months in the language', () => {
  expect(formatFullDate('en', '2026-12-15')).toBe('Tuesday, December 15, 2026');
  expect(formatFullDate('en', '2000-02-29')).toBe('Tuesday, February 29, 2000');
  expect(formatFullDate('fr', '2026-12-15')).toBe('mardi 15 décembre 2026');
  expect(formatMonthOfYear('en', '2027-01-01')).toBe('January 2027');
  expect(formatMonthOfYear('fr', '2027-01-01')).toBe('janvier 2027');
  expect(formatWeekdayName('fr', '2026-12-15')).toBe('mardi');
  expect(monthNames('en').at(-1)).toBe('December');
  expect(monthNames('fr')).toHaveLength(12);
  expect(monthNames('fr').at(1)).toBe('février');
  expect(formatLongDate('en', '1984-05-17')).toBe('May 17, 1984');
  expect(formatLongDate('fr', '1984-05-17')).toBe('17 mai 1984');
  expect(dateOrder('en')).toEqual(['month', 'day', 'year']);
  expect(dateOrder('fr')).toEqual(['day', 'month', 'year']);
});

// Shows: R-99
test('a country has its name in the language, and in English the one of our list', () => {
  expect(regionName('fr', 'DE')).toBe('Allemagne');
  expect(regionName('fr', 'QQ')).toBeUndefined();
  expect(regionName('en', 'DE')).toBeUndefined();
});

// Shows: R-99
test('what is not translated is English', () => {
  addPart('test', { 'test.hello': 'Hello {name}' });
  expect(translate('fr', 'test.hello', { name: 'Casey' })).toBe('Hello Casey');
  addMessages('fr', { 'test.hello': 'Bonjour {name}' });
  expect(translate('fr', 'test.hello', { name: 'Casey' })).toBe('Bonjour Casey');
});

test('a full stop is one, also behind that of an abbreviation', () => {
  addPart('test', compiled({ 'test.until': 'Until {day}. Then {what}.' }));
  const until = (day: string) => translate('en', 'test.until', { day, what: '2.5 h' });
  expect(until('21 nov.')).toBe('Until 21 nov. Then 2.5 h.');
  expect(until('Nov 21')).toBe('Until Nov 21. Then 2.5 h.');
});

test('a text has the form of its number or choice, and each number as the language writes it', () => {
  const said = compiled({
    'test.left': '{n, plural, =0 {None of {of}} one {# left of {of}} other {# left of {of}}}.',
    'test.who': '{who, select, patient {You} other {{name}}} and {n, plural, one {one} other {#}}',
  });
  addPart('test', said);
  const left = (locale: string, n: number) => translate(locale, 'test.left', { n, of: '#{n}' });
  expect(left('en', 0)).toBe('None of #{n}.');
  expect(left('en', 1)).toBe('1 left of #{n}.');
  expect(left('en', 1200)).toBe('1,200 left of #{n}.');
  addMessages('fr', said);
  expect(left('fr', 1200)).toBe('1\u202f200 left of #{n}.');
  const who = (name: string) => translate('en', 'test.who', { who: name, name, n: 2 });
  expect(who('patient')).toBe('You and 2');
  expect(who('constructor')).toBe('constructor and 2');
  expect(translate('en', 'test.unknown')).toBe('test.unknown');
});

test('the pseudo-locale is longer, accented and bracketed, with its values as they are', () => {
  addPseudoLocales();
  addPart(
    'test',
    compiled({ 'test.files': '{count, plural, one {# file of {name}} other {# files of {name}}}' }),
  );
  expect(translate(PSEUDO, 'test.files', { count: 2, name: 'Casey' })).toBe(
    '⟦2 ḟíĺéś óḟ ~~~~Casey⟧',
  );
});

// Shows: R-99
test('the most wanted language that is offered is found, whatever its region', () => {
  expect(acceptedLanguages('en;q=0.5, fr-CA, de;q=0')).toEqual(['fr-CA', 'en']);
  expect(preferredLanguage(['de', 'fr-CA', 'en'], ['en', 'fr'])).toBe('fr');
  expect(preferredLanguage(['en-XA', 'fr'], ['en', 'en-XA'])).toBe('en-XA');
  expect(preferredLanguage(['de'], ['en', 'fr'])).toBeNull();
});
