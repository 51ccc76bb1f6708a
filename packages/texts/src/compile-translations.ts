import { readFileSync } from 'node:fs';
import { compiled } from './catalogues.ts';
import { ENGLISH, languages } from './languages.ts';
import { type Messages, readPo } from './po.ts';

/** `virtual:translations`, the parts of a language, and the words of one of its parts. */
const TRANSLATIONS = 'virtual:translations';
const translated = new RegExp(`^\0${TRANSLATIONS}(?:/(?<language>[\\w-]+)(?:/(?<part>\\w+))?)?$`);

interface Texts {
  /** Every English text that a page can show by part, under its id. */
  readonly parts: () => Promise<Readonly<Record<string, Messages>>>;
  /** What every page shows: comes with the list of the parts, for the first of these. */
  readonly onEveryPage: readonly [string, ...string[]];
}

/**
 * A Vite plugin that compiles an app's translations at build time, language by language and part by part, so
 * that nobody downloads what their page does not show.
 */
export function compileTranslations({ parts, onEveryPage }: Texts) {
  let read: ReturnType<typeof parts> | undefined;

  /** The compiled translations of some parts. */
  const translations = async (language: string, wanted: readonly string[]) => {
    const english = await (read ??= parts());
    const path = new URL(`../locales/${language}.po`, import.meta.url);
    const all = readPo(readFileSync(path, 'utf8'));
    const ids = wanted.flatMap((part) => Object.keys(english[part] ?? {}));
    return JSON.stringify(
      compiled(
        Object.fromEntries(ids.flatMap((id) => (all[id] === undefined ? [] : [[id, all[id]]]))),
      ),
    );
  };

  const listOfParts = async (language: string) => {
    const first = await translations(language, onEveryPage);
    const names = Object.keys(await (read ??= parts()));
    const others = names.filter((name) => !onEveryPage.includes(name));
    return `export default {
      ${onEveryPage[0]}: () => ({ default: ${first} }),
      ${loaders(others, `${TRANSLATIONS}/${language}`)}
    };`;
  };

  return {
    name: 'compile-translations',
    enforce: 'pre' as const,
    resolveId: (id: string) => (id.startsWith(TRANSLATIONS) ? `\0${id}` : null),
    async load(id: string) {
      const { language, part } = translated.exec(id)?.groups ?? {};
      if (part !== undefined && language !== undefined)
        return `export default ${await translations(language, [part])};`;
      if (language !== undefined) return listOfParts(language);
      return translated.test(id) ? listOfLanguages() : null;
    },
  };
}

const loaders = (names: readonly string[], from: string) =>
  names.map((name) => `${name}: () => import('${from}/${name}')`).join(', ');

function listOfLanguages(): string {
  const ids = languages.map(({ id }) => id).filter((id) => id !== ENGLISH.id);
  return `const languages = { ${loaders(ids, TRANSLATIONS)} };
    export async function bringTranslations(language, part) {
      const parts = (await languages[language]?.())?.default;
      return (await parts?.[part]?.())?.default ?? {};
    }`;
}
