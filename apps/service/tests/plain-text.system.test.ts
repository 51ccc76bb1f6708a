import type { Call } from '@clinic/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, ask } from '../testing/index.ts';
import { LONG, everyCall } from './every-call.ts';
import { type Place, textPlaces, withValueAt } from './places.ts';
import { everyRow } from './rows-of.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

let clinic: TwoPatients;
beforeAll(async () => {
  clinic = await twoPatients();
});
afterAll(() => clinic.close());

const codes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
/** Tab and newline are text. */
const C0 = codes(0x00, 0x1f).filter((each) => each !== '\t' && each !== '\n');
const C1 = codes(0x7f, 0x9f);
const OVERRIDES = [...codes(0x202a, 0x202e), ...codes(0x2066, 0x2069)];
const RUNS = LONG ? 60 : 4;

/** What a call's request holds at a place, or a text that is long enough for any field. */
function usualAt(request: AskOptions, place: Place): string {
  const found: unknown = place
    .split('.')
    .reduce<unknown>((at, step) => (Object(at) as Record<string, unknown>)[step], request);
  return typeof found === 'string' && found !== '' ? found : 'sixteen letters..';
}

/** A 422 that names the field, or the list or choice that holds it. */
async function expectRefusedByName(call: Call, place: Place, value: string) {
  const request = withValueAt(validRequests[call.id](clinic), place, value);
  const response = await ask(clinic, call.id, request);
  const sent = { place, value: JSON.stringify(value) };
  expect({ ...sent, status: response.statusCode }).toEqual({ ...sent, status: 422 });
  const { errors = [] } = response.json<{ errors?: { field: string }[] }>();
  const field = place.replace(/^\w+\./, '');
  const named = errors.some((each) => field === each.field || field.startsWith(`${each.field}.`));
  expect({ place, errors, named }).toEqual({ place, errors, named: true });
}

const expectRefused = (call: Call, place: Place, marks: readonly string[]) =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...marks), fc.nat(200), async (mark, at) => {
      const usual = usualAt(validRequests[call.id](clinic), place);
      const cut = at % (usual.length + 1);
      await expectRefusedByName(call, place, usual.slice(0, cut) + mark + usual.slice(cut));
    }),
    { numRuns: RUNS },
  );

describe('A text of any call (S-17)', () => {
  // Shows: S-17
  test.each(everyCall.filter((call) => textPlaces(call).length > 0))(
    'of $id is refused by name with a C0 or C1 control character in it, and nothing changes',
    async (call) => {
      const before = await everyRow(clinic);
      for (const place of textPlaces(call))
        for (const marks of [C0, C1]) await expectRefused(call, place, marks);
      expect(await everyRow(clinic)).toEqual(before);
    },
  );

  const names = everyCall.flatMap((call) =>
    textPlaces(call)
      .filter((place) => /\b(first|last)Name$/.test(place))
      .map((place) => ({ call, id: call.id, place })),
  );

  // Shows: S-17
  test.each(names)(
    'that is a name, $place of $id, is refused when it turns the order of what is shown',
    async ({ call, place }) => {
      await expectRefused(call, place, OVERRIDES);
    },
  );

  test('may have tabs and lines, and a form may end them as browsers do', async () => {
    const message = 'One\n\tTwo\r\nبطاقة \u202bthree\u202c 👩\u200d⚕️';
    const { token } = clinic.asker;
    const sent = await ask(clinic, 'startMessage', { token, body: { message } });
    const { entries } = sent.answer().extras.message;
    expect(entries[0]?.message).toBe(message.replace('\r\n', '\n'));
  });
});
