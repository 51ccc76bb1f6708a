import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { english as ofContract } from '@clinic/contract/english';
import { toldByPages } from '@clinic/contract/told-by-pages';
import { formats } from '@clinic/texts';
import type { Messages } from '@clinic/texts/po';

const root = join(import.meta.dirname, '../../..');

/** Every English text that a page can show by part, under its id. */
export async function englishTexts(): Promise<Readonly<Record<string, Messages>>> {
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
