import { type NameWords, type PersonName, nameWords } from './names.ts';
import { editDistance } from './near-names.ts';
import { soundsOf } from './sounds.ts';

// Names that may be of one person, for staff to look. They decide nothing.

/**
 * Whether two names may be of one person: the words of one are all in the other, in whatever order and however they
 * are joined.
 */
export function areLikelyWords(one: NameWords, other: NameWords): boolean {
  const isWithin = (inner: NameWords, outer: NameWords) =>
    inner.some((words, spelling) => {
      const those = outer[spelling] ?? [];
      return words.every((word) => those.includes(word)) || words.join('') === those.join('');
    });
  return isWithin(one, other) || isWithin(other, one);
}

export const areLikelyNames = (one: PersonName, other: PersonName): boolean =>
  areLikelyWords(nameWords(one), nameWords(other));

/** Short forms of first names, each line of one name, as they are folded. */
const SHORT_FORMS = [
  'robert rob robbie bob bobby bert',
  'william will willie bill billy liam',
  'richard rick ricky rich dick',
  'elizabeth liz lizzie beth betty betsy eliza elisabeth',
  'margaret maggie meg peggy greta',
  'katherine catherine kathryn kate katie kathy cathy kat kit',
  'james jim jimmy jamie',
  'john jack johnny jon',
  'jonathan jon john',
  'michael mike mick mickey',
  'thomas tom tommy',
  'joseph joe joey',
  'edward ed eddie ted teddy ned',
  'charles charlie chuck',
  'henry harry hank',
  'anthony tony',
  'andrew andy drew',
  'daniel dan danny',
  'matthew matt',
  'christopher chris kit',
  'christine christina chris tina chrissy',
  'patricia pat patty trish tricia',
  'patrick pat paddy',
  'susan sue susie suzanne',
  'deborah deb debbie',
  'barbara barb',
  'jennifer jen jenny',
  'rebecca becky becca',
  'victoria vicky tori',
  'alexander alex sandy xander',
  'alexandra alex sandra lexi',
  'samuel sam sammy',
  'samantha sam sammy',
  'benjamin ben benny',
  'david dave davy',
  'stephen steven steve',
  'gregory greg',
  'nicholas nick nicky',
  'theresa teresa terry tess',
  'dorothy dot dottie',
  'eleanor ellie nell nora',
  'frances fran frankie',
  'francis frank frankie',
  'lawrence laurence larry',
  'ronald ron ronnie',
  'donald don donnie',
  'kenneth ken kenny',
  'timothy tim timmy',
  'peter pete',
  'philip phil',
  'geoffrey jeffrey jeffery geoff jeff',
  'sean shawn shaun',
].map((line) => line.split(' '));

/** Fewer letters say too little by themselves when one of them may be wrong, or only their sound is the same. */
const LETTERS_ALONE = 4;
/** Beside the rest of a name, and the birth date. */
const LETTERS_BESIDE = 2;
const LETTERS_OF_A_BEGINNING = 3;

/** Whether two first names may be of one person, where a phone number is the same: a word of both. */
export function areLikelyFirstNames(one: string, other: string): boolean {
  const wordsOf = (firstName: string) => nameWords({ firstName, lastName: '' }).flat();
  // Vowels sound like nothing: a household has Teresa and Tracy.
  const isHalfAlike = (word: string, another: string) =>
    editDistance(word, another) <= Math.max(word.length, another.length) / 2;
  const areAlike = (word: string, another: string) =>
    isForm(word, another) ||
    isTypo(word, another, LETTERS_ALONE) ||
    (isSound(word, another, LETTERS_ALONE) && isHalfAlike(word, another));
  return wordsOf(one).some((word) => wordsOf(other).some((another) => areAlike(word, another)));
}

/**
 * Whether two names may be of one person, where the birth date is the same: each word of one is, but for its spelling,
 * another word of the other.
 */
export function areAlikeNames(one: NameWords, other: NameWords): boolean {
  const areAlike = (word: string, another: string) =>
    isForm(word, another) ||
    isTypo(word, another, LETTERS_BESIDE) ||
    isSound(word, another, LETTERS_BESIDE);
  return one.some((words, spelling) => {
    const [few = [], many = []] = [words, other[spelling] ?? []].toSorted(
      (these, those) => these.length - those.length,
    );
    const left = [...many];
    return (
      few.length > 1 &&
      few.every((word) => {
        const at = left.findIndex((another) => areAlike(word, another));
        return at >= 0 && left.splice(at, 1).length > 0;
      })
    );
  });
}

/** The same word, the beginning of the other, or a short form of it. */
function isForm(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    short === long ||
    (short.length >= LETTERS_OF_A_BEGINNING && long.startsWith(short)) ||
    SHORT_FORMS.some((forms) => forms.includes(one) && forms.includes(other))
  );
}

const isLong = (one: string, other: string, letters: number): boolean =>
  Math.min(one.length, other.length) >= letters;

const isTypo = (one: string, other: string, letters: number): boolean =>
  isLong(one, other, letters) && editDistance(one, other, 1) <= 1;

function isSound(one: string, other: string, letters: number): boolean {
  // A digit has no sound, and tells Ola 2 from Ola 3.
  if (!isLong(one, other, letters) || /\d/.test(one + other)) return false;
  const sounds = soundsOf(one);
  return soundsOf(other).some((sound) => sounds.includes(sound));
}
