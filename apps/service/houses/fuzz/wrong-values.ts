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

const wrongNumbers = (wholeAllowed: boolean): readonly number[] =>
  wholeAllowed ? strangeNumbers.filter((each) => !Number.isSafeInteger(each)) : strangeNumbers;
