/**
 * A language that a clinic can offer. A new one needs a line in `languages`, a file in `locales` and a column
 * of the file of appointment types.
 */
export interface Language {
  /** As in `LANGUAGES`, in `?lang` and in the name of its file. */
  readonly id: string;
  /** The language's name for itself. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
}

export const ENGLISH: Language = { id: 'en', name: 'English', dir: 'ltr' };

/** English is the text of record and has no file: its texts are in the code.. */
export const languages: readonly Language[] = [ENGLISH, { id: 'fr', name: 'Français', dir: 'ltr' }];

export const languageOf = (id: string): Language | undefined =>
  languages.find((language) => language.id === id);

export const directionOf = (id: string): Language['dir'] =>
  languageOf(id)?.dir ?? (id === 'en-XB' ? 'rtl' : 'ltr');

/** The first wanted language that is offered, ignoring the region: 'fr-FR' finds 'fr'. */
export function preferredLanguage(
  wanted: readonly string[],
  offered: readonly string[],
): string | null {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    const found = [tag, language].find((id) => offered.includes(id));
    if (found !== undefined) return found;
  }
  return null;
}

/** The languages of an Accept-Language header, the most preferred first. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...settings] = part.trim().split(/\s*;\s*/);
      const weight = settings.find((setting) => setting.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
