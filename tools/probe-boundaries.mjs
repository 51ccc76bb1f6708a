// Plants a violation of every arrow and every ban in a copy of the repository's skeleton. Fails when one of
// them is not reported, or when a permitted import is.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { arrows, banned, permitted, targets } from './lint/planted-violations.mjs';

const root = resolve(import.meta.dirname, '..');
const workspaces = [
  'packages/domain',
  'packages/texts',
  'packages/contract',
  'packages/ui',
  'packages/app',
  'packages/oscar',
  'apps/service',
  'apps/practice',
  'apps/cli',
  'apps/desk',
  'apps/web',
];
const others = ['e2e', 'bench', 'tools'];
const skeleton = [
  'package.json',
  'tsconfig.base.json',
  'oxlint.config.ts',
  'tools/lint',
  ...workspaces.map((folder) => `${folder}/package.json`),
  ...[...workspaces, ...others, 'apps']
    .map((folder) => `${folder}/tsconfig.json`)
    .filter((path) => existsSync(join(root, path))),
];

/** Writes the files; each import or ban is on lines of its own. */
function plant(copy) {
  const texts = new Map(targets.map((file) => [file, 'export {};\n']));
  const at = [];
  for (const violation of [...permitted, ...arrows, ...banned]) {
    const before = texts.get(violation.file) ?? '';
    const first = before.split('\n').length;
    texts.set(violation.file, `${before}${violation.code}\n`);
    at.push({ violation, first, last: first + violation.code.split('\n').length - 1 });
  }
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  }
  return at;
}

function lint(copy) {
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const run = spawnSync(process.execPath, [oxlint, '--format=json'], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  try {
    return JSON.parse(run.stdout).diagnostics;
  } catch {
    throw new Error(`The lint run on the planted files failed: ${run.stdout}${run.stderr}`);
  }
}

const copy = mkdtempSync(join(tmpdir(), 'clinic-probe-'));
try {
  for (const path of skeleton) {
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const planted = plant(copy);
  const reports = new Map();
  for (const { code, filename, labels } of lint(copy)) {
    const file = filename.replaceAll('\\', '/');
    const key = `${code} ${file}`;
    reports.set(key, [...(reports.get(key) ?? []), labels[0]?.span.line ?? 1]);
  }
  const reported = (code, { violation, first, last }) =>
    (reports.get(`${code} ${violation.file}`) ?? []).some((line) => line >= first && line <= last);

  const mistakes = planted.flatMap((each) => {
    const { file, code, rule } = each.violation;
    if (rule === undefined) {
      const wrong = ['dependencies', 'no-unknown-dependencies'].filter((name) =>
        reported(`boundaries(${name})`, each),
      );
      return wrong.map((name) => `reported although permitted (${name}): ${file}: ${code}`);
    }
    return reported(rule, each) ? [] : [`not reported (${rule}): ${file}: ${code}`];
  });
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) {
    process.exitCode = 1;
  } else {
    const layers = new Set(arrows.map(({ arrow }) => arrow)).size;
    console.log(`${layers} arrows, ${banned.length} bans, all reported`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
