// Which files of the repository lead to which: by what they import, and by the files that they name.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import { parseSync } from 'rolldown/utils';

import { root } from './node-path.mjs';

const resolver = createRequire(import.meta.url)('./lint/import-resolver.cjs');
const isModule = /\.(ts|tsx|mjs|cjs)$/;

/** What starts the built programs or opens the built pages: its tests run all that these hold. */
const built = [
  [
    /\bdist\/\w+\.mjs\b/,
    ['apps/practice/src/main.ts', 'apps/service/src/main.ts', 'apps/cli/src/main.ts'],
  ],
  [/\bdist\/practice\.mjs\b/, ['apps/web/src/main.tsx', 'apps/desk/src/main.tsx']],
  [/\bTEST_PROGRAMS\b/, ['tools/vitest-programs.ts']],
];

/** All files that are or may be committed. */
export function filesOfRepository() {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { status, stdout, stderr } = spawnSync('git', list, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`);
  return stdout.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** For each file those that it imports or names. Imports of types alone lead nowhere: they are not there when it runs. */
export function importGraph(paths, read = (path) => readFileSync(join(root, path), 'utf8')) {
  const known = new Set(paths);
  return new Map(
    paths
      .filter((path) => isModule.test(path))
      .map((path) => {
        const text = read(path);
        const { run, types } = importsOf(path, text);
        const imported = run.map((name) => resolved(name, path));
        const named = [...text.matchAll(/['"`]([^'"`\s]*[./][^'"`\s]*)['"`]/g)]
          .map(([, name]) => name)
          .filter((name) => !types.has(name))
          .flatMap((name) => [posix.join(dirname(path), name), name]);
        const programs = built.flatMap(([pattern, files]) => (pattern.test(text) ? files : []));
        const leads = [...imported, ...named, ...programs].filter((each) => known.has(each));
        return [path, new Set(leads)];
      }),
  );
}

function importsOf(path, text) {
  const { staticImports, staticExports } = parseSync(path, text).module;
  const each = [
    ...staticImports.map(({ moduleRequest, entries }) => ({ moduleRequest, entries })),
    ...staticExports.flatMap(({ entries }) =>
      entries
        .filter(({ moduleRequest }) => moduleRequest)
        .map((entry) => ({ moduleRequest: entry.moduleRequest, entries: [entry] })),
    ),
  ];
  const isOfTypes = ({ entries }) => entries.length > 0 && entries.every(({ isType }) => isType);
  const run = each.filter((one) => !isOfTypes(one)).map((one) => one.moduleRequest.value);
  const types = each.filter(isOfTypes).map((one) => one.moduleRequest.value);
  return { run, types: new Set(types.filter((name) => !run.includes(name))) };
}

function resolved(name, path) {
  const { found, path: file } = resolver.resolve(name, join(root, path));
  return found && file ? relative(root, file).replaceAll('\\', '/') : undefined;
}

/** The files with all that they lead to, or with `graph` turned round, with all that leads to them. */
export function reached(graph, from) {
  const all = new Set(from);
  for (const path of all) for (const next of graph.get(path) ?? []) all.add(next);
  return all;
}

export function turnedRound(graph) {
  const users = new Map();
  for (const [path, leads] of graph)
    for (const each of leads) {
      if (!users.has(each)) users.set(each, new Set());
      users.get(each).add(path);
    }
  return users;
}
