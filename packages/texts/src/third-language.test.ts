import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as Catalogues from './catalogues.ts';
import type * as Texts from './index.ts';
import { refreshedPo } from './po.ts';

const here = import.meta.dirname;
const english = { 'shell.hello': 'Hello {name}', 'shell.bye': 'Goodbye' };
let folder: string;

/** This package with German as a person would add it, where its dependencies are found. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'texts-'));
  symlinkSync(join(here, '../../../node_modules'), join(folder, 'node_modules'));
  cpSync(here, join(folder, 'src'), { recursive: true });
  cpSync(join(here, '../locales'), join(folder, 'locales'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

  const list = join(folder, 'src/languages.ts');
  const line = "{ id: 'de', name: 'Deutsch', dir: 'ltr' }";
  writeFileSync(list, readFileSync(list, 'utf8').replace('[ENGLISH, ', `[ENGLISH, ${line}, `));
  const file = refreshedPo('', 'de', english).replace(
    'msgid "Hello {name}"\nmsgstr ""',
    'msgid "Hello {name}"\nmsgstr "Hallo {name}"',
  );
  writeFileSync(join(folder, 'locales/de.po'), file);
});
afterAll(() => rmSync(folder, { recursive: true }));

// Shows: R-99
test('a third language is a line and a file', async () => {
  const part = (name: string): Promise<unknown> =>
    import(pathToFileURL(join(folder, 'src', name)).href);
  const { readCatalogues } = (await part('catalogues.ts')) as typeof Catalogues;
  const texts = (await part('index.ts')) as typeof Texts;
  readCatalogues({ shell: { hello: english['shell.hello'], bye: english['shell.bye'] } });

  expect(texts.languageOf('de')?.name).toBe('Deutsch');
  const offered = texts.languages.map(({ id }) => id);
  expect(texts.preferredLanguage(['de-AT'], offered)).toBe('de');
  expect(texts.translate('de', 'shell.hello', { name: 'Casey' })).toBe('Hallo Casey');
  expect(texts.translate('de', 'shell.bye')).toBe('Goodbye');
  const at = Date.UTC(2026, 10, 23, 15, 5) / 1000;
  expect(texts.formatMoment('de', at)).toBe('Mo., 23. Nov. 2026 08:05');
  expect(texts.formatMoney('de', 1_000)).toBe('10,00\u00a0$');
});
