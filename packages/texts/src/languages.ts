/** A language that a clinic can offer. Another one is a line here and a file in `locales`. */
export interface Language {
  /** As in `LANGUAGES`, `?lang` and the name of its file. */
  readonly id: string;
  /** What the people who speak it call it. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
}

export const ENGLISH: Language = { id: 'en', name: 'English', dir: 'ltr' };

/** English is the text of record and has no file: its words stand where they are used.. */
export const languages: readonly Language[] = [ENGLISH, { id: 'fr', name: 'Français', dir: 'ltr' }];

export const languageOf = (id: string): Language | undefined =>
  languages.find((language) => language.id === id);

export const directionOf = (id: string): Language['dir'] =>
  languageOf(id)?.dir ?? (id === 'en-XB' ? 'rtl' : 'ltr');

/** The first wanted language that is offered, whatever its region: 'fr-FR' finds 'fr'. */
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

/** The languages of an Accept-Language header, the most wanted first. */
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
