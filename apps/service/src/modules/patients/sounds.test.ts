import { PGlite } from '@electric-sql/pglite';
import { fuzzystrmatch } from '@electric-sql/pglite/contrib/fuzzystrmatch';
import { nameWords, soundsOf } from '@clinic/domain';
import { COMMON_NAMES, NAMES_IN_BC, seededNumbers } from '@clinic/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The product needs no extension: only here PostgreSQL's own function says what is right.
let postgres: PGlite;
beforeAll(async () => {
  postgres = await PGlite.create({ extensions: { fuzzystrmatch } });
  await postgres.exec('create extension fuzzystrmatch');
});
afterAll(() => postgres.close());

async function expectSame(names: readonly string[], ours: (name: string) => readonly string[]) {
  const { rows } = await postgres.query<{ name: string; sounds: string[] | null }>(
    'select name, daitch_mokotoff(name) as sounds from unnest($1::text[]) as name',
    [names],
  );
  const sorted = (sounds: readonly string[] | null) => [...new Set(sounds)].sort();
  const differing = rows.filter(
    ({ name, sounds }) => String(sorted(ours(name))) !== String(sorted(sounds)),
  );
  expect(differing.map(({ name, sounds }) => ({ name, sounds, ours: ours(name) }))).toEqual([]);
}

test('sounds are those of PostgreSQL for 5,000 words of names, as they are and misspelt', async () => {
  const people = [...COMMON_NAMES.first, ...COMMON_NAMES.last].map((firstName) => ({
    firstName,
    lastName: '',
  }));
  const words = new Set([...people, ...NAMES_IN_BC].flatMap((name) => nameWords(name).flat()));
  const below = seededNumbers(39);
  const real = [...words].filter((word) => /^[a-z]+$/.test(word));
  // Each rule of two letters or more stands between some of these.
  const parts =
    'schtsch tsch szcz shtch zhdzh drz trz rs rz mn nm ks chs ck ttsz sht ue ia j aj y'.split(' ');
  while (words.size < 5_000) {
    const word = real[below(real.length)] ?? '';
    const at = below(word.length + 1);
    words.add(word.slice(0, at) + (parts[below(parts.length)] ?? '') + word.slice(at + below(2)));
  }
  await expectSame([...words], soundsOf);
});

// But j: for a word such as ezjckz PostgreSQL leaves a code unfinished.
test('sounds are those of PostgreSQL for words of any letters but j', async () => {
  const below = seededNumbers(7);
  const letters = ['abcdefghiklmnopqrstuvwxyz', 'schtzrdkmnuei'];
  const words = Array.from({ length: 5_000 }, (_, at) =>
    Array.from({ length: 1 + below(12) }, () => {
      const from = letters[at % 2] ?? '';
      return from[below(from.length)];
    }).join(''),
  );
  await expectSame(words, soundsOf);
});

test('accents, apostrophes, points and hyphens sound like nothing', async () => {
  const names = [
    'Müller',
    "O'Brien",
    'Zoë',
    'Jean-Paul',
    'Núñez',
    'Françoise',
    'Strauß',
    'É',
    'J.R.',
    '-',
    '李',
  ];
  const folded = (name: string) => (nameWords({ firstName: name, lastName: '' })[0] ?? []).join('');
  await expectSame(names, (name) => soundsOf(folded(name)));
});
