// npm run release -- 0.4.0: names what stands under 'Unreleased' in CHANGELOG.md, writes the version into every
// package, commits and tags both, and writes into release/ what an operator takes: the source, which is the
// context of the image, its packages (SBOM) and the checksums of both. Pushes nothing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { environment, root } from './node-path.mjs';

/** What the running program says of itself. */
const SAYS_VERSION = 'apps/service/src/server/release.ts';
const HEADING = '## Unreleased\n';

/** The changelog with its unreleased section under a version, and that section. */
export function released(changelog, version, date) {
  const [before, after] = changelog.split(HEADING);
  const notes = after?.split(/^## /m)[0].trim() ?? '';
  if (notes === '') throw new Error('CHANGELOG.md has nothing under Unreleased.');
  return { notes, changelog: `${before}${HEADING}\n## ${version} - ${date}\n${after}` };
}

/** A package of ours, as its own file or the lock has it, of this version and with the others of it. */
export function ofVersion(entry, version) {
  const next = { ...entry, version };
  for (const kind of ['dependencies', 'devDependencies'])
    if (entry[kind] !== undefined)
      next[kind] = Object.fromEntries(
        Object.entries(entry[kind]).map(([name, wanted]) => [
          name,
          name.startsWith('@clinic/') ? version : wanted,
        ]),
      );
  return next;
}

const isNewer = (version, than) => version.localeCompare(than, 'en', { numeric: true }) > 0;
const run = (program, args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', env: environment(), maxBuffer: 1e9 });
const read = (path) => readFileSync(join(root, path), 'utf8');
const write = (path, text) => writeFileSync(join(root, path), text);
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

function writeVersion(version) {
  const lock = JSON.parse(read('package-lock.json'));
  const folders = Object.keys(lock.packages).filter((path) => !path.includes('node_modules/'));
  for (const folder of folders) {
    const path = join(folder, 'package.json');
    write(path, json(ofVersion(JSON.parse(read(path)), version)));
    lock.packages[folder] = ofVersion(lock.packages[folder], version);
  }
  write('package-lock.json', json({ ...lock, version }));
  write(SAYS_VERSION, read(SAYS_VERSION).replace(lock.version, version));
}

function writeFiles(version, notes) {
  const folder = join(root, 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const name = `clinic-booking-${version}`;
  const source = `release/${name}.tar.gz`;
  run('git', ['archive', '--format=tar.gz', `--output=${source}`, `v${version}`]);
  const sbom = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'];
  write(`release/${name}.cdx.json`, run('npm', sbom));
  write(`release/${name}.md`, `${notes}\n`);
  const sums = ['tar.gz', 'cdx.json', 'md'].map((kind) => {
    const bytes = readFileSync(join(folder, `${name}.${kind}`));
    return `${createHash('sha256').update(bytes).digest('hex')}  ${name}.${kind}\n`;
  });
  write('release/SHA256SUMS', sums.join(''));
}

function release(version) {
  const { version: current } = JSON.parse(read('package.json'));
  if (!/^\d+\.\d+\.\d+$/.test(version) || !isNewer(version, current))
    throw new Error(`npm run release -- VERSION, which must be newer than ${current}.`);
  if (run('git', ['status', '--porcelain']) !== '')
    throw new Error('There are changes that are not committed.');
  if (run('git', ['tag', '--list', `v${version}`]) !== '')
    throw new Error(`There is a tag v${version} already.`);
  const date = new Date().toISOString().slice(0, 10);
  const { notes, changelog } = released(read('CHANGELOG.md'), version, date);
  write('CHANGELOG.md', changelog);
  writeVersion(version);
  run('git', ['commit', '--all', `--message=Release ${version}`]);
  const message = ['--cleanup=whitespace', `--message=${version}\n\n${notes}`];
  run('git', ['tag', '--annotate', ...message, `v${version}`]);
  writeFiles(version, notes);
  console.log(read('release/SHA256SUMS'));
  console.log(`Committed and tagged v${version}; the files are in release/. To publish it:`);
  console.log(`git push --follow-tags`);
}

if (process.argv[1] === import.meta.filename) {
  try {
    release(process.argv[2] ?? '');
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
