import { type Message, addDerivedLocale } from './translate.ts';

/** English made longer, accented and bracketed, to see what is cut, glued or never translated. */
export const PSEUDO = 'en-XA';
/** The same from right to left. */
export const PSEUDO_MIRRORED = 'en-XB';

const LETTERS = 'abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ';
const ACCENTED = 'àḃćḋéḟġĥíĵḱĺḿńóṕŕśţúṽŵẋýźÀḂĆḊÉḞĠĤÍĴḰĹḾŃÓṔŔŚŢÚṼŴẊÝŹ';

function accented(text: string): string {
  const long = `${text}${'~'.repeat(Math.ceil(text.trim().length * 0.4))}`;
  return long.replaceAll(/[a-z]/gi, (char) => ACCENTED[LETTERS.indexOf(char)] ?? char);
}

/** Only what a reader sees; the names of values and of plural forms stay. */
function inside(message: Message): Message {
  // Not compiled: what is said, and what only chooses, cannot be told apart.
  if (typeof message === 'string') return message;
  return message.map((token) => {
    if (typeof token === 'string') return token === '#' ? token : accented(token);
    if (!Array.isArray(token) || token.length < 3) return token;
    const [name, type, forms] = token as [string, string, Record<string, unknown>];
    const each = Object.entries(forms).map(([form, said]) => [
      form,
      Array.isArray(said) ? inside(said as Message) : said,
    ]);
    return [name, type, Object.fromEntries(each) as unknown];
  });
}

/** A text as both locales say it. */
export const inPseudo = (message: Message): Message => ['⟦', ...[inside(message)].flat(), '⟧'];

/** What of these words no catalogue has said. */
export function outsideBrackets(words: string): string {
  // A text may hold another: the innermost goes first.
  const left = words.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return left === words ? words : outsideBrackets(left);
}

/** Makes both locales ready to be spoken; only tests and the practice clinic do. */
export function addPseudoLocales(): void {
  addDerivedLocale(PSEUDO, inPseudo);
  addDerivedLocale(PSEUDO_MIRRORED, inPseudo);
}
