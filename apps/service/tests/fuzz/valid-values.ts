import fc from 'fast-check';
import type { Shape } from '../places.ts';
import { fits } from './fits.ts';

/** Values that a caller who knows the clinic would try: real ids, real times, real dates. */
export interface Known {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** Any value that the contract takes at this place. */
export function valuesOf(shape: Shape, known: Known): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  if (shape.anyOf !== undefined && shape.type === undefined)
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
        minLength: shape.minItems ?? 0,
        maxLength: Math.max(shape.minItems ?? 0, Math.min(shape.maxItems ?? 4, 4)),
      });
    case 'object':
      return objectsOf(shape, known);
    default:
      throw new Error(`The fuzz knows no values of ${JSON.stringify(shape)}`);
  }
}

function textsOf(shape: Shape, known: readonly string[]): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 200, pattern, format } = shape;
  const takes = (text: string) => fits(shape, text);
  const own = oneOfThe(known.filter(takes));
  if (format === 'date') return fc.oneof(DATES, ...own).filter(takes);
  if (format === 'uuid') return fc.oneof(fc.uuid(), ...own).filter(takes);
  // A pattern that names what is forbidden says nothing about what to write.
  if (pattern !== undefined && !pattern.includes('[^')) {
    const written = new RegExp(pattern.replace(/\(\?!.*?\)/g, ''));
    return fc.oneof(fc.stringMatching(written), ...own).filter(takes);
  }
  const most = Math.min(maxLength, LONGEST);
  return fc
    .oneof(
      fc.string({ minLength, maxLength: Math.min(most, minLength + 40) }),
      fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, 30) }),
      fc.constant('x'.repeat(most)),
      fc.constant('\u{1F33F}'.repeat(most)),
      ...own,
    )
    .filter(takes);
}

/** Longer ones only cost time. */
const LONGEST = 4_000;
const DATES = fc
  .date({
    min: new Date('1900-01-01T00:00Z'),
    max: new Date('2100-12-31T00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));

function numbersOf(shape: Shape, known: readonly number[]): fc.Arbitrary<number> {
  const min = Math.max(shape.minimum ?? -1e15, Number.MIN_SAFE_INTEGER);
  const max = Math.min(shape.maximum ?? 1e15, Number.MAX_SAFE_INTEGER);
  const { multipleOf: step = 1 } = shape;
  const [low, high] = [Math.ceil(min / step), Math.floor(max / step)];
  return fc.oneof(
    fc.maxSafeInteger().map((each) => (low + (Math.abs(each) % (high - low + 1))) * step),
    fc.constantFrom(low * step, high * step),
    ...oneOfThe(known.filter((each) => fits(shape, each))),
  );
}

const oneOfThe = <T>(values: readonly T[]) =>
  values.length === 0 ? [] : [fc.constantFrom(...values)];

function objectsOf(shape: Shape, known: Known) {
  const { properties = {}, required = [], oneOf, anyOf } = shape;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valuesOf(each, known)]),
  );
  const needed = required.filter((name) => Object.hasOwn(fields, name));
  const together = (oneOf ?? anyOf ?? []).map((each) => each.required ?? []);
  if (together.length === 0) return fc.record(fields, { requiredKeys: needed });
  return fc.oneof(
    ...together.map((names) => {
      const others =
        oneOf === undefined ? [] : together.flat().filter((each) => !names.includes(each));
      const own = Object.entries(fields)
        .filter(([name]) => !others.includes(name))
        .map(([name, each]) => [
          name,
          names.includes(name) ? each.filter((value) => value !== null) : each,
        ]);
      return fc.record(Object.fromEntries(own) as typeof fields, {
        requiredKeys: [...needed, ...names],
      });
    }),
  );
}
