import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { namesOf } from './feature-skeleton.mjs';
import { writeFeature } from './new-feature.mjs';
import { root } from './node-path.mjs';

let copy;
let written;

before(async () => {
  copy = mkdtempSync(join(tmpdir(), 'clinic-feature-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = spawnSync('git', list, { cwd: root, encoding: 'utf8' });
  for (const path of stdout.split('\0').filter((name) => name !== '')) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  linkPackages('');
  for (const folder of ['apps/service', 'apps/web', 'packages/contract', 'packages/domain']) {
    linkPackages(folder);
  }
  written = await writeFeature(copy, 'waiting-list');
});
after(() => rmSync(copy, { recursive: true, force: true }));

/** A link per package, so that @clinic/* can lead into the copy instead. */
function linkPackages(folder) {
  const from = join(root, folder, 'node_modules');
  const to = join(copy, folder, 'node_modules');
  if (!existsSync(from)) return;
  mkdirSync(join(to, '@clinic'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@clinic' && !name.startsWith('.')) symlinkSync(join(from, name), join(to, name));
  }
  if (folder !== '') return;
  for (const name of ['domain', 'contract']) {
    symlinkSync(join(copy, 'packages', name), join(to, '@clinic', name));
  }
  symlinkSync(join(copy, 'apps/service'), join(to, '@clinic/service'));
}

/** What a tool says about the files written; what is wrong elsewhere is not the skeleton's. */
function complaints(args) {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
  return `${stdout}${stderr}`
    .split('\n')
    .filter((line) => written.some((path) => line.replaceAll('\\', '/').includes(path)));
}

const tool = (path) => join(root, 'node_modules', path);

test('the skeleton is a rule, a call, a module and a page, each with its test', () => {
  const folders = new Set(written.map((path) => dirname(path)));
  for (const folder of [
    'packages/domain/src/waiting-list',
    'packages/contract/src',
    'apps/service/src/modules/waiting-list',
    'apps/web/src/features/waiting-list',
  ]) {
    assert.ok(folders.has(folder), folder);
  }
  assert.equal(written.filter((path) => /\.test\.tsx?$/.test(path)).length, 5);
});

test('the skeleton passes the formatter, the lint with its arrows, and the types', () => {
  assert.deepEqual(complaints([tool('prettier/bin/prettier.cjs'), '--check', ...written]), []);
  assert.deepEqual(complaints([tool('oxlint/bin/oxlint'), '--format=unix', ...written]), []);
  for (const project of ['apps/service', 'apps/web']) {
    assert.deepEqual(
      complaints([tool('typescript/bin/tsc'), '--pretty', 'false', '-p', project]),
      [],
    );
  }
});

test('a feature that is there already is left alone', async () => {
  await assert.rejects(writeFeature(copy, 'waiting-list'), /is there already/);
});

test('a name that is no name is refused', () => {
  assert.throws(() => namesOf('WaitingList'), /small letters/);
});
