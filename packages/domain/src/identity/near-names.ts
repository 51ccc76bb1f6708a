import { type PersonName, foldedName, nameWords } from './names.ts';
import { soundsOf } from './sounds.ts';

// Who may be meant by a name that nobody has as it was typed: whose name is spelt nearly so, or sounds so.

/** What a name is compared by. */
interface ComparedName {
  /** As `foldedName` makes it. */
  readonly folded: string;
  readonly sounds: readonly string[];
}

/** All that a name is searched by; `FOLDING` is its version. */
export interface SearchedName extends ComparedName {
  readonly grams: readonly string[];
}

export const searchedName = (name: PersonName): SearchedName => ({
  folded: foldedName(name),
  sounds: soundsIn(wordsIn(name)),
  grams: gramsIn(nameWords(name).flat()),
});

/** The words of a name, and of a first or last name of several words all in one: Van der Berg as Vanderberg. */
function wordsIn({ firstName, lastName }: PersonName): string[] {
  const parts = [firstName, lastName].flatMap((part) =>
    nameWords({ firstName: part, lastName: '' }),
  );
  return parts.flatMap((words) => [...words, words.join('')]);
}

const soundsIn = (words: readonly string[]): string[] => [...new Set(words.flatMap(soundsOf))];

/** What words are made of: each three letters in a row; what a word begins with counts more. */
const gramsIn = (words: readonly string[]): string[] => [
  ...new Set(
    words.flatMap((word) => {
      const letters = Array.from(`  ${word} `);
      return letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
    }),
  ),
];

/** What candidates for a misspelt name have some of. */
export interface NearQuery {
  /** The words that were typed, folded. */
  readonly words: readonly string[];
  readonly sounds: readonly string[];
  readonly grams: readonly string[];
}

/** Fewer letters would be near to too many names. */
const LETTERS_MINIMUM = 4;

/** Reads a typed name; null when it is too short to be near to one. */
export function nearQuery(typed: string): NearQuery | null {
  const [words = []] = nameWords({ firstName: typed, lastName: '' });
  if (lengthOf(words.join('')) < LETTERS_MINIMUM) return null;
  return { words, sounds: soundsIn(words), grams: gramsIn(words) };
}

const lengthOf = (word: string): number => Array.from(word).length;

/** The most that a search shows of either kind: each one is a stranger, unless it is who was meant. */
const MOST_NEAR = 10;

/** Whose names are spelt nearly as was typed, the nearest first, and whose names only sound so. */
export function nearest<P extends { readonly name: string; readonly searched: ComparedName }>(
  query: NearQuery,
  people: readonly P[],
): { readonly near: P[]; readonly soundsLike: P[] } {
  const typedSounds = query.words.map(soundsOf);
  const meant = people.flatMap((person) => {
    const forms = formsOf(person.searched);
    const edits = editsOf(query.words, forms);
    const isSound = () =>
      query.words.every(
        (word, at) =>
          typedSounds[at]?.some((sound) => person.searched.sounds.includes(sound)) ||
          forms.some((form) => form.startsWith(word)),
      );
    return edits !== null || isSound()
      ? [{ person, edits, distance: distanceOf(query.words, forms) }]
      : [];
  });
  const ranked = meant.toSorted(
    (one, other) =>
      (one.edits ?? 0) - (other.edits ?? 0) ||
      one.distance - other.distance ||
      (one.person.name < other.person.name ? -1 : 1),
  );
  const shown = (of: typeof ranked) => of.slice(0, MOST_NEAR).map(({ person }) => person);
  return {
    near: shown(ranked.filter(({ edits }) => edits !== null)),
    soundsLike: shown(ranked.filter(({ edits }) => edits === null)),
  };
}

/** The words of a name, and how several of them are written as one. */
const formsOf = ({ folded }: ComparedName): string[] => folded.trim().split(' ');

const MOST_EDITS = 2;

/** How many letters of a word may be wrong. In a name of one word short ones are more often another's. */
function editsAllowed(word: string, isAlone: boolean): number {
  const length = lengthOf(word);
  const [one, two] = isAlone ? [4, 7] : [2, 6];
  return length < one ? 0 : length < two ? 1 : MOST_EDITS;
}

/**
 * How many letters must change until each word begins a word of the name, or all in one do; null when more
 * would than are let pass.
 */
function editsOf(words: readonly string[], forms: readonly string[]): number | null {
  const isAlone = words.length === 1;
  const apart = words.map((word) => nearestOf(word, forms, editsAllowed(word, isAlone)));
  const inOne = isAlone ? Infinity : nearestOf(words.join(''), forms, 1);
  const edits = Math.min(
    apart.reduce((sum, each) => sum + each, 0),
    inOne,
  );
  return edits > MOST_EDITS ? null : edits;
}

/** The fewest edits to one of the forms, if they are no more than `most`; none where the word begins one. */
function nearestOf(word: string, forms: readonly string[], most: number): number {
  if (forms.some((form) => form.startsWith(word))) return 0;
  const fewest = Math.min(...forms.map((form) => editDistance(word, form, most)));
  return fewest > most ? Infinity : fewest;
}

/** How unlike all that was typed is to the whole name, in whatever order. */
const distanceOf = (words: readonly string[], forms: readonly string[]): number => {
  const whole = words.join('');
  return Math.min(...forms.map((form) => editDistance(whole, form, Infinity)));
};

/**
 * The Damerau-Levenshtein distance: how many letters are missing, too many, wrong, or two of them swapped.
 * More than `most` where it would be more.
 */
export function editDistance(one: string, other: string, most = Infinity): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let edits = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      if (isSwapped) edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
      line.push(edits);
    }
    before = above;
    above = line;
  }
  return above[other.length] ?? 0;
}
