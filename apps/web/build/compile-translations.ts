import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { english as ofContract } from '@clinic/contract/english';
import { toldByPages } from '@clinic/contract/told-by-pages';
import { ENGLISH, formats, languages } from '@clinic/texts';
import { compiled } from '@clinic/texts/catalogues';
import { type Messages, readPo } from '@clinic/texts/po';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '../../..');

/** `virtual:translations`, the parts of a language, and the words of one of its parts. */
const TRANSLATIONS = 'virtual:translations';
const translated = new RegExp(`^\0${TRANSLATIONS}(?:/(?<language>[\\w-]+)(?:/(?<part>\\w+))?)?$`);

/** What every page shows comes with the list of the parts. */
const ON_EVERY_PAGE = ['shell', 'format'];

/**
 * Compiles the translations while building, language by language and part by part, so that nobody
 * downloads what their page does not show.
 */
export function compileTranslations(): Plugin {
  return {
    name: 'compile-translations',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(TRANSLATIONS) ? `\0${id}` : null),
    async load(id) {
      const { language, part } = translated.exec(id)?.groups ?? {};
      if (part !== undefined && language !== undefined)
        return exported(await translations(language, [part]));
      if (language !== undefined) return listOfParts(language);
      return translated.test(id) ? listOfLanguages() : null;
    },
  };
}

const exported = (messages: unknown) => `export default ${JSON.stringify(messages)};`;

const loaders = (names: readonly string[], from: string) =>
  `{ ${names.map((name) => `${name}: () => import('${from}/${name}')`).join(', ')} }`;

function listOfLanguages(): string {
  const ids = languages.map(({ id }) => id).filter((id) => id !== ENGLISH.id);
  return `export const translations = ${loaders(ids, TRANSLATIONS)};`;
}

async function listOfParts(language: string): Promise<string> {
  const names = Object.keys(await parts()).filter((name) => !ON_EVERY_PAGE.includes(name));
  const first = await translations(language, ON_EVERY_PAGE);
  return [
    exported(first),
    `export const parts = ${loaders(names, `${TRANSLATIONS}/${language}`)};`,
  ].join('\n');
}

/** The compiled translations of some parts. */
async function translations(language: string, wanted: readonly string[]) {
  const english = await parts();
  const path = join(root, 'packages/texts/locales', `${language}.po`);
  const all = readPo(readFileSync(path, 'utf8'));
  const ids = wanted.flatMap((part) => Object.keys(english[part] ?? {}));
  return compiled(
    Object.fromEntries(ids.flatMap((id) => (all[id] === undefined ? [] : [[id, all[id]]]))),
  );
}

let read: Promise<Readonly<Record<string, Messages>>> | undefined;

/** Every English text that a page can show by part, under its id. */
const parts = () => (read ??= readParts());

async function readParts(): Promise<Readonly<Record<string, Messages>>> {
  const prefixed = Object.entries({ ...ofContract, format: formats }).map(
    ([part, texts]) => [part, withIds(part, texts)] as const,
  );
  const files = globSync('apps/web/src/messages/en/*.ts', { cwd: root });
  const ofPages = await Promise.all(files.map((file) => imported(join(root, file))));
  const told = withIds('refusal', toldByPages);
  return Object.assign(Object.fromEntries(prefixed), { told }, ...ofPages) as Record<
    string,
    Messages
  >;
}

const withIds = (prefix: string, texts: Messages): Messages =>
  Object.fromEntries(Object.entries(texts).map(([code, text]) => [`${prefix}.${code}`, text]));

const imported = async (path: string) =>
  (await import(pathToFileURL(path).href)) as Record<string, Messages>;
