import { nameWords } from './names.ts';

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
].map((line) => line.split(' '));

/** Fewer letters say too little when one of them may be wrong. */
const LETTERS_FOR_A_TYPO = 4;
const LETTERS_OF_A_BEGINNING = 3;

/**
 * Whether two first names may be of one person, for staff to look where a phone number is the same: a word of both,
 * the beginning of one, a short form, or a letter that is wrong, left out, too many or swapped.
 */
export function areLikelyFirstNames(one: string, other: string): boolean {
  const wordsOf = (firstName: string) => nameWords({ firstName, lastName: '' }).flat();
  return wordsOf(one).some((word) => wordsOf(other).some((another) => areAlike(word, another)));
}

function areAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short === long || SHORT_FORMS.some((forms) => forms.includes(one) && forms.includes(other)))
    return true;
  if (short.length >= LETTERS_OF_A_BEGINNING && long.startsWith(short)) return true;
  return short.length >= LETTERS_FOR_A_TYPO && isOneLetterOff(short, long);
}

/** Whether one letter makes the one of the other; two neighbours that are swapped count as one. */
function isOneLetterOff(short: string, long: string): boolean {
  let from = 0;
  while (from < short.length && short[from] === long[from]) from += 1;
  const [rest, restOfLong] = [short.slice(from), long.slice(from)];
  if (short.length < long.length) return rest === restOfLong.slice(1);
  const isSwapped =
    rest.charAt(0) === restOfLong.charAt(1) && rest.charAt(1) === restOfLong.charAt(0);
  return (
    rest.slice(1) === restOfLong.slice(1) || (isSwapped && rest.slice(2) === restOfLong.slice(2))
  );
}
