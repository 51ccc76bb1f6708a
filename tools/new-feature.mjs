// npm run new-feature waiting-list: writes the skeleton of a feature; docs/add-a-feature.md says
// what each file is for.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import prettier from 'prettier';

import { additionsOf, filesOf, namesOf, stepsOf } from './feature-skeleton.mjs';
import { root } from './node-path.mjs';

async function formatted(path, text) {
  const options = await prettier.resolveConfig(join(root, path));
  return prettier.format(text, { ...options, filepath: path });
}

/** Every change as path -> whole text; throws before anything is written. */
async function changes(folder, names) {
  const texts = new Map();
  for (const [path, text] of Object.entries(filesOf(names))) {
    if (existsSync(join(folder, path))) throw new Error(`${path} is there already.`);
    texts.set(path, text);
  }
  for (const { file, before, text } of additionsOf(names)) {
    const whole = texts.get(file) ?? readFileSync(join(folder, file), 'utf8');
    const at = whole.search(before);
    if (at < 0) throw new Error(`${file} has no place for ${text.trim()}`);
    texts.set(file, whole.slice(0, at) + text + whole.slice(at));
  }
  return Promise.all([...texts].map(async ([path, text]) => [path, await formatted(path, text)]));
}

/** Writes the feature under `folder` and gives the paths written. */
export async function writeFeature(folder, kebab) {
  const texts = await changes(folder, namesOf(kebab));
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return texts.map(([path]) => path);
}

function report(kebab, paths) {
  const tests = paths.filter((path) => /\.test\.tsx?$/.test(path));
  return [
    ...paths.map((path) => `wrote ${path}`),
    '',
    'These tests fail until you write them:',
    ...tests.map((path) => `  ${path}`),
    '',
    'Still to do by hand (docs/add-a-feature.md):',
    ...stepsOf(namesOf(kebab)).map((step) => `  - ${step}`),
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  try {
    const [kebab] = process.argv.slice(2);
    if (kebab === undefined) throw new Error('Say the name: npm run new-feature waiting-list');
    console.log(report(kebab, await writeFeature(root, kebab)));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
