import fc from 'fast-check';

/** PostgreSQL stores neither NUL nor lone surrogates. */
export const UNSTORABLE = ['\0', 'a\0b', '\uD800', 'a\uDC00b'];

const NOTHING_MUCH = [
  '',
  ' ',
  '-1',
  '0',
  '1e9',
  'NaN',
  'null',
  'undefined',
  'true',
  '[object Object]',
];
const DATES = [
  '0000-00-00',
  '0000-01-01',
  '2026-02-30',
  '2026-13-01',
  '9999-12-31',
  '+275760-09-13',
  '2026-11-23T00:00:00Z',
];
const NUMBERS_AS_TEXT = ['99999999999999999999', '-99999999999', '1e400', '0x10', '１２３'];
const ATTACKS = [
  "' or '1'='1",
  '%00',
  '%2e%2e%2f',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
];
const UNICODE = ['\u202E', '\uFEFF', '\u0085', '\u2028', 'é'.repeat(2_000), 'x'.repeat(20_000)];
export const strangeTexts = [NOTHING_MUCH, DATES, NUMBERS_AS_TEXT, ATTACKS, UNICODE].flat();

export const strangeNumbers = [
  -1,
  0,
  -0,
  0.5,
  1.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  1e-9,
  253_402_300_800,
  -62_135_596_800,
  8_640_000_000_001,
];

function nested(depth: number): unknown {
  return depth === 0 ? 'deep' : [nested(depth - 1)];
}
const strangeThings: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { length: 1 },
  { toString: 'x' },
  ['101', '102'],
  nested(15),
];

/** Anything at all; most of it is wrong anywhere. */
export const strangeValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...strangeThings),
  fc.constantFrom<unknown>(...strangeNumbers),
  fc.constantFrom(...strangeTexts, ...UNSTORABLE),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
);

/** As they would stand in an address, encoded by nobody. */
const ENCODINGS = ['%00', '%2F', '%2f..%2f', '%2e%2e', '..', '.', '%', '%z', '%zz', '%C0%80'];
const MORE_ENCODINGS = ['%ED%A0%80', '%25', '%252F', '%F4%90%80%80', '%E2%80%AE', ';a=b', '*', '~'];
const PARAMETERS = ['-1', '1e5', 'null', '[]', '{}', '%0d%0aset-cookie:%20x=y'];
const LONG_ONES = ['x'.repeat(100), 'x'.repeat(3_000), '%41'.repeat(1_000)];
export const strangeAddressParts = fc.oneof(
  fc.constantFrom(...[ENCODINGS, MORE_ENCODINGS, PARAMETERS, LONG_ONES].flat()),
  fc.webPath(),
  fc.string({ maxLength: 60 }).map(encodeURIComponent),
);

const HEADER_NUMBERS = ['', ' ', '-1', '1.5', 'NaN', '99999999999999999999', '1e3', '0x1', 'null'];
const HEADER_TEXTS = [
  '[]',
  'x'.repeat(5_000),
  "' or 1=1 --",
  '2026-11-23',
  'é\u00ff',
  '\t',
  ',',
  '"',
];
export const strangeHeaderValues = fc.oneof(
  fc.constantFrom(...HEADER_NUMBERS, ...HEADER_TEXTS),
  fc.string({ maxLength: 80 }),
);
