import { describe, expect, test } from 'vitest';
import { filledText, paragraphsOf, whyTextRefused } from './agreement-text.ts';

describe('A text that a clinic typed (R-104)', () => {
  test('is parted by empty lines, and a line break within a paragraph is a blank', () => {
    expect(paragraphsOf('\n One\nline. \r\n \r\nTwo.\n\n\n\nThree\t3.\n')).toEqual([
      'One line.',
      'Two.',
      'Three 3.',
    ]);
    expect(paragraphsOf(' \n\n ')).toEqual([]);
    expect(paragraphsOf('Frais\u00A0: 10\u00A0$')).toEqual(['Frais\u00A0: 10\u00A0$']);
  });

  test.each([
    ['the fee, the booking fee and the clinic', '{fee} {bookingFee} {clinicName}', []],
    ['no fee', 'You pay.', ['text missingPlaceholder {fee}']],
    ['another name', '{fee} {Fee}', ['text unknownPlaceholder {Fee}']],
    ['ICU syntax', '{fee} {n, plural, other {#}}', ['text unknownPlaceholder {']],
    ['a brace alone', '{fee} }', ['text unknownPlaceholder }']],
    ['nothing', ' \n', ['text empty ']],
  ])('a fee warning with %s', (_, text, problems) => {
    expect(saidOf('feeWarning', { title: 'Fee', text })).toEqual(problems);
  });

  test('names only what is filled in where it is shown, and has a title', () => {
    expect(saidOf('signUp', { title: ' ', text: '{clinicName}' })).toEqual(['title empty ']);
    expect(saidOf('signUp', { title: '{bookingFee}', text: 'I agree. {fee}' })).toEqual([
      'title unknownPlaceholder {bookingFee}',
      'text unknownPlaceholder {fee}',
    ]);
    expect(saidOf('general', { title: 'Policy', text: '{bookingFee}' })).toEqual([]);
  });

  test('is filled, whatever signs the values hold', () => {
    const values = { clinicName: "$& {fee} d'Or" };
    expect(filledText("At {clinicName}, '{fee}'.", values)).toBe("At $& {fee} d'Or, '{fee}'.");
  });
});

const saidOf = (...typed: Parameters<typeof whyTextRefused>) =>
  whyTextRefused(...typed).map(({ field, why, placeholder }) => `${field} ${why} ${placeholder}`);
