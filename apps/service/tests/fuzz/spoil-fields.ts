import type { Call } from '@clinic/contract';
import fc from 'fast-check';
import { type AskOptions, onlyForms } from '../../testing/index.ts';
import { type Place, REMOVED, spotsOf, withValueAt } from '../places.ts';
import { type Spoiling, namesIn, sent, show } from './spoiling.ts';
import { strangeValues } from './strange-values.ts';
import { wrongInFormFor, wrongValuesFor } from './wrong-values.ts';

/** Fields of the wrong type, strange, missing, or unknown. */
export function spoilFields(call: Call): fc.Arbitrary<Spoiling>[] {
  const spots = spotsOf(call).filter(({ place }) => place.startsWith('body.'));
  const at = (place: Place, mustRefuse: boolean) => (value: unknown) => ({
    name: `${place} is ${show(value)}`,
    mustRefuse,
    spoil: (request: AskOptions) => sent(call, withValueAt(request, place, value)),
  });
  const wrongFor = onlyForms(call) ? wrongInFormFor : wrongValuesFor;
  return [
    ...spots.map(({ place, shape }) => wrongFor(shape).map(at(place, true))),
    ...spots.map(({ place }) => strangeValues.map(at(place, false))),
    ...spots
      .filter(({ required }) => required)
      // Of a field within a list the list may be absent altogether.
      .map(({ place }) => fc.constant(at(place, !/\.0\b/.test(place))(REMOVED))),
    fc
      .tuple(unknownNames(namesIn(call, 'body')), strangeValues)
      .map(([name, value]) => at(`body.${name}`, true)(value ?? 'x')),
  ];
}

const unknownNames = (known: readonly string[]) =>
  fc
    .oneof(
      fc.string({ minLength: 1, maxLength: 30 }),
      fc.constantFrom('', '__proto__', 'constructor', '\0', '\uD800', 'x'.repeat(5_000)),
    )
    .filter((name) => !known.includes(name) && !name.includes('.') && !/^\d+$/.test(name));
