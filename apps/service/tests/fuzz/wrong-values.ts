import fc from 'fast-check';
import { type Shape, takes } from '../places.ts';
import { UNSTORABLE, strangeNumbers, strangeTexts } from './strange-values.ts';

/** Only values that the place does not take. */
export function wrongValuesFor(shape: Shape): fc.Arbitrary<unknown> {
  const wrong: fc.Arbitrary<unknown>[] = [
    fc.constantFrom(...(takes(shape, 'string') ? UNSTORABLE : strangeTexts)),
    ...(takes(shape, 'number') ? [] : [fc.constantFrom(...wrongNumbers(takes(shape, 'integer')))]),
    ...(takes(shape, 'boolean') ? [] : [fc.boolean()]),
    ...(takes(shape, 'null') ? [] : [fc.constant(null)]),
    ...(takes(shape, 'array') ? [] : [fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 })]),
    ...(takes(shape, 'object') ? [] : [fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }))]),
  ];
  return fc.oneof(...wrong);
}

/** A form has texts only: wrong are lists, files in place of texts, and NUL. */
export function wrongInFormFor(shape: Shape): fc.Arbitrary<unknown> {
  const listed = shape.enum ?? [];
  return fc.oneof(
    fc.constantFrom('\0', 'a\0b', ['x'], ['x', 'y'], { a: 1 }),
    ...(listed.length === 0
      ? []
      : [fc.constantFrom(...strangeTexts.filter((text) => !listed.includes(text)))]),
  );
}

const wrongNumbers = (wholeAllowed: boolean): readonly number[] =>
  wholeAllowed ? strangeNumbers.filter((each) => !Number.isSafeInteger(each)) : strangeNumbers;
