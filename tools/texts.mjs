// The texts of the product in other languages: packages/texts/locales/<language>.po.
//
//   npm run texts           writes each file anew from the English texts
//   npm run texts -- check  fails when a text is missing or wrong in one of them
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { english } from '../packages/contract/src/texts/english.ts';
import { formats } from '../packages/texts/src/formats.ts';
import { ENGLISH, languages } from '../packages/texts/src/languages.ts';
import { mistakesInPo, refreshedPo } from '../packages/texts/src/po.ts';
import { root } from './node-path.mjs';

/** Every English text by id: first the contract's, then those of the patients' pages and of the front desk. */
export async function englishTexts() {
  const ofContract = Object.entries({ format: formats, ...english }).flatMap(([part, texts]) =>
    Object.entries(texts).map(([code, text]) => [`${part}.${code}`, text]),
  );
  const files = [
    ...globSync('apps/web/src/messages/en/*.ts', { cwd: root }).sort(),
    'apps/desk/src/messages/index.ts',
  ];
  const parts = await Promise.all(files.map((file) => import(pathToFileURL(join(root, file)))));
  const ofPages = parts.flatMap((part) => Object.values(part).flatMap(Object.entries));
  return Object.fromEntries([...ofContract, ...ofPages]);
}

if (process.argv[1] === import.meta.filename) {
  const texts = await englishTexts();
  const checks = process.argv.includes('check');
  for (const { id } of languages.filter((language) => language !== ENGLISH)) {
    const path = `packages/texts/locales/${id}.po`;
    const file = join(root, path);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (!checks) {
      writeFileSync(file, refreshedPo(before, id, texts));
      continue;
    }
    const mistakes = mistakesInPo(before, id, texts);
    for (const mistake of mistakes) console.error(`${path}: ${mistake}`);
    if (mistakes.length > 0) process.exitCode = 1;
    else console.log(`${path} has all ${Object.keys(texts).length} texts`);
  }
}
