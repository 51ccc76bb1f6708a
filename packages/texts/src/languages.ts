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
