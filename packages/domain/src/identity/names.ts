// How people are named, and one folding of names for all that looks for people. It never decides who
// somebody is: two persons may well have names that fold to the same.

/** Raised with each change of what `searchedName` makes of some name: stored names are then folded anew. */
export const FOLDING = 3;

/** Letters, each with what is typed in its place; alone where it is left out. */
const lettersIn = (table: string): ReadonlyMap<string, string> =>
  new Map(
    table.split(', ').map((pair) => {
      const [letter = '', typed = ''] = pair.split(' ');
      return [letter, typed];
    }),
  );

/**
 * Letters that Unicode does not decompose, as they are typed without their marks. Chi, lambda and theta
 * are letters of Indigenous languages, too, and their glottal stops are often left out.
 */
const PLAIN = lettersIn(
  'æ ae, œ oe, þ th, ø o, ł l, đ d, ð d, ħ h, ŧ t, ŋ n, ƙ k, ɓ b, ɗ d, ə e, ǝ e, ɛ e, ɔ o, ɨ i, ɩ i, ' +
    'ɪ i, ʉ u, ʊ u, ƀ b, ȼ c, ǥ g, ɡ g, ɣ g, ꝁ k, ƚ l, ɬ l, ɫ l, ⱥ a, ⱦ t, ƛ tl, χ x, ꭓ x, λ l, θ th, ' +
    'ς σ, ʔ, ɂ, ʕ',
);
/** The same letters as others spell them, where that differs. */
const SPELT_OUT = lettersIn(
  'ä ae, ö oe, ü ue, ø oe, å aa, đ dj, ð th, ŋ ng, ə u, ɬ lh, ƛ l, ʔ 7, ɂ 7, ˀ 7',
);

/** Marks that may be left out: in the other scripts a mark is a vowel, or makes another letter. */
const MARKS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]\p{M}*)\p{M}/gu;
/** Apostrophes, points inside of a word, and what is not seen: without them the word is one. */
const INSIDE = /['’‘‛`′·\u0640ꞌ\u02b0-\u02ff]|\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u;

const respelt = (text: string, letters: ReadonlyMap<string, string>): string =>
  text.replace(/\P{ASCII}/gu, (letter) => letters.get(letter) ?? letter);

// Upper case first: that makes one of ß and ss, and of ı and i.
const lower = (text: string): string => text.toUpperCase().toLowerCase();

const unmarked = (text: string): string => text.replace(MARKS, '');

function foldedWords(text: string): string[] {
  // Before letters fall apart into signs, too: a mark on ŀ would then be one on a point.
  const bare = unmarked(text.normalize('NFD'));
  const plain = lower(unmarked(bare.normalize('NFKD')));
  const words = respelt(plain, PLAIN).replace(INSIDE, '').split(BETWEEN).filter(Boolean);
  return words.length > 0 ? words : signsIn(bare);
}

/** A name of signs alone, such as '-' for somebody with one name, is its own word. */
function signsIn(text: string): string[] {
  const signs = text.split(/[\s,]+/).filter(Boolean);
  return signs.length > 0 ? signs : [text.replace(/\s+/g, '')].filter(Boolean);
}

const speltOutWords = (text: string): string[] =>
  foldedWords(respelt(lower(text.normalize('NFC')), SPELT_OUT));

export interface PersonName {
  readonly firstName: string;
  readonly lastName: string;
}

/** 'Casey Morgan'. */
export const fullName = ({ firstName, lastName }: PersonName): string => `${firstName} ${lastName}`;

/** 'Morgan, Casey', as lists have people. */
export const listedName = ({ firstName, lastName }: PersonName): string =>
  `${lastName}, ${firstName}`;

/** What a folded name is made of; a stored one that was made of anything else is not used. */
export const foldedFrom = ({ firstName, lastName }: PersonName): string =>
  [FOLDING, firstName, lastName].join(MADE_OF_BETWEEN);
export const MADE_OF_BETWEEN = '\n';

/**
 * A name as it is searched: its words, and from each word on all words in one, so that Mc Donald is found
 * as McDonald. A space stands before and after each.
 */
export function foldedName({ firstName, lastName }: PersonName): string {
  const forms = [foldedWords, speltOutWords].flatMap((wordsOf) => {
    const [first, last] = [wordsOf(firstName), wordsOf(lastName)];
    return [...first, ...last, ...joined([...first, ...last]), ...joined([...last, ...first])];
  });
  return ` ${[...new Set(forms)].join(' ')} `;
}

const joined = (words: readonly string[]): string[] =>
  words.map((_, from) => words.slice(from).join(''));

/** The most words that are typed apart where the name has one. */
const MOST_APART = 3;

/**
 * Regular expressions, for PostgreSQL and JavaScript, each of which a folded name must match: what was typed,
 * each word the beginning of a word. A single letter is a whole word, or it would find too many.
 */
export function namePatterns(typed: string): string[] {
  const words = foldedWords(typed);
  const [only = ''] = words;
  if (words.length === 1 && Array.from(only).length === 1) return [` ${literal(only)} `];
  return [...new Set(words.map((_, at) => ` (${runsWith(words, at).map(literal).join('|')})`))];
}

/** The word, and the words beside it that may be one word with it. */
function runsWith(words: readonly string[], at: number): string[] {
  const runs = Array.from({ length: MOST_APART }, (_, more) => more + 1).flatMap((length) =>
    Array.from({ length }, (_, before) => at - before)
      .filter((from) => from >= 0 && from + length <= words.length)
      .map((from) => words.slice(from, from + length).join('')),
  );
  // What begins with another run is found by that one.
  return runs.filter((run) => !runs.some((other) => other !== run && run.startsWith(other)));
}

/** Of patterns that say how a word begins: the beginnings of which it has one. */
export const beginningsOf = (patterns: readonly string[]): string[][] =>
  patterns.flatMap((pattern) => {
    const [, runs] = /^ \(([^\\%_]*)\)$/.exec(pattern) ?? [];
    return runs === undefined ? [] : [runs.split('|')];
  });

/**
 * Of these patterns the most telling one for LIKE: what it does not match, the patterns do not match either.
 * PostgreSQL compares so many times faster than by regular expressions.
 */
export function likeOfName(patterns: readonly string[]): string[] {
  const shortest = (runs: readonly string[]) => Math.min(...runs.map(({ length }) => length));
  const [longest = ['']] = beginningsOf(patterns).toSorted(
    (one, other) => shortest(other) - shortest(one),
  );
  return longest.map((run) => (run === '' ? '%' : `% ${run}%`));
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Tells of folded names whether they match each of these patterns. */
export function nameFits(patterns: readonly string[]): (folded: string) => boolean {
  const tests = patterns.map((pattern) => new RegExp(pattern, 'u'));
  return (folded) => tests.every((each) => each.test(folded));
}

/** Whether what was typed is part of a name, from whatever letter on. */
export function isInName(typed: string, { firstName, lastName }: PersonName): boolean {
  const asked = foldedWords(typed).join('');
  return [foldedWords, speltOutWords].some((wordsOf) => {
    const [first, last] = [firstName, lastName].map((each) => wordsOf(each).join(''));
    return asked !== '' && `${first}${last} ${last}${first}`.includes(asked);
  });
}

/** A name as it is compared with others: its words, folded and as others spell them. */
export type NameWords = readonly (readonly string[])[];

export const nameWords = ({ firstName, lastName }: PersonName): NameWords =>
  [foldedWords, speltOutWords].map((wordsOf) => [...wordsOf(firstName), ...wordsOf(lastName)]);

/**
 * Whether two names are one, but for case, the accents of Latin letters, and what is no letter. Beside
 * card and birth date it says whose a record is, so it is stricter than the folding.
 */
export function isSameName(one: string, other: string): boolean {
  const [letters, others] = [lettersOf(one), lettersOf(other)];
  return letters === others && (letters !== '' || one.trim() === other.trim());
}

const lettersOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(/[^\p{L}\p{M}]/gu, '')
    .toLowerCase();
