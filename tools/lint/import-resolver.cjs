// Where an import leads, for eslint-plugin-boundaries: the file, null for a built-in or a package
// of npm, and a path that no layer knows for what cannot be resolved, so that it is reported.
const { existsSync, readFileSync, statSync } = require('node:fs');
const { builtinModules } = require('node:module');
const { dirname, join, resolve } = require('node:path');

const root = resolve(__dirname, '../..');
const unresolved = (source) => ({ found: true, path: join(root, 'unresolved-import', source) });
const isFile = (path) => existsSync(path) && statSync(path).isFile();

function packageFolder(name, from) {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

const workspaces = new Map(
  [
    'packages/domain',
    'packages/contract',
    'packages/texts',
    'packages/ui',
    'packages/app',
    'packages/oscar',
    'apps/service',
    'apps/practice',
    'apps/cli',
    'apps/web',
  ].map((folder) => [
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name,
    join(root, folder),
  ]),
);

function exported(folder, subpath) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const [pattern, target] of Object.entries(exports)) {
    if (pattern === subpath) return join(folder, target);
    const [before, after] = pattern.split('*');
    if (after !== undefined && subpath.startsWith(before) && subpath.endsWith(after)) {
      const name = subpath.slice(before.length, subpath.length - after.length);
      return join(folder, target.replace('*', name));
    }
  }
  return undefined;
}

exports.interfaceVersion = 2;

exports.resolve = (source, file) => {
  const specifier = source.replace(/\?.*$/, '');
  // What begins with `virtual:` is made by a plugin of the build.
  if (/^(node|virtual):/.test(specifier) || builtinModules.includes(specifier)) {
    return { found: true, path: null };
  }
  if (specifier.startsWith('.')) {
    const path = resolve(dirname(file), specifier);
    return isFile(path) ? { found: true, path } : unresolved(specifier);
  }
  const [, name, rest] = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return unresolved(specifier);
  const workspace = workspaces.get(name);
  if (workspace !== undefined) {
    const path = exported(workspace, `.${rest ?? ''}`);
    return path !== undefined && isFile(path) ? { found: true, path } : unresolved(specifier);
  }
  const folder = packageFolder(name, file);
  return folder === undefined
    ? unresolved(specifier)
    : { found: true, path: join(folder, 'package.json') };
};
