import fc from 'fast-check';
import type { Shape } from '../places.ts';

/** Values that a caller who knows the clinic would try: real ids, real times, real dates. */
export interface Known {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** Any value that the contract takes at this place. */
export function valuesOf(shape: Shape, known: Known): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  if (shape.anyOf !== undefined)
    return fc.oneof(...shape.anyOf.map((each) => valuesOf(each, known)));
  switch (shape.type) {
    case 'string':
      return textsOf(shape, known.texts);
    case 'integer':
    case 'number':
      return numbersOf(shape, known.numbers);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(shape.items ?? {}, known), {
        maxLength: Math.min(shape.maxItems ?? 4, 4),
      });
    case 'object':
      return objectsOf(shape, known);
    default:
      throw new Error(`The fuzz knows no values of ${JSON.stringify(shape)}`);
  }
}

function textsOf(shape: Shape, known: readonly string[]): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 200, pattern } = shape;
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (pattern !== undefined)
    return fc.oneof(
      fc.stringMatching(new RegExp(pattern)),
      ...oneOfThe(known.filter((text) => new RegExp(pattern).test(text))),
    );
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40) }),
    fc.string({ unit: 'grapheme', minLength, maxLength: 30 }).filter(fits),
    fc.constant('x'.repeat(maxLength)),
    ...oneOfThe(known.filter(fits)),
  );
}

function numbersOf(shape: Shape, known: readonly number[]): fc.Arbitrary<number> {
  const min = Math.max(shape.minimum ?? -1e15, Number.MIN_SAFE_INTEGER);
  const max = Math.min(shape.maximum ?? 1e15, Number.MAX_SAFE_INTEGER);
  return fc.oneof(
    fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
    fc.constantFrom(min, max),
    ...oneOfThe(known.filter((each) => each >= min && each <= max)),
  );
}

const oneOfThe = <T>(values: readonly T[]) =>
  values.length === 0 ? [] : [fc.constantFrom(...values)];

function objectsOf({ properties = {}, required = [] }: Shape, known: Known) {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valuesOf(each, known)]),
  );
  return fc.record(fields, {
    requiredKeys: required.filter((name) => Object.hasOwn(fields, name)),
  });
}
