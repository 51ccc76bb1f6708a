// Checks what no lint rule can see: tests that no suite runs, lint rules that are switched off, time zones in
// SQL, migrations that take something away, and links in Markdown that lead nowhere.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, matchesGlob, posix } from 'node:path';

import vitestConfig from '../vitest.config.ts';
import { mistakesInMigrations } from './migrations-only-add.mjs';
import { root } from './node-path.mjs';

const isTest = /\.(test|spec)\.(ts|tsx|mjs)$/;
const forbidden = [
  [/\b(ox|es)lint-(disable|enable)/, /\.(ts|tsx|mjs|cjs|js)$/, 'no lint rule is switched off'],
  [/\bat\s+time\s+zone\b/i, /\.sql$/, 'SQL does no zone arithmetic'],
];
/** These files must contain what they forbid. */
const exempt = ['tools/check-files.mjs', 'tools/check-files.test.mjs'];

/** The files that vitest, Playwright and node --test run. */
const suites = [
  ...vitestConfig.test.projects.map(({ test }) => test),
  { include: ['e2e/journeys/*.spec.ts'] },
  { include: ['tools/*.test.mjs'] },
];
const within = (path, patterns = []) => patterns.some((pattern) => matchesGlob(path, pattern));
const isRun = (path) =>
  suites.some(({ include, exclude }) => within(path, include) && !within(path, exclude));

const withoutBlocks = (text) => text.replace(/^ *```[^]*?^ *```/gm, '');

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(text) {
  const times = new Map();
  return [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const words = heading.replace(/\[(.*?)\]\(.*?\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

/** The links of a Markdown page to files and headings that are not there. */
function deadLinks(page, paths, read) {
  const text = withoutBlocks(read(page)).replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\((?![a-z]+:)([^)\s]*)\)/g)]
    .map(([, link]) => link)
    .filter((link) => {
      const [file, anchor] = link.split('#');
      const target = file === '' ? page : posix.join(posix.dirname(page), file).replace(/\/$/, '');
      if (!paths.includes(target)) return !paths.some((path) => path.startsWith(`${target}/`));
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    })
    .map((link) => `${page}: the link to ${link} leads nowhere`);
}

/** A sentence for each mistake in the files; `read` returns a file's text. */
export function mistakesIn(paths, read) {
  const each = paths.flatMap((path) => {
    const words = forbidden.filter(
      ([pattern, files]) => files.test(path) && !exempt.includes(path) && pattern.test(read(path)),
    );
    return [
      ...words.map(([, , sentence]) => `${path}: ${sentence}`),
      ...(isTest.test(path) && !isRun(path) ? [`${path}: no suite runs this test`] : []),
      ...(path.endsWith('.md') ? deadLinks(path, paths, read) : []),
    ];
  });
  return [...each, ...mistakesInMigrations(paths, read)];
}

/** All files that are or may be committed. Throws without git, such as in an archive. */
function files() {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { status, stdout, stderr } = spawnSync('git', list, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`);
  return stdout.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
}

if (process.argv[1] === import.meta.filename) {
  const paths = files();
  const mistakes = mistakesIn(paths, (path) => readFileSync(join(root, path), 'utf8'));
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
  else console.log(`${paths.length} files, each test in a suite`);
}
