// Which tests a change can break. A test is left out where the map of the tests shows that it runs no function
// of a changed file; what the map does not know leads to all that import it, and so do the files that decide
// everything.
import { spawnSync } from 'node:child_process';

import { filesOfRepository, importGraph, reached, turnedRound } from './import-graph.mjs';
import { root } from './node-path.mjs';
import { hashesOf, readTestMap } from './test-map.mjs';

const isTest = (path) => /\.(test|spec)\.tsx?$/.test(path);
const isJourney = (path) => path.startsWith('e2e/journeys/');

/** Their tables and constants are read everywhere, and no call of a function shows it. */
const decides = /^packages\/(domain|contract)\/|\/schema(-[a-z]+)?\.ts$/;
/** What every run begins with. */
const beginsEverything =
  /^(package(-lock)?\.json|vitest\.config\.ts|tools\/(vitest-|bundle|build)[\w-]*\.\w+|e2e\/(playwright\.config|src\/prepare)\.ts)$/;
const withinPages = /^(apps\/(web|desk)|packages\/(app|ui|texts))\//;

const workspaceOf = (path) => /^(apps|packages)\/[^/]+\/(?!.*\.md$)/.exec(path)?.[0] ?? path;

/** What a file leads to that nobody imports or names. */
function standsFor(path) {
  if (path.startsWith('apps/service/migrations/')) return 'apps/service/src/schema.ts';
  if (path.startsWith('apps/desk/')) return 'apps/desk/src/main.tsx';
  return withinPages.test(path) ? 'apps/web/src/main.tsx' : path;
}

/**
 * `map` gives of each test that it knows the files that it ran, and which files have changed since: what it runs of
 * these may lead it to what they import.
 */
export function testsOf(changed, { graph, map }) {
  const users = turnedRound(graph);
  const tests = [...graph.keys()].filter(isTest);
  const seen = new Set(Object.values(map).flatMap(({ files }) => files));
  const leads = new Map(tests.map((test) => [test, reached(graph, [test])]));
  const startsPrograms = (test) =>
    !isJourney(test) && leads.get(test).has('tools/vitest-programs.ts');
  const isRun = (test, path) =>
    path === test ||
    map[test].files.includes(path) ||
    (!seen.has(path) && leads.get(test).has(path));
  const ran = new Map(Object.entries(map).map(([test, { files }]) => [test, new Set(files)]));
  for (const test of tests) {
    const since = map[test]?.since ?? [];
    const others = since.filter((path) => !changed.includes(path) && isRun(test, path));
    for (const path of [...others, ...others.flatMap((other) => [...(graph.get(other) ?? [])])])
      ran.get(test).add(path);
  }
  const ofFile = (path) => {
    if (beginsEverything.test(path)) return tests;
    const isNamed = graph.has(path) || users.has(path);
    const led = [...reached(users, [isNamed ? path : standsFor(path)])].filter(isTest);
    if (!isNamed) led.push(...tests.filter((test) => workspaceOf(test) === workspaceOf(path)));
    if (decides.test(path) || !seen.has(path)) return led;
    const run = tests.filter((test) => ran.get(test)?.has(path));
    const unknown = led.filter(
      (test) => test === path || map[test] === undefined || startsPrograms(test),
    );
    return [...run, ...unknown];
  };
  const wanted = new Set(changed.flatMap(ofFile));
  return tests.filter((test) => wanted.has(test));
}

/** Of what differs from main, or from another commit, in commits and in the working tree. */
export function changedTests(since) {
  const base = git('merge-base', 'HEAD', since ?? mainBranch()).trim();
  const paths = filesOfRepository();
  const changed = new Set(git('diff', '--name-only', base).split('\n'));
  const untracked = git('ls-files', '--others', '--exclude-standard');
  for (const path of untracked.split('\n')) changed.add(path);
  const files = [...changed].filter((path) => path !== '');
  const map = readTestMap(hashesOf(paths));
  const all = paths.filter(isTest);
  return {
    files,
    tests: testsOf(files, { graph: importGraph(paths), map }),
    all: all.length,
    unknown: all.filter((test) => map[test] === undefined).length,
  };
}

const mainBranch = () =>
  ['main', 'origin/main'].find(
    (name) => run('rev-parse', '--verify', '--quiet', name).status === 0,
  ) ?? 'HEAD';
const run = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

function git(...args) {
  const { status, stdout, stderr } = run(...args);
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
