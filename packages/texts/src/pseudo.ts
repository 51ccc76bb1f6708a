import { type Message, addDerivedLocale } from './translate.ts';

/** A pseudo-locale: longer, accented, bracketed English, which shows text that is cut or not translated. */
export const PSEUDO = 'en-XA';
/** The same from right to left. */
export const PSEUDO_MIRRORED = 'en-XB';

const LETTERS = 'abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ';
const ACCENTED = 'àḃćḋéḟġĥíĵḱĺḿńóṕŕśţúṽŵẋýźÀḂĆḊÉḞĠĤÍĴḰĹḾŃÓṔŔŚŢÚṼŴẊÝŹ';

function accented(text: string): string {
  const long = `${text}${'~'.repeat(Math.ceil(text.trim().length * 0.4))}`;
  return long.replaceAll(/[a-z]/gi, (char) => ACCENTED[LETTERS.indexOf(char)] ?? char);
}

/** Changes only visible text; names of values and of plural forms stay. */
function inside(message: Message): Message {
  // Not compiled, so text and plural syntax cannot be told apart.
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

/** A text in both pseudo-locales. */
export const inPseudo = (message: Message): Message => ['⟦', ...[inside(message)].flat(), '⟧'];

/** The part of the words that does not come from a catalogue. */
export function outsideBrackets(words: string): string {
  // Translated texts may be nested: removes the innermost first.
  const left = words.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return left === words ? words : outsideBrackets(left);
}

/** Registers both pseudo-locales; only tests and the practice clinic call it. */
export function addPseudoLocales(): void {
  addDerivedLocale(PSEUDO, inPseudo);
  addDerivedLocale(PSEUDO_MIRRORED, inPseudo);
}
