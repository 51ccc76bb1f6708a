/** Made by build/compile-translations.ts. */
declare module 'virtual:translations' {
  import type { Message } from '@clinic/texts';

  type Messages = Readonly<Record<string, Message>>;

  export const translations: Readonly<
    Record<
      string,
      () => Promise<{
        /** What every page shows. */
        readonly default: Messages;
        readonly parts: Readonly<Record<string, () => Promise<{ readonly default: Messages }>>>;
      }>
    >
  >;
}
