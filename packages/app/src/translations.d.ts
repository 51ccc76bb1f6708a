/** Made by `compileTranslations` of `@clinic/texts`. */
declare module 'virtual:translations' {
  import type { Locale, Message } from '@clinic/texts/translate';

  export const bringTranslations: (
    language: Locale,
    part: string,
  ) => Promise<Readonly<Record<string, Message>>>;
}
