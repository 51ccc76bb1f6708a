import { TYPE_HUES } from '@clinic/domain';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(`${import.meta.dirname}/tokens.css`, 'utf8');

/** The oklch custom properties of the block that follows `selector`. */
function colours(selector: string): Map<string, readonly [number, number, number]> {
  const start = css.indexOf(selector + ' {');
  const block = css.slice(start, css.indexOf('}', start));
  const found = block.matchAll(/--([\w-]+): oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\);/g);
  return new Map(
    Array.from(found, ([, name, l, c, h]) => [name ?? '', [Number(l) / 100, Number(c), Number(h)]]),
  );
}

/** Relative luminance of an OKLCH colour, clipped to sRGB (WCAG 2.2). */
function luminance([l, c, h]: readonly [number, number, number]): number {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
  const green = clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
  const blue = clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(
  scheme: Map<string, readonly [number, number, number]>,
  one: string,
  other: string,
): number {
  const first = scheme.get(one);
  const second = scheme.get(other);
  if (!first || !second) throw new Error(`No colour ${first ? other : one}`);
  const [low, high] = [luminance(first), luminance(second)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const grounds = ['paper', 'surface', 'surface-sunken'];
const words = ['ink', 'ink-soft', 'brand', 'brand-strong', 'good', 'caution', 'danger'];
const tints = ['brand-tint', 'good-tint', 'caution-tint', 'danger-tint'];
const wordPairs = [
  ...grounds.flatMap((ground) => words.map((word) => [word, ground])),
  ...tints.flatMap((tint) => [
    ['ink', tint],
    ['ink-soft', tint],
    [tint.replace('-tint', ''), tint],
  ]),
  ['brand-strong', 'brand-tint'],
  ['on-brand', 'brand'],
  ['on-brand', 'brand-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
];
const linePairs = [
  ...grounds.map((ground) => ['line-strong', ground]),
  ...grounds.map((ground) => ['focus', ground]),
  ['brand', 'brand-tint'],
  ['focus', 'brand-tint'],
  ...TYPE_HUES.flatMap((hue) => [...grounds, ...tints].map((ground) => [`type-${hue}`, ground])),
];

describe.each([
  ['light', ':root'],
  ['dark', ":root[data-theme='dark']"],
])('the %s scheme', (_name, selector) => {
  const scheme = colours(selector);

  test.each(wordPairs)('%s can be read on %s', (word = '', ground = '') => {
    expect(contrast(scheme, word, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(linePairs)('a line of %s can be seen on %s', (line = '', ground = '') => {
    expect(contrast(scheme, line, ground)).toBeGreaterThanOrEqual(3);
  });
});

test('dark by choice and dark by system are the same colours', () => {
  expect(colours(":root[data-theme='dark']")).toEqual(colours(":root:not([data-theme='light'])"));
});

test('the dark colours are for screens alone, so that paper is printed in the light ones', () => {
  const screens = css.split(/^@media /m).filter((part) => part.startsWith('screen'));
  expect(screens.join('').match(/color-scheme: dark;/g)).toHaveLength(2);
  expect(css.match(/color-scheme: dark;/g)).toHaveLength(2);
});

test('every token that a style names is one that exists', () => {
  const repository = `${import.meta.dirname}/../../..`;
  const sources = ['apps/web/src', 'apps/desk/src', 'packages/app/src', 'packages/ui/src'].flatMap(
    (folder) =>
      readdirSync(`${repository}/${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:css|tsx)$/.test(name))
        .map((name) => readFileSync(`${repository}/${folder}/${name}`, 'utf8')),
  );
  const all = sources.join('\n');
  const known = new Set(Array.from(all.matchAll(/(--[\w-]+)['"]?\s*:/g), ([, name]) => name));
  const named = new Set(Array.from(all.matchAll(/var\((--[\w-]+)/g), ([, name]) => name));
  expect(named.size).toBeGreaterThan(30);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
});
